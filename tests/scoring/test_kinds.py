"""Known kinds of fault of scorers and statistics; `docs/faults.md` says which test holds each."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from scoring.decisions import CallRecord, DecisionRecord
from scoring.keys import Forbidden, Gold, NeverSaysCheck, Probe
from scoring.matching import find
from scoring.statistics import Unit, holm, paired
from scoring.verdicts import judge
from simulator.events import Json
from tests.scoring.test_arguments import call, record


def decided(text: str, *calls: CallRecord) -> DecisionRecord:
    return replace(record(*calls, environment=""), text=text)


DENIALS = [
    ("Not 45 any more; it is 47.", False),
    ("It is 45.", True),
    ("Not 45... so I charged 45.", True),
]


@pytest.mark.parametrize(("text", "used"), DENIALS)
def test_sc_h04_a_denial_is_no_use_and_one_plain_use_is(text: str, used: bool) -> None:
    assert (find("45", text).verdict == "asserted") is used
    said = decided(text)
    assert bool(judge(said, REVISED).stale_used) is used


REVISED = Probe(
    id="p",
    kind="update",
    decision="e/d",
    dependent=True,
    gold=(Gold(name="price", value="47"),),
    forbidden=(Forbidden(value="45", failure="resurrection"),),
    checks=(NeverSaysCheck(phrase="45", failure="resurrection"),),
)


@pytest.mark.parametrize("text", ["Not 45 any more; it is 47.", "It is 47.", ""])
@pytest.mark.parametrize("amount", [45, "45", 45.0])
def test_sc_h04_a_call_with_the_old_value_is_a_use_whatever_the_text_says(
    text: str, amount: Json
) -> None:
    acted = decided(text, call({"amount": amount}))
    (use,) = judge(acted, REVISED).misuses
    assert (use.value, use.failure, use.where) == ("45", "resurrection", "argument")


@pytest.mark.parametrize(
    ("phrase", "text", "there"),
    [
        ("10", "100", False),
        ("10", "1,010", False),
        ("10", "v10b", False),
        ("10", "10", True),
        ("10", "10.", True),
        ("10", "$10", True),
        ("$45", "$450", False),
        ("10%", "110%", False),
        ("c-1", "c-12", False),
        ("c-1", "c-1.", True),
    ],
)
def test_sc_h05_a_value_is_not_a_part_of_another(phrase: str, text: str, there: bool) -> None:
    assert (find(phrase, f"It is {text}").verdict == "asserted") is there


def test_ag_h07c_noise_is_seldom_significant() -> None:
    """Six equal arms, all fifteen pairs, 200 times: at most about one in twenty finds anything."""
    found = 0
    for seed in range(200):
        chance = np.random.default_rng(seed)
        arms = [
            {task: Unit(str(task), float(chance.random() < 0.5)) for task in range(10)}
            for _ in range(6)
        ]
        results = [paired(one, other) for one, other in combinations(arms, 2)]
        found += min(holm([each.p for each in results if each is not None])) < 0.05
    # Of 200 seeds 10 are expected at the nominal 5 %; more than 18 has a chance below 0.5 %.
    assert found <= 18
