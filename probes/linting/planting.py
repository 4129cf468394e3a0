"""Requests that give away what was planted, and withdrawn figures that can be worked out.

A test shows something only when its request holds no wanted and no dead value and no three content
words in a row of what was planted, and when no figure that was withdrawn follows from those that
may be used.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from probes.linting.permitted import open_numbers
from probes.linting.wording import plain_numbers
from probes.scenario.structure import Before, Fault, plain_checks
from scoring.admissibility import STOP_WORDS
from scoring.context.derived import Derivations, derivations, numbers
from scoring.keys import (
    CitesCheck,
    FlagsCheck,
    Key,
    NeverSaysCheck,
    Probe,
    QuotesCheck,
    SaysCheck,
)
from scoring.matching import occurrences
from simulator.effects.environment import Environment
from simulator.events import Script
from simulator.events.folding import fold
from simulator.events.scripted import Decision

_WORD = re.compile(r"[^\W_]+(?:[-'.,][^\W_]+)*")

Trigram = tuple[str, str, str]


def context_faults(
    script: Script, key: Key, before: Before, environment: Environment | None
) -> Iterator[tuple[int, Fault]]:
    """Yield what is wrong with the probes of the context track, each with the probe's number.

    Args:
        script: A script without structure faults.
        key: Its key.
        before: What happens before what in the script.
        environment: Tells what a withdrawal covers; None when it is unknown or refuses the world.
    """
    scored = [
        (number, probe)
        for number, probe in enumerate(key.probes)
        if probe.in_context and probe.excluded is None and probe.not_scorable is None
    ]
    for number, probe in scored:
        for fault in (*_told_faults(probe, before), *_question_faults(probe, number)):
            yield number, fault
    withdrawn = [each for each in scored if each[1].kind == "revocation"]
    if withdrawn:
        told = open_numbers(script, [probe for _, probe in withdrawn], before, environment)
        known = derivations((), told)
        for number, probe in withdrawn:
            for fault in _derivable_faults(probe, number, known):
                yield number, fault


def content_words(text: str) -> tuple[str, ...]:
    """Return the words of a text, folded and in order, without stop words; an id is one word."""
    return tuple(word for word in _WORD.findall(fold(text)) if word not in STOP_WORDS)


@lru_cache(maxsize=4_096)
def content_trigrams(text: str) -> frozenset[Trigram]:
    """Return each three content words of a text that follow one another."""
    words = content_words(text)
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _told_faults(probe: Probe, before: Before) -> Iterator[Fault]:
    """Yield what the request of a probe's decision gives away of it."""
    event = before.events[probe.decision]
    if not isinstance(event, Decision):
        return
    place = before.places[probe.decision].dotted("request")
    for value in _told_values(probe):
        if _names(event.request, value):
            yield Fault(place, f"probe {probe.id!r}: its request names {value!r}")
    for name, text in _planted_texts(probe, before):
        shared = sorted(content_trigrams(text) & content_trigrams(event.request))
        if shared:
            words = " ".join(shared[0])
            message = f"its request repeats {words!r} of {name!r}, which plants it"
            yield Fault(place, f"probe {probe.id!r}: {message}")


def _told_values(probe: Probe) -> dict[str, None]:
    """Return what a right decision says, quotes or has to flag, and what it must not say, in order."""
    values = [*(each.value for each in probe.gold), *(each.value for each in probe.forbidden)]
    for _, check in plain_checks(probe):
        if isinstance(check, SaysCheck | NeverSaysCheck):
            values.append(check.phrase)
        elif isinstance(check, CitesCheck) and check.phrase is not None:
            values.append(check.phrase)
        elif isinstance(check, FlagsCheck):
            values += check.phrases
        elif isinstance(check, QuotesCheck):
            values.append(check.text)
    return dict.fromkeys(values)


def _names(request: str, value: str) -> bool:
    """Return whether a request holds a value, be it with its numbers in another form."""
    if occurrences(value, request):
        return True
    return bool(occurrences(plain_numbers(value), plain_numbers(request)))


def _planted_texts(probe: Probe, before: Before) -> Iterator[tuple[str, str]]:
    for name in probe.planting.events if probe.planting else ():
        # A twin lacks them.
        surface = before.events[name].surface(name, 0) if name in before.events else None
        if surface is not None:
            yield name, surface.text


def _question_faults(probe: Probe, number: int) -> Iterator[Fault]:
    question = probe.planting.question if probe.planting else None
    for phrase in question.says if question else ():
        if occurrences(phrase, question.text if question else ""):
            message = (
                f"probe {probe.id!r}: its question names {phrase!r}, which a right answer says"
            )
            yield Fault(f"key.probes.{number}.planting.question.text", message)


def _derivable_faults(probe: Probe, number: int, known: Derivations) -> Iterator[Fault]:
    for i, each in probe.withdrawn:
        for value in numbers(each.value):
            how = known.follows(value)
            if how is not None:
                message = f"probe {probe.id!r}: {each.value!r} follows from what may be used: {how}"
                yield Fault(f"key.probes.{number}.forbidden.{i}.value", message)
