"""Hypotheses: one arm held against another, on the decisions that a hypothesis is about."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from scoring.analysis.declared import Analysis, Hypothesis
from scoring.analysis.metrics import instances
from scoring.analysis.pairing import family_hypotheses, pairs
from scoring.analysis.sheets import Cell, Seen, Sheet
from scoring.contrasts import TESTED, Instances, held_against
from scoring.statistics import Paired

Sides = tuple[list[Seen], list[Seen]]
"""Decisions of the first arm, and of the second."""


@dataclass(frozen=True)
class Comparison:
    """One hypothesis about two arms on one cell of decisions.

    Attributes:
        sheet: The run.
        hypothesis: What is said.
        status: `declared`, or `exploratory` when it was asked after the first trial.
        threshold: Dependent success that a model needs under its replay control.
        first: Id of the arm that stands first.
        second: Id of the arm that it is held against.
        cell: What the analysis splits by, with the values of this cell.
        result: The comparison; None when the arms share no decision that counts.
        confirmation: The same on the arcs of the seed of confirmation; None without one.
        default: It belongs to a default family and is no statement of the suite's own.
    """

    sheet: Sheet = field(repr=False)
    hypothesis: Hypothesis
    status: str
    threshold: float
    first: str
    second: str
    cell: Cell
    result: Paired | None
    confirmation: Paired | None
    default: bool = False

    @property
    def _kinds(self) -> set[str]:
        return {self.sheet.evidence[self.first], self.sheet.evidence[self.second]}

    @property
    def evidence(self) -> str:
        """Evidence of both arms."""
        return " + ".join(sorted(self._kinds))

    @property
    def tested(self) -> bool:
        """True when a p may be given: neither arm is a scripted reader or an oracle."""
        return self.result is not None and self._kinds <= TESTED

    @property
    def family(self) -> tuple[str, str, str, str]:
        """What shares Holm's correction: one named family of one run, under one model."""
        run = self.sheet.setting.run
        return run, self.status, self.sheet.setting.rest(self.first), self.hypothesis.family


def comparisons(sheet: Sheet, analysis: Analysis, status: str) -> list[Comparison]:
    """Return everything that an analysis asks of one run."""
    arms = sheet.arms
    own = [(hypothesis, False) for hypothesis in analysis.hypotheses]
    usual = [(each, True) for name in analysis.families for each in family_hypotheses(name, arms)]
    return [
        Comparison(
            sheet,
            hypothesis,
            status,
            analysis.control_threshold,
            *pair,
            cell,
            *_results(sides, hypothesis, analysis),
            default,
        )
        for hypothesis, default in (*own, *usual)
        for pair in pairs(hypothesis, arms)
        for cell, sides in _cells(sheet, hypothesis, pair, analysis)
    ]


def _cells(
    sheet: Sheet, hypothesis: Hypothesis, pair: tuple[str, str], analysis: Analysis
) -> Iterator[tuple[Cell, Sides]]:
    """Yield each cell in which an arm has decisions, with the decisions of both."""
    first, second = (sheet.cells(arm, hypothesis.where, analysis.by) for arm in pair)
    for cell in sorted({**first, **second}, key=repr):
        yield cell, (first.get(cell, []), second.get(cell, []))


def _results(
    sides: Sides, hypothesis: Hypothesis, analysis: Analysis
) -> tuple[Paired | None, Paired | None]:
    """Return the result, and that on the arcs set apart for confirmation if there are any."""
    seed = analysis.confirm_seed
    if seed is None:
        return _held(sides, hypothesis, lambda each: True), None
    return (
        _held(sides, hypothesis, lambda each: each.generation_seed != seed),
        _held(sides, hypothesis, lambda each: each.generation_seed == seed),
    )


def _held(sides: Sides, hypothesis: Hypothesis, counts: Callable[[Seen], bool]) -> Paired | None:
    first, second = (_instances(filter(counts, side), hypothesis.metric) for side in sides)
    return held_against(first, second, hypothesis.direction)


def _instances(side: Iterable[Seen], metric: str) -> Instances:
    return instances((each.observed for each in side), metric)
