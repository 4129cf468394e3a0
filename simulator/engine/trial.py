"""Plays one trial: sessions, scripted events, boundaries and decisions."""

from collections.abc import Callable, Sequence
from functools import partial

import simpy

from simulator.agents.actions import Answer, Clarification, Outcome, Refusal
from simulator.agents.port import Agent, Desk
from simulator.effects.environment import Environment
from simulator.effects.memory import Block, Memory
from simulator.effects.steps import CallTool, Complete
from simulator.engine.arm import Arm
from simulator.engine.blame import blamed
from simulator.engine.clock import Clock, Process
from simulator.engine.forgotten import Forgotten
from simulator.engine.keeper import BoundaryWhy, Keeper
from simulator.engine.latency import profile
from simulator.engine.lending import all_tools, check_names
from simulator.engine.notices import Notices
from simulator.engine.office import QUESTIONING, Office, office_of
from simulator.engine.performer import FATAL, Errand, Performer
from simulator.engine.recorder import Recorder, Sink
from simulator.engine.scene import Scene
from simulator.engine.sources import Sources
from simulator.engine.turning import Course, Turn, Turning
from simulator.engine.world import World
from simulator.events import Episode, Json, Script, Surface, event_id
from simulator.events.faults import Fault
from simulator.events.graph import order
from simulator.events.recorded import (
    Answered,
    Clarified,
    DecisionOpened,
    Recorded,
    Refused,
    Said,
    SessionStarted,
    TrialClosed,
    TrialOpened,
    WorldChanged,
)
from simulator.events.scripted import (
    Announcement,
    Compaction,
    Decision,
    Injected,
    Scripted,
    SessionEnd,
    ToolResult,
    priority,
)


def trial_id(arc: str, arm: str, seed: int) -> str:
    """Return the id of a trial: `arc/arm/seed`."""
    return f"{arc}/{arm}/{seed}"


def genesis(script: Script, arm: Arm, turns: Sequence[Turn] = ()) -> Json:
    """Return what a trial's chain starts from, besides its id."""
    start = {"script": script.hash, "options": arm.describe()}
    return {**start, "forked": [_told(turn) for turn in turns]} if turns else start


def _told(turn: Turn) -> Json:
    """Return a turn as its genesis holds it; what came later is left out where it says nothing."""
    return turn.model_dump(exclude=None if turn.questions else {"questions"})


class _Fatal(BaseException):
    """The trial does not go on; a fault is already in the log, so nobody is blamed again."""


