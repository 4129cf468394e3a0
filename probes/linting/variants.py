"""Variants: what a decision could have come to, and which of it a right scorer passes.

The key alone says what is right and what is dead, so every probe has acts and answers whose
verdict is known before anything is played: `docs/scenarios.md` lists them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from probes.importers.statebench.rules import REFUSALS
from probes.linting.alternatives import wrong_in_all
from probes.linting.reporting import wrong_reports
from scoring.admissibility import STOP_WORDS, inadmissible
from scoring.decisions import OutcomeKind
from scoring.keys import (
    DecidesCheck,
    EitherCheck,
    NeverSaysCheck,
    NotCalledCheck,
    Probe,
    ReferenceCall,
    wants_act,
)
from scoring.matching import occurrences
from simulator.effects.environment import Tool
from simulator.events import Json
from simulator.events.folding import fold

ASSERTED = "It is now {}; that was confirmed."
RULED_OUT = "It is not {}; that was superseded."
ELSE = "something else"

_LOWER = str.maketrans("23456789", "12345678")
_WORD = re.compile(r"[^\s?!,;:]+")

Name = Literal[
    "ideal",
    "ideal and rejecting",
    "violation",
    "other value",
    "refusal",
    "silence",
    "words alone",
    "echo",
]


@dataclass(frozen=True)
class Variant:
    """One way a decision could have ended.

    Attributes:
        name: Which kind of way it is.
        text: The final answer, or the words of a refusal.
        calls: Tool calls, in order.
        outcome: How the decision ends.
        shows: Dotted place in the probe of what it tries out.
        uses: The forbidden value that it uses, if it does.
    """

    name: Name
    text: str
    calls: tuple[ReferenceCall, ...] = ()
    outcome: OutcomeKind = "answer"
    shows: str = "checks"
    uses: str | None = None

    @property
    def right(self) -> bool:
        """True when a right scorer passes it; all others it must fail."""
        return self.name in ("ideal", "ideal and rejecting")

    @property
    def evades(self) -> bool:
        """True when it does nothing of what is asked."""
        return self.name in ("refusal", "silence", "words alone", "echo")


@dataclass(frozen=True)
class Banned:
    """A value that a right decision must not use, with its place in the probe."""

    value: str
    place: str


def ideal(probe: Probe) -> Variant | None:
    """Return the right decision: the reference, or an answer made of what the checks want.

    None where an action is wanted and no reference says which.
    """
    if probe.reference is not None:
        right = probe.reference
        return Variant("ideal", right.answer, right.calls, right.ends)
    return None if acts(probe) else Variant("ideal", _composed(probe, None))


def acts(probe: Probe) -> bool:
    """Return whether the probe wants an action and not only an answer."""
    return any(wants_act(check) for check in probe.checks)


def banned(probe: Probe) -> list[Banned]:
    """Return what the probe forbids, each value once, without what can show nothing by itself."""
    named = [Banned(each.value, f"forbidden.{i}") for i, each in enumerate(probe.forbidden)]
    for i, check in enumerate(probe.checks):
        if isinstance(check, NeverSaysCheck):
            named.append(Banned(check.phrase, f"checks.{i}"))
    once = {fold(each.value): each for each in reversed(named)}
    return [each for each in reversed(once.values()) if inadmissible(each.value) is None]


def variants(probe: Probe, request: str, tools: Sequence[Tool]) -> Iterator[Variant]:
    """Yield every variant of a probe but the ideal one."""
    right = ideal(probe)
    if right is not None:
        dead = banned(probe)
        if dead:
            rejecting = " ".join(RULED_OUT.format(each.value) for each in dead)
            yield replace(right, name="ideal and rejecting", text=f"{right.text} {rejecting}")
        yield from _violations(probe, right, dead)
        yield from _forbidden_calls(probe, right, tools)
        yield from _in_no_alternative(probe, right, tools)
        for i, check in enumerate(probe.checks):
            for calls in wrong_reports(check, right.calls):
                yield replace(right, name="violation", calls=calls, shows=f"checks.{i}")
        yield from _other_values(probe, right)
        if right.calls:
            words = " ".join([right.text, *(gold.value for gold in probe.gold)])
            yield Variant("words alone", words)
    yield from _evasions(probe, request)


def _violations(probe: Probe, right: Variant, dead: Iterable[Banned]) -> Iterator[Variant]:
    """Yield each dead value in the place of each gold one, and asserted beside the ideal."""
    spoken = {fold(check.phrase) for check in probe.checks if isinstance(check, NeverSaysCheck)}
    for each in dead:
        wrong = replace(right, name="violation", shows=each.place, uses=each.value)
        swapped = [_swapped(wrong, gold.value, each.value) for gold in probe.gold]
        swapped = [one for one in swapped if one != wrong]
        yield from swapped
        if fold(each.value) in spoken or not swapped or not acts(probe):
            yield replace(wrong, text=f"{right.text} {ASSERTED.format(each.value)}")
    for i, check in enumerate(probe.checks):
        if isinstance(check, DecidesCheck):
            other: Literal["yes", "no"] = "no" if check.decision == "yes" else "yes"
            text = _composed(probe, other)
            yield replace(right, name="violation", text=text, shows=f"checks.{i}")


def _forbidden_calls(probe: Probe, right: Variant, tools: Sequence[Tool]) -> Iterator[Variant]:
    """Yield each forbidden call before the ideal ones; later the world might refuse it."""
    for i, check in enumerate(probe.checks):
        if isinstance(check, NotCalledCheck):
            call = ReferenceCall(tool=check.tool, arguments=filled(check, right, tools))
            calls = (call, *right.calls)
            yield replace(right, name="violation", calls=calls, shows=f"checks.{i}")


def _in_no_alternative(probe: Probe, right: Variant, tools: Sequence[Tool]) -> Iterator[Variant]:
    """Yield the ideal with each alternative of a check broken at once."""

    def fill(check: NotCalledCheck) -> ReferenceCall:
        return ReferenceCall(tool=check.tool, arguments=filled(check, right, tools))

    for i, check in enumerate(probe.checks):
        if isinstance(check, EitherCheck):
            for calls, text in wrong_in_all(check, right.calls, right.text, fill):
                shows = f"checks.{i}"
                yield replace(right, name="violation", calls=calls, text=text, shows=shows)


def filled(check: NotCalledCheck, right: Variant, tools: Sequence[Tool]) -> dict[str, Json]:
    """Return the check's arguments with those that the tool needs besides."""
    named = {name: value for call in right.calls for name, value in call.arguments.items()}
    wanted = next((tool.parameters for tool in tools if tool.name == check.tool), {})
    arguments: dict[str, Json] = {}
    for name in wanted.get("required", ()):
        form = wanted["properties"][name]
        arguments[name] = named[name] if name in named else form.get("examples", [ELSE])[0]
    return arguments | check.arguments


