"""`memtrial select` on the command line."""

from pathlib import Path
from typing import Annotated

import typer

from runs.arguments import AsJson, RunFolders


def select(
    runs: RunFolders,
    fraction: Annotated[float, typer.Option(help="Share of the episodes to keep.")] = 0.2,
    selector: Annotated[str, typer.Option(help="psi, features or balanced.")] = "psi",
    weights: Annotated[str, typer.Option(help="Of Ψ: rank,coverage,high-risk.")] = "1,1,1",
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is drawn.")] = 0,
    draws: Annotated[int, typer.Option(help="Subsets of a baseline that draws.")] = 1_000,
    bootstrap: Annotated[int, typer.Option(help="Resamples of the episodes.")] = 200,
    new: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL", help="Outside the reference set: how far is it?"),
    ] = None,
    table: Annotated[bool, typer.Option("--table", help="Each RUN is a table of passes.")] = False,
    columns: Annotated[str | None, typer.Option(help="Of tables: FIELD=COLUMN,…")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for a suite and its evidence.")] = None,
    as_json: AsJson = False,
) -> None:
    """Choose fewer episodes that keep the ranking, the risks and the models that fail most."""
    from runs.commands import select as command

    asked = command.asked(fraction, selector, weights, seed, draws, bootstrap)
    sources = command.Sources(runs, new or [], table, columns)
    command.select(sources, asked, out, as_json)
