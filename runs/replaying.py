"""Replays a whole run from its folder."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from runs.agents import agent_for
from scoring.run import Run, load_run
from simulator.engine.arm import Arm
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.log.bodies import body_of, causes_of
from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.replay import Diverged, replay_begun, replay_trial


@dataclass(frozen=True)
class Divergence:
    """Where a replay first differs from the record.

    Attributes:
        trial: The trial.
        position: Position of the event.
        recorded: The recorded event with its texts, or None where the record has ended.
        replayed: The replayed event with its texts, or None where the replay has ended.
    """

    trial: str
    position: int
    recorded: Json
    replayed: Json


@dataclass(frozen=True)
class ReplayResult:
    """What a replay came to; model calls are always 0, for there is no model to call.

    Attributes:
        trials: Trials replayed to their end.
        events: Events compared.
        unfinished: Trials that were begun and never sealed; they are not replayed.
        divergence: The first difference, or None.
        incomplete: True when the log is a copy without its journal: what was recorded last may
            be missing.
    """

    trials: int
    events: int
    unfinished: tuple[str, ...]
    divergence: Divergence | None
    incomplete: bool = False


def replay_run(folder: Path, report: Callable[[int, int], None]) -> ReplayResult:
    """Replay every sealed trial until the first difference.

    Raises:
        InputError: when the folder is no run, or its frozen scripts do not fit.
    """
    run = load_run(folder)
    names = run.sealed
    events = 0
    with run:
        for done, name in enumerate(names, start=1):
            try:
                events += rerun(run, name)
            except Diverged as diverged:
                found = explain(diverged, run.log)
                return ReplayResult(done - 1, events, run.unfinished, found, run.log.incomplete)
            report(done, len(names))
        return ReplayResult(len(names), events, run.unfinished, None, run.log.incomplete)


def rerun(run: Run, name: str, whole: bool = True) -> int:
    """Re-execute one recorded trial and return the number of events compared.

    Without `whole` the trial may go on where its record ends; it needs one event at least.

    Raises:
        Diverged: at the first event that differs.
        InputError: when its settings, script or key do not fit this version.
    """
    opened = body_of(next(iter(run.log.rows(name))))
    arm = recorded_arm(run.log, name)
    arc = opened["arc"]
    agent = agent_for(arm, partial(run.key, arc))
    play = replay_trial if whole else replay_begun
    return play(run.log, name, run.script(arc), arm, opened["seed"], agent)


def recorded_arm(log: EventLog, name: str) -> Arm:
    """Return the arm that a trial began with.

    Raises:
        InputError: when this version does not know such settings.
    """
    opened = body_of(next(iter(log.rows(name))))
    try:
        return Arm.from_description(opened["arm"], opened["options"])
    except (KeyError, ValidationError) as error:
        raise InputError(
            f"trial {name!r} was played under settings unknown here: {error}"
        ) from None


def explain(diverged: Diverged, log: EventLog) -> Divergence:
    """Return a divergence with its events read, and prompts beside their hashes."""

    def replayed_text(content: str) -> str:
        return diverged.texts.get(content, b"").decode("utf-8", "replace")

    return Divergence(
        diverged.trial,
        diverged.position,
        _readable(diverged.recorded, log.text),
        _readable(diverged.replayed, replayed_text),
    )


def _readable(row: Row | None, text: Callable[[str], str]) -> Json:
    """Return a row with its JSON read and, for a completion, the prompt's text."""
    if row is None:
        return None
    body = body_of(row)
    if row.kind in ("completion", "call_failed"):
        content = str(body.get("rendered") or body.get("asked"))
        body["prompt"] = text(content)
    return {
        "position": row.position,
        "id": row.id,
        "kind": row.kind,
        "time": row.time,
        "causes": causes_of(row),
        "body": body,
        "hash": row.hash,
    }
