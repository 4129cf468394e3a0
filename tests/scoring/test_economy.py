"""Worth, harm and distraction of small runs, by hand."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from scoring.compare import compare
from scoring.keys import Gold, Key, Probe, SaysCheck
from scoring.run import Run
from scoring.statistics import Unit, paired

MODEL = {"agent_model": {"scripted": False}}


def asked(number: int, dependent: bool = True, **more: Any) -> Probe:
    return Probe(
        id=f"p{number}",
        kind="recall" if dependent else "independent",
        decision=f"ask{number}/d",
        dependent=dependent,
        gold=(Gold(name="amount", value="45"),) if dependent else (),
        checks=(SaysCheck(phrase="45"),),
        **more,
    )


def said(play: Any, right: bool, tokens: int) -> Any:
    return play(text="It is 45." if right else "It is 40.", usage=(tokens, 0, 0))


@pytest.fixture
def three(maker: Callable[..., Any]) -> Any:
    """Arms none, replay (unbudgeted) and facts of a real model, whose evidence is tested."""
    names = ("none", "replay", "facts")
    made = maker(memories=[{"name": name, "options": {}} for name in names])
    for name in names:
        budget = None if name == "replay" else 256
        made.arm(name, memory=name, model="llama-cpp", token_budget=budget)
    return made


@pytest.fixture
def economy(three: Any, play: Any) -> Iterator[Run]:
    """Ten arcs of one dependent and one independent decision; an episode each, and one to plant."""
    for number in range(10):
        arc = f"a{number}"
        three.arc(arc, [asked(1), asked(2, dependent=False)])
        three.play(arc, "none", 0, said(play, False, 100), said(play, True, 100), identities=MODEL)
        three.play(
            arc, "replay", 0, said(play, True, 400), said(play, number > 1, 400), identities=MODEL
        )
        three.play(
            arc, "facts", 0, said(play, number > 0, 200), said(play, True, 100), identities=MODEL
        )
    with three.write() as run:
        yield run


def test_what_a_success_costs_by_hand(economy: Run) -> None:
    none, replay, facts = compare([economy])["worth"]
    # $0.4 a million tokens; three episodes an arc.
    assert none["episode_cost"] == pytest.approx(200 * 0.4e-6 / 3)
    assert replay["episode_cost_extra"] == pytest.approx(600 * 0.4e-6 / 3)
    assert facts["episode_cost_extra"] == pytest.approx(100 * 0.4e-6 / 3)
    assert (replay["tsr_gain"], facts["tsr_gain"]) == (1.0, 0.9)
    assert replay["camu"] == pytest.approx(1.0 / (600 * 0.4e-6 / 3))
    assert facts["camu"] == pytest.approx(0.9 / (100 * 0.4e-6 / 3))
    assert facts["break_even"] == pytest.approx(1 / facts["camu"])
    assert facts["cost_per_success"] == pytest.approx(300 * 0.4e-6 / 3 / 0.9)
    assert facts["camu_ci"][0] < facts["camu"] <= facts["camu_ci"][1]
    assert facts["camu_undefined"] == 0.0
    assert (none["camu"], none["tsr_gain"], none["cost_per_success"]) == (None, None, None)


def test_the_best_memory_is_held_against_unbudgeted_replay(economy: Run) -> None:
    (row,) = compare([economy])["best"]
    assert (row["domain"], row["best"], row["replay"]) == ("support", ["facts"], "replay")
    assert row["times_camu"] == pytest.approx(0.9 * 6)
    assert row["episode_tokens"] == pytest.approx(100)
    assert row["times_tokens"] == pytest.approx(800 / 300)


def test_where_no_memory_helps_none_is_the_best(three: Any, play: Any) -> None:
    for number in range(3):
        three.arc(f"a{number}", [asked(1)])
        for arm, tokens in (("none", 1), ("replay", 9), ("facts", 3)):
            three.play(f"a{number}", arm, 0, said(play, False, tokens), identities=MODEL)
    with three.write() as run:
        (row,) = compare([run])["best"]
    assert (row["best"], row["camu"], row["times_tokens"]) == ([], 0.0, None)


def test_distraction_is_success_lost_where_no_memory_is_needed(economy: Run) -> None:
    none, replay, facts = compare([economy])["rows"]
    assert none["distraction"] is None
    assert (replay["distraction"], facts["distraction"]) == (pytest.approx(0.2), 0.0)
    assert replay["distraction_pairs"] == 10
    # Two clusters differ, so all four sign patterns are as likely: 2 of 4 reach |2|.
    assert replay["distraction_p"] == 0.5
    assert (facts["distraction_p"], facts["distraction_p_holm"]) == (1.0, 1.0)
    assert replay["distraction_p_holm"] == 1.0


def test_scripted_arms_are_never_ranked_nor_tested(three: Any, play: Any) -> None:
    for number in range(3):
        three.arc(f"a{number}", [asked(1), asked(2, dependent=False)])
        for arm, tokens in (("none", 1), ("replay", 9), ("facts", 3)):
            right = said(play, arm != "none", tokens)
            three.play(f"a{number}", arm, 0, right, right)
    with three.write() as run:
        found = compare([run])
    assert found["best"] == []
    assert found["rows"][2]["camu"] is not None
    assert found["rows"][2]["distraction_p"] is None


def test_a_row_with_a_part_of_its_trials_has_no_worth(economy: Run) -> None:
    rows = compare([economy], ["arm", "probe_kind"])["rows"]
    assert {row["camu"] for row in rows} == {None}
    assert {row["cost_per_success"] for row in rows} == {None}


def test_clusters_that_share_a_trial_are_drawn_together(three: Any, play: Any) -> None:
    for number in range(4):
        probes = [asked(1, cluster=f"c{number}"), asked(2, cluster=f"d{number}")]
        three.arc(f"a{number}", probes)
        for arm, right in (("none", False), ("facts", True)):
            extra = 10 * number if right else 0
            answer = said(play, right, 10 + extra)
            three.play(f"a{number}", arm, 0, answer, answer, identities=MODEL)
    with three.write() as run:
        _, facts = compare([run])["worth"]
    # Gain 1 everywhere; an episode of arc n costs 2 · 10n tokens / 3 more, so 0 to 20 of them.
    low, high = facts["camu_ci"]
    assert facts["camu"] == pytest.approx(1 / (10 * 0.4e-6))
    assert facts["camu_undefined"] == pytest.approx(4**-4, abs=0.002)
    assert low >= 1 / (20 * 0.4e-6) - 1e-6
    assert high <= 1 / (5 / 3 * 0.4e-6) + 1e-6


@pytest.fixture
def harmed(three: Any, play: Any) -> Iterator[Run]:
    """Eight clean arcs and a corrupted version of each; facts falls for it in six of them."""
    for number in range(8):
        clean, wrong = f"a{number}", f"a{number}.stale-100"
        three.arc(clean, [asked(1)])
        three.arc(wrong, [asked(1)], cluster=clean)
        corrupted = {"corruption": "stale:1", "clean": clean}
        three.keys[wrong] = Key(**{**three.keys[wrong].model_dump(), **corrupted})
        three.arcs[wrong] |= {"corruption": "stale:1", "key": three.keys[wrong].hash}
        for arm in ("none", "facts"):
            right = arm == "facts"
            three.play(clean, arm, 0, said(play, right, 10), identities=MODEL)
            still = said(play, right and number > 5, 10)
            error = play(error=("model", "unparsable"))
            three.play(wrong, arm, 0, error if number == 7 else still, identities=MODEL)
    with three.write() as run:
        yield run


def test_stale_memory_harm_by_hand(harmed: Run) -> None:
    rows = compare([harmed])["rows"]
    by = {(row["arm"], row["corruption"]): row for row in rows}
    facts = by["facts", "stale:1"]
    # Pair 7 ended in an error; of the other seven, six succeeded on clean arcs only.
    assert (facts["smh"], facts["smh_pairs"], facts["smh_clusters"]) == (pytest.approx(6 / 7), 7, 7)
    assert facts["smh_p"] == 2 / 2**6
    same = paired(
        {n: Unit(f"a{n}", 1.0) for n in range(7)},
        {n: Unit(f"a{n}", float(n > 5)) for n in range(7)},
    )
    assert same is not None
    assert facts["smh_ci"] == list(same.interval)
    assert by["none", "stale:1"]["smh"] == 0.0
    # Two tested differences in the family: twice the smaller p.
    assert facts["smh_p_holm"] == 4 / 2**6
    assert by["facts", "none"]["smh"] is None


def test_harm_needs_no_grouping_by_corruption(harmed: Run) -> None:
    rows = compare([harmed], ["arm"])["rows"]
    harm = {row["arm"]: row["smh"] for row in rows}
    assert harm == {"none": 0.0, "facts": pytest.approx(6 / 7)}


def test_harm_is_told_by_arm_with_what_was_acted_on(harmed: Run) -> None:
    conduct = compare([harmed])["conduct"]
    facts = next(r for r in conduct if (r["arm"], r["corruption"]) == ("facts", "stale:1"))
    assert facts["smh"] == pytest.approx(6 / 7)
    assert (facts["corrupted_used"], facts["n_corrupted_used"]) == (0, 8)
    clean = next(r for r in conduct if (r["arm"], r["corruption"]) == ("facts", "none"))
    assert (clean["smh"], clean["n_corrupted_used"]) == (None, 0)
