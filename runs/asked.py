"""An analysis that is asked of a run after it was played."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from runs.lines import line_of, place_of
from runs.suite import analysis_fault, read_toml
from scoring.analysis.checking import check_analysis
from scoring.analysis.declared import Analysis
from scoring.run import Run
from simulator.events.errors import InputError


def read_analysis(path: Path, runs: Sequence[Run]) -> Analysis:
    """Return the `[analysis]` of a TOML file, which may be a whole suite.

    Raises:
        InputError: naming file, line, field and the nearest valid name, for what is no analysis or
            fits none of the runs.
    """
    if not path.is_file():
        raise InputError("there is no such file", file=str(path))
    text, values = read_toml(path)
    if "analysis" not in values:
        raise InputError("this file has no [analysis]", file=str(path))
    try:
        return _fitting(_analysis(values["analysis"]), runs)
    except InputError as error:
        line = line_of(text, values, place_of(error.field)) if error.field else None
        raise InputError(error.message, file=str(path), line=line, field=error.field) from None


def _analysis(value: object) -> Analysis:
    try:
        return Analysis.model_validate(value)
    except ValidationError:
        message, place = analysis_fault(value)
        raise InputError(message, field=".".join(map(str, ("analysis", *place)))) from None


def _fitting(analysis: Analysis, runs: Sequence[Run]) -> Analysis:
    """Return the analysis when it fits one of the runs, else raise what the first lacks."""
    faults = []
    for run in runs:
        try:
            check_analysis(analysis, run.manifest.arms, map(run.key, run.manifest.arcs))
            return analysis
        except InputError as error:
            faults.append(error)
    raise faults[0]
