"""The command line of `memtrial generate`: a command a track."""

from pathlib import Path
from typing import Annotated

import typer

from runs.ending import Commands

generate_app = typer.Typer(
    cls=Commands,
    help="Generate scenarios as YAML files.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Out = Annotated[Path, typer.Option(help="Folder to write into.")]
Seed = Annotated[int, typer.Option(help="Generation seed.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Share = Annotated[
    float | None,
    typer.Option(help="Share of sessions that end in a probe, as far as facts allow; else 0.4."),
]
Versions = Annotated[
    str,
    typer.Option(help="Versions, separated by commas: none, stale, contradictory, distractor."),
]
Rate = Annotated[
    float | None,
    typer.Option(help="Share of the wanted values that get a wrong record; else 0.3."),
]
Rewriter = Annotated[
    str | None, typer.Option(help="Who says facts in other words: NAME or NAME,option=value,…")
]


@generate_app.command()
def ladder(
    out: Out,
    seed: Seed = 1,
    environment: Annotated[str, typer.Option(help="Environment of the tasks.")] = "support",
    arcs: Annotated[int, typer.Option(min=1, max=10_000, help="Arcs a tier.")] = 4,
    tiers: Annotated[str, typer.Option(help="Tiers, separated by commas.")] = "easy,medium,hard",
    dependent: Share = None,
    distractors: Annotated[
        int, typer.Option(help="More sessions an arc, which state facts nobody asks for.")
    ] = 0,
    corruption: Versions = "none",
    rate: Rate = None,
    corruption_mode: Annotated[
        str, typer.Option(help="Records are said (event) or put into the memory (injected).")
    ] = "event",
    paraphrase_model: Rewriter = None,
    as_json: AsJson = False,
) -> None:
    """Generate arcs of facts that are stated, revised and asked for."""
    from runs.commands import generate as command

    wanted = command.Wanted(
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
        paraphrase_model=paraphrase_model,
    )
    command.generate(wanted, as_json)


@generate_app.command()
def context(
    out: Out,
    seed: Seed = 1,
    tasks: Annotated[int | None, typer.Option(help="Only the first tasks of the design.")] = None,
    full: Annotated[bool, typer.Option("--full", help="The full crossing.")] = False,
    families: Annotated[
        str | None, typer.Option(help="Families, separated by commas; else all eight.")
    ] = None,
    no_twins: Annotated[bool, typer.Option("--no-twins", help="Leave the twins out.")] = False,
    influence: Annotated[
        bool, typer.Option("--influence", help="Also with other content of what is withdrawn.")
    ] = False,
    refill: Annotated[
        int | None, typer.Option(help="Least tokens of new work between two cuts; else 320.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Generate tasks whose context is cut and whose sources are withdrawn."""
    from runs.commands import generate_context as command

    wanted = command.Wanted(
        out=out,
        seed=seed,
        tasks=tasks,
        full=full,
        families=families,
        twins=not no_twins,
        influence=influence,
        refill=refill,
    )
    command.generate(wanted, as_json)


@generate_app.command()
def risks(
    out: Out,
    seed: Seed = 1,
    arcs: Annotated[
        int | None, typer.Option(min=1, max=10_000, help="Arcs a risk and tier; else 8.")
    ] = None,
    risks: Annotated[
        str | None,
        typer.Option(help="Risks, separated by commas: stale, conflict, …; else all six."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Generate arcs of the six memory risks."""
    from runs.commands import generate_risks as command

    command.generate(out, seed, arcs, risks, as_json)
