"""Asks the judge of a run, once for each scored text answer, into a log of its own.

The trials' log is finished by then and stays as it is. A reply is committed as soon as it was
paid for, and what has a reply is not asked again.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from runs.arms import named_fault
from runs.plan import Plan
from scoring.compare import score_runs
from scoring.judge.events import Judgement, JudgementFailed, JudgeNamed
from scoring.judge.opinions import JUDGE_LOG, Opinions, genesis, read_opinions
from scoring.judge.question import (
    EXAMPLES,
    INSTRUCTIONS,
    VERSION,
    Question,
    questions,
)
from scoring.run import Run, load_run
from simulator.effects.prompts import Completion
from simulator.engine.parts import make
from simulator.engine.recorder import Recorder
from simulator.engine.sinks import ListSink
from simulator.engine.sources import LiveSources, Sources
from simulator.events.errors import InputError
from simulator.events.faults import Fault
from simulator.events.recorded import Recorded, RootSealed
from simulator.log.rows import RUN_STREAM, Row
from simulator.log.store import EventLog
from simulator.models.port import CompletionRequest, Model
from simulator.models.rendering import RENDERERS

_BEGINS = {"log": "judge"}
"""What the run-level stream of a judge's log begins with."""

Report = Callable[[int, int], None]
"""Told how many answers are judged, of how many."""


@dataclass(frozen=True)
class JudgeResult:
    """What asking the judge of a run came to, over all times that it was asked.

    Attributes:
        answers: Scored text answers.
        asked: Questions put to the model this time.
        undecided: Replies that are no opinion.
        errors: Questions that failed.
        root: Root over the heads of the judge's log.
    """

    answers: int
    asked: int
    undecided: int
    errors: int
    root: str


@contextmanager
def open_judge(plan: Plan) -> Iterator["Judge | None"]:
    """Make the judge of a suite; None when it names none.

    Raises:
        InputError: when it cannot be made; better before the trials than after them.
    """
    if plan.judge is None or plan.suite.judge is None:
        yield None
        return
    with named_fault("model", plan.judge.name):
        model: Model = make("model", plan.judge)
        # The judge is the only model of these sources, so it has an agent's model's place.
        sources = LiveSources({"agent_model": model}, None)
    sink = ListSink()
    blob = Recorder(RUN_STREAM, None, sink).blob
    named = JudgeNamed(
        name=plan.judge.name,
        options=plan.judge.options,
        identity=sources.identities["agent_model"],
        version=VERSION,
        verdict_tokens=plan.suite.judge.verdict_tokens,
        instructions=blob(INSTRUCTIONS),
        examples=tuple(map(blob, EXAMPLES)),
    )
    try:
        yield Judge(sources, named, sink.blobs)
    finally:
        model.close()


@dataclass(frozen=True)
class Judge:
    """A judge that can be asked.

    Attributes:
        sources: Where its replies come from.
        named: What the log says of it.
        texts: The fixed texts of its question by hash.
    """

    sources: Sources
    named: JudgeNamed
    texts: dict[str, bytes]

    def judge(self, folder: Path, report: Report) -> JudgeResult:
        """Ask about every scored text answer of a finished run that has no reply yet.

        Trials that repeat another one under a further seed count nowhere and are not judged.

        Raises:
            InputError: when another judge, or another question, was asked about the run before.
            LogDamaged: when one of the two logs was changed.
        """
        path = folder / JUDGE_LOG
        if not path.exists():
            self._begin(path)
        with load_run(folder) as run, EventLog.open(path, write=True) as log:
            self._compare(log, path)
            opinions = read_opinions(log, run.log.heads())
            wanted = {name: [*questions(run.trial(name))] for name in _counted(run)}
            wanted = {name: found for name, found in wanted.items() if found}
            asked = self._ask_all(opinions, wanted, report)
            _seal(log)
            return _result(read_opinions(log, opinions.heads), wanted, asked)

    def _begin(self, path: Path) -> None:
        """Make a log that names the judge; a kill leaves the whole of it or no such file."""
        new = path.with_name(f"{path.name}.new")
        for left in path.parent.glob(f"{new.name}*"):
            left.unlink()
        with EventLog.create(new) as log:
            log.begin(RUN_STREAM, _BEGINS)
            log.append(RUN_STREAM, [self._row()], self.texts)
        os.replace(new, path)

    def _compare(self, log: EventLog, path: Path) -> None:
        """Hold this judge against the one that the log names."""
        old, new = (json.loads(row.body) for row in (next(log.rows(RUN_STREAM)), self._row()))
        differ = ", ".join(name for name in new if old.get(name) != new[name])
        if differ:
            message = f"another judge was asked about this run before: it differs in {differ}"
            raise InputError(message, file=str(path))

    def _row(self) -> Row:
        sink = ListSink()
        Recorder(RUN_STREAM, _BEGINS, sink).emit(self.named, 0)
        return sink.rows[0]

    def _ask_all(
        self, opinions: Opinions, wanted: dict[str, list[Question]], report: Report
    ) -> int:
        total, done, asked = sum(map(len, wanted.values())), 0, 0
        for trial, found in wanted.items():
            for new in _Stream(self, opinions, trial).ask(found):
                done, asked = done + 1, asked + new
                report(done, total)
        return asked


