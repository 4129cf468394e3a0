"""An analysis that is asked of a run after it was played."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from runs.lines import line_of, place_of
from runs.suite import analysis_fault, read_toml
from scoring.analysis.checking import Known, check_analysis, known_of
from scoring.analysis.declared import Analysis
from scoring.analysis.pairing import Arms
from scoring.run import Run
from simulator.events.errors import InputError

Asked = tuple[Arms, Known]
"""Arms, and what there is to ask about them."""


def of_runs(runs: Sequence[Run]) -> list[Asked]:
    """Return for each run what it can be asked about."""
    return [(run.manifest.arms, known_of(map(run.key, run.manifest.arcs))) for run in runs]


def read_analysis(path: Path, asked: Sequence[Asked]) -> Analysis:
    """Return the `[analysis]` of a TOML file, which may be a whole suite.

    Raises:
        InputError: naming file, line, field and the nearest valid name, for what is no analysis or
            fits none of what is `asked`.
    """
    if not path.is_file():
        raise InputError("there is no such file", file=str(path))
    text, values = read_toml(path)
    if "analysis" not in values:
        raise InputError("this file has no [analysis]", file=str(path))
    try:
        return _fitting(_analysis(values["analysis"]), asked)
    except InputError as error:
        line = line_of(text, values, place_of(error.field)) if error.field else None
        raise InputError(error.message, file=str(path), line=line, field=error.field) from None


def _analysis(value: object) -> Analysis:
    try:
        return Analysis.model_validate(value)
    except ValidationError:
        message, place = analysis_fault(value)
        raise InputError(message, field=".".join(map(str, ("analysis", *place)))) from None


def _fitting(analysis: Analysis, asked: Sequence[Asked]) -> Analysis:
    """Return the analysis when it fits one of them, else raise what the first lacks."""
    faults = []
    for arms, known in asked:
        try:
            check_analysis(analysis, arms, known)
            return analysis
        except InputError as error:
            faults.append(error)
    raise faults[0]
