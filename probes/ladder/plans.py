"""The order of an arc: which session states, revises, asks for or does something unrelated."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from probes.ladder.domain import Domain, Thread
from probes.ladder.phrasing import Act
from probes.ladder.values import Pool
from scoring.keys import History, Tier

LENGTHS = (4, 5, 6)
"""Episodes of an arc without its distractors, each length as likely as any other."""

STEPS: dict[History, tuple[Act, ...]] = {
    "revised": ("state", "revise"),
    "revised_twice": ("state", "revise", "revise"),
    "returned": ("state", "revise", "restore"),
    "late_report": ("state_dated", "report_late"),
    "past_mention": ("state", "revise", "recall_past"),
}
"""What is said of a revised value, in this order and in sessions of their own."""

HISTORIES = tuple(STEPS)


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


@dataclass(frozen=True)
class Recipe:
    """What the arcs of one tier are like.

    Attributes:
        tier: `easy` (one fact), `medium` (two or three facts from as many sessions), `hard` (a
            fact with a history).
        dependent: Share of sessions that end in a probe, as near as the tier's facts allow: each
            probe needs its facts in sessions before it.
        distractors: Sessions, beyond the 4 to 6, that speak of facts nobody will ask for.
    """

    tier: Tier
    dependent: float
    distractors: int


def plan(recipe: Recipe, number: int, domain: Domain, pool: Pool, order: Random) -> list[Session]:
    """Return the sessions of the arc with this number: every fact before it is needed.

    The histories of a hard tier take turns, so that every five probes have one of each.
    """
    sessions = [Session() for _ in range(order.choice(LENGTHS))]
    chains = [
        _chain(recipe, 2 * number + probe, domain, pool, order)
        for probe in range(_most_probes(recipe, len(sessions)))
    ]
    chains = _fitting(chains, len(sessions))
    places = _ask_places(chains, len(sessions), order)
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


def _most_probes(recipe: Recipe, length: int) -> int:
    return max(1, round(recipe.dependent * length))


def _fitting(chains: list[list[Plant]], length: int) -> list[list[Plant]]:
    """Return the first chains whose probes find room behind their facts, the longest facts last."""
    kept: list[list[Plant]] = []
    for chain in chains:
        tried = sorted([*kept, chain], key=len, reverse=True)
        # The probe with the most facts may take the last place, the next one the last but one, …
        if all(len(each) <= length - 1 - late for late, each in enumerate(tried)):
            kept.append(chain)
    return kept


def _ask_places(chains: list[list[Plant]], length: int, order: Random) -> list[int]:
    """Return a session for each chain's probe: its own, with room for the facts before it."""
    while True:
        places = order.sample(range(1, length), len(chains))
        if all(place >= len(chain) for place, chain in zip(places, chains, strict=True)):
            return places


def _chain(recipe: Recipe, turn: int, domain: Domain, pool: Pool, order: Random) -> list[Plant]:
    if recipe.tier == "hard":
        thread = _thread(domain, pool, order, facts=(1,))
        thread.history = HISTORIES[turn % len(HISTORIES)]
        return list(_steps(thread, thread.history))
    thread = _thread(domain, pool, order, facts=(1,) if recipe.tier == "easy" else (2, 3))
    parameters = order.sample(list(thread.task.marks), len(thread.task.marks))
    return [Plant(thread, parameter, "state") for parameter in parameters]


def _steps(thread: Thread, history: History) -> Iterator[Plant]:
    """Yield the sentences of a history; a value that is restored or recalled is the first one."""
    (parameter,) = thread.task.marks
    number = -1
    for act in STEPS[history]:
        new = act in ("state", "state_dated", "revise", "report_late")
        number = number + 1 if new else 0
        yield Plant(thread, parameter, act, number)


def _distractor(domain: Domain, pool: Pool, order: Random) -> Session:
    thread = _thread(domain, pool, order, facts=None)
    thread.values = {name: pool.other(name) for name in thread.task.marks}
    return Session([Plant(thread, name, "state") for name in thread.task.marks], distractor=True)


def _thread(domain: Domain, pool: Pool, order: Random, facts: tuple[int, ...] | None) -> Thread:
    """Return a task with one of so many facts, or any task; it has no values yet."""
    tasks = [task for task in domain.tasks if facts is None or len(task.marks) in facts]
    task = order.choice(tasks)
    return Thread(task, pool.name(f"{task.subject}_id"))
