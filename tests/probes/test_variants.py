"""Variants: their tables by hand, and that broken scorers and broken keys are found by them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import scoring.checks
import scoring.verdicts
from environments.conversation import Conversation
from environments.support import Support
from probes.ladder import ladder
from probes.linting.lint import lint
from probes.linting.rehearsal import _rehearsed, rehearse
from probes.linting.soundness import exclude_unsound, is_imported
from probes.linting.variants import Variant, banned, ideal, variants
from probes.scenario import Scenario, read_scenario
from scoring.checks import CheckResult
from scoring.decisions import DecisionRecord
from scoring.keys import Check, Key, ReferenceCall
from scoring.scorers import CLAUSE, PLAIN, Said, Scorer
from scoring.yesno import Decided
from simulator.effects.environment import Environment
from simulator.events import Script
from simulator.events.folding import fold

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "probes" / "examples" / "support-refund.yaml"

ASKED = "Is the review still on Friday?"
TALK: dict[str, Any] = {
    "script": {
        "arc": "review",
        "environment": "conversation",
        "episodes": [
            {
                "id": "e1",
                "events": [
                    {"id": "m1", "kind": "message", "at": 0, "text": "The review is on Friday."},
                    {"id": "m2", "kind": "message", "at": 1, "text": "It moved to Thursday."},
                ],
            },
            {"id": "e2", "events": [{"id": "d1", "kind": "decision", "at": 9, "request": ASKED}]},
        ],
    },
    "key": {
        "arc": "review",
        "domain": "conversation",
        "cluster": "review",
        "probes": [
            {
                "id": "p1",
                "kind": "question",
                "decision": "e2/d1",
                "dependent": True,
                "gold": [{"name": "day", "value": "Thursday", "evidence": ["e1/m2"]}],
                "forbidden": [
                    {"value": "Friday", "failure": "resurrection", "evidence": ["e1/m1"]}
                ],
                "checks": [
                    {"check": "says", "phrase": "Thursday"},
                    {"check": "never_says", "phrase": "Friday", "failure": "resurrection"},
                ],
            }
        ],
    },
}


@pytest.fixture(autouse=True)
def played_anew() -> Iterator[None]:
    """Forget what was rehearsed: some tests here have a scorer of their own."""
    _rehearsed.cache_clear()
    yield
    _rehearsed.cache_clear()


def talk(origin: str = "authored", **changes: Any) -> Scenario:
    probe = TALK["key"]["probes"][0] | changes
    key = Key.model_validate(TALK["key"] | {"probes": [probe], "origin": origin})
    return Scenario(script=Script.model_validate(TALK["script"]), key=key)


def messages(scenario: Scenario, scorer: Scorer = CLAUSE) -> list[str]:
    environment: Environment = Conversation()
    if scenario.script.environment == "support":
        environment = Support()
    found = rehearse(scenario.script, scenario.key, environment, scorer)
    return [fault.message for _, fault in found]


def refund(amount: str) -> ReferenceCall:
    return ReferenceCall(tool="issue_refund", arguments={"order_id": "O-2210", "amount": amount})


REFUSALS = (
    "I don't know.",
    "I do not have that information.",
    "I'm not sure. Could you clarify?",
    "I cannot help with that.",
    "I'm sorry, but I can't share that information.",
    "I am not able to answer this question.",
)


def evasions(request: str, words: str) -> Iterator[Variant]:
    yield Variant("silence", "")
    yield Variant("refusal", "I cannot help with that.", outcome="refusal")
    yield from (Variant("refusal", text) for text in REFUSALS)
    yield Variant("echo", request)
    yield Variant("echo", words)


def test_the_table_of_a_text_probe() -> None:
    (probe,) = talk().key.probes
    right = Variant("ideal", "Thursday.")
    wrong = replace(right, name="violation", shows="forbidden.0", uses="Friday")
    rejected = "Thursday. It is not Friday; that was superseded."
    asserted = "Thursday. It is now Friday; that was confirmed."
    assert ideal(probe) == right
    assert [*variants(probe, ASKED, ())] == [
        replace(right, name="ideal and rejecting", text=rejected),
        replace(wrong, text="Friday."),
        replace(wrong, text=asserted),
        replace(right, name="other value", text="something else.", shows="gold.0"),
        *evasions(ASKED, "This is about review still Friday."),
    ]


def test_the_table_of_a_tool_probe() -> None:
    probe = read_scenario(EXAMPLE).key.probes[2]
    request = "Please issue the refund for order O-2210 now."
    right = Variant("ideal", "Done.", (refund("$389.10"),))
    rejected = "Done. It is not $412.75; that was superseded."
    # Two ways to use the dead amount; the second call is refused, for there is a refund already.
    in_place = replace(
        right, name="violation", calls=(refund("$412.75"),), shows="forbidden.0", uses="$412.75"
    )
    before = (refund("$412.75"), refund("$389.10"))
    assert ideal(probe) == right
    assert [*variants(probe, request, Support.tools)] == [
        replace(right, name="ideal and rejecting", text=rejected),
        in_place,
        replace(right, name="violation", calls=before, shows="checks.1"),
        # Each digit from 2 to 9 one lower, so that limits on amounts hold.
        replace(right, name="other value", calls=(refund("$278.10"),), shows="gold.0"),
        Variant("words alone", "Done. $389.10"),
        *evasions(request, "This is about Please issue refund order O-2210 now."),
    ]


def test_only_the_ideal_ones_are_right() -> None:
    (probe,) = talk().key.probes
    names = [variant.name for variant in variants(probe, ASKED, ()) if variant.right]
    assert names == ["ideal and rejecting"]


def test_a_decision_is_turned_round_and_no_gold_is_needed_beside_it() -> None:
    checks = [{"check": "decides", "decision": "no"}, {"check": "says", "phrase": "Thursday"}]
    (probe,) = talk(checks=checks, forbidden=[]).key.probes
    assert ideal(probe) == Variant("ideal", "No: Thursday.")
    wrong, *_ = variants(probe, ASKED, ())
    assert wrong == Variant("violation", "Yes: Thursday.", shows="checks.0")
    assert messages(talk(checks=checks, forbidden=[])) == []


def test_a_wanted_action_without_a_reference_has_no_ideal() -> None:
    probe = read_scenario(EXAMPLE).key.probes[2].model_copy(update={"reference": None})
    assert ideal(probe) is None
    assert {each.name for each in variants(probe, "Pay it.", Support.tools)} == {
        "silence",
        "refusal",
        "echo",
    }


def test_an_independent_probe_may_be_answered_in_the_words_of_its_question() -> None:
    (probe,) = talk(dependent=False).key.probes
    echoes = [each.text for each in variants(probe, ASKED, ()) if each.name == "echo"]
    assert echoes == [ASKED]


def test_what_can_show_nothing_is_not_banned_and_nothing_twice() -> None:
    never = [
        {"check": "never_says", "phrase": phrase, "failure": "leakage"}
        for phrase in ("budget", "friday", "$", "Monday")
    ]
    (probe,) = talk(checks=never).key.probes
    assert [(each.value, each.place) for each in banned(probe)] == [
        ("Friday", "forbidden.0"),
        ("Monday", "checks.3"),
    ]


@pytest.mark.parametrize(
    ("value", "other"),
    [("$389.10", "$278.10"), ("11", "22"), ("0", "1"), ("Thursday", "something else")],
)
def test_another_value_has_the_same_form(value: str, other: str) -> None:
    gold = [{"name": "it", "value": value, "evidence": ["e1/m2"]}]
    checks = [{"check": "says", "phrase": value}]
    (probe,) = talk(gold=gold, checks=checks, forbidden=[]).key.probes
    found = [each.text for each in variants(probe, ASKED, ()) if each.name == "other value"]
    assert found == [f"{other}."]


def test_values_are_swapped_in_numbers_lists_and_words_but_not_inside_of_longer_ones() -> None:
    arguments = {"n": 3, "deep": [{"x": "3 of 30"}], "flag": True}
    reference = {"calls": [{"tool": "t", "arguments": arguments}], "answer": "3, not 33."}
    gold = [{"name": "n", "value": "3"}]
    (probe,) = talk(gold=gold, reference=reference, forbidden=[]).key.probes
    (found,) = (each for each in variants(probe, ASKED, ()) if each.name == "other value")
    assert found.text == "2, not 33."
    assert found.calls[0].arguments == {"n": "2", "deep": [{"x": "2 of 30"}], "flag": True}


def test_every_shipped_scenario_is_sound() -> None:
    shipped = [
        path
        for package in ("simulator", "memories", "environments", "scoring", "probes", "runs")
        for path in sorted((ROOT / package).rglob("*.y*ml"))
    ]
    assert EXAMPLE in shipped
    # Templates share the name that a user's own takes the place of.
    templates = [path for path in shipped if path.parent.name == "templates"]
    assert lint([path for path in shipped if path not in templates]) == []
    assert [problem for path in templates for problem in lint([path])] == []
    assert messages(talk()) == [] and lint([talk()]) == []


@pytest.mark.parametrize("seed", [101, 202])
def test_fifty_generated_arcs_a_tier_are_sound(seed: int) -> None:
    assert lint(ladder("support", seed, 50)) == []


# What a broken scorer would do, and which variant shows it.


def without_negation() -> Scorer:
    """Return a scorer for which every substring is an assertion."""

    def reads(phrase: str, text: str, _prompt: str) -> Said:
        return Said("asserted" if fold(phrase) in fold(text) else "absent", "it is there")

    return replace(CLAUSE, asserts=lambda phrase, text, prompt: phrase in text, reads=reads)


def deaf() -> Scorer:
    """Return a scorer that never hears a dead value."""

    def reads(phrase: str, text: str, prompt: str) -> Said:
        return Said("absent", "deaf") if phrase == "Friday" else CLAUSE.reads(phrase, text, prompt)

    return replace(CLAUSE, reads=reads)


@pytest.mark.parametrize("scorer", [PLAIN, without_negation()], ids=["plain", "substring"])
def test_a_scorer_blind_to_negation_is_noticed(scorer: Scorer) -> None:
    (text,) = messages(talk(), scorer)
    assert text.startswith("probe 'p1' of episode 'e2': variant 'ideal and rejecting' ")
    assert "'Friday'" in text
    # A tool probe passes by its world; there, the use that was none is what is wrong.
    (tool,) = messages(read_scenario(EXAMPLE), scorer)
    assert tool.startswith(
        "probe 'p3' of episode 'friday': variant 'ideal and rejecting' counts as a use of '$412.75'"
    )


def test_a_scorer_that_misses_violations_is_noticed() -> None:
    found = messages(talk(), deaf())
    assert "variant 'violation' passes, so nothing forbids it" in found[0]
    assert "no variant fails this check" in found[1]
    assert "no variant is seen to use 'Friday'" in found[2] and len(found) == 3


def test_a_scorer_that_does_not_look_at_arguments_is_noticed() -> None:
    blind = replace(CLAUSE, asserts=lambda phrase, text, prompt: False)
    (found,) = messages(read_scenario(EXAMPLE), blind)
    assert "no variant is seen to use '$412.75'" in found


def test_a_scorer_that_hears_everything_in_every_answer_is_noticed() -> None:
    eager = replace(CLAUSE, reads=lambda phrase, text, prompt: Said("asserted", "eager"))
    (found,) = messages(talk(), eager)
    assert "variant 'ideal' does not pass" in found
    named = {
        message.split("'")[5]
        for message in messages(talk(forbidden=[], checks=[TALK_SAYS]), eager)
        if "passes" in message
    }
    assert named == {"other value", "silence", "refusal", "echo"}


TALK_SAYS = {"check": "says", "phrase": "Thursday"}


def test_a_decision_read_inside_other_words_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    checks = [{"check": "decides", "decision": "no"}]
    monkeypatch.setattr(
        scoring.checks,
        "decide",
        lambda text: Decided("no" if "no" in text.lower() else None, "inside"),
    )
    found = messages(talk(checks=checks, forbidden=[]))
    assert any("variant 'refusal' passes: answer \"I don't know.\"" in each for each in found)


def test_a_scorer_that_takes_the_word_for_the_deed_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def trusting(check: Check, record: DecisionRecord, scorer: Scorer) -> CheckResult:
        return CheckResult("Done" in record.text, "the agent says so")

    monkeypatch.setattr(scoring.verdicts, "evaluate", trusting)
    found = messages(read_scenario(EXAMPLE))
    named = [each.split("'")[5] for each in found if "passes" in each]
    assert named == ["words alone"] * 2 + ["violation"] * 2 + ["other value", "words alone"]


# Imported scenarios.


@pytest.mark.parametrize(
    ("origin", "imported"),
    [
        ("authored", False),
        ("ladder seed=7", False),
        ("context seed=12", False),
        ("statebench dev.jsonl S1-000014", True),
        ("authored by hand", True),
        ("ladder seed=7 and more", True),
        ("", True),
    ],
)
def test_what_is_imported(origin: str, imported: bool) -> None:
    assert is_imported(talk(origin).key) is imported


ONLY_NEVER = [{"check": "never_says", "phrase": "Friday", "failure": "resurrection"}]


def test_an_imported_probe_is_set_aside_with_the_reason() -> None:
    unsound = talk("elsewhere", checks=ONLY_NEVER)
    assert unsound.key.hash  # computed before, and not to be kept
    sound = exclude_unsound(unsound)
    (probe,) = sound.key.probes
    assert probe.excluded == (
        "unsound: variant 'other value' passes, so no check rests on this gold value: answer ''"
    )
    assert sound.key.hash != unsound.key.hash
    assert sound.key.hash == Key.model_validate(sound.key.model_dump(mode="json")).hash
    assert probe.model_copy(update={"excluded": None}) == unsound.key.probes[0]
    assert lint([unsound]) != [] and lint([sound]) == []
    assert exclude_unsound(sound) is sound


def test_a_reason_names_no_place_and_no_probe() -> None:
    leaky = exclude_unsound(talk("elsewhere", gold=[{"name": "day", "value": "Friday"}]))
    assert leaky.key.probes[0].excluded == "unsound: wants and forbids 'Friday'"
    asked = talk("elsewhere", gold=[{"name": "what", "value": "review", "evidence": ["e1/m1"]}])
    (probe,) = exclude_unsound(asked).key.probes
    assert probe.excluded == "unsound: 'review' can be read without a memory"


def test_sound_imported_and_unsound_authored_probes_stay_as_they_are() -> None:
    for scenario in (talk("elsewhere"), talk(checks=ONLY_NEVER), talk("x seed=1", checks=[])):
        assert exclude_unsound(scenario) is scenario


def test_phrases_that_show_nothing_do_not_set_an_imported_probe_aside() -> None:
    checks = [*TALK["key"]["probes"][0]["checks"]]
    checks.append({"check": "never_says", "phrase": "approved", "failure": "resurrection"})
    assert exclude_unsound(talk("elsewhere", checks=checks)) == talk("elsewhere", checks=checks)
    (found,) = lint([talk(checks=checks)])
    assert found.field == "key.probes.0.checks.2.phrase" and "a topic word" in found.message


def test_set_aside_probes_are_not_judged_but_their_calls_are_played() -> None:
    data = read_scenario(EXAMPLE).model_dump(mode="json")
    data["key"]["probes"][0] |= {"checks": [], "excluded": "a rehearsal of the world"}
    # The second probe wants what the first one already does.
    wanted = {"check": "world", "path": "/orders/O-3307/address", "equals": "275 Heron Lane"}
    data["key"]["probes"][1]["checks"] = [wanted]
    (found,) = messages(Scenario.model_validate(data))
    assert "'p2'" in found and 'was "275 Heron Lane" before the decision' in found
