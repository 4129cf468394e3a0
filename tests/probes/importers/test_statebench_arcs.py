"""Arcs: sessions end before questions, threads share a memory, keys point at what was told."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probes.importers.statebench import Timeline, interleave
from probes.importers.statebench.arcs import scenario
from probes.scenario import Scenario
from probes.scenario.structure import structure_faults
from scoring.keys import DecidesCheck, NeverSaysCheck, SaysCheck
from simulator.events.errors import InputError
from simulator.events.scripted import Decision, Message

START = (20_423 * 1440 + 540) * 60_000  # 2025-12-01T09:00Z
MINUTE = 60_000


def small(kit: Any, id: str, track: str, now: str = "2025-12-01T09:00:00") -> Timeline:
    made = kit.raw(
        kit.turn(1, f"It is {id} now."),
        kit.query(5, f"Which for {id}?", must=(f"{id} now",), never=("old",)),
        id=id,
        track=track,
    )
    made["initial_state"]["environment"]["now"] = now
    return Timeline.model_validate_json(json.dumps(made))


def told(arc: Scenario) -> list[tuple[str, int, str]]:
    lines = []
    for episode in arc.script.episodes:
        for event in episode.events:
            text = event.text if isinstance(event, Message) else getattr(event, "request", "")
            lines.append((episode.id, (event.at - START) // MINUTE, text))
    return lines


def test_a_session_ends_before_each_question(kit: Any) -> None:
    timeline = kit.timeline(
        kit.turn(1, "A"), kit.query(2, "B?"), kit.query(3, "C?"), kit.turn(4, "D"),
        kit.query(5, "E?"), kit.turn(6, "F"),
    )  # fmt: skip
    (arc,) = interleave([timeline], 1, 0)
    assert [(episode, at, text) for episode, at, text in told(arc)][1:] == [
        ("001-told", 1, "A"),
        ("002-asked", 2, "B?"),
        ("003-asked", 3, "C?"),
        ("004-told", 4, "D"),
        ("005-asked", 5, "E?"),
    ]  # what comes after the last question is nobody's business
    assert arc.script.environment == "conversation"
    assert arc.script.world == {}
    for episode in arc.script.episodes:
        decisions = [event for event in episode.events if isinstance(event, Decision)]
        assert len(decisions) == len(episode.events) or not decisions


def test_values_that_were_replaced_are_revisions(kit: Any) -> None:
    timeline = kit.timeline(
        kit.write(1, "day", "Monday"),
        kit.write(2, "day_v2", "Friday", supersedes="day"),
        kit.write(3, "room", "302"),
        kit.write(4, "room", "302"),
        kit.write(5, "room", "114"),
        kit.write(6, "fee_v2", "$60", supersedes="fee"),
        kit.query(9, "When?", must=("Friday",)),
        facts=({"key": "room", "value": "101", "ts": "2025-12-01T09:00:00"},),
    )
    (arc,) = interleave([timeline], 1, 0)
    names = {
        event.id: getattr(event, "text", "") for e in arc.script.episodes for event in e.events
    }
    assert [
        (names[each.event.partition("/")[2]], each.was, each.now) for each in arc.key.revisions
    ] == [
        ("Recorded: day_v2 = Friday (replaces day)", "Monday", "Friday"),
        ("Recorded: room = 302", "101", "302"),
        ("Recorded: room = 114", "302", "114"),
    ]  # what "fee" was, nobody recorded
    # In an arc of several threads, what one of them replaced may hold in another.
    (shared,) = interleave([timeline, small(kit, "Monday", "scope_leak")], 2, 0)
    assert shared.key.revisions == ()


def test_the_key_of_a_question(kit: Any) -> None:
    timeline = kit.timeline(
        kit.turn(1, "Renew Acme in May."),
        kit.write(2, "acme_v2", "on hold", supersedes="acme"),
        kit.query(9, "Should I renew Acme now?", ("on hold",), ("May", "$"), "No - on hold"),
        id="S1-7",
        track="scope_leak",
    ).model_copy(update={"file": "dev.jsonl"})
    (arc,) = interleave([timeline], 1, 0)
    key = arc.key
    assert (key.arc, key.domain, key.tier) == ("S1-7", "scope_leak", None)
    assert key.cluster == "should i renew … now"
    assert key.origin == "statebench dev.jsonl S1-7"
    (probe,) = key.probes
    assert (probe.kind, probe.dependent, probe.decision) == ("question", True, "002-asked/S1-7.3")
    assert (probe.domain, probe.cluster) == (None, None)
    assert [(g.name, g.value, g.evidence) for g in probe.gold] == [
        ("required-1", "on hold", ("001-told/S1-7.2",))
    ]
    assert [(f.value, f.failure, f.evidence) for f in probe.forbidden] == [
        ("May", "leakage", ("001-told/S1-7.1",)),
        ("$", "leakage", ()),
    ]
    assert probe.checks == (
        SaysCheck(phrase="on hold"),
        NeverSaysCheck(phrase="May", failure="leakage"),
        NeverSaysCheck(phrase="$", failure="leakage"),
        DecidesCheck(decision="no"),
    )
    assert probe.reference is not None
    assert probe.reference.answer == "No: on hold."
    assert (probe.excluded, probe.not_scorable) == (None, None)


@pytest.mark.parametrize(
    ("track", "failure"),
    [
        ("supersession", "resurrection"),
        ("interruption_resumption", "resurrection"),
        ("a_track_of_next_year", "resurrection"),
        ("scope_permission", "leakage"),
        ("enterprise_privacy", "leakage"),
        ("hallucination_resistance", "fabrication"),
    ],
)
def test_the_track_says_what_a_forbidden_phrase_would_be(
    kit: Any, track: str, failure: str
) -> None:
    (arc,) = interleave([small(kit, "T", track)], 1, 0)
    assert [each.failure for each in arc.key.probes[0].forbidden] == [failure]


def test_what_is_set_aside_says_why_and_in_which_way(kit: Any) -> None:
    timeline = kit.timeline(kit.query(2, "Total?", ("$9",)), kit.query(3, "Ada?", ("Ada",)))
    (arc,) = interleave([timeline], 1, 0)
    unfair, idle = arc.key.probes
    assert unfair.excluded == "requires what occurs nowhere before it: '$9'"
    assert unfair.not_scorable is None and unfair.reference is None
    assert idle.not_scorable == "can be passed by echo"
    assert idle.excluded is None


def test_threads_start_together_keep_their_pace_and_name_themselves(kit: Any) -> None:
    # Both have their first word at 09:01; A1 has then been going for two minutes, B2 for three.
    one = small(kit, "A1", "causality", "2025-12-01T08:59:00")
    two = small(kit, "B2", "supersession", "2025-12-01T08:58:00")
    arc = scenario((one, two), "arc")
    identity = (
        "Recorded: user_name = Ada; authority = Buyer; department = Purchasing;"
        " organization = Northwind"
    )
    assert told(arc) == [
        ("001-told", -1, f"[thread A] {identity}"),
        ("001-told", -1, f"[thread B] {identity}"),
        ("001-told", 1, "[thread A] It is A1 now."),
        ("001-told", 2, "[thread B] It is B2 now."),
        ("002-asked", 5, "[thread A] Which for A1?"),
        ("003-asked", 6, "[thread B] Which for B2?"),
    ]


def test_at_one_moment_the_earlier_thread_goes_first(kit: Any) -> None:
    arc = scenario((small(kit, "Z", "a"), small(kit, "A", "b")), "arc")
    assert [text[:10] for _, _, text in told(arc)] == ["[thread A]", "[thread B]"] * 3
    assert [episode for episode, _, _ in told(arc)][-2:] == ["002-asked", "003-asked"]


def test_a_shared_arc_keeps_track_and_template_of_each_question(kit: Any) -> None:
    threads = [small(kit, "A1", "causality"), small(kit, "B2", "supersession")]
    (arc,) = interleave(threads, 2, 0)
    assert arc.key.domain == "statebench"
    assert {probe.domain for probe in arc.key.probes} == {"causality", "supersession"}
    assert {probe.cluster for probe in arc.key.probes} == {"which for …"}
    assert arc.key.cluster == "which for …"
    for probe in arc.key.probes:
        own = probe.id.partition(".")[0]
        for gold in probe.gold:
            assert all(f"/{own}." in source for source in gold.evidence) and gold.evidence


def test_no_track_twice_in_an_arc_where_that_can_be_helped(kit: Any) -> None:
    tracks = ["a"] * 4 + ["b"] * 3 + ["c"] * 3 + ["d"] * 2
    timelines = [small(kit, f"T{n}", track) for n, track in enumerate(tracks)]
    arcs = interleave(timelines, 3, 5)
    assert [len(arc.key.probes) for arc in arcs] == [3, 3, 3, 3]
    for arc in arcs:
        assert len({probe.domain for probe in arc.key.probes}) == 3
    uneven = interleave(timelines[:4] + timelines[4:7], 3, 5)
    assert [len(arc.key.probes) for arc in uneven] == [3, 2, 2]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(per_arc=st.integers(1, 6), count=st.integers(1, 15), seed=st.integers(0, 3))
def test_every_question_is_asked_once_and_every_arc_is_sound(
    kit: Any, per_arc: int, count: int, seed: int
) -> None:
    timelines = [small(kit, f"T{n}", "abc"[n % 3]) for n in range(count)]
    arcs = interleave(timelines, per_arc, seed)
    sizes = [len(arc.key.probes) for arc in arcs]
    assert len(arcs) == -(-count // per_arc)
    assert max(sizes) - min(sizes) <= 1
    probes = [probe for arc in arcs for probe in arc.key.probes]
    assert sorted(probe.id for probe in probes) == sorted(f"{t.id}.2" for t in timelines)
    assert len({arc.script.arc for arc in arcs}) == len(arcs)
    for arc in arcs:
        assert not list(structure_faults(arc.script, arc.key))
        times = [event.at for episode in arc.script.episodes for event in episode.events]
        assert times == sorted(times)
    assert arcs == interleave(timelines, per_arc, seed)


def test_the_seed_deals_the_threads(kit: Any) -> None:
    timelines = [small(kit, f"T{n}", "abc"[n % 3]) for n in range(12)]
    dealt = {
        tuple(p.id for p in arc.key.probes) for s in range(4) for arc in interleave(timelines, 3, s)
    }
    assert len(dealt) > 4


@pytest.mark.parametrize("per_arc", [0, -1, 27])
def test_a_wrong_number_of_threads_is_refused(kit: Any, per_arc: int) -> None:
    with pytest.raises(InputError) as refused:
        interleave([small(kit, "T", "a")], per_arc, 0)
    assert refused.value.field == "per_arc"
