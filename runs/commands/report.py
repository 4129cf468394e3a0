"""`memtrial report`."""

from pathlib import Path

from runs.report import write_report


def report(folder: Path, html: Path | None) -> None:
    """Write a run's report and say where it is."""
    print(f"report: {write_report(folder, html or folder / 'report.html')}")
