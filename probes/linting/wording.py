"""What a key says of its probes, before anything is played: empty, idle or contradictory words."""

import re
from collections.abc import Iterator
from decimal import Decimal

from probes.linting.variants import acts
from probes.scenario.structure import Before, Fault, is_unplanted, plain_checks
from scoring.admissibility import inadmissible
from scoring.keys import CalledCheck, CitesCheck, Key, NeverSaysCheck, Probe, SaysCheck, WorldCheck
from scoring.matching import occurrences
from simulator.events import Json
from simulator.events.folding import fold
from simulator.events.nested import leaves

_MARKS = {ord(","): None, ord("'"): None}
_GROUPED = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
# A number by itself: no part of a word, a version or a code.
_NUMBER = re.compile(r"(?<![\w.,])([1-9]\d{0,2}(?:[,']\d{3})+|[1-9]\d*|0)(\.\d+)?(?!\w|[.,]\d)")
_LABELLED = re.compile(r"[^\W\d][\w /-]*:\s*[^\s/]")


def wording_faults(probe: Probe, key: Key, before: Before, *, imported: bool) -> Iterator[Fault]:
    """Yield what is wrong with a probe's words; places are relative to the probe.

    Args:
        probe: The probe.
        key: Its key.
        before: What happens before what in the script.
        imported: The key was made elsewhere; phrases that can show nothing are then left out of
            the scores and are no fault.
    """
    yield from _lacking(probe)
    yield from _clashing(probe)
    if not imported:
        yield from _inadmissible(probe)
        yield from _labelled(probe)
    yield from _without_evidence(probe, key, before)
    yield from _stale(probe, key, before)


def plain_form(text: str) -> str:
    """Return a text without its case, spacing and number format.

    `1,000`, `1'000`, `1 000`, `1000` and `1000.00` have one plain form, and so have `$ 5.50` and `$5.5`.
    Versions and codes, such as `v1.10` and `1.10.2`, keep their digits.
    """
    return "".join(plain_numbers(text).split())


def plain_numbers(text: str) -> str:
    """Return a folded text with its numbers in the one form that `plain_form` has."""
    return _NUMBER.sub(_plain_number, _GROUPED.sub("", fold(text)))


def _plain_number(found: re.Match[str]) -> str:
    return f"{Decimal(found[0].translate(_MARKS)).normalize():f}"


def _lacking(probe: Probe) -> Iterator[Fault]:
    said = f"probe {probe.id!r}"
    if not probe.checks:
        yield Fault("checks", f"{said} has no checks: everybody passes it")
    if not probe.gold and probe.dependent:
        yield Fault("gold", f"{said} depends on an earlier session, but no gold says on what")
    elif not probe.gold and _is_trap(probe):
        yield Fault("gold", f"{said} is a trap, but no gold says what is right instead")
    if probe.reference is None and acts(probe):
        yield Fault("reference", f"{said} has no reference: nothing shows that it can be passed")


def _is_trap(probe: Probe) -> bool:
    """Return whether an old value lies in wait."""
    old = any(forbidden.failure == "resurrection" for forbidden in probe.forbidden)
    return old or probe.kind == "update"


def _clashing(probe: Probe) -> Iterator[Fault]:
    forbidden = {plain_form(value): value for _, value in _forbidden(probe)}
    seen: set[str] = set()
    for place, value in _wanted(probe):
        form = plain_form(value)
        if form in forbidden and form not in seen:
            seen.add(form)
            other = "" if forbidden[form] == value else f" as {forbidden[form]!r}"
            yield Fault(place, f"probe {probe.id!r} wants and forbids {value!r}{other}")


def _wanted(probe: Probe) -> Iterator[tuple[str, str]]:
    for i, gold in enumerate(probe.gold):
        yield f"gold.{i}.value", gold.value
    for place, check in plain_checks(probe):
        if isinstance(check, SaysCheck):
            yield f"{place}.phrase", check.phrase
        elif isinstance(check, WorldCheck):
            yield from ((f"{place}.equals", leaf) for leaf in _leaves(check.equals))
        elif isinstance(check, CalledCheck):
            yield from ((f"{place}.arguments", leaf) for leaf in _leaves(check.arguments))
        elif isinstance(check, CitesCheck) and check.phrase is not None:
            yield f"{place}.phrase", check.phrase


def _forbidden(probe: Probe) -> Iterator[tuple[str, str]]:
    for i, forbidden in enumerate(probe.forbidden):
        yield f"forbidden.{i}.value", forbidden.value
    for i, check in enumerate(probe.checks):
        if isinstance(check, NeverSaysCheck):
            yield f"checks.{i}.phrase", check.phrase


def _leaves(value: Json) -> Iterator[str]:
    return (str(each) for each in leaves(value) if each is not None and not isinstance(each, bool))


def _inadmissible(probe: Probe) -> Iterator[Fault]:
    seen: set[str] = set()
    for place, value in _forbidden(probe):
        why = inadmissible(value)
        if why is not None and fold(value) not in seen:
            seen.add(fold(value))
            message = f"probe {probe.id!r} forbids {value!r}, which a right answer may say: {why}"
            yield Fault(place, message)


def _labelled(probe: Probe) -> Iterator[Fault]:
    """Yield wanted texts of the form `label: value`, which nobody says in full."""
    for place, value in dict(_wanted(probe)).items():
        if _LABELLED.match(value):
            message = f"probe {probe.id!r} wants {value!r}, a value with its label; want the value"
            yield Fault(place, message)


def _without_evidence(probe: Probe, key: Key, before: Before) -> Iterator[Fault]:
    # What a probe's twin lacks may be the very event that states what is wanted.
    unplanted = is_unplanted(probe, key)
    for i, gold in enumerate(probe.gold):
        if not gold.evidence and not unplanted:
            message = f"probe {probe.id!r}: no event states {gold.value!r}"
            yield Fault(f"gold.{i}.evidence", message)
    stated = [(f"gold.{i}", g.value, g.evidence) for i, g in enumerate(probe.gold)]
    stated += [(f"forbidden.{i}", f.value, f.evidence) for i, f in enumerate(probe.forbidden)]
    for place, value, evidence in stated:
        for k, name in enumerate(evidence):
            surface = before.events[name].surface(name, 0)
            if surface is None or not occurrences(value, surface.text):
                message = f"probe {probe.id!r}: event {name!r} does not contain {value!r}"
                yield Fault(f"{place}.evidence.{k}", message)


def _stale(probe: Probe, key: Key, before: Before) -> Iterator[Fault]:
    """Yield gold that an event replaced before the probe and that none states again later."""
    for i, gold in enumerate(probe.gold):
        for revision in key.revisions:
            if revision.was != gold.value or not before(revision.event, probe.decision):
                continue
            if not any(before(revision.event, name) for name in gold.evidence):
                message = (
                    f"probe {probe.id!r} of episode {probe.decision.partition('/')[0]!r} wants "
                    f"{gold.value!r}, which event {revision.event!r} replaced by {revision.now!r}"
                )
                yield Fault(f"gold.{i}.value", message)
