"""From a task in verbs to its arcs: the task itself, and the counterparts that are wanted."""

from collections.abc import Callable
from typing import Any, NamedTuple

from probes.authoring import asking, forgetting, form, planting, telling
from probes.authoring.filling import filled
from probes.authoring.places import Places
from probes.authoring.reading import Step, Task, read_task
from probes.authoring.story import Story
from probes.counterparts import moved, moving, twin
from probes.scenario.model import Scenario
from probes.scenario.nodes import Mapping, Node, lines_of
from probes.scenario.places import authored_place, nearest_place
from simulator.events import Episode, Script
from simulator.events.errors import InputError

TELLERS: dict[type[form.Verb], Callable[[Any, Step, Story], None]] = {
    form.Say: telling.say,
    form.Document: telling.document,
    form.Compact: telling.compact,
    form.Constrain: planting.constrain,
    form.Lift: planting.lift,
    form.Oblige: planting.oblige,
    form.Revoke: forgetting.revoke,
    form.Grant: telling.grant,
    form.Correct: planting.correct,
    form.Delete: forgetting.delete,
    form.Quote: planting.quote,
    form.Ask: asking.ask,
}
"""What tells a step of each verb: what happens, and what it plants."""

_LONGEST_NAME = 100


class Compiled(NamedTuple):
    """What a file in verbs compiles to.

    Attributes:
        scenarios: The task, then its twins in the order of their probes, then its versions with
            other withdrawn content.
        places: Where each part of them was authored.
    """

    scenarios: list[Scenario]
    places: Places


def is_task(root: Node) -> bool:
    """Return whether a file is written in verbs, and not as a script with a key."""
    return isinstance(root, Mapping) and bool({"task", "sessions"} & root.entries.keys())


def compiled(root: Node) -> Compiled:
    """Return the arcs of a task in verbs.

    Raises:
        InputError: with line and field, for what is no task, or a verb that cannot be told so.
    """
    try:
        return _compiled(read_task(root))
    except InputError as error:
        if error.line is not None or error.field is None:
            raise
        lines = dict(lines_of(root))
        place = nearest_place(error.field, lines)
        line = root.line if place is None else lines[place]
        raise InputError(error.message, line=line, field=place or error.field) from None


def _compiled(task: Task) -> Compiled:
    story = _told(task)
    script = Script(
        arc=task.head.task,
        environment=task.head.environment,
        world=story.world,
        window=task.head.window,
        episodes=tuple(
            Episode(id=name, events=tuple(events)) for name, events in story.sessions.items()
        ),
    )
    scenario = Scenario(script=script, key=filled(story))
    return Compiled([scenario, *_twins(scenario, story), *_moved(scenario, story)], story.places)


def _told(task: Task) -> Story:
    story = Story(task)
    last = asking.last_ask(story)
    if last is None:
        raise InputError("a task asks for a decision: one step is `ask`", field="sessions")
    over = False
    for number, session in enumerate(task.sessions):
        story.begin(session, number)
        for step in session.steps:
            if over:
                _refuse_late(step)
            TELLERS[type(step.verb)](step.verb, step, story)
            over = over or step is last
        if not [*story.sessions.values()][-1]:
            raise InputError("nothing happens in this session", field=f"{session.place}.steps")
    return story


def _refuse_late(step: Step) -> None:
    if isinstance(step.verb, form.Planted | form.Lift):
        raise step.wrong("this comes after the last `ask`, so no decision tests it")


def _twins(scenario: Scenario, story: Story) -> list[Scenario]:
    """Return the twins that are wanted.

    Raises:
        InputError: when the name of one would be too long.
    """
    every = story.task.head.twin
    wanted = {each.events[0] for each in story.drafts if every or each.verb.twin}
    made = []
    for probe in scenario.key.probes:
        if probe.planting is not None and probe.planting.events[0] in wanted:
            _refuse_long(scenario, f"twin-{probe.id}")
            made.append(twin(scenario, probe))
    return made


def _moved(scenario: Scenario, story: Story) -> list[Scenario]:
    """Return the versions with other withdrawn content that are wanted.

    Raises:
        InputError: when they are wanted of what has no values, no others can be found, or the name
            of one would be too long.
    """
    wanted = _influencing(story)
    made: list[Scenario] = []
    for probe in moving(scenario.key):
        if probe.planting is not None and probe.planting.events[0] in wanted:
            _refuse_long(scenario, f"absent-{probe.id}")
            try:
                made += moved(scenario, probe)
            except InputError as error:
                places = story.places.of(scenario.script, scenario.key)
                field = authored_place(error.field or "key", places)
                raise InputError(error.message, field=field) from None
    return made


def _influencing(story: Story) -> set[str]:
    """Return the events of the withdrawals whose influence is asked for."""
    every, wanted = story.task.head.influence, set()
    for draft in story.drafts:
        if isinstance(draft.verb, form.Revoke) and (draft.verb.influence or every):
            if draft.verb.values:
                wanted.add(draft.events[0])
            elif draft.verb.influence:
                raise draft.step.wrong("there are no `values` to be others", "influence")
    if every and not wanted:
        message = "no `revoke` has `values`, so there is no influence to measure"
        raise InputError(message, field="influence")
    return wanted


def _refuse_long(scenario: Scenario, version: str) -> None:
    name = f"{scenario.script.arc}.{version}"
    if len(name) > _LONGEST_NAME:
        message = f"its version {name!r} has a name of more than {_LONGEST_NAME} characters"
        raise InputError(message, field="task")
