"""What the log tells of a memory is what the memory held: both are asked at every position."""

from collections.abc import Iterator
from pathlib import Path

from scoring.holdings import Held, held_at, histories
from scoring.run import Run, Trial, load_run
from simulator.effects.memory import Item
from simulator.engine.arm import Arm
from simulator.replay import travel


def recorded(item: Item) -> Held:
    return Held(
        id=item.id,
        text=item.text,
        sources=tuple(sorted(item.sources)),
        saw=tuple(sorted(item.saw)),
        scope=item.scope,
        role=item.role,
        hidden=item.hidden,
        replaced_by=item.replaced_by,
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
                expected = {item.id: recorded(item) for item in truth[place]}
                assert held_at(trial.events, place) == expected, (trial.name, place)
            memories.add(arm.memory.name)
            whats |= {step.what for past in histories(trial.events).values() for step in past}
            positions += len(places)
    assert memories == {"none", "replay", "retrieval", "summary", "facts", "hybrid"}
    assert {"written", "replaced", "hidden", "restored", "evicted", "erased"} <= whats
    assert positions > 1000


def test_time_travel_stops_where_it_was_asked_to(varied_run: Path) -> None:
    with load_run(varied_run) as run:
        trial = next(trials(run))
        arm = Arm.from_description(trial.arm, trial.opened["options"])
        script = run.script(trial.arc)
        assert travel(run.log, trial.name, script, arm, trial.seed, []) == {}
        assert list(travel(run.log, trial.name, script, arm, trial.seed, [3])) == [3]
