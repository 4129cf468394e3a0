"""`memtrial estimate`."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from runs.commands.output import cell, print_json, print_table, progress
from runs.dry.estimate import Asked
from runs.dry.estimate import estimate as estimated

_COLUMNS = (
    "arm",
    "purpose",
    "calls",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "usd",
    "usd_as_if",
)

_HELD = ("calls", "input_tokens", "output_tokens", "usd", "usd_as_if")
"""What is held against a run; JSON has the cached tokens too."""


def estimate(asked: Asked, as_json: bool) -> None:
    """Print what a suite would use and cost."""
    with progress("trials in memory") as report:
        found = estimated(asked, report)
    if as_json:
        print_json(found)
        return
    print_table(
        f"Estimate of {found['suite']}: {found['trials']} trials, {found['episodes']} episodes",
        [*_COLUMNS, "basis"],
        list(_rows(found)),
        text=("arm", "purpose", "basis"),
    )
    print("\n".join(_ending(found)))
    if found["against"] is not None:
        _print_against(found["against"], {row["basis"] for row in found["rows"]})


def _rows(found: Mapping[str, Any]) -> Iterator[list[object]]:
    """Yield the rows of each arm, with their sum below where there are several, and of all."""
    arms = dict.fromkeys(row["arm"] for row in found["rows"])
    for arm in arms:
        parts = [row for row in found["rows"] if row["arm"] == arm]
        sums = [row for row in found["arms"] if row["arm"] == arm] if len(parts) > 1 else []
        for row in [*parts, *({**each, "purpose": "all"} for each in sums)]:
            yield [row[column] for column in (*_COLUMNS, "basis")]
    total = {name: found.get(f"total_{name}") for name in _COLUMNS}
    yield [*({**total, "arm": "all", "purpose": "all"}[name] for name in _COLUMNS), ""]


def _ending(found: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"without a discount on cached tokens: paid {found['total_usd_uncached']} USD, "
        f"as if {found['total_usd_as_if_uncached']} USD"
    )
    yield f"prices: {found['prices']}; as if: {found['as']}"
    if found["unpriced_tokens"]:
        yield (
            f"unpriced: {found['unpriced_tokens']} tokens; the totals are incomplete, name a price "
            f"book with --prices that has {', '.join(found['unpriced'])}"
        )
    if not found["unknown"]:
        yield "every model of this suite is scripted: a run uses just these calls and tokens"
        return
    lengths = found["assumed"]["output_tokens"]
    taken = [f"{who} {number}" for who, number in lengths.items() if number is not None]
    yield (
        f"output tokens of a completion: {', '.join(taken) or 'as many as the stand-in writes'}, "
        "never more than the call allows"
    )
    yield "not known before a run:"
    yield from (f"- {each}" for each in found["unknown"])


def _print_against(found: Mapping[str, Any], basis: Collection[str]) -> None:
    parts = Counter(row["arm"] for row in found["rows"] if row["purpose"] is not None)
    rows = [
        [row["arm"] or "all", row["purpose"] or "all", *(_cell(row[name]) for name in _HELD)]
        for row in found["rows"]
        if row["purpose"] is not None or parts[row["arm"]] != 1
    ]
    print_table(
        f"Estimated of actual, over {found['trials']} of {found['of']} trials, in {found['run']}",
        ["arm", "purpose", *_HELD],
        rows,
        text=("arm", "purpose"),
    )
    measured = ",".join(f"{who}={max(1, round(n))}" for who, n in found["measured"].items())
    if measured and "assumed" in basis:
        print(f"its completions had on average: --output-tokens {measured}")


def _cell(figure: Mapping[str, Any]) -> str:
    if figure["off"] == 0:
        return f"{figure['actual']} exact"
    off = "n/a" if figure["off"] is None else f"{figure['off']:+.1%}"
    return f"{cell(figure['estimated'])} of {cell(figure['actual'])} {off}"
