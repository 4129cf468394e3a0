"""Costs: what each call was paid, and what it would have been paid as a named hosted model."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from scoring.judge.opinions import Opinions, open_opinions
from scoring.names import named
from scoring.prices import EXACT, ZERO, Rate, show_usd
from scoring.pricing import JUDGE, Pricing, Role
from scoring.run import Run, Trial
from simulator.events import Json
from simulator.events.errors import InputError

Tokens = tuple[int, int, int]
"""Input, cached (a part of input) and output tokens."""


class Line(NamedTuple):
    """What calls are summed by.

    Attributes:
        purpose: What the call was for: `act`, `write`, `read`, `rebuild`.
        role: Who was called.
        cut: The call was made at a compaction within a session, forced or the memory's own.
    """

    purpose: str
    role: Role
    cut: bool = False

    @property
    def use(self) -> str:
        """What the call was for, in MERIT's words: one of `USES`."""
        if self.role == "embedder":
            return "embed"
        if self.purpose == "write":
            return "compact" if self.cut else "absorb"
        return self.purpose


USES = ("act", "absorb", "compact", "read", "embed", "rebuild")
"""What money goes into; each call is for one of them, so they add up to all of it.

`absorb` is writing at the end of a session, `compact` at a compaction within one; embeddings
count as `embed`, whatever they are for.
"""


@dataclass
class Spent:
    """Calls of one line, summed.

    Attributes:
        calls: Number of calls.
        reused: Those of them that a fork took from its parent, who had paid for them.
        input: Tokens read, cached ones included.
        cached: Cached tokens.
        output: Tokens written.
        usd: What was paid; None as soon as one call has no price.
        usd_as_if: The same as the named hosted model; None likewise.
        usd_uncached: What would have been paid without a discount on cached tokens.
        usd_as_if_uncached: The same as the named hosted model.
    """

    calls: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    usd: Decimal | None = ZERO
    usd_as_if: Decimal | None = ZERO
    reused: int = 0
    usd_uncached: Decimal | None = ZERO
    usd_as_if_uncached: Decimal | None = ZERO

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.input + self.output

    @property
    def unpriced(self) -> int:
        """Tokens that the price book has no price for."""
        return self.tokens if self.usd is None else 0

    def add(self, other: "Spent") -> None:
        """Add another line's sums."""
        self.calls += other.calls
        self.input += other.input
        self.cached += other.cached
        self.output += other.output
        self.usd = plus(self.usd, other.usd)
        self.usd_as_if = plus(self.usd_as_if, other.usd_as_if)
        self.reused += other.reused
        self.usd_uncached = plus(self.usd_uncached, other.usd_uncached)
        self.usd_as_if_uncached = plus(self.usd_as_if_uncached, other.usd_as_if_uncached)


class Charge(NamedTuple):
    """A call, or the sum of several, and where it belongs.

    Attributes:
        arm: Id of the arm.
        arc: The arc that was played.
        seed: The trial seed.
        episode: The session that the call was made in; what is written at its end belongs to it.
        line: What the call was for, and who was called.
        spent: What it used and cost.
    """

    arm: str
    arc: str
    seed: int
    episode: str
    line: Line
    spent: Spent


JUDGING = Line(JUDGE, JUDGE)
AMOUNTS = ("usd", "usd_as_if", "usd_uncached", "usd_as_if_uncached")


