"""One arc of the ladder: its sessions as episodes, its world, and its key."""

from collections.abc import Sequence
from random import Random

from probes.ladder.domain import Thread
from probes.ladder.plans import Plant, Session, plan, unrelated_thread
from probes.ladder.sessions import (
    DECISION,
    episode,
    fact_text,
    find_fact,
    full_request,
    probe_request,
    said_values,
)
from probes.ladder.shapes import STEPS, Recipe, Shape
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
from simulator.events import Episode, Json, Script, event_id
from simulator.events.seeds import stream
from simulator.events.times import DAY, HOUR, MINUTE, parse_time, show_day

FIRST_DAY = parse_time("2025-03-03T00:00")

_KINDS: dict[Tier, ProbeKind] = {"easy": "recall", "medium": "compose", "hard": "update"}


def build(recipe: Recipe, shape: Shape, number: int, variation: int = 0) -> Scenario:
    """Return the arc with this number; `variation` draws other gold values and changes no more."""
    return _Arc(recipe, shape, recipe.name(number)).build(variation)


class _Arc:
    """One arc under construction: first what is shown from the start, then the gold values."""

    def __init__(self, recipe: Recipe, shape: Shape, name: str) -> None:
        self._domain = recipe.domain
        self._recipe = recipe
        self._shape = shape
        self._name = name
        self._episodes: list[Episode] = []
        self._revisions: list[Revision] = []

    def build(self, variation: int) -> Scenario:
        order, domain = self._stream("order"), self._domain
        pool = Pool(self._name, self._recipe.seed, domain.draws, variation)
        sessions = plan(self._recipe, self._shape, pool, order)
        threads = [each.ask or unrelated_thread(domain, pool, order) for each in sessions]
        world = domain.world(_all_threads(sessions, threads), pool, self._stream("world"))
        for session in sessions:
            if session.ask is not None:
                _draw_values(session.ask, pool)
        starts = _starts(len(sessions), self._stream("times"))
        for session, thread, start in zip(sessions, threads, starts, strict=True):
            self._add(session, thread, start)
        return Scenario(script=self._script(world), key=self._key(sessions, threads))

    def _script(self, world: Json) -> Script:
        return Script(
            arc=self._name,
            environment=self._domain.environment,
            world=world,
            episodes=tuple(self._episodes),
        )

    def _key(self, sessions: Sequence[Session], threads: Sequence[Thread]) -> Key:
        probes = [
            _probe(number, self._recipe.tier, event_id(f"e{number}", DECISION), session, thread)
            for number, (session, thread) in enumerate(zip(sessions, threads, strict=True), 1)
        ]
        return Key(
            arc=self._name,
            domain=self._domain.environment,
            tier=self._recipe.tier,
            cluster=self._name,
            probes=tuple(probes),
            revisions=tuple(self._revisions),
            origin=self._recipe.origin,
        )

    def _stream(self, purpose: str) -> Random:
        return stream(self._name, self._recipe.seed, purpose)

    def _add(self, session: Session, thread: Thread, start: int) -> None:
        name = f"e{len(self._episodes) + 1}"
        words = self._stream(f"phrasing {name}")
        domain = self._domain
        facts = [
            fact_text(domain, each, _day(each, start, words), words) for each in session.plants
        ]
        request = (probe_request if session.ask else full_request)(domain, thread, words)
        made = episode(domain, name, start, facts, request, words)
        self._episodes.append(made)
        if not session.distractor:
            for plant, fact in zip(session.plants, facts, strict=True):
                self._note(plant, find_fact(made, fact))

    def _note(self, plant: Plant, event: str) -> None:
        """Note in the thread what an event says, so that the key can name its evidence."""
        thread, name = plant.thread, plant.parameter
        values = said_values(thread, name)
        said, right = values[plant.number], thread.values[name]
        if said != right:
            thread.stale.setdefault(said, []).append(event)
        elif plant.act == "restore":
            thread.evidence[name] = [event]
        else:
            thread.evidence.setdefault(name, []).append(event)
        if plant.act in ("revise", "restore"):
            was = values[1] if plant.act == "restore" else values[plant.number - 1]
            self._revisions.append(Revision(event=event, was=was, now=said))


def _all_threads(sessions: Sequence[Session], threads: Sequence[Thread]) -> list[Thread]:
    """Return everything that is asked for or spoken of, each once."""
    spoken = [plant.thread for session in sessions for plant in session.plants]
    return list(dict.fromkeys((*threads, *spoken)))


def _draw_values(thread: Thread, pool: Pool) -> None:
    acts = STEPS[thread.history] if thread.history else ()
    old = sum(act in ("revise", "report_late") for act in acts)
    for name in thread.task.marks:
        thread.values[name] = pool.gold(name)
        thread.wrong[name] = [pool.gold(name) for _ in range(old)]


def _day(plant: Plant, start: int, source: Random) -> str:
    """Return from when on a value holds: its session's day, or one before the arc began."""
    if plant.act != "report_late":
        return show_day(start)
    return show_day(FIRST_DAY - source.randrange(3, 30) * DAY)


def _starts(number: int, times: Random) -> list[int]:
    """Return when the sessions start, ms: the first at nine, the others some days apart."""
    starts, day = [FIRST_DAY + 9 * HOUR], FIRST_DAY
    for _ in range(number - 1):
        day += times.randrange(1, 7) * DAY
        starts.append(day + times.randrange(9 * 60, 17 * 60) * MINUTE)
    return starts


def _probe(number: int, tier: Tier, decision: str, session: Session, thread: Thread) -> Probe:
    asked = session.ask is not None
    gold = [
        Gold(name=parameter, value=value, evidence=tuple(thread.evidence[parameter]))
        for parameter, value in (thread.values.items() if asked else ())
    ]
    forbidden = [
        Forbidden(value=value, failure="resurrection", evidence=tuple(thread.stale[value]))
        for values in thread.wrong.values()
        for value in values
    ]
    call = ReferenceCall(
        tool=thread.task.tool, arguments=thread.task.arguments(thread.subject, thread.values)
    )
    return Probe(
        id=f"p{number}",
        kind=_KINDS[tier] if asked else "independent",
        decision=decision,
        dependent=asked,
        gold=tuple(gold),
        forbidden=tuple(forbidden),
        checks=tuple(_checks(thread)),
        reference=Reference(calls=(call,)),
        history=thread.history,
    )


def _checks(thread: Thread) -> list[Check]:
    checks: list[Check] = [
        WorldCheck(path=path.format(id=thread.subject), equals=thread.values[parameter])
        for parameter, path in thread.task.marks.items()
    ]
    for parameter, values in thread.wrong.items():
        for value in values:
            arguments = thread.task.arguments(thread.subject, {parameter: value})
            checks.append(NotCalledCheck(tool=thread.task.tool, arguments=arguments))
    return checks
