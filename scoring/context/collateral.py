"""Collateral loss: what was permitted and went with what was dropped, so that deleting all does not win."""

from collections.abc import Iterable
from typing import NamedTuple

from scoring.context.course import Course
from scoring.context.notices import Dropped
from scoring.keys import CitesCheck, EitherCheck, PlainCheck, Probe, QuotesCheck
from scoring.matching import find_folded
from simulator.events.folding import fold


class Loss(NamedTuple):
    """Permitted texts of the key that memory or working context showed around a notice.

    Attributes:
        held: Those that were there before it.
        lost: Those of them that were not there any more when it had been carried out.
        rebuilt: Tokens of the events that the memory took in again, as the engine audited it.
    """

    held: int
    lost: int
    rebuilt: int = 0


def collateral(course: Course, dropped: Dropped, all_dropped: Iterable[Dropped]) -> Loss:
    """Return what a notice took with it of the texts that the key's other probes need."""
    texts = permitted_wants(course.trial.key.probes, tuple(all_dropped))
    before = _there(course, dropped.position - 1, texts)
    after = _there(course, dropped.settled, texts)
    return Loss(len(before), len(before - after), _rebuilt(course, dropped))


def _rebuilt(course: Course, dropped: Dropped) -> int:
    notice = course.trial.events[dropped.position].id
    audits = (event for event in course.trial.events if event.kind == "residue_audit")
    return sum(each.body["rebuilt_tokens"] for each in audits if notice in each.causes)


def permitted_wants(probes: Iterable[Probe], dropped: tuple[Dropped, ...]) -> frozenset[str]:
    """Return the folded texts that probes need and that nothing in the task takes away."""
    own = {each.probe.id for each in dropped}
    things = frozenset().union(*(each.things for each in dropped))
    events = frozenset().union(*(each.events for each in dropped))
    wanted: set[str] = set()
    for probe in probes:
        wanted |= {g.value for g in probe.gold if not events.intersection(g.evidence)}
        wanted |= {
            text
            for each in probe.checks
            for check in (each.of if isinstance(each, EitherCheck) else (each,))
            if (text := _figure(check, things)) is not None
        }
        if probe.planting is not None and probe.id not in own:
            wanted |= set(probe.planting.essentials)
    dead = [value.folded for each in dropped for value in each.values]
    folded = frozenset(map(fold, wanted))
    return frozenset(text for text in folded if not any(find_folded(v, text) for v in dead))


def _figure(check: PlainCheck, things: frozenset[str]) -> str | None:
    if isinstance(check, CitesCheck) and check.source not in things:
        return check.phrase
    return check.text if isinstance(check, QuotesCheck) and check.source not in things else None


def _there(course: Course, position: int, texts: Iterable[str]) -> frozenset[str]:
    held: dict[str, str] = {}
    for event in course.trial.events[: position + 1]:
        if event.kind == "memory_change":
            for name in event.body["gone"]:
                held.pop(name, None)
            for item in event.body["written"]:
                held[item["id"]] = "" if item["hidden"] else item["text"]
    shown = (each.text for each in course.context(position))
    whole = fold("\n|\n".join((*held.values(), *shown)))
    return frozenset(text for text in texts if find_folded(text, whole))
