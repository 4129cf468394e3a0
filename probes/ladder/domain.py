"""What a domain brings to the ladder: its tasks, its words, its values and its world."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from scoring.keys import History
from simulator.events import Json

if TYPE_CHECKING:
    from probes.ladder.values import Pool

Draw = Callable[[Random], str]
"""Draws one value of a parameter from a stream."""


@dataclass(frozen=True)
class Task:
    """One writing tool.

    Attributes:
        tool: Its name.
        subject: The kind of thing that it is done to; the tool's `<subject>_id` names it.
        marks: Each further parameter, and the JSON Pointer (with `{id}`) where its value stands
            afterwards. So many facts does the task need.
    """

    tool: str
    subject: str
    marks: dict[str, str]

    def arguments(self, name: str, values: dict[str, str]) -> dict[str, str]:
        """Return the arguments of a call about the subject `name`."""
        return {f"{self.subject}_id": name} | values


@dataclass(eq=False)
class Thread:
    """One thing to be done at some point of an arc, and what is known about it.

    Attributes:
        task: What is to be done.
        subject: Id of what it is done to.
        values: Parameter to the value that is right in the end.
        wrong: Parameter to the values that were said of it and must not be used.
        history: How the values came to be, where they were revised.
        evidence: Parameter to the ids of the events that state the right value.
        stale: Wrong value to the ids of the events that state it.
    """

    task: Task
    subject: str
    values: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, list[str]] = field(default_factory=dict)
    history: History | None = None
    evidence: dict[str, list[str]] = field(default_factory=dict)
    stale: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Domain:
    """An environment as the ladder's arcs use it.

    Attributes:
        environment: Registered name of the environment.
        tasks: Its writing tools.
        facts: What a fact is called, by the tool and the parameter that will need it; `{id}` is
            the subject.
        probe_clauses: Ways to ask for a tool without its values.
        full_clauses: Ways to ask for a tool with all its values.
        chatter: Small talk by role (`user`, `assistant`, `system`); it holds no id and no value.
        draws: How the values of each parameter are drawn, ids included. A gold value comes from
            at least 1,000, each as likely as any other.
        pool_sizes: Kind of gold value to the number of values it is drawn from.
        world: Returns an initial world in which every thread's task can be done, and which holds
            no value of any of them.
    """

    environment: str
    tasks: tuple[Task, ...]
    facts: Mapping[tuple[str, str], str]
    probe_clauses: Mapping[str, tuple[str, ...]]
    full_clauses: Mapping[str, tuple[str, ...]]
    chatter: Mapping[str, tuple[str, ...]]
    draws: Mapping[str, Draw]
    pool_sizes: Mapping[str, int]
    world: Callable[[Sequence[Thread], "Pool", Random], Json]

    def tasks_of(self, facts: int) -> tuple[Task, ...]:
        """Return the tasks that need so many facts."""
        return tuple(task for task in self.tasks if len(task.marks) == facts)
