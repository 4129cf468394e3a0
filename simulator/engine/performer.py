"""Performs effects on the simulated clock and records what came of them."""

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from simulator.agents.actions import Call, render_action
from simulator.effects.environment import ToolOutcome
from simulator.effects.prompts import Completion, Service
from simulator.effects.steps import CallTool, Complete, Effect, Embed, Steps, ToolReturn, Vector
from simulator.engine.audit import places
from simulator.engine.blame import blamed
from simulator.engine.caching import LastPrompts
from simulator.engine.clock import Process
from simulator.engine.lending import Lender, LentCall
from simulator.engine.scene import Scene
from simulator.engine.sources import ModelRole, Sources
from simulator.engine.world import Checked, World
from simulator.events import Surface, canonical_json
from simulator.events.canonical import sha256_text
from simulator.events.faults import Culprit, Fault
from simulator.events.recorded import (
    CallFailed,
    CompletionRecorded,
    EmbeddingRecorded,
    Purpose,
    ServiceRecorded,
    ToolCalled,
    ToolReturned,
    WorldChanged,
)
from simulator.events.scripted import PRIORITY
from simulator.events.surfaces import Role
from simulator.events.tokens import count_tokens
from simulator.models.port import CallFault, CompletionRequest
from simulator.models.rendering import RENDERERS

T = TypeVar("T")

FATAL: frozenset[Culprit] = frozenset({"environment", "script", "harness"})
"""Culprits after whose faults nothing that follows would mean anything."""

MOST_EFFECTS = 10_000
"""Effects after which an agent or a memory is taken to go on for ever."""


@dataclass(frozen=True)
class Errand:
    """On whose behalf effects are performed.

    Attributes:
        culprit: Who is to blame when the generator itself fails.
        purpose: What the calls are for.
        role: Which model answers `Complete`.
        cause: Id of the event that set the generator going.
        scope: Whose information it is about.
        may: The effects that the generator may ask for.
    """

    culprit: Culprit
    purpose: Purpose
    role: ModelRole
    cause: str
    scope: str
    may: tuple[type[Effect], ...] = (Complete, Embed)


