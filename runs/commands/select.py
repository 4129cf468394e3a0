"""`memtrial select`, of runs and of tables."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from runs.commands.output import PROCESSES, print_json, print_table, progress, refuse_used
from runs.selection.columns import parse_mapping, read_cells
from runs.selection.telling import notes, tables
from runs.selection.writing import write_evidence, write_suite
from runs.spelling import spelled
from scoring.compare import score_runs
from scoring.contrasts import TESTED
from scoring.run import Run, load_run
from scoring.selection.asked import Asked
from scoring.selection.episodes import cells_of, separate_arcs
from scoring.selection.matrix import Cell, assemble
from scoring.selection.measures import Weights
from scoring.selection.summary import Selection
from scoring.selection.summary import select as choose
from simulator.events import Json
from simulator.events.errors import InputError, shown


@dataclass(frozen=True)
class Sources:
    """Where verdicts come from.

    Attributes:
        paths: Run folders, or tables.
        new: Models outside the reference set.
        table: Whether they are tables.
        columns: Which column of a table says what.
    """

    paths: Sequence[Path]
    new: Sequence[str]
    table: bool
    columns: str | None


def asked(
    fraction: float, selector: str, weights: str, seed: int, draws: int, bootstrap: int
) -> Asked:
    """Return what is asked, checked.

    Raises:
        InputError: naming the option.
    """
    made = Asked(fraction, selector, seed, draws, bootstrap, _weights(weights))
    made.check()
    return made


def _weights(text: str) -> Weights:
    parts = text.split(",")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) != 3 or not all(0 <= each <= 1000 for each in numbers) or not any(numbers):
        message = f"give three numbers from 0 to 1000, not all 0, such as 1,1,1; got {shown(text)}"
        raise InputError(message, field="weights")
    return Weights(*numbers)


def select(sources: Sources, asked: Asked, out: Path | None, as_json: bool) -> None:
    """Choose a subset, write it where that is wanted, and print what is known of it."""
    if out is not None:
        refuse_used(out)
    with ExitStack() as stack:
        runs = [] if sources.table else [stack.enter_context(load_run(p)) for p in sources.paths]
        cells, more = _of_tables(sources) if sources.table else _of_runs(runs, sources)
        matrix, new = assemble(cells, sources.new)
        with progress("steps") as report:
            tested = set(more["evidence"].split(" + ")) <= TESTED
            made = choose(matrix, replace(asked, tested=tested), new, report)
        told = {**made.told, **more, "warnings": [*made.told["warnings"], *more["warnings"]]}
        written = _write(out, told, made, runs) if out is not None else []
    if as_json:
        print_json({**told, "written": written})
        return
    for each in tables(told):
        print_table(each.title, each.columns, each.rows, text=each.text)
    for line in (*notes(told), *(f"written: {file}" for file in written)):
        print(spelled(line))


def _of_tables(sources: Sources) -> tuple[list[Cell], dict[str, Json]]:
    read = read_cells(sources.paths, parse_mapping(sources.columns))
    files = [str(path) for path in sources.paths]
    unused = [f"columns that say nothing here: {', '.join(read.unused)}"] if read.unused else []
    return read.cells, {"roots": {}, "files": files, "evidence": "external", "warnings": unused}


def _of_runs(runs: Sequence[Run], sources: Sources) -> tuple[list[Cell], dict[str, Json]]:
    if sources.columns is not None:
        raise InputError("--columns is about tables; add --table")
    scored = score_runs(runs, workers=PROCESSES)
    kinds = {played.evidence for _, played in scored.trials}
    errors = sum(each.errored for _, played in scored.trials for each in played.observed)
    failed = [f"{errors} decisions ended in an error, which is no pass"] if errors else []
    apart = len(separate_arcs(runs))
    left_out = [f"{apart} arcs of a risk that is a track of its own are left out"] if apart else []
    names = [setting.run for setting in scored.settings]
    return list(cells_of(runs, scored)), {
        "roots": {name: run.log.root() for name, run in zip(names, runs, strict=True)},
        "files": [],
        "evidence": " + ".join(sorted(kinds)),
        "warnings": [*scored.warnings, *failed, *left_out],
    }


def _write(out: Path, told: Json, made: Selection, runs: Sequence[Run]) -> list[str]:
    write_evidence(out, told, made)
    if not runs:
        return [str(out)]
    about = f"{told['k']} of {told['episodes']} arcs, chosen by {told['selector']}"
    return [str(write_suite(out, runs, told["subset"], about))]
