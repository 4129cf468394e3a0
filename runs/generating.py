"""The command line of `memtrial generate`."""

from pathlib import Path
from typing import Annotated

import typer

TRACKS = ("ladder", "risks")


def generate(
    track: Annotated[str, typer.Argument(metavar="TRACK", help="What to generate: ladder, risks.")],
    out: Annotated[Path, typer.Option(help="Folder to write into.")],
    seed: Annotated[int, typer.Option(help="Generation seed.")] = 1,
    environment: Annotated[str, typer.Option(help="Environment of the tasks.")] = "support",
    arcs: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Arcs a tier (4); of risks, a risk and tier (8)."),
    ] = None,
    tiers: Annotated[str, typer.Option(help="Tiers, separated by commas.")] = "easy,medium,hard",
    dependent: Annotated[
        float | None,
        typer.Option(
            help="Share of sessions that end in a probe, as far as facts allow; else 0.4."
        ),
    ] = None,
    distractors: Annotated[
        int, typer.Option(help="More sessions an arc, which state facts nobody asks for.")
    ] = 0,
    corruption: Annotated[
        str,
        typer.Option(help="Versions, separated by commas: none, stale, contradictory, distractor."),
    ] = "none",
    rate: Annotated[
        float | None,
        typer.Option(help="Share of the wanted values that get a wrong record; else 0.3."),
    ] = None,
    corruption_mode: Annotated[
        str, typer.Option(help="Records are said (event) or put into the memory (injected).")
    ] = "event",
    risks: Annotated[
        str | None,
        typer.Option(
            help="Risks, separated by commas: stale, conflict, leakage, reuse, …; else all."
        ),
    ] = None,
    paraphrase_model: Annotated[
        str | None,
        typer.Option(help="Who says facts in other words: NAME or NAME,option=value,…"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Generate scenarios as YAML files."""
    from runs.commands import generate as command

    wanted = command.Wanted(
        track=track,
        out=out,
        seed=seed,
        environment=environment,
        arcs=arcs,
        tiers=tiers,
        dependent=dependent,
        distractors=distractors,
        corruption=corruption,
        rate=rate,
        corruption_mode=corruption_mode,
        risks=risks,
        paraphrase_model=paraphrase_model,
    )
    command.generate(wanted, as_json)
