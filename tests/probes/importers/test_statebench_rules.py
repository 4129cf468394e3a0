"""The rules that set a question aside, each on a hand-made timeline, in both directions."""

from typing import Any

import pytest

from probes.importers.statebench.polar import is_polar, right_decision
from probes.importers.statebench.rules import REFUSALS, Asked, Rule, judge


def only(timeline: Any) -> Asked:
    (asked,) = judge(timeline)
    return asked


def test_a_fair_question_is_scored_and_its_evidence_found(kit: Any) -> None:
    asked = only(
        kit.timeline(
            kit.turn(1, "The price is $45."),
            kit.write(2, "price", "$47"),
            kit.turn(3, "So $47 from now on."),
            kit.query(9, "What is the price?", must=("$47",), never=("$45",)),
        )
    )
    # Position 0 is the identity.
    assert asked.rule is None
    assert [(p.text, p.told) for p in asked.required] == [("$47", (2, 3))]
    assert [(p.text, p.told) for p in asked.forbidden] == [("$45", (1,))]
    assert asked.passed_by("It is $47.")
    assert not asked.passed_by("It is $470.")
    assert not asked.passed_by("It is $47, was $45.")


def test_a_phrase_that_shows_nothing_by_itself_forbids_nothing(kit: Any) -> None:
    # As the scorer counts: "budget" and "by" leave numerator and denominator.
    def asked(*never: str, must: str = "the budget is $45") -> Asked:
        prompt = "What is the budget by now?"
        said = kit.turn(1, f"So {must}.")
        return only(kit.timeline(said, kit.query(9, prompt, must=(must,), never=never)))

    assert asked("budget").rule is None and asked("$45").rule is Rule.CONTRADICTORY
    assert asked("budget", "by").passed_by("By all means: the budget is $45.")
    # An echo passes, though it says a word that a gate takes out.
    assert asked("by", must="budget").rule is Rule.ECHO
    assert asked("budget by now", must="budget").rule is not Rule.ECHO


@pytest.mark.parametrize("surface", ["turn", "value", "key", "fact", "note", "signal", "identity"])
def test_a_required_phrase_may_stand_in_any_earlier_surface(kit: Any, surface: str) -> None:
    ts = "2025-12-01T09:00:00"
    events = {
        "turn": [kit.turn(1, "Tuesday it is.", "assistant")],
        "value": [kit.write(1, "day", "Tuesday")],
        "key": [kit.write(1, "Tuesday", "meeting")],
    }.get(surface, [])
    facts = ({"key": "day", "value": "Tuesday", "ts": ts},) if surface == "fact" else ()
    notes = ({"item_type": "n", "content": "Tuesday", "ts": ts},) if surface == "note" else ()
    signal = {"day": "Tuesday"} if surface == "signal" else {}
    must = "Northwind" if surface == "identity" else "Tuesday"
    timeline = kit.timeline(
        *events, kit.query(5, "When?", must=(must,)), facts=facts, notes=notes, **signal
    )
    assert only(timeline).rule is None


@pytest.mark.parametrize(
    ("said", "must"),
    [
        ("The total is 1,500.", "1,600"),
        ("Monday March 18th", "March 18"),  # what stands there would not satisfy the scorer
        ("We bought 100.", "10"),
    ],
)
def test_what_occurs_nowhere_before_excludes(kit: Any, said: str, must: str) -> None:
    asked = only(kit.timeline(kit.turn(1, said), kit.query(5, "How many?", must=(must,))))
    assert (asked.rule, asked.because) == (Rule.NOWHERE, (must,))
    assert Rule.NOWHERE.excludes
    assert asked.reason() == f"requires what occurs nowhere before it: {must!r}"


def test_what_is_said_after_the_question_or_only_in_it_is_not_before_it(kit: Any) -> None:
    timeline = kit.timeline(
        kit.query(2, "Is it Tuesday or Friday?", must=("Tuesday",), never=("Friday",)),
        kit.turn(3, "Tuesday."),
        kit.query(5, "And now?", must=("Tuesday",)),
    )
    assert [asked.rule for asked in judge(timeline)] == [Rule.NOWHERE, None]


@pytest.mark.parametrize("word", ["Recorded", "replaces", "Working note", "user_name"])
def test_the_importers_own_words_are_no_evidence(kit: Any, word: str) -> None:
    timeline = kit.timeline(
        kit.write(1, "b", "x", supersedes="a"),
        kit.query(5, "?", must=(word,)),
        notes=({"item_type": "n", "content": "y", "ts": "2025-12-01T09:00:00"},),
    )
    assert only(timeline).rule is Rule.NOWHERE


