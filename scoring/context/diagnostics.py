"""What stands beside compliance and is read from more than one trial at a time.

Retention: what was known when it was asked for, on forks in a run of their own. Influence: what
withdrawn content moved, from counterparts of a task.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from scoring.context.answers import answers, asked_of
from scoring.context.influence import influence
from scoring.context.retention import Asked, retention, retention_columns
from scoring.grouping import ARM_FACTORS, Setting
from scoring.keys import Key
from scoring.metrics import Played
from scoring.names import named
from scoring.planting import Question
from scoring.run import Run
from scoring.scorers import Scorer
from simulator.events import Json

Keys = Callable[[Run, str], Key]
"""Returns the key that an arc of a run is scored by."""


def retention_rows(
    runs: Sequence[tuple[Setting, Run]],
    played: Iterable[tuple[Setting, Played]],
    keys: Keys,
    scorer: Scorer,
) -> list[dict[str, Json]]:
    """Return a row an arm and kind of probe that was asked about, and one an arm for all kinds.

    The last has `probe_kind` None. Empty where no run holds answers.

    Raises:
        InputError: when the answers beside a run are about another recording.
    """
    groups: dict[tuple[str, str, str | None], _Asked] = defaultdict(_Asked)
    settings = {setting.run: setting for setting, _ in runs}
    for run, arm, each in _told(runs, played, keys):
        for kind in (None, each.kind):
            groups[run, arm, kind].add(each)
    return [
        {
            "run": run,
            "arm": arm,
            **_factors(settings[run], arm),
            "probe_kind": kind,
            **retention_columns(
                retention(group.answers, group.questions, group.kept, scorer),
            ),
        }
        for (run, arm, kind), group in sorted(groups.items(), key=lambda each: _order(each[0]))
    ]


@dataclass(frozen=True)
class _Probe:
    """One probe that was asked about and has a verdict."""

    asked: Asked
    kind: str
    answer: str | None
    question: Question
    kept: bool


@dataclass
class _Asked:
    """Probes of one row."""

    answers: dict[Asked, str | None] = field(default_factory=dict)
    questions: dict[Asked, Question] = field(default_factory=dict)
    kept: dict[Asked, bool] = field(default_factory=dict)

    def add(self, probe: _Probe) -> None:
        self.answers[probe.asked] = probe.answer
        self.questions[probe.asked] = probe.question
        self.kept[probe.asked] = probe.kept


def _told(
    runs: Sequence[tuple[Setting, Run]], played: Iterable[tuple[Setting, Played]], keys: Keys
) -> Iterator[tuple[str, str, _Probe]]:
    """Yield run, arm and probe of each answer about a probe that has a verdict."""
    judged = {
        (setting.run, f"{each.arc}/{each.arm}/{each.seed}", seen.probe): (each.arm, seen)
        for setting, each in played
        if each.finished
        for seen in each.observed
        if seen.skipped is None
    }
    for setting, run in runs:
        with asked_of(run) as asked:
            for trial, told in () if asked is None else answers(asked):
                if (setting.run, trial, told.probe) in judged:
                    arm, seen = judged[setting.run, trial, told.probe]
                    question = _question(keys(run, named(trial).arc), told.probe)
                    about = (trial, told.probe)
                    yield (
                        setting.run,
                        arm,
                        _Probe(about, seen.kind, told.text, question, seen.success),
                    )


def _question(key: Key, probe: str) -> Question:
    planting = next(each.planting for each in key.probes if each.id == probe)
    assert planting is not None and planting.question is not None  # or it had not been asked
    return planting.question


def _order(key: tuple[str, str, str | None]) -> tuple[str, str, str]:
    run, arm, kind = key
    return run, arm, kind or ""


def _factors(setting: Setting, arm: str) -> dict[str, Json]:
    options = setting.manifest.arms[arm]
    return {name: options.get(name) for name in ARM_FACTORS}


def influence_rows(runs: Sequence[tuple[Setting, Run]], keys: Keys) -> list[dict[str, Json]]:
    """Return a row an arm; empty where no run has played counterparts of withdrawn content."""
    return [
        {"run": setting.run, "arm": each.arm, **_factors(setting, each.arm), **each.columns()}
        for setting, run in runs
        for each in influence(run, partial(keys, run))
    ]


def with_retention(rows: Sequence[Json], known: Sequence[Json]) -> list[Json]:
    """Return rows of a comparison with the share that was known, where a row is about one arm."""
    shares = {(row["run"], row["arm"], row["probe_kind"]): row["retention"] for row in known}
    return [
        {**row, "retention": shares.get((row.get("run"), row.get("arm"), row.get("probe_kind")))}
        for row in rows
    ]
