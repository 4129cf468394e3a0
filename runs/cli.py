"""The command line. Each command reads its arguments, calls one function and prints."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from runs.arguments import AsJson, RunFolder, RunFolders, TrialName
from runs.auditing import audit_app
from runs.commands.gate import guarded
from runs.ending import Commands
from runs.estimating import estimate
from runs.generating import generate_app
from runs.questioning import ask
from runs.reviews import review
from runs.selecting import select

app = typer.Typer(
    name="memtrial",
    cls=Commands,
    help="Put agent memories on trial: play stories, record everything, compare.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
import_app = typer.Typer(
    cls=Commands,
    help="Turn public data into scenarios.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(generate_app, name="generate")
app.add_typer(import_app, name="import")
app.add_typer(audit_app, name="audit")


@app.command()
def run(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help="Shipped suite or path of a TOML file.")
    ],
    out: Annotated[Path | None, typer.Option(help="Folder of the run.")] = None,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes.")] = 1,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a run that was cut off.")
    ] = False,
    max_usd: Annotated[
        str | None, typer.Option(help="Stop before more US dollars are spent.")
    ] = None,
    prices: Annotated[Path | None, typer.Option(help="Price book (TOML) for --max-usd.")] = None,
    shard: Annotated[str | None, typer.Option(help="Play only the Ith of N shares: I/N.")] = None,
    gate: Annotated[
        bool, typer.Option("--gate", help="Stop with a model that fails its replay control.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when there are errors.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play every trial of a suite and record it."""
    from runs.commands import run as command

    command.run(
        suite,
        command.RunOptions(out, workers, resume, max_usd, prices, shard, gate, strict, as_json),
    )


@app.command()
def compare(
    runs: RunFolders,
    by: Annotated[str | None, typer.Option(help="Columns to group by, with commas.")] = None,
    analysis: Annotated[Path | None, typer.Option(help="Ask its [analysis] too.")] = None,
    power: Annotated[bool, typer.Option("--power", help="Say how many clusters it takes.")] = False,
    table: Annotated[bool, typer.Option("--table", help="Compare tables of scored rows.")] = False,
    columns: Annotated[str | None, typer.Option(help="Of tables: FIELD=COLUMN,…")] = None,
    mapping: Annotated[Path | None, typer.Option(help="Of tables: the same as TOML.")] = None,
    baseline: Annotated[str | None, typer.Option(help="Of tables: arm without memory.")] = None,
    control: Annotated[str | None, typer.Option(help="Of tables: arm of full replay.")] = None,
    html: Annotated[Path | None, typer.Option(help="Of tables: a report to write.")] = None,
    as_json: AsJson = False,
) -> None:
    """Compare the arms of runs or, with --table, of scored rows from anywhere."""
    from runs.commands import compare as command

    about = (columns, mapping, baseline, control, html)
    command.compare(runs, by, (analysis, power), table, about, as_json)


