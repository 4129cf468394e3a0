"""Costs: what a run paid, and what it would have paid as a named hosted model."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from scoring.prices import (
    EXACT,
    FREE,
    ZERO,
    FilePrices,
    PriceBook,
    PublicPrices,
    Rate,
    read_prices,
    show_usd,
)
from scoring.run import Run, Trial
from simulator.events import Json
from simulator.events.errors import InputError

AS_MODEL = "gpt-4.1-mini"
AS_EMBEDDER = "openai:text-embedding-3-small"
LOCAL = frozenset({"llama-cpp", "lexical", "minilm"})
"""Parts that run on the user's own machine, where nobody charges for a token."""

Role = str
"""`agent_model`, `memory_model` or `embedder`."""


class Line(NamedTuple):
    """What calls are summed by."""

    purpose: str
    role: Role


@dataclass
class Spent:
    """Calls of one line, summed.

    Attributes:
        calls: Number of calls.
        input: Tokens read, cached ones included.
        cached: Cached tokens.
        output: Tokens written.
        usd: What was paid; None as soon as one call has no price.
        usd_as_if: The same as the named hosted model; None likewise.
    """

    calls: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    usd: Decimal | None = ZERO
    usd_as_if: Decimal | None = ZERO

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


def plus(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    """Add two amounts; an unknown amount makes the sum unknown."""
    return None if one is None or other is None else EXACT.add(one, other)


@dataclass(frozen=True)
class Pricing:
    """Which rates a run's calls are priced at.

    Attributes:
        book: The price book.
        as_model: Hosted model whose price every completion gets in `usd_as_if`.
    """

    book: PriceBook
    as_model: str

    def paid(self, trial: Trial, role: Role) -> Rate | None:
        """Return the rate that was really paid; None where it is not known.

        A price of the user's own goes first. Scripted readers and parts that run on the user's
        machine cost nothing. Everything else must be in the book.
        """
        identity: Mapping[str, Json] = trial.opened["identities"].get(role, {})
        part = _part(trial, role, identity)
        model = str(identity.get("model", part))
        if isinstance(self.book, FilePrices):
            own = self.book.own.get(model.casefold()) or self.book.own.get(part.casefold())
            if own is not None:
                return own
        if identity.get("scripted") or part in LOCAL:
            return FREE
        return self.book.rate(model)

    def as_if(self, role: Role) -> Rate:
        """Return the hosted rate that a role is compared at.

        Raises:
            InputError: when the book has no price for it.
        """
        model = AS_EMBEDDER if role == "embedder" else self.as_model
        rate = self.book.rate(model)
        if rate is None:
            raise InputError(f"no price is known for the model {model!r}", field="as")
        return rate


def _part(trial: Trial, role: Role, identity: Mapping[str, Json]) -> str:
    options = trial.opened["options"]
    named = {"agent_model": options["model"], "memory_model": options["memory_model"]}
    return str(named.get(role) or identity.get("name"))


def pricing(run: Run, prices: Path | None = None, as_model: str | None = None) -> Pricing:
    """Return how a run is priced: by the user's file or the public book.

    Without `as_model` the suite's `prices.as` is taken, and without that `AS_MODEL`.

    Raises:
        InputError: when the file is wrong or the model unknown.
    """
    declared = run.manifest.suite.get("prices") or {}
    book: PriceBook = PublicPrices() if prices is None else read_prices(prices)
    made = Pricing(book, str(as_model or declared.get("as") or AS_MODEL))
    made.as_if("agent_model")
    return made


def spending(trial: Trial, priced: Pricing) -> dict[Line, Spent]:
    """Return what one trial's calls used and cost.

    Raises:
        InputError: when a call claims more cached than input tokens.
    """
    spent: dict[Line, Spent] = defaultdict(Spent)
    rates: dict[Role, tuple[Rate | None, Rate]] = {}
    for event in trial.events:
        used = _USED.get(event.kind)
        if used is None:
            continue
        role, tokens = used(event.body)
        if role not in rates:
            rates[role] = (priced.paid(trial, role), priced.as_if(role))
        paid, hosted = rates[role]
        usd = None if paid is None else paid.price(*tokens)
        call = Spent(1, *tokens, usd, hosted.price(*tokens))
        spent[Line(event.body["purpose"], role)].add(call)
    return dict(spent)


def _completion(body: dict[str, Any]) -> tuple[Role, tuple[int, int, int]]:
    usage = body["usage"]
    return body["role"], (usage["input"], usage.get("cached", 0), usage["output"])


def _embedding(body: dict[str, Any]) -> tuple[Role, tuple[int, int, int]]:
    return "embedder", (body["tokens"], 0, 0)


_USED: dict[str, Callable[[dict[str, Any]], tuple[Role, tuple[int, int, int]]]] = {
    "completion": _completion,
    "embedding": _embedding,
}


def costs(
    run: Run,
    prices: Path | None = None,
    as_model: str | None = None,
    spent: Iterable[tuple[str, Mapping[Line, Spent]]] | None = None,
) -> dict[str, Json]:
    """Return the cost table of a run: a row an arm, purpose and part that was called.

    Amounts are decimal strings in US dollars; None where no price is known. The rows sum to the
    totals, which are None where nothing at all has a price; `complete` says whether tokens
    without a price were left out of `total_usd`. `spent` is every trial's arm with its
    `spending`, where that is known already.

    Raises:
        InputError: for a wrong price file, an unknown `as_model`, or impossible usage.
    """
    priced = pricing(run, prices, as_model)
    table: dict[tuple[str, str, Role], Spent] = defaultdict(Spent)
    if spent is None:
        spent = ((trial.arm, spending(trial, priced)) for trial in run.trials())
    for arm, lines in spent:
        for line, amount in lines.items():
            table[arm, line.purpose, line.role].add(amount)
    rows = [_row(*table_key, table[table_key]) for table_key in sorted(table)]
    unpriced = sum(each.unpriced for each in table.values())
    return {
        "rows": rows,
        "total_usd": show(total(each.usd for each in table.values())),
        "total_usd_as_if": show(total(each.usd_as_if for each in table.values())),
        "unpriced_tokens": unpriced,
        "complete": unpriced == 0,
        "prices": priced.book.title,
        "as": priced.as_model,
        "note": "Scripted readers and models on your own machine are paid nothing.",
    }


def _row(arm: str, purpose: str, role: Role, spent: Spent) -> dict[str, Json]:
    return {
        "arm": arm,
        "purpose": purpose,
        "role": role,
        "calls": spent.calls,
        "input_tokens": spent.input,
        "cached_tokens": spent.cached,
        "output_tokens": spent.output,
        "usd": show(spent.usd),
        "usd_as_if": show(spent.usd_as_if),
        "unpriced_tokens": spent.unpriced,
    }


def total(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """Return the sum of the known amounts; None where there are some and none is known."""
    found = list(amounts)
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
