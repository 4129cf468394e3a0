"""What stood at one position of a trial: the memory, the working context and the world."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from runs.agents import agent_for
from runs.replaying import recorded_arm
from runs.telling import mention
from runs.tracing import find_trial
from scoring.decisions import Stage, stage_at
from scoring.holdings import Held, History, Step, held_after, histories
from scoring.run import Run, Trial, load_run
from simulator.effects.memory import Item
from simulator.engine.turning import Turn
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError, nearest
from simulator.replay import Diverged, recorded_turns, travel


def moment(folder: Path, name: str, at: str, replay: bool = False) -> Json:
    """Return what stood in one trial as the event at `at` left it.

    Of the memory that is what the last change at or before that event left; a change that is
    under way there is named as `pending`.

    Args:
        folder: Folder of the run.
        name: The trial's id, or parts of it that no other has.
        at: A position or an event's id.
        replay: Re-execute the trial up to there and hold the log's tale against the memory itself.

    Raises:
        InputError: when there is no such run, trial or event.
    """
    with load_run(folder) as run:
        trial = run.trial(find_trial(run, name))
        position = find_position(trial, at)
        stage = stage_at(trial, position)
        turns = recorded_turns(run.log, trial.name)
        passed = [turn.options for turn in turns if turn.position <= position]
        return {
            "trial": trial.name,
            "arm": passed[-1] if passed else trial.events[0].body["options"],
            "events": len(trial.events),
            "at": mention(trial, trial.events[position].id),
            "memory": _memory(trial, position, turns),
            "context": [surface.model_dump() for surface in stage.context],
            "world": _world(trial, position, stage),
            "replayed": _replayed(run, trial, position) if replay else None,
        }


def find_position(trial: Trial, at: str) -> int:
    """Return the position of an event that is named by its position or its id.

    Raises:
        InputError: when the trial has no such event, with the nearest one.
    """
    if at in trial.by_id:
        return trial.by_id[at].position
    last = len(trial.events) - 1
    if at.isdecimal() and at.isascii():
        if int(at) <= last:
            return int(at)
        raise InputError(f"trial {trial.name!r} has no event {at}: its last one is {last}")
    if at.startswith("#"):
        raise InputError(f"trial {trial.name!r} has no event {at!r}; a position is a bare number")
    authored = [event.id for event in trial.events if not event.id.startswith("#")]
    raise InputError(f"trial {trial.name!r} has no event {at!r}{nearest(at, authored)}")


def _memory(trial: Trial, position: int, turns: Sequence[Turn]) -> dict[str, Json]:
    past = histories(trial.events, position)
    held = {name: held_after(steps) for name, steps in past.items()}
    kept = [item for item in held.values() if item is not None]
    order = sorted(past, key=lambda name: held[name] is None)  # stable: the gone go last
    changes = [each for each in trial.events[: position + 1] if each.kind == "memory_change"]
    return {
        "as_of": changes[-1].position if changes else None,
        "pending": _pending(trial, position, turns),
        "held": len(kept),
        "hidden": sum(item.hidden for item in kept),
        "history": sum(item.replaced_by is not None for item in kept),
        "gone": len(past) - len(kept),
        "items": [_item(trial, past[name]) for name in order],
    }


def _pending(trial: Trial, position: int, turns: Sequence[Turn]) -> int | None:
    """Return the position of a change that the events so far have begun and not ended.

    A memory that takes over in a fork goes through the past again; that begins at its turn.
    """
    ahead = [turn.position for turn in turns if turn.anew and turn.position > position]
    for event in trial.events[position + 1 : min(ahead, default=None)]:
        if event.kind == "memory_change":
            causes = [trial.by_id[name] for name in event.causes if name in trial.by_id]
            if any(cause.position <= position for cause in causes):
                return event.position
    return None


def _item(trial: Trial, past: History) -> dict[str, Json]:
    item = past[-1].item
    return {
        "id": item.id,
        "state": _state(past),
        "text": item.text,
        "scope": item.scope,
        "role": item.role,
        "replaced_by": item.replaced_by,
        "sources": [mention(trial, source) for source in item.sources],
        "saw": list(item.saw),
        "steps": [_step(trial, step) for step in past],
    }


def _state(past: History) -> str:
    """Return `gone`, `hidden`, `history` (another item stands for it) or `held`."""
    item = held_after(past)
    if item is None:
        return "gone"
    if item.hidden:
        return "hidden"
    return "held" if item.replaced_by is None else "history"


def _step(trial: Trial, step: Step) -> dict[str, Json]:
    """Return what happened, and up to the scripted event, what made it happen."""
    cause = trial.by_id.get(step.cause)
    chain = [step.cause, *(cause.causes if cause and cause.kind == "boundary" else ())]
    return {
        "position": step.position,
        "event": step.event,
        "what": step.what,
        "why": step.why,
        "by": list(step.by),
        "text": step.item.text,
        "causes": [mention(trial, name) for name in chain if name],
    }


def _world(trial: Trial, position: int, stage: Stage) -> dict[str, Json]:
    """Return the world's state, its size in bytes of canonical JSON, and its changes so far."""
    changes = [each for each in trial.events[: position + 1] if each.kind == "world_change"]
    return {
        "bytes": len(canonical_json(stage.world).encode()),
        "patches": [
            {
                "position": each.position,
                "patch": each.body["patch"],
                "call": [mention(trial, cause) for cause in each.causes],
            }
            for each in changes
        ],
        "state": stage.world,
    }


def _replayed(run: Run, trial: Trial, position: int) -> dict[str, Json]:
    """Ask the memory itself, re-executed up to the last change at or before a position."""
    arm = recorded_arm(run.log, trial.name)
    places = [
        event.position for event in trial.events[: position + 1] if event.kind == "memory_change"
    ][-1:]
    agent = agent_for(arm, partial(run.key, trial.arc))
    try:
        asked = travel(run.log, trial.name, trial.script, arm, trial.seed, places, agent)
    except Diverged as diverged:
        differs = f"the replay differs from the record at event {diverged.position}"
        return {"agrees": False, "as_of": None, "differences": [differs]}
    items = next(iter(asked.values()), ())
    past = histories(trial.events, position)
    told = {name: item for name, steps in past.items() if (item := held_after(steps))}
    held = {item.id: _held(item, told.get(item.id)) for item in items}
    found = list(_differences(told, held))
    as_of = places[0] if places else None
    return {"agrees": not found, "as_of": as_of, "differences": found}


def _held(item: Item, told: Held | None) -> Held:
    """Return an item as the log tells it, which names the stores of what was forgotten alone."""
    return Held(
        id=item.id,
        text=item.text,
        sources=tuple(sorted(item.sources)),
        saw=tuple(sorted(item.saw)),
        scope=item.scope,
        role=item.role,
        hidden=item.hidden,
        replaced_by=item.replaced_by,
        store=item.store if told is not None and told.store is not None else None,
    )


def _differences(told: dict[str, Held], held: dict[str, Held]) -> Iterator[str]:
    for name in {**told, **held}:
        log, memory = told.get(name), held.get(name)
        if log is None or memory is None:
            yield f"{name}: {'the memory' if log is None else 'the log'} alone has it"
            continue
        for field, value in asdict(log).items():
            other = getattr(memory, field)
            if value != other:
                yield f"{name}: {field} is {value!r} by the log and {other!r} in the memory"