def plus(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    """Add two amounts; an unknown amount makes the sum unknown."""
    return None if one is None or other is None else EXACT.add(one, other)


def spending(trial: Trial, priced: Pricing) -> dict[Line, Spent]:
    """Return what one trial's calls used and cost; what a fork reused cost it nothing.

    Raises:
        InputError: when a call claims more cached than input tokens.
    """
    spent: dict[Line, Spent] = defaultdict(Spent)
    for charge in charges(trial, priced):
        spent[charge.line].add(charge.spent)
    return dict(spent)


def charges(trial: Trial, priced: Pricing) -> Iterator[Charge]:
    """Yield what each of a trial's calls used and cost, as `spending` sums them.

    Raises:
        InputError: when a call claims more cached than input tokens.
    """
    rates: dict[Role, tuple[Rate | None, Rate]] = {}
    cut, episode = False, ""
    for event in trial.events:
        if event.kind == "boundary":
            cut = event.body["why"] != "session_end"
        elif event.kind == "session_started":
            episode = event.body["episode"]
        used = _USED.get(event.kind)
        reused = trial.reused(event) if used else None
        for role, tokens in used(event.body) if used else ():
            if role not in rates:
                rates[role] = (priced.paid(trial, role), priced.as_if(role))
            _check(tokens, f"{trial.name} event {event.position}")
            paid, hosted = rates[role]
            purpose = event.body["purpose"]
            line = Line(purpose, role, cut and purpose == "write")
            spent = priced_call(tokens, _to_pay(tokens, reused), paid, hosted)
            yield Charge(trial.arm, trial.arc, trial.seed, episode, line, spent)


def _check(tokens: Tokens, place: str) -> None:
    read, cached, written = tokens
    if not 0 <= cached <= read or written < 0:
        raise InputError(
            f"{cached} cached of {read} input tokens, {written} output; cached is a part of input "
            f"and none is negative, so it can be 0 to {max(read, 0)}",
            field=place,
        )


def paid_so_far(run: Run, priced: Pricing) -> Decimal | None:
    """Return what all recorded calls cost, those of unfinished trials too; None if not known.

    What the judge was paid is a part of it.
    """
    paid: Decimal | None = ZERO
    for trial in run.begun():
        for spent in spending(trial, priced).values():
            paid = plus(paid, spent.usd)
    for spent in judge_spending(run, priced).values():
        paid = plus(paid, spent.usd)
    return paid


def judge_spending(run: Run, priced: Pricing) -> dict[str, Spent]:
    """Return what asking the judge used and cost, by the arm whose answers it was asked about.

    This is no part of what an arm costs: `spending`, and every column that rests on it, leaves it
    out.

    Raises:
        LogDamaged: when the judge's log was changed.
    """
    spent: dict[str, Spent] = defaultdict(Spent)
    for charge in judge_charges(run, priced):
        spent[charge.arm].add(charge.spent)
    return dict(spent)


def judge_charges(run: Run, priced: Pricing) -> list[Charge]:
    """Return what each question to the judge used and cost, beside the answer that it was about.

    Raises:
        LogDamaged: when the judge's log was changed.
    """
    with open_opinions(run) as opinions:
        return [] if opinions is None else list(_judge_charges(run, opinions, priced))


def _judge_charges(run: Run, opinions: Opinions, priced: Pricing) -> Iterator[Charge]:
    paid = priced.charged(opinions.named.name, opinions.named.identity)
    hosted = priced.as_if(JUDGE)
    for trial in sorted(opinions.trials):
        arc, arm, seed = named(trial)
        episode = {each.id: each.decision.partition("/")[0] for each in run.key(arc).probes}
        for judged in opinions.of(trial).values():
            for usage in judged.used:
                tokens = (usage.input, usage.cached, usage.output)
                spent = priced_call(tokens, tokens, paid, hosted)
                yield Charge(arm, arc, seed, episode[judged.probe], JUDGING, spent)


def priced_call(tokens: Tokens, left: Tokens | None, paid: Rate | None, hosted: Rate) -> Spent:
    """Return what one call used and cost.

    Args:
        tokens: What it used.
        left: What of that is to be paid; None when nothing is.
        paid: The rate that is paid; None where it is not known.
        hosted: The rate of the hosted model that it is compared with.

    Raises:
        InputError: when it claims more cached than input tokens.
    """
    read, _, written = tokens
    return Spent(
        1,
        *tokens,
        usd=_paid(paid, left),
        usd_as_if=hosted.price(*tokens),
        reused=int(left is None),
        usd_uncached=_paid(paid, None if left is None else (left[0], 0, left[2])),
        usd_as_if_uncached=hosted.price(read, 0, written),
    )


def _to_pay(tokens: Tokens, reused: int | None) -> Tokens | None:
    """Return the tokens of a call without those that a fork reused; None when it reused all."""
    read, cached, written = tokens
    if reused is None:
        return tokens
    return None if reused >= read + written else (read - reused, cached, written)


def _paid(rate: Rate | None, tokens: Tokens | None) -> Decimal | None:
    if tokens is None:
        return ZERO
    return None if rate is None else rate.price(*tokens)


Used = list[tuple[Role, Tokens]]
"""Who used how many input, cached and output tokens: a pair for each call."""


def _completion(body: dict[str, Any]) -> Used:
    return [(body["role"], _tokens(body["usage"]))]


def _service(body: dict[str, Any]) -> Used:
    """Requests that failed cost what they used; one without a figure may have cost nothing."""
    told = (attempt["usage"] for attempt in body["attempts"])
    return [(body["role"], _tokens(usage)) for usage in told if usage is not None]


def _embedding(body: dict[str, Any]) -> Used:
    return [("embedder", (body["tokens"], 0, 0))]


def _tokens(usage: dict[str, int]) -> Tokens:
    return usage["input"], usage.get("cached", 0), usage["output"]


_USED: dict[str, Callable[[dict[str, Any]], Used]] = {
    "completion": _completion,
    "service": _service,
    "embedding": _embedding,
}


def amounts(spent: Spent) -> dict[str, Json]:
    """Return the dollar columns of what was spent, as decimal strings; None is unpriced."""
    return {name: show(getattr(spent, name)) for name in AMOUNTS}


def total(parts: Iterable[Decimal | None]) -> Decimal | None:
    """Return the sum of the known amounts; None where there are some and none is known."""
    found = list(parts)
    known = [amount for amount in found if amount is not None]
    if found and not known:
        return None
    summed = ZERO
    for amount in known:
        summed = EXACT.add(summed, amount)
    return summed


def show(amount: Decimal | None) -> str | None:
    """Write an amount as a decimal string, or None."""
    return None if amount is None else show_usd(amount)
