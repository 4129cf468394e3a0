"""Arcs of 4 to 6 sessions with their keys."""

from collections.abc import Sequence
from random import Random
from typing import get_args

from probes.ladder.domain import Domain, Thread
from probes.ladder.domains import DOMAINS
from probes.ladder.plans import Ask, Plant, Session, plan, unrelated_thread
from probes.ladder.sessions import (
    DECISION,
    episode,
    fact_text,
    find_fact,
    full_request,
    probe_request,
)
from probes.ladder.values import Pool
from probes.scenario import Scenario
from scoring.keys import (
    Check,
    Forbidden,
    Gold,
    Key,
    NotCalledCheck,
    Probe,
    ProbeKind,
    Reference,
    ReferenceCall,
    Revision,
    Tier,
    WorldCheck,
)
from simulator.events import Episode, Script, event_id
from simulator.events.errors import InputError, nearest
from simulator.events.seeds import stream
from simulator.events.times import DAY, HOUR, MINUTE, parse_time

FIRST_DAY = parse_time("2025-03-03T00:00")
TIERS: tuple[Tier, ...] = get_args(Tier)

_KINDS: dict[Tier, ProbeKind] = {"easy": "recall", "medium": "compose", "hard": "update"}


def ladder(environment: str, seed: int, arcs: int, tiers: Sequence[Tier] = TIERS) -> list[Scenario]:
    """Return `arcs` arcs of each tier; a longer list starts with the shorter one's arcs.

    Args:
        environment: Name of an environment that has a ladder.
        seed: Generation seed; equal seeds give equal arcs, in every process.
        arcs: Arcs a tier, at least 1.
        tiers: `easy` (one fact), `medium` (two facts from two sessions), `hard` (a revised fact).

    Raises:
        InputError: for another environment or tier, no tier, or fewer than one arc.
    """
    if environment not in DOMAINS:
        message = f"no ladder for environment {environment!r}{nearest(environment, DOMAINS)}"
        raise InputError(message, field="environment")
    if arcs < 1 or not tiers:
        raise InputError("at least one arc and one tier are needed", field="arcs")
    for tier in tiers:
        if tier not in TIERS:
            raise InputError(f"unknown tier {tier!r}{nearest(tier, TIERS)}", field="tiers")
    domain = DOMAINS[environment]
    numbers = range(1, arcs + 1)
    return [_Arc(domain, tier, seed, number).build() for tier in tiers for number in numbers]


class _Arc:
    """One arc under construction."""

    def __init__(self, domain: Domain, tier: Tier, seed: int, number: int) -> None:
        self._domain = domain
        self._tier = tier
        self._seed = seed
        self._name = f"ladder-{domain.environment}-{tier}-{seed}-{number:03d}"
        self._pool = Pool(self._name, seed, domain.draws)
        self._threads: list[Thread] = []
        self._episodes: list[Episode] = []
        self._probes: list[Probe] = []
        self._revisions: list[Revision] = []

    def build(self) -> Scenario:
        order = self._stream("order")
        sessions = plan(self._tier, self._domain, self._pool, order)
        starts = _starts(len(sessions), self._stream("times"))
        phrasing = self._stream("phrasing")
        for session, start in zip(sessions, starts, strict=True):
            self._add(session, start, order, phrasing)
        script = Script(
            arc=self._name,
            environment=self._domain.environment,
            world=self._domain.world(self._threads, self._pool, self._stream("world")),
            episodes=tuple(self._episodes),
        )
        key = Key(
            arc=self._name,
            domain=self._domain.environment,
            tier=self._tier,
            cluster=self._name,
            probes=tuple(self._probes),
            revisions=tuple(self._revisions),
            origin=f"ladder seed={self._seed}",
        )
        return Scenario(script=script, key=key)

    def _stream(self, purpose: str) -> Random:
        return stream(self._name, self._seed, purpose)

    def _add(self, session: Session, start: int, order: Random, phrasing: Random) -> None:
        fact = fact_text(self._domain, session, phrasing) if isinstance(session, Plant) else None
        asked = session.thread if isinstance(session, Ask) else None
        thread = asked or unrelated_thread(self._domain, self._pool, order)
        request = (probe_request if asked else full_request)(self._domain, thread, phrasing)
        name = f"e{len(self._episodes) + 1}"
        made = episode(self._domain, name, start, fact, request, phrasing)
        self._episodes.append(made)
        self._threads.append(thread)
        if isinstance(session, Plant) and fact is not None:
            self._note(session, fact, find_fact(made, fact))
        decision = event_id(made.id, DECISION)
        kind: ProbeKind = _KINDS[self._tier] if asked else "independent"
        self._probes.append(_probe(f"p{len(self._probes) + 1}", kind, decision, thread))

    def _note(self, session: Plant, fact: str, event: str) -> None:
        """Note in the thread what an event says, so that the key can name its evidence."""
        thread, name = session.thread, session.parameter
        if thread.values[name] in fact:
            thread.evidence.setdefault(name, []).append(event)
        old = thread.old.get(name)
        if old is not None and old in fact:
            thread.stale.setdefault(name, []).append(event)
        if session.revises:
            revision = Revision(event=event, was=thread.old[name], now=thread.values[name])
            self._revisions.append(revision)


def _starts(number: int, times: Random) -> list[int]:
    """Return when the sessions start, ms: the first at nine, the others some days apart."""
    starts, day = [FIRST_DAY + 9 * HOUR], FIRST_DAY
    for _ in range(number - 1):
        day += times.randrange(1, 7) * DAY
        starts.append(day + times.randrange(9 * 60, 17 * 60) * MINUTE)
    return starts


def _probe(name: str, kind: ProbeKind, decision: str, thread: Thread) -> Probe:
    dependent = kind != "independent"
    gold = [
        Gold(name=parameter, value=value, evidence=tuple(thread.evidence[parameter]))
        for parameter, value in (thread.values.items() if dependent else ())
    ]
    forbidden = [
        Forbidden(value=value, failure="resurrection", evidence=tuple(thread.stale[parameter]))
        for parameter, value in thread.old.items()
    ]
    call = ReferenceCall(
        tool=thread.task.tool, arguments=thread.task.arguments(thread.subject, thread.values)
    )
    return Probe(
        id=name,
        kind=kind,
        decision=decision,
        dependent=dependent,
        gold=tuple(gold),
        forbidden=tuple(forbidden),
        checks=tuple(_checks(thread)),
        reference=Reference(calls=(call,)),
    )


def _checks(thread: Thread) -> list[Check]:
    checks: list[Check] = [
        WorldCheck(path=path.format(id=thread.subject), equals=thread.values[parameter])
        for parameter, path in thread.task.marks.items()
    ]
    for parameter, value in thread.old.items():
        arguments = thread.task.arguments(thread.subject, {parameter: value})
        checks.append(NotCalledCheck(tool=thread.task.tool, arguments=arguments))
    return checks
