"""The commands of `memtrial audit`."""

from pathlib import Path
from typing import Annotated

import typer

from runs.arguments import AsJson, RunFolder
from runs.ending import Commands

audit_app = typer.Typer(
    cls=Commands,
    help="Audit phrase lists, and how far people agree with a scorer.",
    no_args_is_help=True,
)


@audit_app.command("statebench")
def audit_statebench(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="StateBench JSONL files.")],
    as_json: AsJson = False,
) -> None:
    """Score constructed right answers of StateBench under the published scorer and under ours."""
    from runs.commands import audit as command

    command.statebench(files, as_json)


@audit_app.command("jsonl")
def audit_jsonl(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One JSON object a line.")],
    where: Annotated[
        str,
        typer.Option(
            "--map",
            help="Where the fields are: prompt=…,required=…,forbidden=…[,group=…], dotted paths.",
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Audit any set of questions with required and forbidden phrases."""
    from runs.commands import audit as command

    command.jsonl(file, where, as_json)


@audit_app.command("sample")
def audit_sample(
    run: RunFolder,
    n: Annotated[int, typer.Option("--n", min=1, help="Rows of the sheet.")] = 100,
    out: Annotated[Path | None, typer.Option(help="The sheet to write (CSV).")] = None,
    seed: Annotated[int, typer.Option(help="Draws the sample.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Write a blinded sheet of decisions for people to judge, stratified by verdict."""
    from runs.commands import audit as command

    command.draw(run, n, out, seed, as_json)


@audit_app.command("agree")
def audit_agree(
    first: Annotated[Path, typer.Argument(metavar="A", help="A filled sheet, or the key.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another one.")],
    key: Annotated[Path | None, typer.Option(help="Key of the sheet: the scorer's side.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say how far two judges agree with each other and, with the key, with the scorer."""
    from runs.commands import audit as command

    command.compare(first, second, key, as_json)