class Trial:
    """One arm × one arc × one seed, played once."""

    def __init__(
        self,
        script: Script,
        arm: Arm,
        seed: int,
        *,
        environment: Environment,
        memory: Memory,
        agent: Agent,
        sources: Sources,
        sink: Sink,
        turnings: Sequence[Turning] = (),
    ) -> None:
        """Prepare a trial; a forked one gets its `turnings`, in order of their positions."""
        self._script = script
        self._arm = arm
        self._agent = agent
        self._environment = environment
        self._sources = sources
        turns = [turning.turn for turning in turnings]
        trial = trial_id(script.arc, turns[-1].arm if turns else arm.id, seed)
        clock = Clock(min(event.at for event in script.episodes[0].events))
        recorder = Recorder(trial, genesis(script, arm, turns), sink)
        forgotten = Forgotten(arm.forgetting, watches=_forgets(script))
        latency = profile(arm.latency)
        self._scene = Scene(script.arc, seed, clock, recorder, latency, forgotten=forgotten)
        self._world = World(environment, script.world)
        self._performer = Performer(self._scene, sources, self._world)
        anew = any(turn.anew for turn in turns)
        for each in (memory, *(turning.memory for turning in turnings if turning.memory)):
            check_names(environment, each)
        self._keeper = Keeper(self._scene, memory, self._performer, arm.token_budget, anew)
        self._notices = Notices(self._scene, self._world, self._performer, self._keeper)
        self._limit: int | None = None
        if arm.compaction == "native":
            self._limit = arm.memory.options["compact_at"]
            self._performer.after_call = self._fill
        self._performer.borrow(self._keeper)
        self._course = Course(turnings)
        self._scene.turn_at, self._scene.turn = self._course.next_position, self._turn

    @property
    def memory(self) -> Memory:
        """The memory in force; behind a turning point it may be another one than before."""
        return self._keeper.memory

    def play(self) -> bool:
        """Play the whole arc; return False when a fault, or a fork's end, cut it short."""
        clock = self._scene.clock
        self._scene.record(
            TrialOpened(
                arc=self._script.arc,
                arm=self._arm.id,
                seed=self._scene.seed,
                script=self._script.hash,
                options=self._arm.describe(),
                identities=self._sources.identities,
                oracle=self._agent.oracle,
            )
        )
        try:
            clock.run(clock.start(self._arc()))
        except _Fatal:
            complete = False
        else:
            complete = True
        self._scene.record(TrialClosed(complete=complete))
        return complete

    def _arc(self) -> Process[None]:
        for episode in self._script.episodes:
            yield from self._session(episode)

    def _turn(self) -> None:
        """Take the turning point that the trial has come to."""
        turning = self._course.take()
        self._scene.turn_at = self._course.next_position
        self._performer.turn(turning.sources, turning.turn.anew)
        self._keeper.budget = turning.turn.options["token_budget"]
        if self._limit is not None:
            self._limit = turning.turn.options["memory_options"]["compact_at"]
        if turning.memory is not None:
            try:
                self._keeper.take_over(turning.memory)
            except Fault as fault:  # what the past gave it is in no working context any more
                self._scene.fail(fault, None, True, [])
                raise _Fatal from fault

    def _session(self, episode: Episode) -> Process[None]:
        clock = self._scene.clock
        ordered = order(episode)
        begin = min(event.at for event in ordered)
        if begin > clock.now:
            yield clock.sleep(begin - clock.now)
        started = self._scene.record(SessionStarted(episode=episode.id))
        over = {event.id: clock.event() for event in ordered}
        for place, event in enumerate(ordered):
            clock.start(self._happen(episode, event, place, over))
        yield clock.all_of(list(over.values()))
        yield from self._cut("session_end", clock.now, started, fatal=True)
        for event in ordered:
            if isinstance(event, Injected):
                yield from self._inject(episode, event)

    def _inject(self, episode: Episode, event: Injected) -> Process[None]:
        """Hand a record to the memory, while the working context holds nothing else."""
        name = event_id(episode.id, event.id)
        if not self._course.leaves_out(name):
            causes = self._course.causes(episode, event)
            self._say(self._course.as_told(event, name), name, causes)
            yield from self._cut("injected", event.at, name, fatal=True)

    def _happen(
        self, episode: Episode, event: Scripted, place: int, over: dict[str, simpy.Event]
    ) -> Process[None]:
        clock = self._scene.clock
        if event.causes:
            yield clock.all_of([over[cause] for cause in event.causes])
        if event.at > clock.now:
            yield clock.sleep(event.at - clock.now)
        yield clock.turn(priority(event), place)
        name = event_id(episode.id, event.id)
        try:
            with blamed("harness"):  # whatever is nobody else's fault is ours
                if not self._course.leaves_out(name):
                    yield from self._apply(episode, event, name)
        except Fault as fault:
            self._scene.fail(fault, None, True, [name])
            over[event.id].fail(_Fatal())
            return
        except _Fatal as fatal:
            over[event.id].fail(fatal)
            return
        over[event.id].succeed()

    def _apply(self, episode: Episode, event: Scripted, name: str) -> Process[None]:
        causes = self._course.causes(episode, event)
        event = self._course.as_told(event, name)
        if isinstance(event, Decision):
            yield from self._decide(event, name, causes)
            if name == self._course.until:
                raise _Fatal
        elif isinstance(event, Compaction):
            if self._limit is None:
                yield from self._cut("forced", event.at, name, fatal=False)
        elif isinstance(event, Announcement):
            yield from self._announce(event, name, causes)
            yield from self._fill(name)
        elif not isinstance(event, SessionEnd | Injected):
            self._say(event, name, causes)
            yield from self._fill(name)

    def _say(
        self, event: Scripted, name: str, causes: list[str], sources: tuple[str, ...] = ()
    ) -> None:
        with blamed("script"):
            surface = event.surface(name, self._scene.clock.now)
            if surface is None:
                return
            said = Said(
                source=event.kind,
                role=surface.role,
                text=surface.text,
                tool=event.tool if isinstance(event, ToolResult) else None,
                sources=sources,
                scope=event.scope,
            )
            self._scene.record(said, causes, name)
        self._scene.show(surface)

    def _announce(self, event: Announcement, name: str, causes: list[str]) -> Process[None]:
        """Let the agent hear of it and the world change, and forget as the arm does."""
        sources, changes = self._world.announce(event, self._scene.clock.now)
        self._say(event, name, causes, sources)
        if changes:
            self._scene.record(WorldChanged(call="", patch=changes, scope=event.scope), [name])
        yield from self._notices.carry_out(event.notice, sources, name)

    def _fill(self, last: str) -> Process[None]:
        """Run a native boundary where the surface that came `last` is more than the memory takes."""
        if self._limit is not None and self._scene.tokens() > self._limit:
            yield from self._cut("native", self._scene.clock.now, last, fatal=False)

    def _cut(self, why: BoundaryWhy, asked: int, cause: str, fatal: bool) -> Process[None]:
        """Run a boundary; at the end of a session a fault is fatal, for nobody can go on."""
        limit = self._limit if why == "native" else None
        try:
            yield from self._keeper.boundary(why, asked, cause, limit)
        except Fault as fault:
            self._scene.fail(fault, None, fatal, [cause])
            if fatal:
                raise _Fatal from fault

    def _decide(self, event: Decision, name: str, causes: list[str]) -> Process[None]:
        questions = self._course.questions(name)
        for number, question in enumerate(questions, 1):
            yield from self._ask(event, question, f"{name}?{number}", causes)
        if not questions:
            self._scene.record(
                DecisionOpened(request=event.request, scope=event.scope), causes, name
            )
            self._scene.show(event.surface(name, self._scene.clock.now))
            outcome = yield from self._attempt(event, name, office_of(self._environment))
            if outcome is not None:
                self._scene.show(outcome, name)
                yield from self._fill(outcome.id)

    def _ask(self, event: Decision, question: str, name: str, causes: list[str]) -> Process[None]:
        """Ask a question aside: it is in no working context, and neither is its answer."""
        self._scene.record(DecisionOpened(request=question, scope=event.scope), causes, name)
        yield from self._attempt(event.model_copy(update={"request": question}), name, QUESTIONING)

    def _attempt(self, event: Decision, name: str, office: Office) -> Process[Surface | None]:
        """Let the agent act and return the surface of its last word; None after a fault."""
        scene = self._scene
        try:
            block = yield from self._keeper.read(event.request, event.scope, name)
            if scene.forgotten.watches:
                scene.forgotten.lineage.look(name, scene.context)
                scene.forgotten.remember(name, block)
            errand = Errand("agent", "act", "agent_model", name, event.scope, (Complete, CallTool))
            with blamed("environment"):
                desk = self._desk(event, name, block, office)
                for tool in office.tools:
                    _ = tool.signature  # one that no prompt can show is not the agent's fault
            act = partial(self._agent.act, desk)
            outcome = yield from self._performer.drive(act, errand)
            with blamed("agent"):
                return self._end(outcome, name, event.scope)
        except Fault as fault:
            fatal = fault.culprit in FATAL
            scene.fail(fault, name, fatal, [name])
            if fatal:
                raise _Fatal from fault
            return None

    def _desk(self, event: Decision, name: str, block: Block, office: Office) -> Desk:
        own = f"{name}:"
        rendered = block.render()

        def is_step(surface: Surface) -> bool:
            return surface.call is not None and surface.call.startswith(own)

        def context() -> tuple[Surface, ...]:
            return tuple(
                each for each in self._scene.context if each.id != name and not is_step(each)
            )

        def steps() -> tuple[Surface, ...]:
            return tuple(filter(is_step, self._scene.context))

        return Desk(
            decision=name,
            request=event.request,
            instructions=office.instructions,
            tools=all_tools(office.tools, self._keeper.tools),
            examples=office.examples,
            recall=lambda: self._scene.forgotten.block(block, rendered),
            context=context,
            steps=steps,
        )

    def _end(self, outcome: Outcome, decision: str, scope: str) -> Surface:
        made = _OUTCOMES.get(type(outcome))
        if made is None:
            raise Fault("agent", "invalid", f"{type(outcome).__name__} is no outcome")
        name = self._scene.record(
            made(decision=decision, text=outcome.text, scope=scope), [decision]
        )
        return Surface(
            id=name, role="assistant", text=outcome.text, time=self._scene.clock.now, scope=scope
        )


def _forgets(script: Script) -> bool:
    """Tell whether anything is ever announced, so that what carries what has to be followed."""
    return any(isinstance(each, Announcement) for one in script.episodes for each in one.events)


_OUTCOMES: dict[type, Callable[..., Recorded]] = {
    Answer: Answered,
    Clarification: Clarified,
    Refusal: Refused,
}
