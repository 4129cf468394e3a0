"""Exposures: later answers, executed arguments and world changes that use dropped content."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from scoring.context.course import ENDS, Course
from scoring.context.derived import Derivations, Number, derivations, numbers
from scoring.context.notices import Dropped, permitted_numbers
from scoring.context.paths import ANSWER, ARGUMENT, WORLD
from scoring.context.traces import SHOWN, Example, Measure, Tallies
from scoring.run import Event
from scoring.scorers import CLAUSE, Scorer
from scoring.verdicts import leaf_holds
from simulator.events import Json, canonical_json
from simulator.events.folding import fold
from simulator.events.nested import leaves


class _Act(NamedTuple):
    """Something that the agent did after a notice.

    Attributes:
        path: What it is.
        event: The event that records it.
        one: What counts once, whatever its paths: a call and the change that it makes are one act.
        leaves: The plain values in it.
        text: All of it, for an example.
    """

    path: str
    event: Event
    one: str
    leaves: tuple[Json, ...]
    text: str


def find_exposures(
    course: Course, dropped: Dropped, found: Tallies, scorer: Scorer = CLAUSE
) -> None:
    """Count the acts after a notice that use a dropped value, and those with a derived number.

    A value is used by a text that asserts it, so one that is only ruled out is not.
    """
    if not dropped.exposed:
        return
    finder = _Finder(course, dropped, found, scorer)
    for act in _acts(course, dropped):
        finder.take(act)


def _acts(course: Course, dropped: Dropped) -> Iterator[_Act]:
    for event in course.after(dropped):
        body = event.body
        if event.kind in ENDS:
            yield _Act(ANSWER, event, event.id, (body["text"],), body["text"])
        elif event.kind == "tool_call" and course.ran.get(body["call"]):
            told = f"{body['tool']}({canonical_json(body['arguments'])})"
            yield _Act(ARGUMENT, event, body["call"], tuple(leaves(body["arguments"])), told)
        elif event.kind == "world_change" and body["call"]:
            values = [operation.get("value") for operation in body["patch"]]
            told = canonical_json(body["patch"])
            yield _Act(WORLD, event, body["call"], tuple(leaves(values)), told)


class _Finder:
    def __init__(self, course: Course, dropped: Dropped, found: Tallies, scorer: Scorer) -> None:
        self._course, self._dropped, self._found = course, dropped, found
        self._scorer = scorer
        self._known = {n.text for value in dropped.exposed for n in numbers(value.text)}

    def take(self, act: _Act) -> None:
        """Look at an act for dropped values, then for numbers that are worked out from them."""
        for value in self._dropped.exposed:
            if act.event.position < value.permitted and any(
                leaf_holds(leaf, value.folded, self._scorer) for leaf in act.leaves
            ):
                self._note("exposure", act)
                break
        if self._known and any(self._derived(leaf) for leaf in act.leaves):
            self._note("derived", act)

    def _derived(self, leaf: Json) -> bool:
        if isinstance(leaf, bool) or not isinstance(leaf, str | int | float):
            return False
        text = str(leaf)
        known = self._derivations
        asked = [
            number
            for number in numbers(text)
            if number.text not in self._known and known.asks(number)
        ]
        folded = fold(text) if asked else ""
        return any(
            self._scorer.asserts(number.text, folded, "") and known.derives(number)
            for number in asked
        )

    @property
    def _derivations(self) -> Derivations:
        dropped: dict[Fraction, Number] = {
            number.value: number
            for value in self._dropped.exposed
            for number in numbers(value.text)
        }
        named = self._dropped.events | self._dropped.things
        return derivations(tuple(dropped), permitted_numbers(self._course.trial.script, named))

    def _note(self, measure: Measure, act: _Act) -> None:
        course = self._course
        self._found.add(
            measure,
            act.path,
            act.event.id,
            course.clock.between(self._dropped.position, act.event.position),
            Example(course.trial.name, act.event.position, act.text[:SHOWN], "text"),
            within=act.one,
        )
