"""Which trials are meant: names of one run, or `PATH::TRIAL` for those of other folders."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from runs.diff.decisions import Side
from runs.tracing import find_trial
from scoring.run import Run, load_run
from simulator.events.errors import InputError

ELSEWHERE = "::"


@contextmanager
def open_sides(folder: Path, names: Sequence[str]) -> Iterator[list[Side]]:
    """Open the trials that are named; each is an id, or parts of it that no other has.

    A name of the form `PATH::TRIAL` means a trial of another run folder, such as a fork's.

    Raises:
        InputError: for fewer than two trials, and where a run or a trial is not found.
    """
    if len(names) < 2:
        raise InputError("name two trials or more; one of another folder is named PATH::TRIAL")
    with ExitStack() as stack:
        runs: dict[Path, Run] = {}
        sides = []
        for name in names:
            place, _, trial = name.rpartition(ELSEWHERE)
            path = Path(place) if place else folder
            if path not in runs:
                runs[path] = stack.enter_context(load_run(path))
            run = runs[path]
            sides.append(Side(str(path), run.trial(find_trial(run, trial))))
        yield sides
