"""Arguments that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")]
TrialName = Annotated[
    str, typer.Argument(metavar="TRIAL", help="A trial's id, or parts of it that no other has.")
]
RunFolders = Annotated[list[Path], typer.Argument(metavar="RUN", help="Folders of runs.")]
