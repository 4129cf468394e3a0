"""Bills: the calls of a run, or of an estimate, summed by what the user asks for."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from scoring.costs import (
    AMOUNTS,
    Charge,
    Line,
    Spent,
    amounts,
    charges,
    judge_charges,
    show,
    total,
)
from scoring.pricing import Pricing, pricing
from scoring.run import Run
from simulator.events import Json
from simulator.events.errors import InputError, nearest

BY = ("arm", "purpose", "role")
"""What a row of a cost table stands for, unless another is asked for."""

FACTORS: Mapping[str, Callable[[Charge], str | int]] = {
    "arm": lambda charge: charge.arm,
    "purpose": lambda charge: charge.line.purpose,
    "role": lambda charge: charge.line.role,
    "use": lambda charge: charge.line.use,
    "arc": lambda charge: charge.arc,
    "episode": lambda charge: charge.episode,
    "seed": lambda charge: charge.seed,
}
"""What a cost table can be grouped by."""


def costs(
    run: Run,
    prices: Path | None = None,
    as_model: str | None = None,
    spent: Iterable[tuple[str, Mapping[Line, Spent]]] | None = None,
    by: Sequence[str] = BY,
) -> dict[str, Json]:
    """Return the cost table of a run: a row an arm, purpose and part that was called.

    Amounts are decimal strings in US dollars; None where no price is known. The rows sum to the
    totals, which are None where nothing at all has a price; `complete` says whether tokens
    without a price were left out of `total_usd`. `spent` is every trial's arm with its
    `spending`, where that is known already. `by` names other rows: some of `FACTORS`.

    Raises:
        InputError: for a wrong price file, an unknown `as_model` or factor, or impossible usage.
    """
    priced = pricing(run, prices, as_model)
    played: Iterable[Charge]
    if spent is None:
        played = chain.from_iterable(charges(trial, priced) for trial in run.trials())
    else:
        lines = ((arm, *item) for arm, each in spent for item in each.items())
        played = (Charge(arm, "", 0, "", line, amount) for arm, line, amount in lines)
    return cost_table(chain(played, judge_charges(run, priced)), priced, by)


def cost_table(made: Iterable[Charge], priced: Pricing, by: Sequence[str] = BY) -> dict[str, Json]:
    """Return the table that `costs` returns, of any charges.

    The totals do not depend on `by`: what has no price has rows of its own, beside those of the
    same factors that have one.

    Raises:
        InputError: for an unknown factor.
    """
    check_factors(by)
    names = tuple(dict.fromkeys((*by, *BY)))
    fine: dict[tuple[Any, ...], Spent] = defaultdict(Spent)
    for charge in made:
        fine[tuple(FACTORS[name](charge) for name in names)].add(charge.spent)
    table = _grouped(fine, [names.index(name) for name in by], [names.index(name) for name in BY])
    unpriced = sum(each.unpriced for each in table.values())
    return {
        "rows": [
            {**dict(zip(by, group, strict=True)), **figures(table[group, known])}
            for group, known in sorted(table)
        ],
        **{
            f"total_{name}": show(total(getattr(each, name) for each in table.values()))
            for name in AMOUNTS
        },
        "total_calls": sum(each.calls for each in table.values()),
        "total_input_tokens": sum(each.input for each in table.values()),
        "total_cached_tokens": sum(each.cached for each in table.values()),
        "total_output_tokens": sum(each.output for each in table.values()),
        "unpriced_tokens": unpriced,
        "complete": unpriced == 0,
        "prices": priced.book.title,
        "as": priced.as_model,
        "note": "Scripted readers and models on your own machine are paid nothing.",
    }


def _grouped(
    fine: Mapping[tuple[Any, ...], Spent], by: Sequence[int], whole: Sequence[int]
) -> dict[tuple[tuple[Any, ...], tuple[bool, ...]], Spent]:
    """Sum by some parts of the keys, apart for each set of amounts that are known.

    An amount is known where it is for all of an arm's calls of a purpose and part (`whole`).
    """
    lines: dict[tuple[Any, ...], Spent] = defaultdict(Spent)
    for key, spent in fine.items():
        lines[tuple(key[at] for at in whole)].add(spent)
    table: dict[tuple[tuple[Any, ...], tuple[bool, ...]], Spent] = defaultdict(Spent)
    for key, spent in fine.items():
        line = lines[tuple(key[at] for at in whole)]
        missing = [name for name in AMOUNTS if getattr(line, name) is None]
        group = tuple(key[at] for at in by)
        known = tuple(name not in missing for name in AMOUNTS)
        table[group, known].add(_without(spent, missing))
    return table


def _without(spent: Spent, amounts: Iterable[str]) -> Spent:
    kept = replace(spent)
    for name in amounts:
        setattr(kept, name, None)
    return kept


def check_factors(by: Sequence[str]) -> None:
    """Check what a cost table is grouped by.

    Raises:
        InputError: for an unknown factor, one that is named twice, or none.
    """
    for name in by:
        if name not in FACTORS:
            raise InputError(f"unknown factor {name!r}{nearest(name, FACTORS)}", field="by")
    if not by or len(set(by)) < len(by):
        raise InputError("name at least one factor, each once", field="by")


def figures(spent: Spent) -> dict[str, Json]:
    """Return the columns of a cost table that count."""
    return {
        "calls": spent.calls,
        "reused_calls": spent.reused,
        "input_tokens": spent.input,
        "cached_tokens": spent.cached,
        "output_tokens": spent.output,
        **amounts(spent),
        "unpriced_tokens": spent.unpriced,
    }
