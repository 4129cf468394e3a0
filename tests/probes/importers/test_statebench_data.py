"""The release's own figures, counted here from the raw lines and compared with the import."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from probes.importers.statebench import (
    Timeline,
    interleave,
    sample,
    scenarios_from,
    summarize,
)
from probes.importers.statebench.rules import REFUSALS, judge
from probes.importers.statebench.templates import template
from probes.scenario.structure import structure_faults
from scoring.keys import DecidesCheck
from simulator.events import event_id
from simulator.events.scripted import Decision, Message

pytestmark = pytest.mark.data

NOWHERE = "requires what occurs nowhere before it"
INTERNAL = "requires an internal key"


@pytest.fixture(scope="module")
def lines(files: list[Path]) -> list[dict[str, Any]]:
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def surfaces(raw: dict[str, Any], before: int, keys: bool) -> str:
    """Return every text of a timeline before one of its events, by brute force."""
    state = raw["initial_state"]
    writes = [*state["persistent_facts"]]
    texts = [item["content"] for item in state["working_set"]]
    texts += [value for value in state["identity_role"].values() if value]
    texts += [value for name, value in state["environment"].items() if name != "now"]
    for event in raw["events"][:before]:
        texts += [event["text"]] if "text" in event else []
        writes += event.get("writes", [])
    texts += [write["value"] for write in writes]
    texts += [write["key"] for write in writes] if keys else []
    return "\n".join(texts).casefold()


def queries(lines: list[dict[str, Any]]) -> list[tuple[dict[str, Any], int, dict[str, Any]]]:
    return [
        (raw, at, event)
        for raw in lines
        for at, event in enumerate(raw["events"])
        if event["type"] == "query"
    ]


def test_the_totals(lines: list[dict[str, Any]], timelines: list[Timeline]) -> None:
    asked = queries(lines)
    forbidden = sum(len(event["ground_truth"]["must_not_mention"]) for _, _, event in asked)
    assert (len(lines), len(asked), forbidden) == (1257, 1500, 3721)
    assert len(timelines) == 1257
    truths = [query.ground_truth for timeline in timelines for query in timeline.queries()]
    assert len(truths) == 1500
    assert sum(len(truth.must_not_mention) for truth in truths) == 3721
    assert len({timeline.track for timeline in timelines}) == 13


def test_superseding_values_that_no_turn_says(lines: list[dict[str, Any]]) -> None:
    said = []
    for raw in lines:
        turns = "\n".join(event.get("text", "") for event in raw["events"])
        for event in raw["events"]:
            if event["type"] == "supersession":
                said += [write["value"] in turns for write in event["writes"]]
    assert (len(said), said.count(False)) == (946, 363)


def test_required_phrases_that_occur_nowhere_before(lines: list[dict[str, Any]]) -> None:
    """As plain substrings of all that is told, names of entries included: DESIGN's 477."""

    def missing(phrases: list[str], text: str) -> bool:
        return any(phrase.casefold() not in text for phrase in phrases)

    musts = [(raw, at, event["ground_truth"]["must_mention"]) for raw, at, event in queries(lines)]
    assert sum(missing(must, surfaces(raw, at, keys=True)) for raw, at, must in musts) == 477
    assert sum(missing(must, surfaces(raw, at, keys=False)) for raw, at, must in musts) == 495
    turns_only = [
        (must, "\n".join(e.get("text", "") for e in raw["events"][:at]).casefold())
        for raw, at, must in musts
    ]
    assert sum(missing(must, text) for must, text in turns_only) == 657


def test_the_rule_agrees_with_a_plain_word_boundary(
    lines: list[dict[str, Any]], timelines: list[Timeline]
) -> None:
    def stands(phrase: str, text: str) -> bool:
        edge_before = r"(?<![\w])" if phrase[0].isalnum() else ""
        edge_after = r"(?![\w])" if phrase[-1].isalnum() else ""
        sought = edge_before + re.escape(phrase.casefold()) + edge_after
        number = r"(?<!\d[.,])" if phrase[0].isdigit() else ""
        number_after = r"(?![.,]\d)" if phrase[-1].isdigit() else ""
        return re.search(number + sought + number_after, text) is not None

    expected = set()
    for raw, at, event in queries(lines):
        text = surfaces(raw, at, keys=True)
        if not all(stands(p, text) for p in event["ground_truth"]["must_mention"]):
            expected.add((raw["id"], event["prompt"]))
    found = {
        (timeline.id, asked.prompt)
        for timeline in timelines
        for asked in judge(timeline)
        if asked.rule == NOWHERE
    }
    assert len(found) == 522
    assert found == expected


def test_what_becomes_of_every_question(timelines: list[Timeline]) -> None:
    summary = summarize(timelines, arcs=1257)
    assert (summary.queries, summary.scorable, summary.templates) == (1500, 731, 121)
    assert summary.excluded == {
        INTERNAL: 14,
        "requires what it forbids": 2,
        NOWHERE: 522,
    }
    assert summary.not_scorable == {"can be passed by silence": 152, "can be passed by echo": 79}
    assert {name: (c.timelines, c.queries, c.scorable) for name, c in summary.tracks.items()} == {
        "authority_hierarchy": (90, 90, 45),
        "brutal_realistic": (90, 333, 90),
        "causality": (90, 90, 47),
        "commitment_durability": (90, 90, 11),
        "enterprise_privacy": (90, 90, 0),
        "environmental_freshness": (96, 96, 82),
        "hallucination_resistance": (90, 90, 58),
        "interruption_resumption": (90, 90, 90),
        "repair_propagation": (90, 90, 17),
        "scope_leak": (90, 90, 59),
        "scope_permission": (99, 99, 36),
        "supersession": (162, 162, 108),
        "supersession_detection": (90, 90, 88),
    }


