"""The judge beside the scorer, arm by arm: opinions, errors, agreement and kappa."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from scoring.agreement import agreed
from scoring.grouping import Setting
from scoring.judge.opinions import Judged, Opinions, open_opinions
from scoring.judge.question import Question, questions
from scoring.run import Run, Trial
from simulator.events import Json

NOTE = (
    "A model's opinion: it enters no headline. Agreement and kappa are over answers that the judge "
    "decided; the scorer's side are its checks on the text."
)
SIDES = ("pass", "fail")
"""What both the scorer and a judge that decides can say."""

_SAME = ("model", "gguf_sha256")


@dataclass(frozen=True)
class Held:
    """One scored text answer: what the scorer says of it, and what came of asking the judge.

    Attributes:
        arm: The arm that gave it.
        question: What the judge is asked, with the scorer's side.
        judged: What became of the question, None when it was not asked.
        own: The judge is the model that answered.
    """

    arm: str
    question: Question
    judged: Judged | None
    own: bool


def judge_table(runs: Sequence[tuple[Setting, Run, Iterable[str]]]) -> dict[str, Json] | None:
    """Return the judges of runs beside the scorer; None when no run has a judge.

    Each run is given with its setting and the trials that count. There is a row an arm, and one
    for all arms of a run with several, whose `arm` is None.

    Raises:
        LogDamaged: when a judge's log was changed.
    """
    rows: list[Json] = []
    for setting, run, trials in runs:
        with open_opinions(run) as opinions:
            if opinions is not None:
                rows += _rows(setting, opinions, [*_held(run, opinions, trials)])
    return {"rows": rows, "note": NOTE} if rows else None


def _held(run: Run, opinions: Opinions, trials: Iterable[str]) -> Iterator[Held]:
    for name in trials:
        trial = run.trial(name)
        found, own = opinions.of(name), _is_own(opinions, trial)
        for each in questions(trial):
            yield Held(trial.arm, each, found.get(each.probe), own)


def _is_own(opinions: Opinions, trial: Trial) -> bool:
    agent = trial.opened["identities"].get("agent_model", {})
    judge = opinions.named.identity
    return "model" in judge and all(agent.get(key) == judge.get(key) for key in _SAME)


def _rows(setting: Setting, opinions: Opinions, held: Sequence[Held]) -> list[Json]:
    by_arm = {arm: [each for each in held if each.arm == arm] for arm in setting.arms()}
    rows = [_row(setting.run, arm, opinions, part) for arm, part in by_arm.items() if part]
    return rows if len(rows) == 1 else [*rows, _row(setting.run, None, opinions, held)]


def _row(run: str, arm: str | None, opinions: Opinions, held: Sequence[Held]) -> Json:
    asked = [each.judged for each in held if each.judged is not None]
    given = Counter(each.opinion for each in asked)
    return {
        "run": run,
        "arm": arm,
        "judge": opinions.named.name,
        "model": opinions.named.identity.get("model", opinions.named.name),
        "version": opinions.named.version,
        "scripted": bool(opinions.named.identity.get("scripted")),
        "own_model": any(each.own for each in held),
        "n": len(held),
        "decided": given["pass"] + given["fail"],
        "undecided": given["undecided"],
        "errors": given[None],
        "unasked": len(held) - len(asked),
        **_agreement(held),
    }


def _agreement(held: Sequence[Held]) -> dict[str, Json]:
    pairs: list[tuple[str, str]] = []
    clusters: list[Hashable] = []
    for each in held:
        if each.judged is not None and each.judged.opinion in SIDES:
            pairs.append((each.question.scorer, each.judged.opinion))
            clusters.append(each.question.cluster)
    if not pairs:
        return dict.fromkeys(("agreement", "agreement_ci", "kappa", "kappa_ci", "confusion"))
    found = agreed(pairs, clusters, SIDES)
    return {
        "agreement": found.agreement,
        "agreement_ci": list(found.agreement_ci),
        "kappa": found.kappa,
        "kappa_ci": None if found.kappa_ci is None else list(found.kappa_ci),
        "confusion": {
            f"scorer_{one}_judge_{other}": found.confusion[row][column]
            for row, one in enumerate(SIDES)
            for column, other in enumerate(SIDES)
        },
    }