def _other_values(probe: Probe, right: Variant) -> Iterator[Variant]:
    """Yield the ideal with each gold value changed; a decision rests on all it needs at once."""
    if any(isinstance(check, DecidesCheck) for check in probe.checks):
        return
    for i, gold in enumerate(probe.gold):
        yield replace(
            _swapped(right, gold.value, _other(gold.value)), name="other value", shows=f"gold.{i}"
        )


def _other(value: str) -> str:
    """Return another value of the same form where it has digits; lower, so that limits hold."""
    for table in (_LOWER, {ord("1"): "2"}, {ord("0"): "1"}):
        changed = value.translate(table)
        if changed != value:
            return changed
    return ELSE


def _evasions(probe: Probe, request: str) -> Iterator[Variant]:
    yield Variant("silence", "")
    yield Variant("refusal", REFUSALS[3], outcome="refusal")
    yield from (Variant("refusal", text) for text in REFUSALS)
    yield Variant("echo", request)
    # Without a memory's help the words of a question may well hold its answer.
    if probe.dependent:
        words = (word.rstrip(".") for word in _WORD.findall(request))
        words = (word for word in words if fold(word) not in STOP_WORDS)
        yield Variant("echo", f"This is about {' '.join(words)}.")


def _composed(probe: Probe, decision: Literal["yes", "no"] | None) -> str:
    """Return an answer that decides and says what is wanted, nothing else."""
    said = "; ".join(check.phrase for check in probe.checks if check.check == "says")
    for check in probe.checks:
        if isinstance(check, DecidesCheck):
            word = (decision or check.decision).capitalize()
            return f"{word}: {said}." if said else f"{word}."
    return f"{said}." if said else ""


def _swapped(variant: Variant, old: str, new: str) -> Variant:
    """Return the variant with a value replaced wherever its words and arguments hold it."""
    calls = tuple(
        ReferenceCall(tool=call.tool, arguments=_with(call.arguments, old, new))
        for call in variant.calls
    )
    return replace(variant, text=_text_with(variant.text, old, new), calls=calls)


def _with(value: Json, old: str, new: str) -> Json:
    if isinstance(value, dict):
        return {name: _with(entry, old, new) for name, entry in value.items()}
    if isinstance(value, list):
        return [_with(entry, old, new) for entry in value]
    if isinstance(value, str):
        return _text_with(value, old, new)
    # The schema check turns the text of a number back into one.
    return new if not isinstance(value, bool) and str(value) == old else value


def _text_with(text: str, old: str, new: str) -> str:
    for span in reversed(occurrences(old, text)):
        text = text[: span.start] + new + text[span.end :]
    return text
