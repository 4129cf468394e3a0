"""Metrics of a group of decisions, each with its denominator; `docs/scoring.md` has formulas."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import get_args

from scoring.arguments import TypeFaults
from scoring.causes import Cause
from scoring.context.seen import WORK, Seen
from scoring.costs import USES, Line, Spent, amounts
from scoring.keys import History
from scoring.outcomes import Acting, outcome_columns
from scoring.planting import CONTEXT_KINDS
from scoring.reads import Reads
from scoring.risks.judged import Risked
from scoring.shown import Shown
from scoring.statistics import Interval, Unit, rate_interval
from scoring.use import use_columns
from scoring.verdicts import Mention
from scoring.write_recall import Planted, recall_columns
from simulator.events import Json
from simulator.events.faults import Culprit


@dataclass(frozen=True)
class Observed:
    """One probe's verdict, without what led to it, so that thousands fit in memory.

    Attributes:
        arc: Name of the arc.
        probe: Id of the probe.
        seed: The trial seed.
        kind: The probe's kind.
        domain: The probe's domain, or its key's.
        cluster: What intervals resample: the probe's own, or its key's.
        dependent: Success needs something from an earlier session, and it is not of the risk track.
        skipped: `excluded` or `not_scorable`, else None.
        why: Reason for skipping.
        success: The verdict.
        errored: An error stands in the place of an outcome.
        memory_values: Gold values that only the block held.
        used_values: How many of these were used.
        memory_only: Every gold value that the context lacks was in the block, and there is one.
        stale: A superseded value was used.
        block_tokens: Tokens of the memory block; None when no block was read.
        mentions: What became of each forbidden value.
        answer_tokens: Tokens of what the agent ended with; None when an error ended it.
        faults: Its tool calls, and those with a wrong type; counted by the first of several
            probes of one decision.
        cause: Why a dependent decision failed; None for every other.
        culprit: Who is to blame for the error that stands in the place of an outcome, else None.
        acting: What a scored dependent decision did; None for every other.
        shown: What the block of a scored dependent decision with gold values held, else None.
        clean: The arc that this one is a corrupted version of, else None.
        planted: What became of the facts that a scored dependent decision needs.
        history: How the wanted value came to be (`scoring.keys.History`), else None.
        context: What the trial says of a probe of the context track; None for every other.
        risked: What a scored decision of the risk track came to; None for every other.
    """

    arc: str
    probe: str
    seed: int
    kind: str
    domain: str
    cluster: str
    dependent: bool
    skipped: str | None
    why: str | None
    success: bool
    errored: bool
    memory_values: int
    used_values: int
    memory_only: bool
    stale: bool
    block_tokens: int | None
    mentions: tuple[Mention, ...] = ()
    answer_tokens: int | None = None
    faults: TypeFaults = TypeFaults(0, 0, 0)
    cause: Cause | None = None
    culprit: Culprit | None = None
    acting: Acting | None = None
    shown: Shown | None = None
    clean: str | None = None
    planted: tuple[Planted, ...] = ()
    history: History | None = None
    context: Seen | None = None
    risked: Risked | None = None

    @property
    def binds(self) -> bool:
        """It was planted in a task and still binds, so that compliance is of it."""
        told = self.context
        if told is None or told.counterpart is not None:
            return False
        return self.kind != WORK and not told.planting.lifted

    @property
    def counterpart(self) -> str | None:
        """What kind of counterpart its trial is; what counterparts did is in no rate of their own."""
        return None if self.context is None else self.context.counterpart


@dataclass(frozen=True)
class Played:
    """One trial, scored.

    Attributes:
        run: Name of the run.
        arm: Id of the arm.
        arc: Name of the arc.
        seed: The trial seed.
        evidence: What kind of evidence the trial is.
        episodes: Number of sessions played.
        spent: Calls by purpose and part.
        observed: One entry a probe.
        signature: Hash of everything that the agent was shown and did; empty when unfinished.
        finished: False for a trial that is not sealed; it has no observations.
        key: Hash of the key that it was scored by; empty when unfinished.
        errors_elsewhere: Error events that ended no decision.
        generation_seed: Seed that a generator made the arc with, else None.
        reads: How often the memory ranked items, and gave back everything it held.
        repeats: Under other trial seeds the same happened, which is not counted again.
        levels: Levels of the factors that the arc was generated with.
        counterpart: What kind of counterpart the arc is, else None.
        latency: Simulated ms from the opening of each decision to its end, summed.
    """

    run: str
    arm: str
    arc: str
    seed: int
    evidence: str
    episodes: int
    spent: dict[Line, Spent]
    observed: tuple[Observed, ...]
    signature: str
    finished: bool = True
    key: str = ""
    errors_elsewhere: int = 0
    generation_seed: int | None = None
    reads: Reads = Reads(0, 0)
    repeats: bool = False
    levels: Mapping[str, str | int] = field(default_factory=dict)
    counterpart: str | None = None
    latency: int = 0


@dataclass(frozen=True)
class Group:
    """Decisions that one row of a table is about.

    Attributes:
        seen: Each decision; skipped probes included.
    """

    seen: tuple[Observed, ...]

    @cached_property
    def scored(self) -> tuple[Observed, ...]:
        """Decisions with a verdict; errors are among them, and counterparts are not."""
        return tuple(
            each for each in self.seen if each.skipped is None and each.counterpart is None
        )

    def part(self, dependent: bool) -> list[Observed]:
        """Return the scored decisions that do, or do not, depend on an earlier session.

        Those of the context track and of the risk track have rates of their own.
        """
        held = (
            each for each in self.scored if each.kind not in CONTEXT_KINDS and each.risked is None
        )
        return [each for each in held if each.dependent is dependent]

    def tsr(self, dependent: bool, errors: bool = True) -> float | None:
        """Return the task success rate; `errors=False` leaves errors out of the denominator."""
        part = [each for each in self.part(dependent) if errors or not each.errored]
        return _share(sum(each.success for each in part), len(part))

    def tsr_interval(self, dependent: bool) -> Interval | None:
        """Return the 95 % interval of the task success rate over clusters."""
        return rate_interval(
            Unit(each.cluster, float(each.success)) for each in self.part(dependent)
        )


def decision_columns(group: Group) -> dict[str, Json]:
    """Return every column that is about decisions."""
    errors = [each for each in group.scored if each.errored]
    blocks = [each.block_tokens for each in group.scored if each.block_tokens is not None]
    return {
        "n": len(group.scored),
        "n_dependent": len(group.part(True)),
        "n_independent": len(group.part(False)),
        "errors": len(errors),
        "errors_dependent": sum(each.dependent for each in errors),
        "errors_by_culprit": {
            culprit: sum(each.culprit == culprit for each in errors)
            for culprit in get_args(Culprit)
        },
        "tsr_dependent": group.tsr(True),
        "tsr_dependent_ci": pair(group.tsr_interval(True)),
        "tsr_dependent_without_errors": group.tsr(True, errors=False),
        "tsr_independent": group.tsr(False),
        "tsr_independent_ci": pair(group.tsr_interval(False)),
        "tsr_independent_without_errors": group.tsr(False, errors=False),
        **use_columns(group.part(True)),
        **outcome_columns([each.acting for each in group.part(True) if each.acting]),
        **recall_columns([fact for each in group.part(True) for fact in each.planted]),
        "stale_used": sum(each.stale for each in group.scored),
        **_fault_columns([each.faults for each in group.scored]),
        "block_tokens": _share(sum(blocks), len(blocks)),
        "clusters": len({each.cluster for each in group.scored}),
        **_skipped(group.seen),
    }


def _fault_columns(faults: Sequence[TypeFaults]) -> dict[str, Json]:
    coerced = sum(each.coerced for each in faults)
    known = [each.refused for each in faults if each.refused is not None]
    refused = sum(known) if len(known) == len(faults) else None
    return {
        "calls": sum(each.calls for each in faults),
        "type_faults": None if refused is None else coerced + refused,
        "type_faults_coerced": coerced,
        "type_faults_refused": refused,
    }


def _skipped(seen: Iterable[Observed]) -> dict[str, Json]:
    reasons: dict[str, Counter[str]] = {"excluded": Counter(), "not_scorable": Counter()}
    for each in seen:
        if each.skipped is not None and each.counterpart is None:
            reasons[each.skipped][str(each.why)] += 1
    return {
        "excluded": reasons["excluded"].total(),
        "not_scorable": reasons["not_scorable"].total(),
        "excluded_reasons": dict(sorted(reasons["excluded"].items())),
        "not_scorable_reasons": dict(sorted(reasons["not_scorable"].items())),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def pair(interval: Interval | None) -> list[float] | None:
    """Return an interval as JSON has it."""
    return None if interval is None else list(interval)


def cost_columns(played: Iterable[Played]) -> tuple[dict[str, Json], Spent]:
    """Return the columns that whole trials have and decisions do not, and what was spent.

    `spend` has what went into each of `costs.USES`; it adds up to all tokens and all dollars.
    """
    total = Spent()
    by_use = {use: Spent() for use in USES}
    by_purpose: Counter[str] = Counter()
    whole, episodes = list(played), 0
    for each in whole:
        episodes += each.episodes
        for line, spent in each.spent.items():
            total.add(spent)
            by_use[line.use].add(spent)
            by_purpose[line.purpose] += spent.tokens
    columns = {
        "tokens": total.tokens,
        "tokens_by_purpose": dict(sorted(by_purpose.items())),
        "spend": {use: _spend(spent) for use, spent in by_use.items()},
        "episodes": episodes,
        "errors_elsewhere": sum(each.errors_elsewhere for each in whole),
    }
    return columns, total


def _spend(spent: Spent) -> dict[str, Json]:
    return {"calls": spent.calls, "tokens": spent.tokens, **amounts(spent)}