def test_an_identifier_that_only_names_an_entry_excludes(kit: Any) -> None:
    asked = only(kit.timeline(kit.write(1, "go_live", "April"), kit.query(5, "?", ("go_live",))))
    assert (asked.rule, asked.because) == (Rule.INTERNAL, ("go_live",))
    assert Rule.INTERNAL.excludes
    spoken = kit.timeline(
        kit.write(1, "go_live", "April"),
        kit.turn(2, "Set go_live to April."),
        kit.query(5, "?", ("go_live",)),
    )
    assert only(spoken).rule is None


def test_requiring_what_is_forbidden_excludes(kit: Any) -> None:
    def clash(must: str, never: str) -> Rule | None:
        turns = (kit.turn(1, must), kit.turn(2, never))
        return only(kit.timeline(*turns, kit.query(5, "?", (must,), (never,)))).rule

    assert clash("$150", "$150") is Rule.CONTRADICTORY
    assert clash("the Friday deadline", "friday") is Rule.CONTRADICTORY
    # "March" can be said without saying "March 1st"; "$150" does not contain "$15".
    assert clash("March", "March 1st") is None
    assert clash("$150", "$15") is None
    assert Rule.CONTRADICTORY.excludes


def test_silence_passes_what_requires_and_decides_nothing(kit: Any) -> None:
    silent = kit.timeline(kit.turn(1, "It is $5."), kit.query(5, "Tell me.", never=("$5",)))
    assert only(silent).rule is Rule.SILENCE
    assert not Rule.SILENCE.excludes
    decides = kit.timeline(
        kit.turn(1, "It is $5."), kit.query(5, "Is it $5?", never=("$9",), decision="yes")
    )
    assert only(decides).rule is None


@pytest.mark.parametrize("must", ["don't know", "clarify", "not able"])
def test_a_stock_refusal_that_passes_shows_nothing(kit: Any, must: str) -> None:
    asked = only(
        kit.timeline(kit.turn(1, f"They {must}."), kit.query(5, "Which one?", must=(must,)))
    )
    assert asked.rule is Rule.REFUSAL
    assert asked.because[0] in REFUSALS
    assert not Rule.REFUSAL.excludes


def test_a_question_that_answers_itself_shows_nothing(kit: Any) -> None:
    said = kit.turn(1, "The Orion deal is due in May.")
    echo = kit.timeline(said, kit.query(5, "When is Orion due?", must=("Orion",)))
    assert only(echo).rule is Rule.ECHO
    assert not Rule.ECHO.excludes
    needs = kit.timeline(said, kit.query(5, "When is Orion due?", must=("Orion", "May")))
    assert only(needs).rule is None
    decides = kit.timeline(said, kit.query(5, "Is Orion due?", must=("Orion",), decision="yes"))
    assert only(decides).rule is None
    spoils = kit.timeline(
        said, kit.turn(2, "June"), kit.query(5, "Orion in June?", ("Orion",), ("June",))
    )
    assert only(spoils).rule is None


def test_the_first_rule_is_recorded(kit: Any) -> None:
    asked = only(kit.timeline(kit.query(5, "Is it $150?", ("$150",), ("$150",))))
    assert asked.rule is Rule.CONTRADICTORY


@pytest.mark.parametrize(
    ("prompt", "truth", "decision"),
    [
        ("Should I send it now?", "no", "no"),
        ("Can we sell here?", "No - EU not supported", "no"),
        ("Can Max make this offer?", "yes - within limits", "yes"),
        ("Is it approved?", "Yes, by the VP", "yes"),
        ("What is its status? Should we proceed with it?", "no", "no"),
        ("I'll process the refund. Is that correct?", "No.", "no"),
        ("When is it due?", "yes", None),  # no right answer says yes
        ("What features are committed?", "yes", None),
        ("Is it approved?", "nothing is known", None),
        ("Is it approved?", "Now it is", None),
        ("Is it approved?", "No. 5 is", None),
        ("Is it approved?", "No later than May", None),
        ("Is it approved?", "use fresh signal", None),
        ("Is it approved?", "", None),
    ],
)
def test_a_decision_is_scored_only_where_it_is_yes_or_no(
    prompt: str, truth: str, decision: str | None
) -> None:
    assert right_decision(prompt, truth) == decision


@pytest.mark.parametrize(
    ("prompt", "polar"),
    [
        ("Isn\u2019t it due?", True),
        ("DO WE HAVE IT?", True),
        ("Which is it?", False),
        ("Candy or cake?", False),
        ("   ", False),
    ],
)
def test_polar_questions_open_with_an_auxiliary(prompt: str, polar: bool) -> None:
    assert is_polar(prompt) is polar
