"""The gates, on hand-made phrases and on the published lists."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scoring.admissibility import (
    STOP_WORDS,
    TOPIC_WORDS,
    inadmissible,
    published_gate,
    query_aware,
)
from simulator.events.folding import fold


@pytest.mark.parametrize(
    ("phrase", "headline", "published"),
    [
        ("", "blank", "blank"),
        (" \u200b", "blank", "blank"),
        ("$", "symbols only", "symbols only"),
        ("#", "symbols only", "symbols only"),
        ("\u2014", "symbols only", "symbols only"),
        ("by", "a stop word", "a stop word"),
        ("Using", "a stop word", "a stop word"),
        (" TO ", "a stop word", "a stop word"),
        ("approved", "a topic word", "a topic word"),
        ("Budget", "a topic word", "a topic word"),
        # Boundaries make the length rule unnecessary.
        ("HP", None, "shorter than three letters"),
        ("AB-", None, "shorter than three letters"),
        ("\u00e9t", None, "shorter than three letters"),
        # A digit is enough.
        ("Q1", None, None),
        ("5", None, None),
        ("$5", None, None),
        # The whole phrase counts, not a word in it.
        ("approved by Mike", None, None),
        ("per week", None, None),
        ("budget ceiling", None, None),
        ("CEO", None, None),
        ("Friday", None, None),
        ("$50,000", None, None),
    ],
)
def test_the_gates_that_see_the_phrase_alone(
    phrase: str, headline: str | None, published: str | None
) -> None:
    assert inadmissible(phrase) == headline
    assert published_gate(phrase) == published


def test_the_word_lists_are_folded_words_and_share_none() -> None:
    for word in STOP_WORDS | TOPIC_WORDS:
        assert fold(word) == word
        assert word.isalpha()
    assert not STOP_WORDS & TOPIC_WORDS


@pytest.mark.parametrize(
    ("phrase", "prompt", "required", "reason"),
    [
        ("$45", "Still $45?", (), "in the question"),
        ("$45", "Still $450?", (), None),
        ("$45", "Is it STILL \uff0445?", (), "in the question"),
        ("Friday", "When?", ("not Friday",), "in the required content"),
        ("Friday", "When?", ("Thursday", "noon"), None),
        ("Friday", "Friday?", ("Friday",), "in the question"),
        ("$", "How much $?", (), "symbols only"),
        ("", "", ("",), "blank"),
    ],
)
def test_the_gate_that_sees_the_question_too(
    phrase: str, prompt: str, required: tuple[str, ...], reason: str | None
) -> None:
    assert query_aware(phrase, prompt, required) == reason


def forbidden() -> list[tuple[str, str]]:
    folder = os.environ.get("MEMTRIAL_DATA")
    if not folder:
        pytest.skip("MEMTRIAL_DATA does not say where StateBench is")
    seen: dict[str, Any] = {}
    for name in ("train", "dev", "test"):
        for line in (Path(folder) / "statebench" / f"{name}.jsonl").read_text("utf-8").splitlines():
            timeline = json.loads(line)
            seen.setdefault(timeline["id"], timeline)
    return [
        (timeline["track"], phrase)
        for timeline in seen.values()
        for event in timeline["events"]
        if "ground_truth" in event
        for phrase in event["ground_truth"]["must_not_mention"]
    ]


@pytest.mark.data
def test_the_published_gate_takes_out_what_was_published() -> None:
    phrases = forbidden()
    taken = Counter(track for track, phrase in phrases if published_gate(phrase))
    assert (len(phrases), taken.total()) == (3721, 392)
    # 340 and 69 of 444 in all four files, of which these are three; six of twelve tracks have none.
    assert taken["hallucination_resistance"] == 303
    assert taken["supersession"] == 61
    assert len(taken) == 6
    assert {p for track, p in phrases if track == "supersession" and published_gate(p)} == {
        "approved"
    }


@pytest.mark.data
def test_ours_differs_from_it_by_one_phrase() -> None:
    differ = Counter(
        phrase for _, phrase in forbidden() if published_gate(phrase) and not inadmissible(phrase)
    )
    assert differ == {"HP": 10}
