"""What went wrong, gathered in one pass over the trials: counts of all, examples of some."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from scoring.run import Event, Run, Trial
from scoring.verdicts import GoldUse, Verdict, verdicts

MAX_EXAMPLES = 40
"""Failed decisions that are told in full, over all arms."""

MAX_TEXT = 1_500
"""Characters of one text; the trace shows all."""

CAUSES = (
    "used a superseded value",
    "memory lacked a needed value",
    "values shown, not used",
    "wrong otherwise",
)
"""Why a dependent decision failed; the first that fits counts."""

T = TypeVar("T")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


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
        cause: One of `CAUSES`.
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
        causes: (arm, cause) to the number of failed dependent decisions.
        failed: Arm to the number of failed dependent decisions.
        kept: Arm and tier to the examples that were kept.
        errors: Error events by kind.
        embedders: Arm to the name of its embedder.
        origins: Where the arcs come from, with the number of arcs.
    """

    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    kept: dict[str, dict[str, list[Example]]] = field(default_factory=dict)
    errors: dict[ErrorKind, ErrorCount] = field(default_factory=dict)
    embedders: dict[str, str] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)

    def add(self, later: "Gathered") -> None:
        """Add what later trials gave."""
        self.causes += later.causes
        self.failed += later.failed
        self.embedders |= later.embedders
        self.origins |= later.origins
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
    embedder = trial.opened["identities"].get("embedder")
    if embedder:
        found.embedders[trial.arm] = str(embedder.get("name", "unnamed"))
    _errors(found, trial)
    for verdict in verdicts(trial):
        if _failed(verdict):
            _keep(found, trial, verdict)
    return found


def _failed(verdict: Verdict) -> bool:
    scored = verdict.skipped is None and verdict.probe.dependent
    return scored and not verdict.success and not verdict.errored


def _keep(found: Gathered, trial: Trial, verdict: Verdict) -> None:
    cause = why_failed(verdict)
    found.failed[trial.arm] += 1
    found.causes[trial.arm, cause] += 1
    tier = trial.key.tier or ""
    kept = found.kept.setdefault(trial.arm, {}).setdefault(tier, [])
    if len(kept) < MAX_EXAMPLES:
        kept.append(_example(trial, verdict, cause))


def why_failed(verdict: Verdict) -> str:
    """Return which of `CAUSES` a failed decision belongs to."""
    if verdict.stale_used:
        return CAUSES[0]
    if any(not (gold.in_block or gold.in_context) for gold in verdict.gold):
        return CAUSES[1]
    if not all(gold.used for gold in verdict.gold):
        return CAUSES[2]
    return CAUSES[3]


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
    """Return a text as a page can show it: invisible controls spelled out, long ones cut."""
    visible = _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    more = len(visible) - MAX_TEXT
    return visible if more <= 0 else f"{visible[:MAX_TEXT]}… ({more} more characters)"


def _example(trial: Trial, verdict: Verdict, cause: str) -> Example:
    record = verdict.record
    kinds = {event.id: event.kind for event in trial.events}
    return Example(
        trial=trial.name,
        arc=trial.arc,
        decision=record.id,
        kind=verdict.probe.kind,
        tier=trial.key.tier or "",
        cause=cause,
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
        misuses=tuple(
            Line(shown(each.value), f"{each.failure}, in the {each.where}: {shown(each.reason)}")
            for each in verdict.misuses
        ),
        checks=tuple(
            Line(f"{check.check}: {shown(result.reason)}", "pass" if result.passed else "FAIL")
            for check, result in zip(verdict.probe.checks, verdict.results, strict=True)
        ),
    )


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
