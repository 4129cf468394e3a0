"""`memtrial estimate` on the command line."""

from pathlib import Path
from typing import Annotated

import typer

from runs.arguments import AsJson


def estimate(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help="Shipped suite or path of a TOML file.")
    ],
    prices: Annotated[Path | None, typer.Option(help="Price book (TOML).")] = None,
    as_model: Annotated[
        str | None,
        typer.Option("--as", help="Hosted model whose prices usd_as_if uses."),
    ] = None,
    output_tokens: Annotated[
        str | None,
        typer.Option(help="Of a completion: N, or agent=N,memory=N,judge=N."),
    ] = None,
    against: Annotated[
        Path | None, typer.Option(help="A run of the suite: say how far off it is.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what a suite would use and cost, by a dry run without any model."""
    from runs.commands import estimate as command
    from runs.dry.assumptions import read_lengths
    from runs.dry.estimate import Asked

    lengths = read_lengths(output_tokens)
    command.estimate(Asked(suite, prices, as_model, lengths, against), as_json)
