"""The audit of a handful of items, counted by hand."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from probes.audit import Item, audit_items
from probes.audit.carriers import LATE_CUE, LAUNDERING, NEXT_SENTENCE, VALUES
from probes.audit.gates import Gated, unmatchable
from probes.audit.scorers import SCORERS
from probes.audit.texts import CONSTRUCTED
from scoring.checks import evaluate
from scoring.decisions import decisions
from scoring.keys import NeverSaysCheck
from scoring.run import load_run
from simulator.events import Json
from tests.probes.audit.items import make

ITEMS = (
    make(id="1", cluster="a"),
    # Echoing the prompt repeats the forbidden value; the query-aware gate takes the query out.
    make(prompt="Is it still Friday?", id="2", cluster="b"),
    # "$" is no phrase: legacy flags it in "$60", the gate takes it out.
    make(prompt="What does it cost?", required=("$60",), forbidden=("$", "$45"), id="3",
         group="money", cluster="c"),
    make(prompt="And then?", required=(), forbidden=("$",), id="4", group="money", cluster="d"),
    make(prompt="Anything?", forbidden=(), id="5", group="none", cluster="e"),
    make(prompt="Who?", required=("Ann Lee",), forbidden=("Ann",), id="6", group="names",
         cluster="f"),
)  # fmt: skip


@pytest.fixture(scope="module")
def found() -> dict[str, Json]:
    return audit_items(ITEMS)


def cells(found: dict[str, Json], text: str) -> dict[str, Json]:
    names = (
        "legacy",
        "legacy_paired",
        "corrected",
        "corrected_with_prompt",
        "corrected_query_aware",
    )
    return {name: found["constructed"][text][name] for name in names}


def test_what_the_set_holds(found: dict[str, Json]) -> None:
    assert (found["queries"], found["forbidden_phrases"]) == (6, 6)
    assert found["inadmissible"]["total"] == 2
    assert found["inadmissible"]["by_track"] == {"days": 0, "money": 2, "names": 0, "none": 0}
    assert found["inadmissible"]["phrases"] == {"$": 2}
    assert found["defects"]["contradictory"] == ["6"]
    assert found["defects"]["without_forbidden"] == 1
    assert found["defects"]["templates"] == 6


def test_what_each_gate_takes(found: dict[str, Json]) -> None:
    assert found["lost"]["all"] == {
        "headline": [2, 1],
        "unmatchable": [0, 0],
        "query_aware": [2, 2],
    }
    assert found["lost"]["by_track"]["money"]["headline"] == [2, 1]


def test_plain(found: dict[str, Json]) -> None:
    # Legacy: 2 (prompt), 3 ("$60") and 6 ("Ann Lee") of the five that forbid something.
    counted = cells(found, "plain")
    assert counted["legacy"] == [3, 5]
    assert counted["legacy_paired"] == [3, 4]
    assert counted["corrected"] == [2, 4]  # 2, and 6, which requires what it forbids
    assert counted["corrected_with_prompt"] == [1, 4]
    assert counted["corrected_query_aware"] == [0, 2]


def test_rejecting(found: dict[str, Json]) -> None:
    counted = cells(found, "rejecting")
    assert counted["legacy"] == [5, 5]
    assert counted["corrected"] == [1, 4]  # 6 requires what it forbids
    assert counted["corrected_query_aware"] == [0, 2]


def test_by_track_adds_up_to_the_whole(found: dict[str, Json]) -> None:
    table = found["constructed"]
    for text in ("plain", "rejecting", "plain_and_rejecting"):
        for scorer in ("window", *cells(found, text)):
            tracks = [track[text][scorer] for track in table["by_track"].values()]
            assert [sum(part) for part in zip(*tracks, strict=True)] == table[text][scorer]


def test_intervals_hold_the_rates(found: dict[str, Json]) -> None:
    for text in ("plain", "rejecting"):
        cell = found["constructed"][text]
        for scorer, (low, high) in cell["intervals"].items():
            flagged, of = cell[scorer]
            assert low <= flagged / of <= high
    assert found["constructed"]["rejecting"]["intervals"]["legacy"][1] == 1.0


def test_filler_adds_up_over_lengths(found: dict[str, Json]) -> None:
    lengths = found["filler"]["by_length"]
    assert list(lengths) == ["10", "20", "40", "80", "160", "319"]
    assert found["filler"]["legacy"] == [0, 5 * 6]
    assert found["filler"]["corrected"] == [0, 4 * 6]


def test_no_overlap_metric_tells_a_rejection_from_its_twin(found: dict[str, Json]) -> None:
    overlap = found["overlap"]
    assert overlap["pairs"] == 4  # 1, 2, 3 and 6 require something and have a scored phrase
    for metric in overlap["metrics"].values():
        assert metric["ranks"] == [0, 4, 0]
        assert metric["means"]["rejecting"] == pytest.approx(metric["means"]["violating"])
    assert overlap["scorers"]["legacy"]["ranks"] == [0, 4, 0]
    assert overlap["scorers"]["corrected"]["ranks"] == [3, 1, 0]


def test_a_set_without_anything_to_score_has_no_rates() -> None:
    found = audit_items([make(forbidden=())])
    assert found["constructed"]["plain"]["legacy"] == [0, 0]
    assert found["constructed"]["plain"]["intervals"]["legacy"] is None
    assert found["overlap"]["metrics"] == {}


def test_the_notes_say_what_the_table_is_not(found: dict[str, Json]) -> None:
    notes = " ".join(found["notes"])
    for said in ("conditional", "check code and measure nothing", "lexical"):
        assert said in notes


# Controls.


def test_there_are_enough_carriers_and_no_two_are_alike() -> None:
    for control in (LAUNDERING, LATE_CUE):
        carriers = [text for texts in control.values() for text in texts]
        assert len(carriers) == len(set(carriers)) >= 30
    every = [*LAUNDERING.values(), *LATE_CUE.values(), *NEXT_SENTENCE.values()]
    assert all("{dead}" in text for texts in every for text in texts)


def test_every_violation_is_flagged(found: dict[str, Json]) -> None:
    control = found["laundering"]
    assert control["wrong"] == []
    assert control["corrected"] == [control["carriers"] * len(VALUES)] * 2
    assert control["legacy"] == control["corrected"]
    assert control["window"][0] < control["window"][1] / 4


def test_no_late_cue_is_flagged(found: dict[str, Json]) -> None:
    control = found["late_cue"]
    assert control["wrong"] == []
    assert control["corrected"] == [0, control["carriers"] * len(VALUES)]
    assert control["legacy"][0] == control["window"][0] == control["legacy"][1]


def test_a_cue_in_the_next_sentence_takes_nothing_back(found: dict[str, Json]) -> None:
    control = found["next_sentence"]
    assert control["wrong"] == []
    assert control["corrected"] == [control["carriers"] * len(VALUES)] * 2


# Phrases that cannot match.


@pytest.mark.parametrize(
    ("phrase", "group", "cut"),
    [
        ("No, wait u", "causality", True),
        ("Yes, 10 hours i", "causality", True),
        ("Yes because it's wit", "causality", True),
        ("Yes, ship ", "causality", False),  # ends with a blank: it does match
        ("Provider A", "causality", False),
        ("Prioritize", "causality", False),
        ("yes we can switch", "scope_leak", False),
        ("No, wait u", "supersession", False),
        ("\u200b ", "supersession", True),
    ],
)
def test_sentences_cut_inside_a_word_cannot_match(phrase: str, group: str, cut: bool) -> None:
    assert (unmatchable(phrase, group) is not None) is cut


def test_what_cannot_match_is_not_scored() -> None:
    gated = Gated(make(forbidden=("No, wait u", "Friday", "$"), group="causality"))
    assert gated.inadmissible == ("$",)
    assert gated.unmatchable == ("No, wait u",)
    assert gated.scored == gated.aware == ("Friday",)


# The corrected scorer is the one that runs are scored by.


@pytest.mark.parametrize("item", [item for item in ITEMS if Gated(item).scored])
@pytest.mark.parametrize("text", CONSTRUCTED.values())
def test_it_flags_what_a_check_of_a_run_fails(
    item: Item, text: Callable[[Item], str], run_folder: Path
) -> None:
    with load_run(run_folder) as run:
        played = decisions(next(run.trials()))[0]
    record = replace(played, request=item.prompt, outcome="answer", text=text(item))
    gated = Gated(item)
    checks = [NeverSaysCheck(phrase=phrase, failure="resurrection") for phrase in gated.scored]
    failed = any(not evaluate(check, record).passed for check in checks)
    assert SCORERS["corrected"].flags(gated, text(item)) is failed
