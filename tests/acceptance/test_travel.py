"""What the log tells of a memory is what the memory held: both are asked at every position."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from runs.forking import Wanted, fork_run
from runs.moments import moment
from runs.replaying import recorded_arm
from scoring.holdings import Held, held_at, histories
from scoring.run import Event, Run, Trial, load_run
from simulator.effects.memory import Item
from simulator.effects.registry import names
from simulator.engine.arm import Arm
from simulator.replay import travel


def recorded(item: Item, found: Held | None) -> Held:
    """Return what the log must say; of stores it says those that hold something forgotten."""
    return Held(
        id=item.id,
        text=item.text,
        sources=tuple(sorted(item.sources)),
        saw=tuple(sorted(item.saw)),
        scope=item.scope,
        role=item.role,
        hidden=item.hidden,
        replaced_by=item.replaced_by,
        store=item.store if found is not None and found.store is not None else None,
    )


def at_rest(trial: Trial) -> Iterator[int]:
    """Yield the positions at which no memory is at work: a boundary opens it, its change ends it."""
    working = False
    for event in trial.events:
        working = working and event.kind != "memory_change"
        if not working:
            yield event.position
        working = working or event.kind == "boundary"


def trials(run: Run) -> Iterator[Trial]:
    for trial in run.trials():
        if trial.opened["options"]["model"] == "last":
            yield trial


def test_the_log_and_the_memory_agree_at_every_position_of_every_memory(varied_run: Path) -> None:
    memories, whats, positions = set(), set(), 0
    with load_run(varied_run) as run:
        for trial in trials(run):
            arm = Arm.from_description(trial.arm, trial.opened["options"])
            places = list(at_rest(trial))
            script = run.script(trial.arc)
            truth = travel(run.log, trial.name, script, arm, trial.seed, places)
            assert sorted(truth) == places
            for place in places:
                found = held_at(trial.events, place)
                expected = {item.id: recorded(item, found.get(item.id)) for item in truth[place]}
                assert found == expected, (trial.name, place)
            memories.add(arm.memory.name)
            whats |= {step.what for past in histories(trial.events).values() for step in past}
            positions += len(places)
    assert memories == set(names("memory"))
    assert {"written", "replaced", "hidden", "restored", "evicted", "erased"} <= whats
    assert positions > 1000


def test_time_travel_stops_where_it_was_asked_to(varied_run: Path) -> None:
    with load_run(varied_run) as run:
        trial = next(trials(run))
        arm = Arm.from_description(trial.arm, trial.opened["options"])
        script = run.script(trial.arc)
        assert travel(run.log, trial.name, script, arm, trial.seed, []) == {}
        assert list(travel(run.log, trial.name, script, arm, trial.seed, [3])) == [3]


@pytest.mark.parametrize("memory", names("memory"))
def test_det_in_the_log_of_a_fork_the_memory_in_force_is_asked(
    varied_run: Path, tmp_path: Path, memory: str
) -> None:
    """Before the turn that is the parent's memory, from the turn on the one that took over."""
    with load_run(varied_run) as run:
        names = [name for name in run.sealed if name.startswith("talk/") and "+last+" in name]
    parent = next(
        name for name in names if f"/{'facts' if memory == 'replay' else 'replay'}-" in name
    )
    out = tmp_path / "fork"
    made = fork_run(varied_run, parent, "friday/d2", Wanted(memory=memory), out, lambda d, n: None)
    with load_run(out) as run:
        child = run.trial(made.trial)
        arm = recorded_arm(run.log, child.name)
        taken = [event.position for event in child.events if retold(event, child, made.position)]
        assert taken, "the past is told again"
        rest = [place for place in at_rest(child) if not made.position <= place < taken[-1]]
        places = sorted({*rest, *taken})
        truth = travel(run.log, child.name, child.script, arm, child.seed, places)
        assert sorted(truth) == places
        for place in places:
            held = held_at(child.events, place)
            expected = {item.id: recorded(item, held.get(item.id)) for item in truth[place]}
            assert held == expected, place
        in_force = [moment(out, child.name, str(at))["arm"] for at in (1, made.position)]
        assert [each["memory"] for each in in_force] == [arm.memory.name, memory]
        for place in (1, made.position - 1, made.position, *taken, len(child.events) - 1):
            found = moment(out, child.name, str(place), replay=True)
            assert found["replayed"]["agrees"], (place, found["replayed"])
            under_way = [each for each in taken if made.position <= place < each]
            assert found["memory"]["pending"] == min(under_way, default=None), place


def retold(event: Event, child: Trial, turn: int) -> bool:
    """Whether a change is one of a memory that takes over: of a cause that lies before the turn."""
    if event.kind != "memory_change" or event.position < turn:
        return False
    return child.by_id[event.causes[0]].position < turn
