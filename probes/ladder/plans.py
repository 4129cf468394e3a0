"""The order of an arc: which session states, revises, asks for or does something unrelated."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from probes.ladder.domain import Domain, Thread
from probes.ladder.phrasing import Act
from probes.ladder.shapes import STEPS, Need, Recipe, Shape
from probes.ladder.values import Pool
from scoring.keys import History


@dataclass(frozen=True)
class Plant:
    """A sentence about a fact.

    Attributes:
        thread: What the fact is needed for.
        parameter: Which of its facts.
        act: What is said of the value.
        number: Which of the parameter's values is said, 0 for the first.
    """

    thread: Thread
    parameter: str
    act: Act
    number: int = 0


@dataclass
class Session:
    """One session.

    Attributes:
        plants: What is said in it, in order.
        ask: What is asked for at its end; None for an unrelated task.
        distractor: It speaks of facts that nobody will ask for.
    """

    plants: list[Plant] = field(default_factory=list)
    ask: Thread | None = None
    distractor: bool = False


def plan(recipe: Recipe, shape: Shape, pool: Pool, order: Random) -> list[Session]:
    """Return the sessions of an arc: every fact comes in a session before it is needed."""
    domain = recipe.domain
    chains = [_chain(need, domain, pool, order) for need in shape.needs]
    sessions = [Session() for _ in range(shape.length)]
    places = _ask_places(chains, shape.length, order)
    for chain, place in zip(chains, places, strict=True):
        sessions[place].ask = chain[0].thread
        for plant, at in zip(chain, sorted(order.sample(range(place), len(chain))), strict=True):
            sessions[at].plants.append(plant)
    for _ in range(recipe.distractors):
        sessions.insert(order.randrange(len(sessions)), _distractor(domain, pool, order))
    return sessions


def unrelated_thread(domain: Domain, pool: Pool, order: Random) -> Thread:
    """Return a task whose request will name everything that it needs."""
    thread = _thread(domain, pool, order, facts=None)
    thread.values = {name: pool.other(name) for name in thread.task.marks}
    return thread


def _ask_places(chains: list[list[Plant]], length: int, order: Random) -> list[int]:
    """Return a session for each chain's probe: its own, with room for the facts before it."""
    while True:  # the shape has made sure that there are such places
        places = order.sample(range(1, length), len(chains))
        if all(place >= len(chain) for place, chain in zip(places, chains, strict=True)):
            return places


def _chain(need: Need, domain: Domain, pool: Pool, order: Random) -> list[Plant]:
    if isinstance(need, int):
        thread = _thread(domain, pool, order, facts=need)
        parameters = order.sample(list(thread.task.marks), need)
        return [Plant(thread, parameter, "state") for parameter in parameters]
    thread = _thread(domain, pool, order, facts=1)
    thread.history = need
    return list(_steps(thread, need))


def _steps(thread: Thread, history: History) -> Iterator[Plant]:
    """Yield the sentences of a history; a value that is restored or recalled is the first one."""
    (parameter,) = thread.task.marks
    number = -1
    for act in STEPS[history]:
        new = act in ("state", "state_dated", "revise", "report_late")
        number = number + 1 if new else 0
        yield Plant(thread, parameter, act, number)


def _distractor(domain: Domain, pool: Pool, order: Random) -> Session:
    thread = unrelated_thread(domain, pool, order)
    return Session([Plant(thread, name, "state") for name in thread.task.marks], distractor=True)


def _thread(domain: Domain, pool: Pool, order: Random, facts: int | None) -> Thread:
    """Return a task with so many facts, or any task; it has no values yet."""
    tasks = domain.tasks if facts is None else domain.tasks_of(facts)
    task = order.choice(tasks)
    return Thread(task, pool.name(f"{task.subject}_id"))
