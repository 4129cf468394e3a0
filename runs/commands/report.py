"""`memtrial report`."""

from pathlib import Path

from runs.commands.output import PROCESSES
from runs.report import write_report
from scoring.run import load_run


def report(folder: Path, html: Path | None) -> None:
    """Write a run's report and say where it is."""
    out = html or (folder.with_suffix(".html") if folder.is_file() else folder / "report.html")
    print(f"report: {write_report(folder, out, PROCESSES)}")
    with load_run(folder) as run:
        print(f"root {run.log.root()}")
