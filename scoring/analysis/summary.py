"""The whole analysis of scored runs: everything beside the rows of a comparison."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scoring.analysis import informative
from scoring.analysis.declared import Analysis, recorded
from scoring.analysis.flags import flags, replay_warnings, replays
from scoring.analysis.gates import gate_rows, gate_warnings
from scoring.analysis.hypotheses import Comparison, comparisons
from scoring.analysis.seeds import seed_rows
from scoring.analysis.sheets import Sheet, sheets
from scoring.analysis.sizes import needed_clusters
from scoring.analysis.stability import stability
from scoring.analysis.verdicts import hopeless, hypothesis_rows
from scoring.grouping import Setting, buckets
from scoring.metrics import Played
from simulator.events import Json, content_hash

DECLARED, EXPLORATORY = "declared", "exploratory"
_POWERLESS = (
    "no power is told: none of the hypotheses is tested here (scripted readers and oracles never are)",
)
_CELLS = ("arm", *informative.FACTORS)


@dataclass(frozen=True)
class Question:
    """What is asked of scored runs.

    Attributes:
        declared: Run to the analysis that it declared before its first trial.
        also: An analysis asked for now. It is exploratory unless it is the declared one.
        usual: What is asked of a run that declared nothing, when nothing else is asked of it.
        power: Simulate how many clusters each difference would need.
    """

    declared: Mapping[str, Json] = field(default_factory=dict)
    also: Analysis | None = None
    usual: Analysis = Analysis()
    power: bool = False


class Findings(NamedTuple):
    """What an analysis found.

    Attributes:
        columns: Keys of a comparison's answer.
        warnings: What a reader must not overlook.
    """

    columns: dict[str, Json]
    warnings: list[str]


class _Asked(NamedTuple):
    """What is asked of one run.

    Attributes:
        sheet: The run.
        analysis: What it declared, else what is asked for now, else the default.
        status: Whether it did.
        also: What is asked for besides and was not declared; None for nothing.
    """

    sheet: Sheet
    analysis: Analysis
    status: str
    also: Analysis | None


def analyse(
    settings: Sequence[Setting],
    trials: Sequence[tuple[Setting, Played]],
    question: Question,
) -> Findings:
    """Answer what the runs declared and what is asked of them now, from their scored trials."""
    asked = [_asked(sheet, question) for sheet in sheets(settings, trials)]
    gates = [row for each in asked for row in _gates(each)]
    controls = {(row["run"], row["rest"]): row["tsr_dependent"] for row in gates}
    found = [each for of in asked for each in _comparisons(of)]
    sizes = needed_clusters(found) if question.power else None
    cells, count = informative.uninformative(buckets(trials, _CELLS, settings))
    reads = replays(trials)
    columns: dict[str, Json] = {
        "analyses": [row for each in asked for row in _told(each)],
        "hypotheses": hypothesis_rows(found, controls, sizes),
        "seeds": [row for each in asked for row in seed_rows(each.sheet, each.analysis.by)],
        "stability": [row for each in asked if (row := stability(each.sheet)) is not None],
        "controls": [{k: v for k, v in row.items() if k != "rest"} for row in gates],
        "uninformative": cells,
        "full_replay": reads,
    }
    warnings = [
        *hopeless(found),
        *(_POWERLESS if sizes == {} else ()),
        *gate_warnings(gates),
        *informative.told(cells, count),
        *flags(settings, trials),
        *replay_warnings(reads),
        *_unreadable(question),
    ]
    return Findings(columns, warnings)


def _asked(sheet: Sheet, question: Question) -> _Asked:
    found = recorded(question.declared.get(sheet.setting.run))
    if found is None:
        return _Asked(sheet, question.also or question.usual, EXPLORATORY, None)
    return _Asked(sheet, found, DECLARED, None if question.also == found else question.also)


def _comparisons(asked: _Asked) -> list[Comparison]:
    made = comparisons(asked.sheet, asked.analysis, asked.status)
    if asked.also is not None:
        made += comparisons(asked.sheet, _more(asked.analysis, asked.also), EXPLORATORY)
    return made


def _more(declared: Analysis, also: Analysis) -> Analysis:
    """Return what is asked besides, without the default families that are there already."""
    alike = (declared.by, declared.confirm_seed) == (also.by, also.confirm_seed)
    left = [family for family in also.families if not alike or family not in declared.families]
    return also.model_copy(update={"families": tuple(left)})


def _gates(asked: _Asked) -> list[dict[str, Json]]:
    return gate_rows(asked.sheet, asked.analysis.control_threshold)


def _told(asked: _Asked) -> Iterator[dict[str, Json]]:
    run = asked.sheet.setting.run
    for status, analysis in ((asked.status, asked.analysis), (EXPLORATORY, asked.also)):
        if analysis is not None:
            dumped = analysis.dumped()
            yield {"run": run, "status": status, "hash": content_hash(dumped), "analysis": dumped}


def _unreadable(question: Question) -> list[str]:
    return [
        f"{run}: the analysis that it declared is not in the form of docs/statistics.md; the "
        "default one is shown, as exploratory"
        for run, declared in question.declared.items()
        if declared and recorded(declared) is None
    ]
