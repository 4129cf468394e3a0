"""Which questions can be scored: the six rules, in the words that keys and counts carry.

An excluded question is unfair or contradicts itself; passing one that is not scorable shows
nothing. Phrases are matched as the scorer matches them, so that both agree on every text.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from probes.importers.statebench.polar import right_decision
from probes.importers.statebench.story import Told, tell
from probes.importers.statebench.timelines import Query, Timeline
from scoring.admissibility import inadmissible
from scoring.matching import asserts, find_folded
from scoring.yesno import decide
from simulator.events.folding import fold

REFUSALS = (
    "I don't know.",
    "I do not have that information.",
    "I'm not sure. Could you clarify?",
    "I cannot help with that.",
    "I'm sorry, but I can't share that information.",
    "I am not able to answer this question.",
)
"""Stock refusals; a question that one of them passes shows nothing about a memory."""


class Rule(StrEnum):
    """Why a question is set aside; the first that holds, in this order, is recorded."""

    CONTRADICTORY = "requires what it forbids"
    INTERNAL = "requires an internal key"
    NOWHERE = "requires what occurs nowhere before it"
    SILENCE = "can be passed by silence"
    REFUSAL = "can be passed by refusal"
    ECHO = "can be passed by echo"

    @property
    def excludes(self) -> bool:
        """True when the question is unfair; else passing it shows nothing."""
        return self in (Rule.CONTRADICTORY, Rule.INTERNAL, Rule.NOWHERE)


@dataclass(frozen=True)
class Phrase:
    """A required or forbidden phrase.

    Attributes:
        text: The phrase as the data writes it.
        told: Positions in the story, before the question, of what contains it.
    """

    text: str
    told: tuple[int, ...]


@dataclass(frozen=True)
class Asked:
    """A question with what it takes to pass it.

    Attributes:
        position: Its position in the story.
        prompt: The question.
        required: Phrases that an answer has to assert.
        forbidden: Phrases that an answer must not assert.
        decision: The right decision where the question can be answered by yes or no.
        rule: Why it is set aside, None when it is scored.
        because: What the rule found: phrases or a text that passes.
    """

    position: int
    prompt: str
    required: tuple[Phrase, ...]
    forbidden: tuple[Phrase, ...]
    decision: Literal["yes", "no"] | None
    rule: Rule | None = None
    because: tuple[str, ...] = ()

    def reason(self) -> str:
        """Return the rule and what it found, as keys carry it."""
        found = ", ".join(repr(text) for text in self.because)
        return f"{self.rule}: {found}" if found else f"{self.rule}"

    @property
    def counted(self) -> tuple[Phrase, ...]:
        """The forbidden phrases that can show something by themselves, as the scorer counts them."""
        return tuple(each for each in self.forbidden if inadmissible(each.text) is None)

    def passed_by(self, answer: str) -> bool:
        """Return whether an answer asserts what is required, nothing forbidden, and decides right.

        The scorer gives nothing for a verbatim echo of the question; here it is an answer like any
        other, since one more word would make it one.
        """
        return (
            all(asserts(phrase.text, answer) for phrase in self.required)
            and not any(asserts(phrase.text, answer) for phrase in self.counted)
            and self.decision in (None, decide(answer).decision)
        )


def judge(timeline: Timeline) -> list[Asked]:
    """Return the timeline's questions in order, each with the first rule that sets it aside."""
    told: list[tuple[int, Told]] = []
    asked: list[Asked] = []
    for position, item in enumerate(tell(timeline)):
        if isinstance(item, Told):
            told.append((position, item))
        else:
            question = _asked(position, item, told)
            asked.append(_set_aside(question, [happened for _, happened in told]))
    return asked


def _asked(position: int, query: Query, told: list[tuple[int, Told]]) -> Asked:
    truth = query.ground_truth
    return Asked(
        position=position,
        prompt=query.prompt,
        required=_phrases(truth.must_mention, told),
        forbidden=_phrases(truth.must_not_mention, told),
        decision=right_decision(query.prompt, truth.decision),
    )


def _phrases(texts: tuple[str, ...], told: list[tuple[int, Told]]) -> tuple[Phrase, ...]:
    return tuple(
        Phrase(text, tuple(at for at, item in told if _occurs(text, item.content)))
        for text in dict.fromkeys(texts)
    )


def _occurs(phrase: str, texts: Iterable[str]) -> bool:
    """Return whether `scoring.matching.occurrences` finds the phrase in one of the texts."""
    return any(find_folded(_folded(phrase), _folded(text)) for text in texts)


# A timeline's texts are searched for every phrase of every question.
@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return fold(text)


def _set_aside(asked: Asked, told: list[Told]) -> Asked:
    for rule, because in _faults(asked, told):
        return replace(asked, rule=rule, because=because)
    return asked


def _faults(asked: Asked, told: list[Told]) -> Iterator[tuple[Rule, tuple[str, ...]]]:
    """Yield every rule that sets the question aside, in the order of the rules."""
    if clashes := _clashes(asked):
        yield Rule.CONTRADICTORY, clashes
    if keys := tuple(p.text for p in asked.required if _is_key(p, told)):
        yield Rule.INTERNAL, keys
    if missing := tuple(p.text for p in asked.required if not p.told):
        yield Rule.NOWHERE, missing
    if asked.passed_by(""):
        yield Rule.SILENCE, ()
    if passing := tuple(text for text in REFUSALS if asked.passed_by(text)):
        yield Rule.REFUSAL, passing[:1]
    if asked.passed_by(asked.prompt):
        yield Rule.ECHO, ()


def _clashes(asked: Asked) -> tuple[str, ...]:
    """Return required phrases that cannot be said without saying a forbidden one."""
    return tuple(
        required.text
        for required in asked.required
        if any(_occurs(forbidden.text, (required.text,)) for forbidden in asked.counted)
    )


def _is_key(phrase: Phrase, told: list[Told]) -> bool:
    """Return whether a phrase is an identifier that only ever occurs as the name of an entry."""
    if "_" not in phrase.text or not phrase.told:
        return False
    return not any(_occurs(phrase.text, set(item.content) - item.keys) for item in told)
