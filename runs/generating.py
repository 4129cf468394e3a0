"""The command line of `memtrial generate`."""

from pathlib import Path
from typing import Annotated

import typer

TRACKS = ("ladder", "context", "risks")

_LADDER = frozenset(
    "environment arcs tiers dependent distractors corruption rate corruption_mode "
    "paraphrase_model".split()
)
_CONTEXT = frozenset("tasks full families no_twins refill".split())
_RISKS = frozenset({"risks"})
_FOREIGN = {
    "ladder": _CONTEXT | _RISKS,
    "context": _LADDER | _RISKS,
    "risks": (_LADDER - {"arcs"}) | _CONTEXT,
}
"""The options that a generator does not have."""

Track = Annotated[
    str, typer.Argument(metavar="TRACK", help="What to generate: ladder, context or risks.")
]
Arcs = Annotated[
    int | None,
    typer.Option(min=1, max=10_000, help="Arcs a tier (4); of risks, a risk and tier (8)."),
]
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
Named = Annotated[
    str | None,
    typer.Option(help="Risks, separated by commas: stale, conflict, leakage, …; else all six."),
]


def generate(
    ctx: typer.Context,
    track: Track,
    out: Annotated[Path, typer.Option(help="Folder to write into.")],
    seed: Annotated[int, typer.Option(help="Generation seed.")] = 1,
    environment: Annotated[str, typer.Option(help="Environment of the tasks.")] = "support",
    arcs: Arcs = None,
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
    tasks: Annotated[
        int | None, typer.Option(help="Tasks of the context track, the design's first ones.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="The full crossing of the context track.")
    ] = False,
    families: Annotated[
        str | None, typer.Option(help="Families of the context track, separated by commas.")
    ] = None,
    no_twins: Annotated[
        bool, typer.Option("--no-twins", help="Leave the twins of the context track out.")
    ] = False,
    refill: Annotated[
        int | None, typer.Option(help="Least tokens of new work between two cuts; else 320.")
    ] = None,
    risks: Named = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Generate scenarios as YAML files."""
    from runs.commands import generate as command

    command.check_track(track)
    given = (name for name in ctx.params if _is_given(ctx, name))
    command.refuse_foreign(track, sorted(_FOREIGN[track].intersection(given)))
    if track == "context":
        from runs.commands import generate_context

        wanted_tasks = generate_context.Wanted(
            out, seed, tasks, full, families, not no_twins, refill
        )
        generate_context.generate(wanted_tasks, as_json)
        return
    if track == "risks":
        from runs.commands import generate_risks

        generate_risks.generate(out, seed, arcs, risks, as_json)
        return
    wanted = command.Wanted(
        out=out,
        seed=seed,
        environment=environment,
        arcs=4 if arcs is None else arcs,
        tiers=tiers,
        dependent=dependent,
        distractors=distractors,
        corruption=corruption,
        rate=rate,
        corruption_mode=corruption_mode,
        paraphrase_model=paraphrase_model,
    )
    command.generate(wanted, as_json)


def _is_given(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