def test_a_reference_passes_and_silence_echo_and_half_of_it_do_not(
    timelines: list[Timeline],
) -> None:
    for timeline, scenario in zip(timelines, interleave(timelines, 1, 0), strict=True):
        for asked, probe in zip(judge(timeline), scenario.key.probes, strict=True):
            if asked.rule is not None:
                assert (probe.excluded is None) != (probe.not_scorable is None)
                continue
            assert probe.reference is not None
            answer = probe.reference.answer
            assert asked.passed_by(answer)
            assert not asked.passed_by("")
            assert not asked.passed_by(asked.prompt)
            assert all(not asked.passed_by(f"{answer} {p.text}") for p in asked.counted
                       if p.text[-1].isalnum() or len(p.text) == 1)  # fmt: skip
            assert all(gold.evidence for gold in probe.gold)


def test_recorded_values_that_were_replaced_are_revisions(timelines: list[Timeline]) -> None:
    revisions = [
        each for scenario in interleave(timelines, 1, 0) for each in scenario.key.revisions
    ]
    # Counted by a loop over the raw lines: entries before the last question whose value is another
    # than that of the entry that they replace, or that they write again.
    assert len(revisions) == 903
    assert all(each.was != each.now for each in revisions)


def test_decisions_are_scored_for_yes_no_questions_only(
    lines: list[dict[str, Any]], timelines: list[Timeline]
) -> None:
    by_text = [
        event["prompt"]
        for _, _, event in queries(lines)
        if re.match(r"(yes|no)\b", event["ground_truth"]["decision"], re.IGNORECASE)
    ]
    checks = [
        (probe.id, check.decision)
        for scenario in interleave(timelines, 1, 0)
        for probe in scenario.key.probes
        for check in probe.checks
        if isinstance(check, DecidesCheck)
    ]
    never = re.compile(r"(When|What|How long)\b(?!.*\? Should)")
    assert len(by_text) == 274
    assert len(checks) == len([prompt for prompt in by_text if not never.match(prompt)])
    assert Counter(decision for _, decision in checks) == {"no": 171, "yes": 24}


def test_shared_arcs_ask_every_question_after_its_own_evidence(
    timelines: list[Timeline],
) -> None:
    arcs = interleave(timelines, 6, 0)
    assert len(arcs) == 210
    probes = [probe for arc in arcs for probe in arc.key.probes]
    assert len(probes) == len({probe.id for probe in probes}) == 1500
    alone = {p.id: p for arc in interleave(timelines, 1, 0) for p in arc.key.probes}
    for probe in probes:
        same = alone[probe.id]
        assert probe.checks == same.checks
        assert (probe.excluded, probe.not_scorable) == (same.excluded, same.not_scorable)
    for arc in arcs:
        tracks = [timeline_track for timeline_track in {p.domain for p in arc.key.probes}]
        assert len(tracks) == len({p.id.partition(".")[0] for p in arc.key.probes}) in (5, 6)
        assert not list(structure_faults(arc.script, arc.key))
        for episode in arc.script.episodes:
            asks = sum(isinstance(event, Decision) for event in episode.events)
            assert asks in (0, len(episode.events)) and asks <= 1


def test_no_phrase_of_the_data_stands_in_a_thread_label(timelines: list[Timeline]) -> None:
    labels = {"thread", *(f"thread {letter}" for letter in "abcdefghijklmnopqrstuvwxyz")}
    labels |= set("abcdefghijklmnopqrstuvwxyz") | {"[", "]"}
    for timeline in timelines:
        for query in timeline.queries():
            truth = query.ground_truth
            for phrase in (*truth.must_mention, *truth.must_not_mention):
                assert phrase.casefold().strip() not in labels


def test_twenty_of_dev_cover_all_tracks_with_different_templates(files: list[Path]) -> None:
    dev = [file for file in files if file.name == "dev.jsonl"]
    arcs = scenarios_from(dev, sample=20)
    assert len(arcs) == 20
    assert len({arc.key.domain for arc in arcs}) == 13
    assert len({arc.key.cluster for arc in arcs}) == 20
    scored = [
        any(probe.excluded is None and probe.not_scorable is None for probe in arc.key.probes)
        for arc in arcs
    ]
    assert scored.count(False) == 1  # enterprise_privacy has nothing that can be scored


def test_a_sample_of_all_is_all(timelines: list[Timeline]) -> None:
    some = timelines[:150]
    assert sample(some, 150, 0) == some
    assert len({template(timeline) for timeline in sample(timelines, 100, 3)}) >= 90


def test_gt_evidence_states_what_it_is_evidence_for(timelines: list[Timeline]) -> None:
    for scenario in interleave(timelines, 6, 1):
        shown = {
            event_id(episode.id, event.id): event.text.casefold()
            for episode in scenario.script.episodes
            for event in episode.events
            if isinstance(event, Message)
        }
        order = list(shown)
        for probe in scenario.key.probes:
            stated = [(gold.value, gold.evidence) for gold in probe.gold]
            stated += [(forbidden.value, forbidden.evidence) for forbidden in probe.forbidden]
            for value, evidence in stated:
                sought = " ".join(value.split()).casefold()
                assert all(sought in shown[source] for source in evidence)
                assert list(evidence) == sorted(evidence, key=order.index)
                assert all(source < probe.decision for source in evidence)


def test_sc_declining_everything_scores_nothing(timelines: list[Timeline]) -> None:
    declining = ("", "No.", "Yes.", "I refuse.", "Not mentioned.", "Done.", *REFUSALS)
    for timeline in timelines:
        for asked in judge(timeline):
            assert asked.rule is not None or not any(map(asked.passed_by, declining))
