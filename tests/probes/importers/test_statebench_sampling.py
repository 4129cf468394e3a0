"""Samples and templates."""

from typing import Any

import pytest

from probes.importers.statebench import Timeline, sample
from probes.importers.statebench.templates import abstracted, template
from simulator.events.errors import InputError


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Should I send the renewal email to Acme Supplies now?",
         "should i send the renewal email to … now"),
        ("What's the current status of Purchase Order #4521? Should we proceed with it?",
         "what's the current status of … should we proceed with it"),
        ("Can Manager Mia approve a 5-day PTO request?", "can … approve a … request"),
        ("Is it due? I think I'm late.", "is it due i think i'm late"),
        ("How many units?", "how many units"),
        ("When is API v2 scheduled to complete?", "when is … scheduled to complete"),
        ("…", "…"),
    ],
)  # fmt: skip
def test_names_and_numbers_leave_gaps(prompt: str, expected: str) -> None:
    assert abstracted(prompt) == expected


def test_a_template_is_made_of_all_questions(kit: Any) -> None:
    timeline = kit.timeline(kit.query(1, "When is Orion due?"), kit.query(2, "Why?"))
    assert template(timeline) == "when is … due / why"


def made(kit: Any, id: str, track: str, prompt: str, scorable: bool = True) -> Timeline:
    must = ("blue",) if scorable else ()
    timeline: Timeline = kit.timeline(
        kit.turn(1, "It is blue."), kit.query(5, prompt, must), id=id, track=track
    )
    return timeline


def test_every_track_then_new_templates_then_scorable_ones(kit: Any) -> None:
    timelines = [
        made(kit, "a1", "a", "Which hue?"),
        made(kit, "a2", "a", "Which hue?"),
        made(kit, "a3", "a", "What colour?", scorable=False),
        made(kit, "a4", "a", "What colour?"),
        made(kit, "b1", "b", "How?", scorable=False),
        made(kit, "b2", "b", "How?", scorable=False),
        made(kit, "c1", "c", "Where?"),
    ]
    for seed in range(5):
        four = {t.id for t in sample(timelines, 4, seed)}
        assert len(four & {"b1", "b2"}) == 1 and "c1" in four
        # Track a has both of its templates, each by a timeline that can be scored.
        assert "a4" in four and len(four & {"a1", "a2"}) == 1


def test_a_sample_keeps_the_order_and_follows_the_seed(kit: Any) -> None:
    timelines = [made(kit, f"t{n:02d}", "abc"[n % 3], "Which hue?") for n in range(30)]
    drawn = [[t.id for t in sample(timelines, 6, seed)] for seed in range(6)]
    assert all(ids == sorted(ids) and len(set(ids)) == 6 for ids in drawn)
    assert len({tuple(ids) for ids in drawn}) > 1
    assert drawn[3] == [t.id for t in sample(timelines, 6, 3)]
    assert sample(timelines, 30, 0) == timelines


@pytest.mark.parametrize("n", [0, -1, 3])
def test_a_wrong_size_is_refused(kit: Any, n: int) -> None:
    timelines = [made(kit, "t1", "a", "Why?"), made(kit, "t2", "a", "Why?")]
    with pytest.raises(InputError, match="of 2 timelines"):
        sample(timelines, n, 0)
