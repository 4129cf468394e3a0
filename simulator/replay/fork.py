"""Fork: re-execute a trial up to a position, change one thing there, and go on live."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from simulator.agents.port import Agent
from simulator.engine.arm import Arm
from simulator.engine.parts import make_agent
from simulator.engine.playing import play_trial
from simulator.engine.sinks import ListSink
from simulator.engine.sources import Sources
from simulator.engine.trial import genesis, trial_id
from simulator.engine.turning import Turn
from simulator.events import Json, Script
from simulator.log.rows import Row, hashed_fields
from simulator.log.store import EventLog
from simulator.replay.again import behind
from simulator.replay.changes import AskInstead, Change
from simulator.replay.record import Diverged, RecordedSources, ReplaySink
from simulator.replay.reuse import ReusingSources
from simulator.replay.turns import Parent, plan_turn

Report = Callable[[int, int], None]
"""Told how many decisions are done, of how many."""


@dataclass(frozen=True)
class Fork:
    """A forked trial, played to its end.

    Attributes:
        trial: Its id.
        turn: Where it leaves its parent, and what is other from there.
        genesis: What its stream begins with.
        rows: Its events; those before `turn.position` are the parent's in all but the hash.
        blobs: Contents that they refer to, by SHA-256.
        reused: Position of a call from there on that the parent's record answered, to the tokens
            that were not asked for again: all of a completion's, and of an embedding's those of
            the texts whose vectors were recorded.
        asked: Calls that reached a live model or embedder.
    """

    trial: str
    turn: Turn
    genesis: Json = field(repr=False)
    rows: list[Row] = field(repr=False)
    blobs: dict[str, bytes] = field(repr=False)
    reused: dict[int, int]
    asked: int

    def write(self, log: EventLog) -> str:
        """Write the trial into a log, sealed, and return its head.

        Raises:
            LogRefused: when the log has a trial of this id.
        """
        return log.write_trial(self.trial, self.genesis, self.rows, self.blobs)

    def text(self, content: str) -> str:
        """Return the text that has this hash."""
        return self.blobs[content].decode("utf-8")


class ForkSink(ListSink):
    """Keeps all rows, and holds those before the turning point against the parent's."""

    def __init__(self, parent: str, shared: Sequence[Row], told: Callable[[Row], None]) -> None:
        super().__init__()
        self._parent = parent
        self._shared = shared
        self._told = told

    def take(self, row: Row) -> None:
        """Take one row.

        Raises:
            Diverged: when the parent has another event here.
        """
        if row.position < len(self._shared):
            recorded = self._shared[row.position]
            if hashed_fields(recorded) != hashed_fields(row):
                raise Diverged(self._parent, row.position, recorded, row, self.blobs)
        super().take(row)
        self._told(row)


def fork_trial(
    log: EventLog,
    trial: str,
    script: Script,
    at: int | str,
    change: Change,
    *,
    sources: Callable[[Arm], Sources],
    agent: Agent | None = None,
    report: Report = lambda done, of: None,
) -> Fork:
    """Play a sealed trial again with one thing changed from a position on.

    Args:
        log: The parent's log.
        trial: The parent's id; it may be a fork itself.
        script: What it played.
        at: A position, or the id of an event. Inside of a decision, a boundary or a notice the
            fork is taken at its beginning; `Fork.turn.position` says where.
        change: What is changed.
        sources: Gives the live sources of an arm, such as `Backends.sources`; they are asked
            only what the parent's record does not answer.
        agent: The agent, for an oracle, which the arm alone cannot make.
        report: Told of each decision.

    Raises:
        InputError: for an unknown position or event, a change that makes no sense there, and a
            model or embedder that is not the one that the parent was played with.
        Diverged: when the parent does not play again as it is recorded.
        LogDamaged: when the parent's stream was changed after the run.
    """
    parent = Parent(log, trial, script)
    made = plan_turn(parent, at, change, sources)
    turns = [*(turn for turn in parent.turns if turn.position < made.turn.position), made.turn]
    decisions = _Decisions(script, report)
    sink = ForkSink(trial, parent.rows[: made.turn.position], decisions.take)
    record = RecordedSources(log, trial, ReplaySink(trial, ()))
    reusing = ReusingSources(made.live, log, _reusable(parent, change), parent.turns)
    play_trial(
        script,
        parent.arm,
        parent.seed,
        agent=agent or make_agent(parent.arm),
        sources=record,
        sink=sink,
        turns=[*behind(turns[:-1], record), (made.turn, reusing)],
    )
    if len(sink.rows) <= made.turn.position:
        position = len(sink.rows)
        raise Diverged(trial, position, parent.rows[position], None, {})
    return Fork(
        trial=trial_id(script.arc, made.turn.arm, parent.seed),
        turn=made.turn,
        genesis=genesis(script, parent.arm, turns),
        rows=sink.rows,
        blobs=sink.blobs,
        reused=_reused(sink.rows[made.turn.position :], reusing),
        asked=reusing.asked,
    )


def _reusable(parent: Parent, change: Change) -> Sequence[Row]:
    """Return the record that may answer calls of the fork; what was never asked is not in it."""
    return () if isinstance(change, AskInstead) else parent.rows


def _reused(rows: Iterable[Row], sources: ReusingSources) -> dict[int, int]:
    """Return the calls that cost nothing; each call's event is the next one after its answer."""
    calls = [row.position for row in rows if row.kind in ("completion", "embedding")]
    answers = zip(calls, sources.reused, strict=True)
    return {position: tokens for position, tokens in answers if tokens is not None}


class _Decisions:
    """Counts decisions for who waits."""

    def __init__(self, script: Script, report: Report) -> None:
        self._all = sum(1 for episode in script.episodes for _ in episode.decisions())
        self._done = 0
        self._report = report

    def take(self, row: Row) -> None:
        if row.kind == "decision":
            self._done += 1
            self._report(self._done, self._all)
