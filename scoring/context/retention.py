"""Retention: whether what was planted is known when it is asked for, beside whether it was kept.

Retention is a diagnostic and never part of compliance: the questions are asked on forks, of which
the branch that is scored knows nothing.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scoring.planting import Question
from scoring.scorers import CLAUSE, Scorer
from simulator.events import Json

Asked = tuple[str, str]
"""Name of the trial that is scored, and id of the probe that was asked about."""


class Cells(NamedTuple):
    """Probes by whether they were known when asked, and kept when it mattered.

    Attributes:
        knew_kept: Known and complied with.
        knew_broke: Known, and violated all the same.
        kept_only: Complied with, and not known: perhaps a habit.
        neither: Neither known nor complied with.
        errors: Those of them where an error stands in the place of an answer; they count as not
            known.
    """

    knew_kept: int = 0
    knew_broke: int = 0
    kept_only: int = 0
    neither: int = 0
    errors: int = 0

    @property
    def asked(self) -> int:
        """All probes that were asked about."""
        return self.knew_kept + self.knew_broke + self.kept_only + self.neither


def knows(text: str | None, question: Question, scorer: Scorer = CLAUSE) -> bool:
    """Return whether an answer asserts all that a right one says; an error knows nothing.

    What only repeats the question is no answer.
    """
    if text is None:
        return False
    read = (scorer.reads(phrase, text, question.text) for phrase in question.says)
    return all(each.verdict == "asserted" for each in read)


def retention(
    answers: Mapping[Asked, str | None],
    questions: Mapping[Asked, Question],
    kept: Mapping[Asked, bool],
    scorer: Scorer = CLAUSE,
) -> Cells:
    """Count the four cells over the probes that were asked about and have a verdict.

    Args:
        answers: What was said to each question; None where an error stands in its place.
        questions: The question of each of them.
        kept: Whether each probe was complied with in the branch that is scored.
        scorer: The rules for phrases.
    """
    counts = dict.fromkeys(Cells._fields, 0)
    for asked, text in answers.items():
        if asked in kept:
            counts[_cell(knows(text, questions[asked], scorer), kept[asked])] += 1
            counts["errors"] += text is None
    return Cells(**counts)


def _cell(knew: bool, kept: bool) -> str:
    if knew:
        return "knew_kept" if kept else "knew_broke"
    return "kept_only" if kept else "neither"


def retention_columns(cells: Cells) -> dict[str, Json]:
    """Return the cells as columns: `retention` is the share known, None where nothing was asked."""
    knew = cells.knew_kept + cells.knew_broke
    return {
        "retention": knew / cells.asked if cells.asked else None,
        "n_retention": cells.asked,
        **{f"retention_{name}": count for name, count in cells._asdict().items()},
    }
