"""Arcs as episodes of a pass matrix: label, features, and who passed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probes.scenario import read_scenario
from scoring.compare import score_runs
from scoring.keys import Key, Probe, SaysCheck
from scoring.run import Run
from scoring.selection.episodes import cells_of, passed, risk_of, static_features
from scoring.selection.features import STATIC
from simulator.events.errors import InputError
from simulator.events.tokens import count_tokens

EXAMPLE = Path(__file__).parents[2] / "probes" / "examples" / "support-refund.yaml"


def probe(name: str = "p1", kind: Any = "recall", **more: Any) -> Probe:
    checks = (SaysCheck(phrase="45"),)
    known = {"decision": f"ask{name}/d", "dependent": True, "checks": checks, **more}
    return Probe(id=name, kind=kind, **known)


def key(*probes: Probe) -> Key:
    return Key(arc="a", domain="support", cluster="c", probes=probes)


def test_the_label_is_the_one_kind_of_probe_else_the_domain() -> None:
    assert risk_of(key(probe(), probe("p2"))) == "recall"
    assert risk_of(key(probe(), probe("p2", "update"))) == "support"
    assert risk_of(key(probe(), probe("p2", "update", excluded="leaks"))) == "recall"
    assert risk_of(key(probe(), probe("p2", "update", not_scorable="vague"))) == "recall"


def test_the_label_is_the_risk_where_the_probes_have_one() -> None:
    stale, leak = {"risk": "stale"}, {"risk": "leakage"}
    assert risk_of(key(probe(**stale))) == "stale"
    assert risk_of(key(probe(**stale), probe("p2", "update", **stale))) == "stale"
    assert risk_of(key(probe(**stale), probe("p2", **leak))) == "recall"
    assert risk_of(key(probe(**stale), probe("p2", "update"))) == "support"


@pytest.mark.parametrize(
    ("risks", "kept"),
    [
        (["stale", "contamination"], ["stale"]),
        (["contamination", "contamination"], ["contamination"] * 2),
    ],
)
def test_a_risk_of_a_track_of_its_own_is_left_out_beside_others(
    maker: Callable[..., Any], play: Any, risks: list[str], kept: list[str]
) -> None:
    made = maker()
    made.arm("x")
    for at, risk in enumerate(risks):
        made.arc(f"a{at}", [probe(risk=risk)], requests={"askp1/d": "How much?"})
        made.play(f"a{at}", "x", 0, play(text="45"))
    with made.write() as run:
        assert [each.risk for each in cells_of([run], score_runs([run]))] == kept


def test_the_features_of_the_example_by_hand() -> None:
    scenario = read_scenario(EXAMPLE)
    found = static_features(scenario.script, scenario.key)
    tokens = found.pop("tokens")
    assert found == {
        "tier": 2.0,  # hard
        "length": 9.0,  # 4, 3 and 2 events
        "sessions": 3.0,
        "distance": 4.0,  # from the correction on Wednesday to the last decision
        "risk_types": 2.0,  # independent and update
        "calls": 3.0,
        "constraints": 2.0,  # one forbidden value, one call not to be made
        "decisions": 3.0,
        "revisions": 1.0,
    }
    texts = [
        surface.text
        for episode in scenario.script.episodes
        for event in episode.events
        if (surface := event.surface(event.id, 0)) is not None
    ]
    assert tokens == sum(count_tokens(text) for text in texts) > 50
    assert {*found, "tokens"} == set(STATIC)


def test_an_arc_without_a_tier_has_no_such_feature() -> None:
    scenario = read_scenario(EXAMPLE)
    without = scenario.key.model_copy(update={"tier": None})
    assert "tier" not in static_features(scenario.script, without)


def run_of(maker: Callable[..., Any], plays: dict[str, list[list[Any]]], *probes: Probe) -> Run:
    """Return a run of two arms on one arc, some plays a trial seed."""
    made = maker()
    asks = {f"ask{each.id}/d": "How much?" for each in probes}
    made.arc("a", probes, requests=asks)
    for arm, seeds in plays.items():
        made.arm(arm)
        for seed, decisions in enumerate(seeds):
            made.play("a", arm, seed, *decisions)
    run: Run = made.write()
    return run


def verdicts(run: Run) -> dict[str, bool]:
    with run:
        return {cell.model: cell.passed for cell in cells_of([run], score_runs([run]))}


def test_an_arc_is_passed_when_every_scored_probe_is(maker: Callable[..., Any], play: Any) -> None:
    good, bad = play(text="It is 45."), play(text="I do not know.")
    plays = {"both": [[good, good]], "one": [[good, bad]], "none": [[bad, bad]]}
    run = run_of(maker, plays, probe(), probe("p2"))
    assert verdicts(run) == {"both": True, "one": False, "none": False}


def test_an_excluded_probe_does_not_count(maker: Callable[..., Any], play: Any) -> None:
    good, bad = play(text="It is 45."), play(text="I do not know.")
    run = run_of(maker, {"x": [[good, bad]]}, probe(), probe("p2", excluded="leaks"))
    assert verdicts(run) == {"x": True}


def test_an_arc_of_which_nothing_is_scored_is_left_out(
    maker: Callable[..., Any], play: Any
) -> None:
    run = run_of(maker, {"x": [[play(text="It is 45.")]]}, probe(excluded="leaks"))
    assert verdicts(run) == {}


def test_an_error_is_no_pass_and_every_seed_counts(maker: Callable[..., Any], play: Any) -> None:
    good = play(text="It is 45.")
    run = run_of(maker, {"cut": [[]], "once": [[good], [play(text="No.")]]}, probe())
    assert verdicts(run) == {"cut": False, "once": False}


def test_nothing_scored_is_no_verdict() -> None:
    assert passed([]) is None


def test_an_unfinished_trial_is_refused(maker: Callable[..., Any], play: Any) -> None:
    made = maker()
    made.arc("a", [probe()], requests={"askp1/d": "How much?"})
    made.arm("x")
    made.play("a", "x", 0, play(text="45"), sealed=False)
    with made.write() as run, pytest.raises(InputError, match="the trial a/x/0 is not finished"):
        list(cells_of([run], score_runs([run])))


def test_two_runs_must_mean_the_same_by_an_arc(maker: Callable[..., Any], play: Any) -> None:
    runs = []
    for name, text in (("one", "How much?"), ("two", "How much is it?")):
        made = maker(name)
        made.arc("a", [probe()], requests={"askp1/d": text})
        made.arm(name)
        made.play("a", name, 0, play(text="45"))
        runs.append(made.write())
    with runs[0], runs[1]:
        scored = score_runs(runs)
        with pytest.raises(InputError, match="the arc 'a' is another one than in .*one"):
            list(cells_of(runs, scored))


def test_two_runs_of_different_arms_make_one_matrix(maker: Callable[..., Any], play: Any) -> None:
    runs = []
    for name, text in (("one", "It is 45."), ("two", "No.")):
        made = maker(name)
        made.arc("a", [probe()], requests={"askp1/d": "How much?"})
        made.arm(name)
        made.play("a", name, 0, play(text=text))
        runs.append(made.write())
    with runs[0], runs[1]:
        cells = list(cells_of(runs, score_runs(runs)))
    assert {(each.model, each.passed) for each in cells} == {("one", True), ("two", False)}
    assert cells[0] == replace(cells[1], model="one", passed=True, file=cells[0].file)
