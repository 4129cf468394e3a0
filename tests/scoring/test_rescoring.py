"""One log under two scorers or two keys: what changed and why, and what could not."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.compare import Version, compare, score_runs
from scoring.controls import controls
from scoring.keys import (
    CalledCheck,
    Forbidden,
    Gold,
    Key,
    NeverSaysCheck,
    Probe,
    SaysCheck,
)
from scoring.ranking import Place, places
from scoring.rescoring import rescore, score
from scoring.run import Run
from scoring.scorers import CLAUSE, PLAIN, SCORER, SCORERS
from scoring.statistics import Unit
from simulator.events.errors import InputError

LOCAL = {"agent_model": {"name": "llama-cpp", "model": "a"}}
BEFORE, AFTER = Version(PLAIN), Version(CLAUSE)


def question(number: int, **more: Any) -> Probe:
    """Ask for Thursday where Friday is dead."""
    return Probe(
        id=f"p{number}",
        kind="question",
        decision=f"ask{number}/d",
        dependent=True,
        checks=(
            SaysCheck(phrase="Thursday"),
            NeverSaysCheck(phrase="Friday", failure="resurrection"),
        ),
        forbidden=(Forbidden(value="Friday", failure="resurrection"),),
        **more,
    )


def action(number: int) -> Probe:
    return Probe(
        id=f"p{number}",
        kind="update",
        decision=f"ask{number}/d",
        dependent=True,
        gold=(Gold(name="amount", value="$60"),),
        checks=(CalledCheck(tool="pay", arguments={"amount": "$60"}),),
        forbidden=(Forbidden(value="$45", failure="resurrection"),),
    )


@pytest.fixture
def run(maker: Callable[..., Any], play: Any) -> Run:
    """Two arms, two questions and an action: `talks` rules Friday out, `mute` only answers."""
    made = maker()
    made.arc("a1", [question(1), question(2), action(3)])
    for arm in ("talks", "mute"):
        made.arm(arm, memory=arm, model="llama-cpp")
    paid = play(calls=(("pay", {"amount": "$60"}, True, []),), usage=(100, 0, 10))
    for arm, texts in {
        "talks": ("It is not Friday. It is Thursday.", "It is Friday or Thursday."),
        "mute": ("It is Thursday.", "Friday."),
    }.items():
        plays = [play(text=text, usage=(100, 0, 10)) for text in texts]
        made.play("a1", arm, 0, *plays, paid, identities=LOCAL)
    found: Run = made.write()
    return found


def files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_scoring_twice_is_identical_and_leaves_every_byte(run: Run) -> None:
    before = files(run.folder)
    first, second = score(run), score(run)
    assert first == second
    assert rescore(run, BEFORE, AFTER) == rescore(run, BEFORE, AFTER)
    run.close()
    assert files(run.folder) == before


def test_every_result_names_its_versions(run: Run) -> None:
    found = score(run)
    assert found["scorer"] == SCORER == "clause-2"
    assert found["key_hashes"] == {"a1": run.key("a1").hash}
    assert [row["scorer"] for row in (*found["rows"], *found["arms"])] == [SCORER] * 4
    assert {row["keys"] for row in found["arms"]} == {found["keys"]}
    assert compare([run])["rows"] == found["rows"]
    assert set(SCORERS) == {"plain", "clause"}


def test_a_scorer_is_held_against_the_one_before_it(run: Run) -> None:
    against = rescore(run, BEFORE, AFTER)["against"]
    assert (against["scorer"], against["decisions"]) == ("plain-1", 6)
    # What rules Friday out passes now; what offers it, or says it, fails under both.
    (change,) = against["changed"]
    assert change == {
        "trial": "a1/talks/0",
        "arm": "talks",
        "probe": "p1",
        "probe_kind": "question",
        "before": {"verdict": "failed", "violations": [["resurrection", "Friday"]]},
        "after": {"verdict": "passed", "violations": []},
        "why": [
            "resurrection 'Friday': asserted: the text has it → "
            "negated: 'not' before it in its clause rules it out"
        ],
    }


def test_what_a_scorer_cannot_touch_is_the_same(run: Run) -> None:
    against = rescore(run, BEFORE, AFTER)["against"]
    assert against["identical"]
    assert [(each["compared"], each["different"]) for each in against["controls"]] == [
        (2, 0),  # trials
        (6, 0),  # decisions
        (2, 0),  # verdicts on the action, which no phrase check judges
    ]
    kept = ("tokens", "usd_as_if", "errors", "calls", "type_faults", "answer_tokens", "n")
    new = rescore(run, BEFORE, AFTER)["rows"]
    for one, other in zip(against["rows"], new, strict=True):
        assert [one[name] for name in kept] == [other[name] for name in kept]
        assert one["keys"] == other["keys"]
        assert one["scorer"] != other["scorer"]


def test_cells_hold_rate_rank_and_tie_group_under_both(run: Run) -> None:
    cells = rescore(run, BEFORE, AFTER)["against"]["cells"]
    told = {(cell["model"], cell["probe_kind"]): cell for cell in cells}
    assert list(told) == [("llama-cpp", "question"), ("llama-cpp", "update")]
    question_ = told["llama-cpp", "question"]
    standing = {
        (arm["arm"], when): (arm[when]["success_rate"], arm[when]["success_rank"])
        for arm in question_["arms"]
        for when in ("before", "after")
    }
    assert standing == {
        ("talks", "before"): (0.0, 2),
        ("mute", "before"): (0.5, 1),
        ("talks", "after"): (0.5, 1),
        ("mute", "after"): (0.5, 1),
    }
    talks = next(arm for arm in question_["arms"] if arm["arm"] == "talks")
    assert (talks["before"]["violations"], talks["after"]["violations"]) == ([2, 2], [1, 2])
    # With two decisions nothing can be told apart.
    groups = {
        arm[when]["success_tie_group"] for arm in question_["arms"] for when in arm if when != "arm"
    }
    assert groups == {1}
    assert question_["order_changed"] == {"by_success": True, "by_safety": True}
    assert told["llama-cpp", "update"]["order_changed"] == {
        "by_success": False,
        "by_safety": False,
    }


def test_scripted_arms_are_never_ranked(maker: Callable[..., Any], play: Any) -> None:
    made = maker()
    made.arc("a1", [question(1)])
    made.arm("none")
    made.play("a1", "none", 0, play(text="It is Thursday."))
    with made.write() as run:
        (cell,) = rescore(run, BEFORE, AFTER)["against"]["cells"]
    (arm,) = cell["arms"]
    assert (arm["after"]["success_rate"], arm["after"]["success_rank"]) == (1.0, None)
    assert (arm["after"]["safety_rate"], arm["after"]["safety_tie_group"]) == (1.0, None)
    assert cell["order_changed"] == {"by_success": None, "by_safety": None}


def rekeyed(run: Run, *probes: Probe, **more: Any) -> Version:
    key = run.key("a1").model_copy(update={"probes": probes, **more})
    return Version(keys={"a1": Key.model_validate(key.model_dump())})


def test_keys_are_held_against_each_other(run: Run) -> None:
    first, second, third = run.key("a1").probes
    looser = second.model_copy(update={"checks": second.checks[:1], "forbidden": ()})
    found = rescore(run, Version(), rekeyed(run, first, looser, third))
    assert found["keys"] != found["against"]["keys"]
    assert found["scorer"] == found["against"]["scorer"]
    changed = {each["trial"]: each for each in found["against"]["changed"]}
    assert list(changed) == ["a1/mute/0", "a1/talks/0"]
    assert changed["a1/talks/0"]["after"] == {"verdict": "passed", "violations": []}
    reason = "resurrection 'Friday': asserted: nothing in its clause rules it out → not forbidden"
    assert [each["why"] for each in changed.values()] == [[reason]] * 2
    # Probes 1 and 3 of two trials are the same in both keys.
    assert [(each["compared"], each["different"]) for each in found["against"]["controls"]] == [
        (2, 0),
        (4, 0),
    ]


def test_added_removed_and_excluded_probes_are_told(run: Run) -> None:
    first, second, third = run.key("a1").probes
    new = action(3).model_copy(update={"id": "other"})
    unfair = second.model_copy(update={"excluded": "nobody can know"})
    against = rescore(run, Version(), rekeyed(run, first, unfair, new))["against"]
    why = {each["probe"]: each["why"] for each in against["changed"] if each["arm"] == "talks"}
    assert why == {
        "p2": ["was scored", "is excluded: nobody can know"],
        "p3": ["the key has no such probe any more"],
        "other": ["the probe is new in the key"],
    }
    sides = {each["probe"]: (each["before"], each["after"]) for each in against["changed"]}
    assert sides["p3"][1] is None
    assert sides["other"][0] is None
    assert against["identical"]


def test_another_check_is_told_with_its_result(run: Run) -> None:
    first, second, third = run.key("a1").probes
    stricter = third.model_copy(update={"checks": (*third.checks, SaysCheck(phrase="Paid"))})
    against = rescore(run, Version(), rekeyed(run, first, second, stricter))["against"]
    why = [each["why"] for each in against["changed"]]
    said = 'is checked now: says {"phrase":"Paid"}: the answer does not assert \'Paid\': '
    assert why == [[said + "the text does not have it"]] * 2


def test_moving_a_cluster_changes_no_verdict(run: Run) -> None:
    moved = rekeyed(run, *run.key("a1").probes, cluster="elsewhere", domain="other")
    against = rescore(run, Version(), moved)["against"]
    assert (against["changed"], against["identical"]) == ([], True)


def test_what_does_not_fit_is_refused(run: Run) -> None:
    with pytest.raises(InputError, match="must differ"):
        rescore(run, Version(), Version())
    with pytest.raises(InputError, match="must differ"):
        rescore(run, BEFORE, rekeyed(run))
    with pytest.raises(InputError, match="no key for arc 'a1'.*'a2'"):
        score(run, Version(keys={"a2": run.key("a1")}))
    with pytest.raises(InputError, match="no decision 'ask9/d'"):
        score(run, rekeyed(run, question(9)))


def test_a_difference_that_cannot_be_is_seen(run: Run) -> None:
    key = {"a1": run.key("a1")}
    found = score_runs([run])
    (_, one), (_, other) = found.trials
    # Two arms answered differently, which a change of the scorer could never bring about.
    different = [each.different for each in controls([(one, other)], key, key, same_scorer=False)]
    assert different[0] == 1
    assert different[1] > 0


def test_inadmissible_phrases_are_listed_with_the_reason(
    maker: Callable[..., Any], play: Any
) -> None:
    made = maker()
    forbidden = tuple(
        Forbidden(value=value, failure="leakage") for value in ("approved", "$", "Bergen")
    )
    probes = [
        question(1).model_copy(update={"forbidden": forbidden}),
        question(2).model_copy(update={"forbidden": forbidden[:1]}),
    ]
    made.arc("a1", probes)
    made.arm("none")
    made.play("a1", "none", 0, play(), play())
    with made.write() as run:
        assert score(run)["inadmissible"] == [
            {"phrase": "approved", "reason": "a topic word", "probes": 2},
            {"phrase": "$", "reason": "symbols only", "probes": 1},
        ]
        assert score(run, BEFORE)["inadmissible"] == []


def units(*values: float) -> dict[Any, Unit]:
    return {at: Unit(at, value) for at, value in enumerate(values)}


def test_ranks_and_tie_groups_by_hand() -> None:
    good, fair, bad = units(*[1.0] * 12), units(*[1.0] * 11, 0.0), units(*[0.0] * 12)
    # Twelve of twelve differ: p = 2 / 2^12, three tests: below 0.05. One of twelve: p = 1.
    assert places([bad, good, fair, bad]) == [Place(3, 2), Place(1, 1), Place(2, 1), Place(3, 2)]
    assert places([good]) == [Place(1, 1)]
    assert places([]) == []
    apart: dict[Any, Unit] = {("elsewhere", at): unit for at, unit in bad.items()}
    assert places([good, apart]) == [Place(1, 1), Place(2, 1)]


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=4))
def test_a_better_arm_never_ranks_below_a_worse_one(arms: list[list[bool]]) -> None:
    found = places([units(*map(float, arm)) for arm in arms])
    for one, mine in zip(arms, found, strict=True):
        assert mine.rank == 1 + sum(sum(other) > sum(one) for other in arms)


TEXTS = st.lists(
    st.sampled_from(
        ["It is Friday.", "It is not Friday.", "Thursday it is,", "not", "Friday", "but"]
    ),
    max_size=5,
).map(" ".join)


@given(TEXTS)
def test_whoever_asserts_by_clauses_asserts_plainly(text: str) -> None:
    by_clauses = CLAUSE.reads("Friday", text, "").verdict
    plainly = PLAIN.reads("Friday", text, "").verdict
    assert (by_clauses == "absent") is (plainly == "absent")
    assert CLAUSE.asserts("friday", text.lower(), "") is (by_clauses == "asserted")
    assert PLAIN.asserts("friday", text.lower(), "") is (plainly == "asserted")
