"""`memtrial backup`."""

from pathlib import Path

from runs.backup import back_up
from runs.commands.output import progress


def backup(folder: Path, file: Path) -> None:
    """Copy a run, which may be going on, into one file."""
    with progress("copied pages") as report:
        made = back_up(folder, file, report)
    begun = f", {made.unfinished} begun" if made.unfinished else ""
    print(f"backup: {file} ({made.trials} trials{begun})\nroot {made.root}")
