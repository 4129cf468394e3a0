"""`memtrial compare`, of runs and of tables."""

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from runs.analysis import analysis_tables
from runs.asked import of_runs, read_analysis
from runs.commands.output import PROCESSES, print_json, print_table
from runs.conduct import harm_table, occurring_outcomes, outcomes_table
from runs.context import context_tables
from runs.errors import errors_table
from runs.external import compare_tables
from runs.external.columns import Columns, parse_columns, read_mapping
from runs.external.telling import external_notes, had_table
from runs.held import pairs_table
from runs.kept import kept_table, spend_table
from runs.labels import arm_labels
from runs.opinions import judge_table
from runs.plan import unfinished
from runs.report.external import write_external_report
from runs.risks import risk_tables
from runs.tables import Row, Table, comparison_table
from runs.why import causes_table, occurring
from runs.worth import best_table, worth_table
from scoring.compare import compare as compare_runs
from scoring.grouping import DEFAULT
from scoring.run import Run, load_run
from simulator.events import Json
from simulator.events.errors import InputError

_MOST_DOMAINS = 3
"""A table of more domains than this pools them, unless the user says what to group by."""


About = tuple[str | None, Path | None, str | None, str | None, Path | None]
"""What --columns, --mapping, --baseline, --control and --html say of tables."""

Asked = tuple[Path | None, bool]
"""What --analysis and --power ask."""


def compare(
    paths: list[Path], by: str | None, asked: Asked, external: bool, about: About, as_json: bool
) -> None:
    """Print a row an arm and group, of run folders or, where `external`, of tables."""
    if external:
        _compare_tables(paths, by, asked, about, as_json)
    else:
        _compare_runs(paths, by, asked, about, as_json)


def _compare_runs(
    folders: list[Path], by: str | None, asked: Asked, about: About, as_json: bool
) -> None:
    if any(each is not None for each in about):
        raise InputError(
            "--columns, --mapping, --baseline, --control and --html are about tables; add --table"
        )
    file, power = asked
    columns = [part.strip() for part in by.split(",")] if by is not None else None
    with ExitStack() as stack:
        runs = [stack.enter_context(load_run(folder)) for folder in folders]
        missing = [name for run in runs for name in unfinished(run)]
        copies = [run.folder for run in runs if run.log.incomplete]
        analysis = None if file is None else read_analysis(file, of_runs(runs))
        ask = partial(compare_runs, runs, analysis=analysis, power=power, workers=PROCESSES)
        if as_json:
            print_json({**ask(columns), "unfinished": missing})
            return
        domains = _domains(runs) if columns is None else frozenset()
        pooled = len(domains) > _MOST_DOMAINS
        if pooled:
            columns = [name for name in DEFAULT if name != "domain"]
        found = ask(columns)
    table = comparison_table(found["rows"])
    print_table(table.title, table.columns, table.rows, text=table.text)
    pooling = f"{len(domains)} domains are pooled; `--by memory,domain` shows each by itself."
    for note in (
        *table.notes,
        *_print_errors(found["rows"]),
        *(f"Warning: {warning}." for warning in found["warnings"]),
        *([pooling] if pooled else []),
        *(f"Warning: {each} is an incomplete copy, see `memtrial verify`." for each in copies),
        *_interrupted(missing),
    ):
        print(note)
    _print_details(found)
    for name, root in found["roots"].items():
        print(f"root {root}" if len(runs) == 1 else f"root {root} of {name}")


def _interrupted(missing: Sequence[str]) -> list[str]:
    if not missing:
        return []
    return [
        f"Interrupted: {len(missing)} trials of the plan are not finished, such as "
        f"{missing[0]}; nothing is known about them."
    ]


def _print_details(found: Row) -> None:
    """Print every further table that has something to say."""
    for made in analysis_tables(found):
        _print(made, wrap=("hypothesis", "arm"))
    for made in risk_tables(found["risks"]):
        _print(made, wrap=("memory",))
    for made in context_tables(found):
        _print(made)
    if occurring_outcomes(found["conduct"]):
        _print(outcomes_table(found["conduct"]))
    if occurring(found["causes"]):
        causes = causes_table(found["causes"])
        _print(causes, wrap=causes.columns[2:])
    _print(kept_table(found["kept"]))
    _print(spend_table(found["spend"]))
    _print(harm_table(found["conduct"]))
    _print(worth_table(found["worth"]))
    _print(best_table(found["best"], arm_labels(found["rows"])))
    _print_judge(found["judge"])


def _compare_tables(
    files: list[Path], by: str | None, asked: Asked, about: About, as_json: bool
) -> None:
    html = about[4]
    factors = [part.strip() for part in by.split(",")] if by is not None else None
    found = compare_tables(files, _columns(*about[:4]), factors, *asked)
    told = "" if html is None else f"report: {write_external_report(found, html)}"
    if as_json:
        print_json(found)
        return
    table = comparison_table(found["rows"])
    print_table(f"External results. {table.title}", table.columns, table.rows, text=table.text)
    for note in (*table.notes, *(f"Warning: {warning}." for warning in found["warnings"])):
        print(note)
    for each in (pairs_table(found["pairs"]), had_table(found["rows"])):
        _print(each)
    _print(worth_table(found["worth"]))
    _print(best_table(found["best"], arm_labels(found["rows"])))
    for made in analysis_tables(found):
        _print(made, wrap=("hypothesis", "arm"))
    print()
    for note in external_notes(found["external"]):
        print(note)
    if told:
        print(told)


def _columns(
    named: str | None, mapping: Path | None, baseline: str | None, control: str | None
) -> Columns:
    if named is not None and mapping is not None:
        raise InputError("name the columns with --columns or with --mapping, not with both")
    found = Columns()
    if mapping is not None:
        found = read_mapping(mapping)
    elif named is not None:
        found = parse_columns(named)
    return found.with_arms(baseline, control)


def _print(table: Table | None, wrap: Sequence[str] = ()) -> None:
    if table is None:
        return
    print()
    print_table(table.title, table.columns, table.rows, text=table.text, wrap=wrap)
    for note in table.notes:
        print(note)


def _print_errors(rows: Sequence[Row]) -> tuple[str, ...]:
    """Print who is to blame for the errors, where there are any; return what must be said of it."""
    table = errors_table(rows)
    if table is None:
        return ()
    print()
    print_table(table.title, table.columns, table.rows, text=table.text)
    return table.notes


def _print_judge(found: Json) -> None:
    """Print what the judge says, apart from everything that the log alone says."""
    if found is not None:
        table = judge_table(found)
        print()
        print_table(table.title, table.columns, table.rows, text=table.text)
        print("\n".join(table.notes))


def _domains(runs: Sequence[Run]) -> frozenset[str]:
    keys = (run.key(arc) for run in runs for arc in run.manifest.arcs)
    return frozenset(probe.domain or key.domain for key in keys for probe in key.probes)