@app.command()
def costs(
    run: RunFolder,
    prices: Annotated[Path | None, typer.Option(help="Price book (TOML).")] = None,
    as_model: Annotated[
        str | None,
        typer.Option("--as", help="Hosted model whose prices usd_as_if uses."),
    ] = None,
    by: Annotated[str | None, typer.Option(help="Factors of a row, with commas.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what each arm used and what it cost, or would have cost."""
    from runs.commands import costs as command

    command.costs(run, prices, as_model, by, as_json)


app.command()(estimate)


@app.command()
def score(
    run: RunFolder,
    keys: Annotated[
        Path | None,
        typer.Option(help="Hold the run's keys against those of this folder."),
    ] = None,
    against: Annotated[
        Literal["plain"] | None,
        typer.Option(help="Hold this earlier scorer against the current one."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score a run again from its log, without a model: failure classes, and what a change does."""
    from runs.commands import score as command

    command.score(run, keys, against, as_json)


@app.command()
def report(
    run: RunFolder,
    html: Annotated[Path | None, typer.Option(help="The file to write.")] = None,
) -> None:
    """Write one self-contained HTML file about a run."""
    from runs.commands import report as command

    command.report(run, html)


@app.command()
def trace(
    run: RunFolder,
    trial: TrialName,
    at: Annotated[str | None, typer.Option(help="Show this position, or this event's.")] = None,
    replay: Annotated[
        bool, typer.Option("--replay", help="With --at: ask the memory too, re-executed.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what an agent was shown, where it came from, what it did, and why it passed or failed."""
    from runs.commands import trace as command

    command.trace(run, trial, at, replay, as_json)


@app.command()
def diff(
    run: RunFolder,
    trials: Annotated[
        list[str],
        typer.Argument(
            metavar="TRIAL", help="Two trials or more; PATH::TRIAL for one of another folder."
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Show where trials first part, what each was shown there, and what led to it."""
    from runs.commands import diff as command

    command.diff(run, trials, as_json)


@app.command()
def verify(
    run: RunFolder,
    root: Annotated[str | None, typer.Option(help="The root that was published.")] = None,
    report: Annotated[Path | None, typer.Option(help="A report that must be of this run.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check every hash of a run's log, its frozen scripts and keys, a root, a report."""
    from runs.commands import verify as command

    command.verify(run, root, report, as_json)


@app.command()
def backup(
    run: RunFolder,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
) -> None:
    """Copy a run, which may be going on, into one file that every command reads as a run."""
    from runs.commands import backup as command

    command.backup(run, file)


@app.command()
def replay(run: RunFolder, as_json: AsJson = False) -> None:
    """Re-execute every trial from the log, without a model, and compare every event."""
    from runs.commands import replay as command

    command.replay(run, as_json)


app.command()(ask)


@app.command()
def fork(
    run: RunFolder,
    trial: TrialName,
    at: Annotated[str, typer.Option(help="Position or event id to fork before.")],
    out: Annotated[Path, typer.Option(help="Folder of the fork's run.")],
    memory: Annotated[
        str | None, typer.Option(help="Another memory: NAME or NAME,option=value,…")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Another model: NAME or NAME,option=value,…")
    ] = None,
    token_budget: Annotated[
        int | None, typer.Option(min=1, help="Another limit of a memory block, tokens.")
    ] = None,
    without: Annotated[
        str | None, typer.Option(help="Id of a scripted event that does not happen.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Continue a trial from a position with exactly one thing changed."""
    from runs.commands import fork as command

    command.fork(run, trial, at, out, (memory, model, token_budget, without), as_json)


@app.command()
def lint(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Scenario files, folders.")],
    as_json: AsJson = False,
) -> None:
    """Check scenarios: structure, evidence, leaks, and that the right way to act passes."""
    from runs.commands import scenarios as command

    command.lint(paths, as_json)


@app.command()
def graph(
    scenario: Annotated[Path, typer.Argument(metavar="SCENARIO", help="A scenario file.")],
    out: Annotated[
        Path | None,
        typer.Option(help="Write an .svg or .png instead of text."),
    ] = None,
) -> None:
    """Draw the episodes of a scenario as graphs of causes."""
    from runs.commands import scenarios as command

    command.graph(scenario, out)


app.command()(review)
app.command()(select)


@import_app.command("statebench")
def import_statebench(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="StateBench JSONL files.")],
    out: Annotated[Path, typer.Option(help="Folder to write into.")],
    per_arc: Annotated[int, typer.Option(min=1, help="Timelines that share a memory.")] = 1,
    sample: Annotated[
        int | None,
        typer.Option(min=1, help="Take only so many timelines, stratified."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of sample and grouping.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Turn StateBench timelines into scenarios."""
    from runs.commands import scenarios as command

    command.import_statebench(files, out, per_arc, sample, seed, as_json)


@app.command()
def explain(
    text: Annotated[str, typer.Option(help="The text to read.")],
    phrase: Annotated[str | None, typer.Option(help="What is it said to assert?")] = None,
    prompt: Annotated[str | None, typer.Option(help="The question that the text answers.")] = None,
    decision: Annotated[bool, typer.Option("--decision", help="Does it say yes or no?")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what a text asserts, clause by clause, and why. Lexical, not entailment."""
    from runs.commands import explain as command

    command.explain(text, phrase, prompt, decision, as_json)


@app.command(name="list")
def list_parts(
    what: Annotated[
        Literal["memories", "models", "environments", "embedders", "agents", "suites"],
        typer.Argument(help="What to list."),
    ],
    as_json: AsJson = False,
) -> None:
    """List what is registered, with options and defaults."""
    from runs.commands import parts as command

    command.list_parts(what, as_json)


@app.command()
def check(
    what: Annotated[
        Literal["memory", "agent", "environment", "model", "embedder"],
        typer.Argument(help="The port."),
    ],
    name: Annotated[str, typer.Argument(metavar="NAME", help="A registered name or PKG:NAME.")],
    option: Annotated[
        list[str] | None,
        typer.Option(help="An option of the part, as KEY=VALUE; may be repeated."),
    ] = None,
    world: Annotated[Path | None, typer.Option(help="World of an environment (JSON).")] = None,
    as_json: AsJson = False,
) -> None:
    """Run the shipped contract test of a port on a part, yours or ours."""
    from runs.commands import parts as command

    command.check(what, name, option or [], world, as_json)


@app.command()
def new(
    what: Annotated[Literal["scenario", "suite", "memory"], typer.Argument(help="What to begin.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.")],
    out: Annotated[
        Path | None,
        typer.Option(help="The file to write; NAME with its ending when left out."),
    ] = None,
    like: Annotated[str | None, typer.Option(help="Suite to copy, such as a shipped one.")] = None,
    verbs: Annotated[
        bool, typer.Option("--verbs", help="A scenario in verbs: a task of the context track.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write a small file that works, with comments, to begin from."""
    from runs.commands import new as command

    command.new(what, name, out, like, verbs, as_json)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Say what is installed and works here, and what is missing."""
    from runs.commands import parts as command

    command.doctor(as_json)


def main() -> None:
    """Run the command line."""
    with guarded():
        app(prog_name="memtrial")