class Performer:
    """Drives generators of effects: one path for agents and memories, live and replayed.

    Attributes:
        last_prompts: What counts as cached.
        after_call: Begun with the id of a tool's result once that is in the working context.
    """

    def __init__(self, scene: Scene, sources: Sources, world: World) -> None:
        self._scene = scene
        self._sources = sources
        self._world = world
        self.last_prompts = LastPrompts(scene.forgotten)
        self.after_call: Callable[[str], Process[None]] = _nothing
        self._asked: Counter[tuple[str, str]] = Counter()
        self._step = 0
        self._calls = 0
        self._lender: Lender | None = None

    def borrow(self, lender: Lender) -> None:
        """Let agents use the tools that `lender` has."""
        self._lender = lender

    def turn(self, sources: Sources, anew: bool) -> None:
        """Get completions and vectors from `sources` from now on.

        What counts as cached, and the seed of a call, depend on the calls before it: another
        model has heard nothing yet, and a memory that is made `anew` has asked nothing.
        """
        for role, identity in sources.identities.items():
            if self._sources.identities.get(role) != identity:
                self.last_prompts.drop(role)
        self._sources = sources
        if anew:
            self.last_prompts.drop("memory_model")
            self._asked = Counter(
                {key: n for key, n in self._asked.items() if key[0] != "memory_model"}
            )

    def drive(self, begin: Callable[[], Steps[T]], errand: Errand) -> Process[T]:
        """Run the generator that `begin` makes to its end.

        A fault of an effect is thrown into it, so that it can go on in another way; only after
        a fatal one nobody is asked.

        Raises:
            Fault: of the effect, or with the errand's culprit when the generator itself fails or
                does not end.
        """
        with blamed(errand.culprit):
            steps = begin()
        send: Any = None
        fault: Fault | None = None
        for _ in range(MOST_EFFECTS):
            done, value = _advance(steps, send, fault, errand.culprit)
            if done:
                return value  # type: ignore[no-any-return]
            send, fault = None, None
            try:
                send = yield from self._perform(value, errand)
                if errand.culprit == "agent":  # of one instant, the world and a cut go first
                    yield self._scene.clock.turn(PRIORITY["decision"])
            except Fault as failed:
                if failed.culprit in FATAL:
                    raise
                fault = failed
        raise Fault(errand.culprit, "step_cap", f"no end after {MOST_EFFECTS:,} effects")

    def _perform(self, effect: Effect, errand: Errand) -> Process[Any]:
        if not isinstance(effect, errand.may):
            name = type(effect).__name__
            raise Fault(errand.culprit, "invalid", f"{name} is no effect it may ask for")
        if isinstance(effect, Complete):
            return (yield from self._complete(effect, errand))
        if isinstance(effect, Embed):
            return (yield from self._embed(effect, errand))
        return (yield from self._call(effect, errand))

    def _complete(self, effect: Complete, errand: Errand) -> Process[Completion]:
        with blamed(errand.culprit):
            request = self._request(effect, errand)
        step, self._step = self._step, self._step + 1

        def answer() -> Completion:
            try:
                completion = self._sources.complete(errand.role, request)
            except Fault as fault:
                if isinstance(fault, CallFault):
                    self._record_service(fault.service, errand, step)
                self._record_failure(fault, errand, errand.role, step, request.rendered)
                self._keep_paid()
                raise
            self._record_service(completion.service, errand, step)
            self._record_completion(completion, request, errand, step)
            self._keep_paid()
            return completion

        completion: Completion = yield self._scene.clock.ask(errand.cause, answer)
        yield self._scene.clock.sleep(self._scene.latency.completion(completion.usage))
        return completion

    def _request(self, effect: Complete, errand: Errand) -> CompletionRequest:
        role = errand.role
        if role not in self._sources.identities:
            raise Fault("memory", "invalid", "it asked for a completion without a memory model")
        render = RENDERERS[self._sources.identities[role]["renderer"]]
        rendered = render(effect.prompt)
        rendered.encode("utf-8")  # what cannot be stored is refused before it is asked
        decision = errand.cause if errand.culprit == "agent" else ""
        previous = self.last_prompts.replace(role, effect.prompt, rendered, decision)
        return CompletionRequest(
            effect.prompt, rendered, previous, effect.max_tokens, self._seed(role, errand.cause)
        )

    def _seed(self, role: ModelRole, cause: str) -> int:
        """Return the seed of the next call; what was called for another cause does not shift it.

        So at one decision all arms draw the same numbers, however many calls each made before.
        """
        asked = self._asked[role, cause]
        self._asked[role, cause] += 1
        material = f"{self._scene.arc}\x1f{self._scene.seed}\x1f{role}\x1f{cause}\x1f{asked}"
        return int.from_bytes(hashlib.sha256(material.encode()).digest()[:8], "big") >> 1

    def _record_service(self, service: Service | None, errand: Errand, step: int) -> None:
        if service is None:
            return
        self._scene.record(
            ServiceRecorded(
                purpose=errand.purpose,
                role=errand.role,
                step=step,
                model=service.model,
                fingerprint=service.fingerprint,
                attempts=tuple(each.model_dump() for each in service.attempts),
                scope=errand.scope,
            ),
            [errand.cause],
        )

    def _record_completion(
        self, completion: Completion, request: CompletionRequest, errand: Errand, step: int
    ) -> None:
        prompt, blob = request.prompt, self._scene.recorder.blob
        self._scene.record(
            CompletionRecorded(
                purpose=errand.purpose,
                role=errand.role,
                step=step,
                max_tokens=request.max_tokens,
                seed=request.seed,
                instructions=blob(prompt.instructions),
                tools=blob("\n".join(tool.signature for tool in prompt.tools)),
                examples=blob("\n".join(prompt.examples)),
                block=blob(prompt.block),
                context=blob(_surfaces_text(prompt.context)),
                request=blob(prompt.request),
                steps=blob(_surfaces_text(prompt.steps)),
                rendered=blob(request.rendered),
                text=completion.text,
                finish=completion.finish,
                usage=completion.usage.model_dump(),
                scope=errand.scope,
            ),
            [errand.cause],
        )

    def _keep_paid(self) -> None:
        """Make a call durable that cost money or minutes, failed ones included."""
        if self._sources.paid:
            self._scene.recorder.pause()

    def _embed(self, effect: Embed, errand: Errand) -> Process[list[Vector]]:
        with blamed(errand.culprit):
            if "embedder" not in self._sources.identities:
                raise Fault(errand.culprit, "invalid", "it asked for vectors without an embedder")
            asked = canonical_json(list(effect.texts))
        try:
            vectors = self._sources.embed(effect.texts)
        except Fault as fault:
            self._record_failure(fault, errand, "embedder", -1, asked)
            raise
        self._scene.record(
            EmbeddingRecorded(
                purpose=errand.purpose,
                texts=tuple(sha256_text(text) for text in effect.texts),
                vectors=tuple(self._scene.recorder.blob(vector.tobytes()) for vector in vectors),
                tokens=sum(map(count_tokens, effect.texts)),
                scope=errand.scope,
            ),
            [errand.cause],
        )
        yield self._scene.clock.sleep(self._scene.latency.embed_ms)
        return vectors

    def _record_failure(
        self,
        fault: Fault,
        errand: Errand,
        role: Literal["agent_model", "memory_model", "embedder"],
        step: int,
        asked: str,
    ) -> None:
        self._scene.record(
            CallFailed(
                purpose=errand.purpose,
                role=role,
                step=step,
                asked=self._scene.recorder.blob(asked),
                culprit=fault.culprit,
                fault=fault.fault,
                message=fault.message,
                detail=fault.detail,
                scope=errand.scope,
            ),
            [errand.cause],
        )
        if self._sources.paid and role != "embedder":
            self._scene.recorder.pause()  # a call that failed may have been charged for too

    def _call(self, effect: CallTool, errand: Errand) -> Process[ToolReturn]:
        lender = self._lender
        if lender is None or effect.tool not in lender.schemas:
            return (yield from self._make_call(effect, errand))
        # Before the call is open: a boundary waits for open calls while it has the memory.
        yield from lender.enter()
        try:
            return (yield from self._make_call(effect, errand, lender))
        finally:
            lender.leave()

    def _make_call(
        self, effect: CallTool, errand: Errand, lender: Lender | None = None
    ) -> Process[ToolReturn]:
        with blamed(errand.culprit):
            text = render_action(Call(effect.tool, effect.arguments))
        checked = self._check(effect, lender)
        call, self._calls = f"{errand.cause}:{self._calls}", self._calls + 1
        opened = self._scene.record(
            ToolCalled(
                call=call,
                tool=effect.tool,
                arguments=checked.arguments,
                coerced=checked.coerced,
                scope=errand.scope,
            ),
            [errand.cause],
        )
        written = self._surface(opened, "assistant", text, call, effect.tool, errand)
        self._scene.call_opened()
        yield self._scene.clock.sleep(self._scene.latency.tool_ms)
        try:
            if lender is None:
                outcome = self._run_tool(checked, effect.tool)
            else:
                made = LentCall(effect.tool, checked, opened, errand.cause, errand.scope)
                outcome = yield from lender.use(made)
        finally:
            self._scene.call_closed()
        returned = self._record_return(outcome, call, effect.tool, opened, errand)
        if lender is not None:
            contains = frozenset(outcome.contains)
            self._scene.recalled |= {opened: frozenset(), returned: contains}
        # Both halves enter the working context together: a cut never separates them.
        self._scene.show(written, errand.cause)
        result = self._surface(returned, "tool", outcome.text, call, effect.tool, errand)
        self._scene.show(result, errand.cause)
        yield from self.after_call(returned)
        return ToolReturn(outcome.ok, outcome.text)

    def _check(self, effect: CallTool, lender: Lender | None) -> Checked:
        if lender is not None:
            with blamed("memory"):
                return lender.schemas.check(effect.tool, effect.arguments)
        others = () if self._lender is None else self._lender.schemas
        with blamed("environment"):
            return self._world.check(effect.tool, effect.arguments, others)

    def _run_tool(self, checked: Checked, tool: str) -> ToolOutcome:
        if checked.error is not None:
            return ToolOutcome(ok=False, text=checked.error)
        return self._world.call(tool, checked.arguments, self._scene.clock.now)

    def _record_return(
        self, outcome: ToolOutcome, call: str, tool: str, opened: str, errand: Errand
    ) -> str:
        returned = self._scene.record(
            ToolReturned(
                call=call, tool=tool, ok=outcome.ok, text=outcome.text, scope=errand.scope
            ),
            [opened],
        )
        self._world.note(returned, outcome.contains)
        if outcome.changes:
            self._scene.record(
                WorldChanged(call=call, patch=outcome.changes, scope=errand.scope), [opened]
            )
            if self._scene.forgotten.watches:
                self._scene.forgotten.written.extend(places(outcome.changes, self._world.state))
        return returned

    def _surface(
        self, event: str, role: Role, text: str, call: str, tool: str, errand: Errand
    ) -> Surface:
        return Surface(
            id=event,
            role=role,
            text=text,
            time=self._scene.clock.now,
            scope=errand.scope,
            tool=tool,
            call=call,
        )


def _nothing(_: str) -> Process[None]:
    yield from ()


def _advance(steps: Steps[T], send: Any, fault: Fault | None, culprit: Culprit) -> tuple[bool, Any]:
    """Move a generator on; return (True, what it returned) or (False, the next effect)."""
    with blamed(culprit):
        try:
            return False, steps.send(send) if fault is None else steps.throw(fault)
        except StopIteration as stop:
            return True, stop.value


def _surfaces_text(surfaces: tuple[Surface, ...]) -> str:
    return canonical_json([surface.model_dump() for surface in surfaces])
