"""What went wrong, gathered in one pass over the trials: counts of all, examples of some."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from scoring.causes import Cause, causes
from scoring.decisions import decisions
from scoring.matching import find
from scoring.reviews import is_task
from scoring.run import Event, Run, Trial
from scoring.verdicts import GoldUse, Misuse, Verdict, judge_all

MAX_EXAMPLES = 40
"""Failed decisions that are told in full, over all arms."""

_PLACES = 8
"""Places of one value in a text that are told; the trace has all."""

MAX_TEXT = 1_500
"""Characters of one text; the trace shows all."""

T = TypeVar("T")


class Line(NamedTuple):
    """A line of an example: what it says, and where it comes from or what came of it."""

    text: str
    note: str = ""


@dataclass(frozen=True)
class Example:
    """One failed decision.

    Attributes:
        trial: The trial's id.
        arc: The arc's name.
        decision: The decision's id.
        kind: The probe's kind.
        tier: The arc's tier, or "".
        cause: One of `scoring.causes.CAUSES`.
        why: What the log shows for it.
        request: What was asked.
        block: Items of the memory block and their sources.
        block_tokens: Tokens of the block.
        session: Surfaces of the running session before the request.
        acts: Tool calls and what they returned.
        outcome: How it ended, and the text.
        gold: Values that were needed, and where they were.
        misuses: Forbidden values that were used.
        checks: Results of the checks; the note is `pass` or `FAIL`.
    """

    trial: str
    arc: str
    decision: str
    kind: str
    tier: str
    cause: str
    why: str
    request: str
    block: tuple[Line, ...]
    block_tokens: int
    session: int
    acts: tuple[Line, ...]
    outcome: Line
    gold: tuple[Line, ...]
    misuses: tuple[Line, ...]
    checks: tuple[Line, ...]


class ErrorKind(NamedTuple):
    """What errors are counted by."""

    arm: str
    culprit: str
    fault: str


@dataclass
class ErrorCount:
    """Errors of one kind: how many, how many ended a trial, and the first of them."""

    times: int
    fatal: int
    message: str
    where: str


@dataclass
class Gathered:
    """What one pass over a run finds.

    Attributes:
        failed: Arm to the number of dependent decisions that failed without an error.
        kept: Arm and tier to the examples that were kept.
        errors: Error events by kind.
        origins: Where the arcs come from, with the number of arcs.
        verdicts: Task to what a person said of it, or None; versions of a task are no tasks.
    """

    failed: Counter[str] = field(default_factory=Counter)
    kept: dict[str, dict[str, list[Example]]] = field(default_factory=dict)
    errors: dict[ErrorKind, ErrorCount] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    verdicts: dict[str, str | None] = field(default_factory=dict)

    def add(self, later: "Gathered") -> None:
        """Add what later trials gave."""
        self.failed += later.failed
        self.origins |= later.origins
        self.verdicts |= later.verdicts
        for arm, by_tier in later.kept.items():
            for tier, examples in by_tier.items():
                kept = self.kept.setdefault(arm, {}).setdefault(tier, [])
                kept.extend(examples[: MAX_EXAMPLES - len(kept)])
        for kind, count in later.errors.items():
            if kind in self.errors:
                self.errors[kind].times += count.times
                self.errors[kind].fatal += count.fatal
            else:
                self.errors[kind] = count


def gather(run: Run) -> Gathered:
    """Read every sealed trial once."""
    found = Gathered()
    for trial in run.trials():
        found.add(look(trial))
    return found


def look(trial: Trial) -> Gathered:
    """Return what one trial adds."""
    found = Gathered()
    found.origins[trial.arc] = trial.key.origin
    if is_task(trial.key):
        found.verdicts[trial.arc] = trial.key.review.verdict if trial.key.review else None
    _errors(found, trial)
    records = decisions(trial)
    judged = judge_all(trial, records)
    why = causes(trial, records, judged)
    for verdict in judged:
        if verdict.probe.id in why and not verdict.errored and verdict.probe.risk is None:
            _keep(found, trial, verdict, why[verdict.probe.id])
    return found


def _keep(found: Gathered, trial: Trial, verdict: Verdict, cause: Cause) -> None:
    found.failed[trial.arm] += 1
    tier = trial.key.tier or ""
    kept = found.kept.setdefault(trial.arm, {}).setdefault(tier, [])
    if len(kept) < MAX_EXAMPLES:
        kept.append(_example(trial, verdict, cause))


def _errors(found: Gathered, trial: Trial) -> None:
    for event in trial.events:
        if event.kind != "error":
            continue
        body = event.body
        kind = ErrorKind(trial.arm, body["culprit"], body["fault"])
        count = found.errors.setdefault(
            kind, ErrorCount(0, 0, body["message"], _place(trial, event))
        )
        count.times += 1
        count.fatal += body["fatal"]


def _place(trial: Trial, event: Event) -> str:
    return f"{trial.name} event {event.position}"


def choose(found: Gathered, arms: Sequence[str]) -> dict[str, list[Example]]:
    """Return up to `MAX_EXAMPLES` examples, fairly over arms and, in an arm, over tiers."""
    queues = [[(arm, each) for each in _interleaved(found.kept.get(arm, {}))] for arm in arms]
    chosen: dict[str, list[Example]] = {arm: [] for arm in arms if arm in found.kept}
    for number, (arm, example) in enumerate(_turns(queues)):
        if number == MAX_EXAMPLES:
            break
        chosen[arm].append(example)
    return chosen


def _interleaved(by_tier: dict[str, list[Example]]) -> list[Example]:
    return list(_turns(list(by_tier.values())))


def _turns(queues: Sequence[Sequence[T]]) -> Iterator[T]:
    """Yield the first of every queue, then the second of every queue that has one, and so on."""
    for turn in range(max(map(len, queues), default=0)):
        yield from (queue[turn] for queue in queues if turn < len(queue))


def shown(text: str) -> str:
    """Return a text as a page can show it: long ones cut, and what was left out counted."""
    more = len(text) - MAX_TEXT
    return text if more <= 0 else f"{text[:MAX_TEXT]}… ({more} more characters)"


def _example(trial: Trial, verdict: Verdict, cause: Cause) -> Example:
    record = verdict.record
    kinds = {event.id: event.kind for event in trial.events}
    return Example(
        trial=trial.name,
        arc=trial.arc,
        decision=record.id,
        kind=verdict.probe.kind,
        tier=trial.key.tier or "",
        cause=cause.name,
        why=shown(cause.reason),
        request=shown(record.request),
        block=tuple(
            Line(shown(item["text"]), ", ".join(_source(each, kinds) for each in item["sources"]))
            for item in record.items
        ),
        block_tokens=record.block_tokens,
        session=len(record.context),
        acts=tuple(
            Line(f"{call.tool}({shown(_arguments(call.arguments))})", shown(call.text))
            for call in record.calls
        ),
        outcome=Line(record.outcome, shown(record.text)),
        gold=tuple(
            Line(f"{each.name} = {shown(each.value)}", _where(each)) for each in verdict.gold
        ),
        misuses=tuple(line for each in verdict.misuses for line in _misused(each, record.text)),
        checks=tuple(
            Line(f"{check.check}: {shown(result.reason)}", "pass" if result.passed else "FAIL")
            for check, result in zip(verdict.probe.checks, verdict.results, strict=True)
        ),
    )


def _misused(misuse: Misuse, text: str) -> Iterator[Line]:
    """Yield a forbidden value that was used, then where the text asserts it, as `explain` does."""
    yield Line(
        shown(misuse.value), f"{misuse.failure}, in the {misuse.where}: {shown(misuse.reason)}"
    )
    if misuse.where == "text":
        for each in find(misuse.value, text).occurrences[:_PLACES]:
            place = f"{each.start}-{each.end} {each.verdict}"
            yield Line(shown(each.clause), f"{place}: {shown(each.reason)}")


def _source(source: str, kinds: dict[str, str]) -> str:
    kind = kinds.get(source)
    return f"{source} ({kind})" if kind else source


def _arguments(arguments: dict[str, object]) -> str:
    return ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items()
    )


def _where(gold: GoldUse) -> str:
    places = [name for name, held in _places(gold) if held]
    held = " and ".join(places) if places else "neither in the block nor in the session"
    return f"{held}, {'used' if gold.used else 'not used'}"


def _places(gold: GoldUse) -> tuple[tuple[str, bool], ...]:
    return (("in the block", gold.in_block), ("in the session", gold.in_context))
