"""The judge's log, read: who judged, and what it said of each answer."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from scoring.judge.events import Judgement, JudgementFailed, JudgementServed, JudgeNamed
from scoring.judge.question import Opinion, read_opinion
from scoring.run import Run
from simulator.effects.prompts import Attempt, Usage
from simulator.events import Json
from simulator.events.recorded import Recorded
from simulator.log.errors import LogDamaged
from simulator.log.findings import LogFault, Verification
from simulator.log.rows import RUN_STREAM, Row
from simulator.log.store import EventLog
from simulator.log.verify import verify

JUDGE_LOG = "judge.db"
"""Name of the judge's log in a run's folder."""

_KINDS: dict[str, type[Recorded]] = {
    cls.kind: cls for cls in (JudgeNamed, JudgementServed, Judgement, JudgementFailed)
}

_ELSEWHERE = "its opinions are about another recording of it, or another judge's"


@dataclass(frozen=True)
class Judged:
    """What became of one question.

    Attributes:
        probe: The probe whose answer was graded.
        opinion: The opinion; None when the judge could not be asked.
        reply: What it replied, or what failed.
        used: Tokens of each request that used some, those that failed included.
    """

    probe: str
    opinion: Opinion | None
    reply: str
    used: tuple[Usage, ...] = ()


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
        found: dict[str, Judged] = {}
        tried: tuple[Usage, ...] = ()
        for row in self.log.sound_rows(trial):
            event = _event(row)
            if isinstance(event, JudgementServed):
                tried = tuple(_used(row, event.attempts))
            else:
                judged = _judged(row, event, tried)
                found[judged.probe], tried = judged, ()
        return found

    def fits(self, trial: str) -> bool:
        """Return whether a stream is this judge's, about the recording that the run holds."""
        head = self.heads.get(trial)
        return head is not None and self.log.genesis(trial) == genesis(head, self.judge)


def genesis(head: str, judge: str) -> Json:
    """Return what a trial's stream begins with: the head that is judged, and by whom.

    `judge` is the hash of the event that names the judge.
    """
    return {"head": head, "judge": judge}


def judge_path(run: Path) -> Path:
    """Return where the judge's log of a run is: in its folder, or beside the file of a backup."""
    return judge_beside(run) if run.is_file() else run / JUDGE_LOG


def judge_beside(backup: Path) -> Path:
    """Return where a backup has its judge's log: `copy.judge.db` beside `copy.db`."""
    return backup.with_name(f"{backup.stem}.judge{backup.suffix}")


@contextmanager
def open_opinions(run: Run) -> Iterator[Opinions | None]:
    """Open the judge's log of a run; None where there is none.

    Raises:
        LogDamaged: when it was changed.
    """
    path = judge_path(run.folder)
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
    named = _event(row)
    assert isinstance(named, JudgeNamed)
    return Opinions(named, log, row.hash, heads, frozenset(trials - {RUN_STREAM}))


def _event(row: Row) -> Recorded:
    """Read an event of a judge's log, which may come from anybody.

    Raises:
        LogDamaged: when it is of no kind that a judge's log has, or has not the fields of its kind.
    """
    kind = _KINDS.get(row.kind)
    if kind is None:
        raise LogDamaged(f"{JUDGE_LOG}: an event of kind {row.kind!r} is no judge's")
    try:
        return kind.model_validate_json(row.body, strict=True)
    except ValidationError as error:
        raise _unreadable(row, error) from None


def _judged(row: Row, event: Recorded, tried: tuple[Usage, ...]) -> Judged:
    if isinstance(event, Judgement):
        try:
            usage = Usage.model_validate(event.usage)
        except ValidationError as error:
            raise _unreadable(row, error) from None
        return Judged(event.probe, read_opinion(event.text), event.text, (*tried, usage))
    if isinstance(event, JudgementFailed):
        reply = f"{event.culprit} {event.fault}: {event.message}"
        return Judged(event.probe, None, reply, tried)
    raise LogDamaged(f"{JUDGE_LOG}: an event of kind {row.kind!r} is in no trial's stream")


def _used(row: Row, attempts: tuple[Json, ...]) -> Iterator[Usage]:
    """Yield what the requests of a call used that brought no reply, where the endpoint told it."""
    for told in attempts:
        try:
            attempt = Attempt.model_validate(told)
        except ValidationError as error:
            raise _unreadable(row, error) from None
        if attempt.usage is not None:
            yield attempt.usage


def _unreadable(row: Row, error: ValidationError) -> LogDamaged:
    first = error.errors(include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "body"
    what = f"event {row.position} of kind {row.kind!r} cannot be read: {place}: {first['msg']}"
    return LogDamaged(f"{JUDGE_LOG}: {what}")


def verify_opinions(folder: Path, heads: Mapping[str, str]) -> Verification | None:
    """Check the judge's log of a run; None where there is none.

    Besides what `simulator.log.verify` checks, each stream must be about the recording of its
    trial whose head is in `heads`.

    Raises:
        InputError: when the file is no log.
    """
    path = judge_path(folder)
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
                continue
            try:
                opinions.of(trial)
            except LogDamaged as error:
                yield LogFault(trial=trial, position=None, what=str(error))
