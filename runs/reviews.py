"""`memtrial review` as the command line knows it."""

from pathlib import Path
from typing import Annotated

import typer

from runs.arguments import AsJson


def review(
    path: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of scenarios, or one of them.")
    ],
    out: Annotated[Path | None, typer.Option(help="Folder of the sheets.")] = None,
    take: Annotated[
        list[Path] | None,
        typer.Option(help="A filled sheet, or a folder of them, to keep; may be repeated."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a sheet per task for a person's verdict, or keep the verdicts of filled sheets."""
    from runs.commands import review as command

    command.review(path, out, take or [], as_json)