def _counted(run: Run) -> list[str]:
    played = (each for _, each in score_runs([run]).trials)
    return [f"{each.arc}/{each.arm}/{each.seed}" for each in played if each.finished]


class _Stream:
    """The stream of one trial's opinions, wherever it ended last time."""

    def __init__(self, judge: Judge, opinions: Opinions, trial: str) -> None:
        self._judge, self._log, self._trial = judge, opinions.log, trial
        self._begins = genesis(opinions.heads[trial], opinions.judge)
        self._sink = ListSink()
        self._recorder = Recorder(trial, self._begins, self._sink)
        self._begun = trial in opinions.trials
        rows = [*self._log.sound_rows(trial)] if self._begun else []
        self._done = opinions.of(trial)
        self._sealed = trial in self._log.heads()
        self._previous = ""
        if rows:
            self._recorder.resume_after(rows[-1])
            self._previous = self._log.text(json.loads(rows[-1].body)["rendered"])

    def ask(self, wanted: list[Question]) -> Iterator[bool]:
        """Ask what has no reply, seal the stream, and yield for each question whether it was asked.

        A sealed stream is left as it is: what another version would ask besides stays unasked.
        """
        for question in wanted:
            new = not self._sealed and question.probe not in self._done
            if new:
                self._write(self._asked(question))
            yield new
        if not self._sealed:
            self._log.seal(self._trial)

    def _asked(self, question: Question) -> Recorded:
        rendered = RENDERERS[self._judge.named.identity["renderer"]](question.prompt)
        about = {
            "probe": question.probe,
            "decision": question.decision,
            "rendered": self._recorder.blob(rendered),
            "seed": question.seed,
        }
        previous, self._previous = self._previous, rendered
        try:
            said = self._complete(question, rendered, previous)
        except Fault as fault:
            told = (fault.culprit, fault.fault, fault.message, fault.detail)
            names = ("culprit", "fault", "message", "detail")
            return JudgementFailed(**about, **dict(zip(names, told, strict=True)))
        return Judgement(**about, text=said.text, finish=said.finish, usage=said.usage.model_dump())

    def _complete(self, question: Question, rendered: str, previous: str) -> Completion:
        tokens = self._judge.named.verdict_tokens
        request = CompletionRequest(question.prompt, rendered, previous, tokens, question.seed)
        return self._judge.sources.complete("agent_model", request)

    def _write(self, event: Recorded) -> None:
        if not self._begun:
            self._log.begin(self._trial, self._begins)
            self._begun = True
        self._recorder.emit(event, 0)
        self._log.append(self._trial, self._sink.rows, self._sink.blobs)
        self._sink.rows.clear()
        self._sink.blobs.clear()


def _seal(log: EventLog) -> None:
    """Record the root over all opinions and seal the run-level stream, unless that was done."""
    if any(stream.trial == RUN_STREAM and stream.sealed for stream in log.streams()):
        return
    last = [*log.rows(RUN_STREAM)][-1]
    if last.kind != RootSealed.kind:
        sink = ListSink()
        recorder = Recorder(RUN_STREAM, log.genesis(RUN_STREAM), sink)
        recorder.resume_after(last)
        recorder.emit(RootSealed(root=log.root(), trials=len(log.heads())), 0)
        log.append(RUN_STREAM, sink.rows, {})
    log.seal(RUN_STREAM)


def _result(opinions: Opinions, wanted: dict[str, list[Question]], asked: int) -> JudgeResult:
    found = Counter(each.opinion for trial in wanted for each in opinions.of(trial).values())
    answers = sum(map(len, wanted.values()))
    return JudgeResult(answers, asked, found["undecided"], found[None], opinions.log.root())
