"""Verdicts: what a decision achieved, what it could have known, and what it used."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from scoring.admissibility import query_aware
from scoring.checks import CheckResult, evaluate, left_out
from scoring.decisions import DecisionRecord, decisions
from scoring.keys import FailureClass, NeverSaysCheck, Probe, SaysCheck, wants_act
from scoring.matching import find_folded
from scoring.run import Trial
from scoring.scorers import CLAUSE, Said, Scorer
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.events.folding import fold
from simulator.events.nested import leaves

NO_CHECKS = "the probe has no checks"
NOTHING_COUNTS = "every check forbids a phrase that alone shows nothing"


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
    """A forbidden value that was used in an executed argument or asserted in the text, and why."""

    value: str
    failure: FailureClass
    where: str
    reason: str


@dataclass(frozen=True)
class Mention:
    """What became of one forbidden value or phrase.

    Attributes:
        value: The value.
        failure: What using it would be.
        left_out: Why it alone shows nothing and is not counted, None when it is.
        aware: Why it is not counted by the query-aware gate, None when it is.
        argument: The tool and argument of the first executed call that used it, None without.
        said: What the text says of it.
    """

    value: str
    failure: FailureClass
    left_out: str | None
    aware: str | None
    argument: str | None
    said: Said

    @property
    def used(self) -> bool:
        """It was used in an argument or asserted in the text."""
        return self.argument is not None or self.said.verdict == "asserted"

    @property
    def rejected(self) -> bool:
        """It was named only to rule it out."""
        return self.argument is None and self.said.verdict == "negated"


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
        mentions: One entry a forbidden value, in the key's order; then those of `never_says`
            checks that are not among them.
    """

    record: DecisionRecord
    probe: Probe
    skipped: str | None
    why: str | None
    success: bool
    results: tuple[CheckResult, ...]
    gold: tuple[GoldUse, ...]
    mentions: tuple[Mention, ...]

    @property
    def misuses(self) -> tuple[Misuse, ...]:
        """Forbidden values that were used."""
        return tuple(_misuses(self.mentions))

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


def verdicts(trial: Trial, scorer: Scorer = CLAUSE) -> list[Verdict]:
    """Return a verdict for every probe of the trial's key, in the key's order.

    Raises:
        InputError: when a probe names a decision that the script does not have.
    """
    return judge_all(trial, decisions(trial), scorer)


def judge_all(
    trial: Trial, records: Iterable[DecisionRecord], scorer: Scorer = CLAUSE
) -> list[Verdict]:
    """Return what `verdicts` returns, from the trial's decision records."""
    by_id = {record.id: record for record in records}
    return [judge(_record(by_id, probe, trial), probe, scorer) for probe in trial.key.probes]


def _record(records: dict[str, DecisionRecord], probe: Probe, trial: Trial) -> DecisionRecord:
    if probe.decision not in records:
        raise InputError(
            f"the script of arc {trial.arc!r} has no decision {probe.decision!r}",
            field=f"probes.{probe.id}.decision",
        )
    return records[probe.decision]


def judge(record: DecisionRecord, probe: Probe, scorer: Scorer = CLAUSE) -> Verdict:
    """Return the verdict on one decision."""
    skipped, why = _skipping(probe, scorer)
    results = tuple(evaluate(check, record, scorer) for check in probe.checks)
    passed = all(result.passed for result in results)
    return Verdict(
        record=record,
        probe=probe,
        skipped=skipped,
        why=why,
        success=skipped is None and not record.errored and passed,
        results=results,
        gold=_gold(record, probe, scorer),
        mentions=tuple(_mentions(record, probe, scorer)),
    )


def _skipping(probe: Probe, scorer: Scorer) -> tuple[str | None, str | None]:
    if probe.excluded is not None:
        return "excluded", probe.excluded
    if probe.not_scorable is not None:
        return "not_scorable", probe.not_scorable
    # An empty list of checks is passed by everybody, silence included.
    if not probe.checks:
        return "not_scorable", NO_CHECKS
    if all(left_out(check, scorer) is not None for check in probe.checks):
        return "not_scorable", NOTHING_COUNTS
    return None, None


def _gold(record: DecisionRecord, probe: Probe, scorer: Scorer) -> tuple[GoldUse, ...]:
    if not probe.gold:
        return ()
    block = fold(record.block)
    request = fold(record.request)
    context = [request, *(fold(surface.text) for surface in record.context)]
    by_action = any(wants_act(check) for check in probe.checks)
    answer = fold(record.text) if record.outcome == "answer" else ""
    found = []
    for each in probe.gold:
        value = fold(each.value)
        found.append(
            GoldUse(
                name=each.name,
                value=each.value,
                in_block=bool(find_folded(value, block)),
                in_context=any(find_folded(value, text) for text in context),
                used=in_arguments(record, value, scorer)
                if by_action
                else scorer.asserts(value, answer, request),
            )
        )
    return tuple(found)


def in_arguments(record: DecisionRecord, value: str, scorer: Scorer = CLAUSE) -> bool:
    """Return whether a folded value stands in an argument of an executed call.

    A string argument holds it as a text asserts a phrase; a number holds it when it is equal.
    """
    return _argument(record, value, scorer) is not None


def _argument(record: DecisionRecord, value: str, scorer: Scorer) -> str | None:
    """Return the tool and argument of the first executed call that holds a folded value."""
    for call in record.executed:
        for name, argument in call.arguments.items():
            if any(leaf_holds(leaf, value, scorer) for leaf in leaves(argument)):
                return f"{call.tool}({name})"
    return None


def leaf_holds(leaf: Json, value: str, scorer: Scorer = CLAUSE, prompt: str = "") -> bool:
    """Return whether a plain value holds a folded one: a text asserts it, a number equals it.

    What a text has only because it repeats `prompt`, which is folded too, does not count.
    """
    if isinstance(leaf, str):
        return scorer.asserts(value, fold(leaf), prompt)
    if isinstance(leaf, int | float) and not isinstance(leaf, bool):
        return Decimal(str(leaf)) == _number(value)
    return False


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def forbidden_values(probe: Probe) -> list[tuple[str, FailureClass]]:
    """Return what a probe forbids with its failure class: values, then phrases of its checks."""
    never = [check for check in probe.checks if isinstance(check, NeverSaysCheck)]
    return list(
        dict.fromkeys(
            [
                *((each.value, each.failure) for each in probe.forbidden),
                *((each.phrase, each.failure) for each in never),
            ]
        )
    )


def _mentions(record: DecisionRecord, probe: Probe, scorer: Scorer) -> Iterator[Mention]:
    # A check that forbids saying a phrase says nothing of arguments.
    values = {(each.value, each.failure) for each in probe.forbidden}
    required = [check.phrase for check in probe.checks if isinstance(check, SaysCheck)]
    required += [gold.value for gold in probe.gold]
    for value, failure in forbidden_values(probe):
        gated = scorer.leaves_out(value)
        yield Mention(
            value=value,
            failure=failure,
            left_out=gated,
            aware=gated or query_aware(value, record.request, required),
            argument=_argument(record, fold(value), scorer) if (value, failure) in values else None,
            said=scorer.reads(value, record.text, ""),
        )


def _misuses(mentions: tuple[Mention, ...]) -> Iterator[Misuse]:
    for each in mentions:
        if each.left_out is None and each.argument is not None:
            yield Misuse(each.value, each.failure, "argument", f"{each.argument} ran with it")
        if each.left_out is None and each.said.verdict == "asserted":
            yield Misuse(each.value, each.failure, "text", each.said.reason)
