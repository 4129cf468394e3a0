"""`memtrial costs`."""

from pathlib import Path

from runs.commands.output import print_json, print_table
from scoring.costs import costs as cost_table
from scoring.run import load_run

_COLUMNS = (
    "arm",
    "purpose",
    "calls",
    "reused_calls",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "usd",
    "usd_as_if",
)


def costs(folder: Path, prices: Path | None, as_model: str | None, as_json: bool) -> None:
    """Print what each arm used and cost."""
    with load_run(folder) as run:
        found = cost_table(run, prices, as_model)
    if as_json:
        print_json(found)
        return
    reused = any(row["reused_calls"] for row in found["rows"])
    columns = [each for each in _COLUMNS if reused or each != "reused_calls"]
    rows = [[row[column] for column in columns] for row in found["rows"]]
    print_table("Costs", columns, rows, text=("arm", "purpose"))
    print(f"total paid {found['total_usd']} USD, as if {found['total_usd_as_if']} USD")
    if found["total_usd_as_if_uncached"] != found["total_usd_as_if"]:
        print(
            f"without a discount on cached tokens: paid {found['total_usd_uncached']} USD, "
            f"as if {found['total_usd_as_if_uncached']} USD"
        )
    if found["unpriced_tokens"]:
        print(f"unpriced: {found['unpriced_tokens']} tokens; the totals are incomplete")
