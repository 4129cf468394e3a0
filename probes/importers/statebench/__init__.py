"""StateBench (MIT licence) as scenarios: conversations whose memory is questioned afterwards."""

from collections.abc import Callable, Iterable
from pathlib import Path

from probes.importers.statebench import sampling
from probes.importers.statebench.arcs import interleave
from probes.importers.statebench.counts import Counts, Summary, summarize
from probes.importers.statebench.timelines import Timeline, read_timelines
from probes.scenario import Scenario, write_scenario
from simulator.events.errors import InputError

__all__ = [
    "Counts",
    "Summary",
    "Timeline",
    "import_statebench",
    "interleave",
    "read_timelines",
    "sample",
    "scenarios_from",
    "summarize",
]

sample = sampling.sample


def import_statebench(
    files: Iterable[Path | str],
    out: Path | str,
    *,
    per_arc: int = 1,
    sample: int | None = None,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Write StateBench files as scenarios, one YAML file an arc, and count what they hold.

    Args:
        files: JSONL files of the release.
        out: Folder to write into; made where it is missing, refused where it is not empty.
        per_arc: Most timelines that share one memory.
        sample: Timelines to draw, by track and template; None takes all.
        seed: Draws the sample and deals the arcs.
        progress: Called after each file with the number written and the number to write.

    Raises:
        InputError: for a line that is no timeline, a wrong number, or a folder not empty.
    """
    timelines = _chosen(files, sample, seed)
    scenarios = interleave(timelines, per_arc, seed)
    folder = _empty_folder(Path(out))
    for number, scenario in enumerate(scenarios, start=1):
        write_scenario(scenario, folder / f"{scenario.script.arc}.yaml")
        if progress is not None:
            progress(number, len(scenarios))
    return summarize(timelines, arcs=len(scenarios))


def scenarios_from(
    files: Iterable[Path | str], *, per_arc: int = 1, sample: int | None = None, seed: int = 0
) -> list[Scenario]:
    """Return what `import_statebench` would write, for suites that name StateBench files.

    Raises:
        InputError: for a line that is no timeline, or a wrong number.
    """
    return interleave(_chosen(files, sample, seed), per_arc, seed)


def _chosen(files: Iterable[Path | str], n: int | None, seed: int) -> list[Timeline]:
    timelines = read_timelines(files)
    if not timelines:
        raise InputError("the files hold no timelines")
    return timelines if n is None else sampling.sample(timelines, n, seed)


def _empty_folder(out: Path) -> Path:
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise InputError("the folder is not empty; name a new one", file=str(out))
    except OSError as error:
        raise InputError(f"cannot write there: {error.strerror}", file=str(out)) from None
    return out
