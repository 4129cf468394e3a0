"""The order of an arc: which session states, revises, asks for or does something unrelated."""

from dataclasses import dataclass
from random import Random

from probes.ladder.domain import Domain, Task, Thread
from probes.ladder.values import Pool
from scoring.keys import Tier

LENGTHS = (4, 5, 6)
"""Episodes of an arc, each length as likely as any other."""


@dataclass(frozen=True)
class Plant:
    """A session in which a fact is stated, or (`revises`) replaced."""

    thread: Thread
    parameter: str
    revises: bool = False


@dataclass(frozen=True)
class Ask:
    """A session in which a thread's task is requested without its values."""

    thread: Thread


@dataclass(frozen=True)
class Unrelated:
    """A session with nothing but an unrelated task."""


Session = Plant | Ask | Unrelated


def plan(tier: Tier, domain: Domain, pool: Pool, order: Random) -> list[Session]:
    """Return the sessions of one arc in order: every fact before it is needed."""
    length = order.choice(LENGTHS)
    number = 2 if tier == "easy" and length > 4 else 1
    chains = [_chain(tier, domain, pool, order) for _ in range(number)]
    free = length - sum(len(chain) for chain in chains)
    chains.extend([Unrelated()] for _ in range(free))
    return _interleaved(chains, order)


def unrelated_thread(domain: Domain, pool: Pool, order: Random) -> Thread:
    """Return a task whose request will name everything that it needs."""
    return _thread(order.choice(domain.tasks), pool)


def _chain(tier: Tier, domain: Domain, pool: Pool, order: Random) -> list[Session]:
    thread = _thread(order.choice(domain.tasks_of(2 if tier == "medium" else 1)), pool)
    parameters = order.sample(list(thread.values), len(thread.values))
    chain: list[Session] = [Plant(thread, parameter) for parameter in parameters]
    if tier == "hard":
        thread.old = {name: pool.value(name) for name in parameters}
        chain.extend(Plant(thread, parameter, revises=True) for parameter in parameters)
    return [*chain, Ask(thread)]


def _thread(task: Task, pool: Pool) -> Thread:
    subject = pool.value(f"{task.subject}_id")
    return Thread(task, subject, {name: pool.value(name) for name in task.marks})


def _interleaved(chains: list[list[Session]], order: Random) -> list[Session]:
    """Return the chains' sessions in one random order that keeps each chain's own."""
    turns = [i for i, chain in enumerate(chains) for _ in chain]
    order.shuffle(turns)
    rest = [iter(chain) for chain in chains]
    return [next(rest[turn]) for turn in turns]
