"""Verdicts: what a decision achieved, what it could have known, and what it used."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from scoring.checks import CheckResult, evaluate
from scoring.decisions import DecisionRecord, decisions
from scoring.keys import FailureClass, Forbidden, Probe
from scoring.matching import asserts_folded
from scoring.run import Trial
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.events.folding import fold

NO_CHECKS = "the probe has no checks"
_ACTS = frozenset({"world", "called"})


@dataclass(frozen=True)
class GoldUse:
    """What became of one value that a right decision needs.

    Attributes:
        name: The attribute.
        value: The value.
        in_block: The memory block held it.
        in_context: The request or the working context held it too, so memory was not needed.
        used: It was in the arguments of an executed call; where the probe checks no action, the
            answer asserts it.
    """

    name: str
    value: str
    in_block: bool
    in_context: bool
    used: bool


@dataclass(frozen=True)
class Misuse:
    """A forbidden value that was used in an executed argument or asserted in the text."""

    value: str
    failure: FailureClass
    where: str


@dataclass(frozen=True)
class Verdict:
    """The verdict on one probe in one trial.

    Attributes:
        record: What happened.
        probe: What was tested.
        skipped: `excluded` or `not_scorable` when no verdict is given, else None.
        why: The reason for skipping, else None.
        success: All checks passed and the agent ended the decision itself.
        results: One result a check, in the key's order.
        gold: One entry a gold value, in the key's order.
        misuses: Forbidden values that were used.
    """

    record: DecisionRecord
    probe: Probe
    skipped: str | None
    why: str | None
    success: bool
    results: tuple[CheckResult, ...]
    gold: tuple[GoldUse, ...]
    misuses: tuple[Misuse, ...]

    @property
    def errored(self) -> bool:
        """True when an error stands in the place of an outcome."""
        return self.record.errored

    @property
    def had_gold(self) -> bool:
        """True when the block held every gold value, and there is one."""
        return bool(self.gold) and all(each.in_block for each in self.gold)

    @property
    def stale_used(self) -> tuple[str, ...]:
        """Superseded values that were used."""
        stale = (each.value for each in self.misuses if each.failure == "resurrection")
        return tuple(dict.fromkeys(stale))


def verdicts(trial: Trial) -> list[Verdict]:
    """Return a verdict for every probe of the trial's key, in the key's order.

    Raises:
        InputError: when a probe names a decision that the script does not have.
    """
    records = {record.id: record for record in decisions(trial)}
    return [judge(_record(records, probe, trial), probe) for probe in trial.key.probes]


def _record(records: dict[str, DecisionRecord], probe: Probe, trial: Trial) -> DecisionRecord:
    if probe.decision not in records:
        raise InputError(
            f"the script of arc {trial.arc!r} has no decision {probe.decision!r}",
            field=f"probes.{probe.id}.decision",
        )
    return records[probe.decision]


def judge(record: DecisionRecord, probe: Probe) -> Verdict:
    """Return the verdict on one decision."""
    skipped, why = _skipping(probe)
    results = tuple(evaluate(check, record) for check in probe.checks)
    passed = all(result.passed for result in results)
    return Verdict(
        record=record,
        probe=probe,
        skipped=skipped,
        why=why,
        success=skipped is None and not record.errored and passed,
        results=results,
        gold=_gold(record, probe),
        misuses=tuple(_misuses(record, probe.forbidden)),
    )


def _skipping(probe: Probe) -> tuple[str | None, str | None]:
    if probe.excluded is not None:
        return "excluded", probe.excluded
    if probe.not_scorable is not None:
        return "not_scorable", probe.not_scorable
    # An empty list of checks is passed by everybody, silence included.
    return (None, None) if probe.checks else ("not_scorable", NO_CHECKS)


def _gold(record: DecisionRecord, probe: Probe) -> tuple[GoldUse, ...]:
    if not probe.gold:
        return ()
    block = fold(record.block)
    context = [fold(record.request), *(fold(surface.text) for surface in record.context)]
    by_action = any(check.check in _ACTS for check in probe.checks)
    answer = fold(record.text) if record.outcome == "answer" else ""
    found = []
    for each in probe.gold:
        value = fold(each.value)
        found.append(
            GoldUse(
                name=each.name,
                value=each.value,
                in_block=asserts_folded(value, block),
                in_context=any(asserts_folded(value, text) for text in context),
                used=in_arguments(record, value) if by_action else asserts_folded(value, answer),
            )
        )
    return tuple(found)


def in_arguments(record: DecisionRecord, value: str) -> bool:
    """Return whether a folded value stands in an argument of an executed call.

    A string argument holds it as a text holds a phrase; a number holds it when it is equal.
    """
    return any(_holds(leaf, value) for call in record.executed for leaf in _leaves(call.arguments))


def _leaves(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def _holds(leaf: Json, value: str) -> bool:
    if isinstance(leaf, str):
        return asserts_folded(value, fold(leaf))
    if isinstance(leaf, int | float) and not isinstance(leaf, bool):
        return Decimal(str(leaf)) == _number(value)
    return False


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _misuses(record: DecisionRecord, forbidden: tuple[Forbidden, ...]) -> Iterator[Misuse]:
    said = fold(record.text)
    for each in forbidden:
        value = fold(each.value)
        if in_arguments(record, value):
            yield Misuse(each.value, each.failure, "argument")
        if asserts_folded(value, said):
            yield Misuse(each.value, each.failure, "text")
