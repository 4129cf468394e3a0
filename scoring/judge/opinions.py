"""The judge's log, read: who judged, and what it said of each answer."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scoring.judge.events import Judgement, JudgementFailed, JudgeNamed
from scoring.judge.question import Opinion, read_opinion
from scoring.run import Run
from simulator.events import Json
from simulator.log.errors import LogDamaged
from simulator.log.findings import LogFault, Verification
from simulator.log.rows import RUN_STREAM, Row
from simulator.log.store import EventLog
from simulator.log.verify import verify

JUDGE_LOG = "judge.db"
"""Name of the judge's log in a run's folder."""

_ELSEWHERE = "its opinions are about another recording of it, or another judge's"


@dataclass(frozen=True)
class Judged:
    """What became of one question.

    Attributes:
        probe: The probe whose answer was graded.
        opinion: The opinion; None when the judge could not be asked.
        reply: What it replied, or what failed.
        usage: Tokens of the call by name; None when it failed.
    """

    probe: str
    opinion: Opinion | None
    reply: str
    usage: dict[str, int] | None


@dataclass(frozen=True)
class Opinions:
    """An open log of a judge.

    Attributes:
        named: Who judged, with what question.
        log: The log.
        judge: Hash of the event that names the judge.
        heads: Sealed trial of the run to its head.
        trials: The trials that were judged, wholly or in part.
    """

    named: JudgeNamed
    log: EventLog
    judge: str
    heads: Mapping[str, str]
    trials: frozenset[str]

    def of(self, trial: str) -> dict[str, Judged]:
        """Return probe to what was said of it; empty for a trial that was not judged.

        Raises:
            LogDamaged: when the log was changed, or is about another recording of the trial.
        """
        if trial not in self.trials:
            return {}
        if not self.fits(trial):
            raise LogDamaged(f"{JUDGE_LOG}: {trial}: {_ELSEWHERE}")
        found = (_judged(row) for row in self.log.sound_rows(trial))
        return {each.probe: each for each in found}

    def fits(self, trial: str) -> bool:
        """Return whether a stream is this judge's, about the recording that the run holds."""
        head = self.heads.get(trial)
        return head is not None and self.log.genesis(trial) == genesis(head, self.judge)


def genesis(head: str, judge: str) -> Json:
    """Return what a trial's stream begins with: the head that is judged, and by whom.

    `judge` is the hash of the event that names the judge.
    """
    return {"head": head, "judge": judge}


@contextmanager
def open_opinions(run: Run) -> Iterator[Opinions | None]:
    """Open the judge's log of a run; None where there is none.

    Raises:
        LogDamaged: when it was changed.
    """
    path = run.folder / JUDGE_LOG
    if not path.is_file():
        yield None
        return
    with EventLog.open(path) as log:
        yield read_opinions(log, run.log.heads())


def read_opinions(log: EventLog, heads: Mapping[str, str]) -> Opinions:
    """Read who judges from a judge's log; `heads` are those of the trials of its run.

    Raises:
        LogDamaged: when it was changed, or names nobody.
    """
    trials = {stream.trial for stream in log.streams()}
    row = next(log.sound_rows(RUN_STREAM), None) if RUN_STREAM in trials else None
    if row is None or row.kind != JudgeNamed.kind:
        raise LogDamaged(f"{JUDGE_LOG}: nobody is named as the judge")
    named = JudgeNamed(**json.loads(row.body), scope=row.scope)
    return Opinions(named, log, row.hash, heads, frozenset(trials - {RUN_STREAM}))


def _judged(row: Row) -> Judged:
    body = json.loads(row.body)
    if row.kind == Judgement.kind:
        return Judged(body["probe"], read_opinion(body["text"]), body["text"], body["usage"])
    if row.kind == JudgementFailed.kind:
        reply = f"{body['culprit']} {body['fault']}: {body['message']}"
        return Judged(body["probe"], None, reply, None)
    raise LogDamaged(f"{JUDGE_LOG}: an event of kind {row.kind!r} is no judge's")


def verify_opinions(folder: Path, heads: Mapping[str, str]) -> Verification | None:
    """Check the judge's log of a run; None where there is none.

    Besides what `simulator.log.verify` checks, each stream must be about the recording of its
    trial whose head is in `heads`.

    Raises:
        InputError: when the file is no log.
    """
    path = folder / JUDGE_LOG
    if not path.is_file():
        return None
    found = verify(path)
    strange: tuple[LogFault, ...] = ()
    if found.ok:
        try:
            strange = tuple(_strange(path, heads))
        except LogDamaged as error:
            strange = (LogFault(trial=None, position=None, what=str(error)),)
    return found.model_copy(
        update={"ok": found.ok and not strange, "faults": found.faults + strange}
    )


def _strange(path: Path, heads: Mapping[str, str]) -> Iterator[LogFault]:
    with EventLog.open(path) as log:
        opinions = read_opinions(log, heads)
        for trial in sorted(opinions.trials):
            if not opinions.fits(trial):
                yield LogFault(trial=trial, position=None, what=_ELSEWHERE)
