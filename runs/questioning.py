"""`memtrial ask` on the command line."""

from pathlib import Path
from typing import Annotated

import typer

from runs.arguments import AsJson, RunFolder


def ask(
    run: RunFolder,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the answers; RUN/asked by default.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where it was cut off.")] = False,
    max_usd: Annotated[str | None, typer.Option(help="Most that it may spend, USD.")] = None,
    prices: Annotated[Path | None, typer.Option(help="Price book (TOML) for --max-usd.")] = None,
    as_json: AsJson = False,
) -> None:
    """Ask the retention questions of a run on forks, which its scores never hear of."""
    from runs.commands import ask as command

    command.ask(run, out, workers, resume, max_usd, prices, as_json)
