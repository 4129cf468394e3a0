"""Lists of context tasks, the same ones for the same settings."""

from collections.abc import Iterator, Sequence

from probes.context.design import crossing, design
from probes.context.exam import key
from probes.context.factors import FAMILIES, Cell
from probes.context.instance import instance
from probes.context.story import story
from probes.counterparts import with_influence, with_twins
from probes.scenario import Scenario
from simulator.events.errors import InputError, nearest

REFILL = 320
"""Tokens of new work in each segment, above the usual budget of 256."""

MOST_REFILL = 2_000


def context(
    seed: int,
    tasks: int | None = None,
    families: Sequence[str] = FAMILIES,
    *,
    full: bool = False,
    twins: bool = True,
    influence: bool = False,
    refill: int = REFILL,
) -> list[Scenario]:
    """Return context tasks, each followed by its twins and by what influence is measured with.

    Args:
        seed: Generation seed; equal seeds give equal tasks, in every process.
        tasks: How many tasks of the design, the first ones; None takes all, 240 of eight families.
        families: Whose tasks are taken; a task is the same whichever others are.
        full: Take the full crossing, 1,440 of eight families, instead of the design.
        twins: Whether each task is followed by a version without each thing that was planted.
        influence: Whether each task is also followed by versions with other withdrawn content.
        refill: Least tokens of new work in each segment, from 1 to 2,000.

    Raises:
        InputError: for an unknown family or a number out of range.
    """
    cells = chosen(tasks, families, full=full)
    if not 1 <= refill <= MOST_REFILL:
        message = f"from 1 to {MOST_REFILL:,} tokens of new work, not {refill:,}"
        raise InputError(message, field="refill")
    made = [_task(cell, seed, refill) for cell in cells]
    return [each for task in made for each in _followed(task, twins, influence)]


def _followed(task: Scenario, twins: bool, influence: bool) -> Iterator[Scenario]:
    yield from with_twins(task) if twins else [task]
    if influence:
        yield from with_influence(task)


def chosen(
    tasks: int | None = None, families: Sequence[str] = FAMILIES, *, full: bool = False
) -> list[Cell]:
    """Return the cells of the tasks that `context` makes.

    Raises:
        InputError: as `context`.
    """
    for place, name in enumerate(families):
        if name not in FAMILIES:
            raise InputError(f"unknown family {name!r}{nearest(name, FAMILIES)}", field="families")
        if name in families[:place]:
            raise InputError(f"family {name!r} is named twice", field="families")
    if not families:
        raise InputError("at least one family is needed", field="families")
    if full and tasks is not None:
        raise InputError(
            "the full crossing has all its tasks; leave one of the two out", field="tasks"
        )
    cells = crossing(families) if full else design(families)
    if tasks is not None and not 1 <= tasks <= len(cells):
        raise InputError(f"from 1 to {len(cells)} tasks, not {tasks:,}", field="tasks")
    return cells[:tasks]


def _task(cell: Cell, seed: int, refill: int) -> Scenario:
    made = instance(cell.family, seed, refill)
    told = story(made, cell, cell.arc(seed))
    origin = f"context seed={seed}" + ("" if refill == REFILL else f" refill={refill}")
    return Scenario(script=told.script, key=key(made, cell, told, origin))
