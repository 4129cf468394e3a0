"""`memtrial costs`."""

from pathlib import Path

from runs.commands.output import print_json, print_table
from scoring.bills import BY, check_factors
from scoring.bills import costs as cost_table
from scoring.run import load_run

_COUNTED = (
    "calls",
    "reused_calls",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "usd",
    "usd_as_if",
)


def costs(
    folder: Path, prices: Path | None, as_model: str | None, by: str | None, as_json: bool
) -> None:
    """Print what each arm, or whatever `by` names with commas, used and cost."""
    factors = BY if by is None else tuple(part.strip() for part in by.split(","))
    check_factors(factors)
    with load_run(folder) as run:
        found = cost_table(run, prices, as_model, by=factors)
    if as_json:
        print_json(found)
        return
    reused = any(row["reused_calls"] for row in found["rows"])
    counted = [each for each in _COUNTED if reused or each != "reused_calls"]
    shown = ("arm", "purpose") if by is None else factors
    rows = [[row[column] for column in (*shown, *counted)] for row in found["rows"]]
    print_table("Costs", [*shown, *counted], rows, text=shown)
    print(f"total paid {found['total_usd']} USD, as if {found['total_usd_as_if']} USD")
    if found["total_usd_as_if_uncached"] != found["total_usd_as_if"]:
        print(
            f"without a discount on cached tokens: paid {found['total_usd_uncached']} USD, "
            f"as if {found['total_usd_as_if_uncached']} USD"
        )
    if found["unpriced_tokens"]:
        print(f"unpriced: {found['unpriced_tokens']} tokens; the totals are incomplete")
