"""From a suite to its arms: every combination, options checked and defaults spelled out."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import product
from math import prod
from typing import Any

from pydantic import BaseModel, ValidationError

from runs.suite import Part, Suite
from simulator.effects.memory import Memory, MemorySetup
from simulator.effects.options import explain
from simulator.effects.registry import lookup
from simulator.engine.arm import Arm, Compaction, PartSpec, slug
from simulator.engine.blame import blamed
from simulator.engine.latency import profile
from simulator.engine.parts import make
from simulator.events.errors import InputError
from simulator.events.faults import Culprit, Fault
from simulator.events.residues import Forgetting

_MOST_ARMS = 10_000


def arms(suite: Suite) -> list[Arm]:
    """Return the suite's arms: models, then memories, budgets, compaction and forgetting modes.

    Raises:
        InputError: with the field of the suite, for an unknown part or option, a memory that
            cannot be made, writes with a model where none is named or has no trigger for a native
            arm, an embedder that no memory asks for, or two arms that are the same.
    """
    try:
        profile(suite.latency)
    except InputError as error:
        raise InputError(error.message, field="latency") from None
    _refuse_too_many(suite)
    made = list(_arms(suite))
    seen: set[str] = set()
    for arm in made:
        if arm.id in seen:
            raise InputError(f"two arms of the suite are the same: {arm.id}", field="memories")
        seen.add(arm.id)
    asked = {arm.embedder.name for arm in made if arm.embedder}
    for name in suite.embedders:
        if name not in asked:
            raise InputError(f"no memory embeds with {name!r}", field=f"embedders.{name}")
    return made


def _refuse_too_many(suite: Suite) -> None:
    modes = (suite.compaction, suite.forgetting)
    lists = (suite.memories, suite.models, suite.token_budgets, *modes)
    count = prod(map(len, lists))
    if count > _MOST_ARMS:
        message = f"the suite makes {count:,} arms; a run has at most {_MOST_ARMS:,}"
        raise InputError(message, field="memories")


def _arms(suite: Suite) -> Iterator[Arm]:
    agent = effective_part("agent", suite.agent, "agent")
    writer = None
    if suite.memory_model:
        writer = effective_part("model", suite.memory_model, "memory_model")
    memories = [
        effective_part("memory", part, f"memories.{i}") for i, part in enumerate(suite.memories)
    ]
    models = [effective_part("model", part, f"models.{i}") for i, part in enumerate(suite.models)]
    for number, memory in enumerate(memories):
        if _writes(memory) and writer is None:
            message = f"memory {memory.name!r} writes with a model; name one under [memory_model]"
            raise InputError(message, field=f"memories.{number}")
        if "native" in suite.compaction:
            _need_trigger(memory, f"memories.{number}")
    embedders = [_embedder(suite, memory) for memory in memories]
    for model, (memory, embedder) in product(models, zip(memories, embedders, strict=True)):
        by = writer if _writes(memory) else None
        for budget, cut, forgetting in product(
            _budgets(suite, memory), suite.compaction, suite.forgetting
        ):
            yield _arm(memory, model, by, embedder, agent, budget, cut, forgetting, suite.latency)


def _need_trigger(memory: PartSpec, place: str) -> None:
    if memory.options.get("compact_at"):
        return
    options = lookup("memory", memory.name).Options.model_fields
    message = f"a native arm needs a trigger, and memory {memory.name!r} "
    if "compact_at" in options:
        message += "is given none: set `compact_at`, most tokens of the working context"
    else:
        message += "has no option `compact_at`; derive its options from `MemoryOptions`"
    raise InputError(message, field=place)


def memory_parts(
    suite: Suite, part: Part, place: str
) -> tuple[PartSpec, PartSpec | None, PartSpec | None]:
    """Return a memory, the suite's model if it writes with one, and the embedder it asks for.

    Raises:
        InputError: with the field below `place`, for a wrong part, one that cannot be made, and
            one that writes with a model where the suite names none.
    """
    memory = effective_part("memory", part, place)
    writer = None
    if _writes(memory):
        if suite.memory_model is None:
            message = f"memory {memory.name!r} writes with a model, and the suite names none"
            raise InputError(message, field=place)
        writer = effective_part("model", suite.memory_model, "memory_model")
    return memory, writer, _embedder(suite, memory)


def _writes(memory: PartSpec) -> bool:
    return "model" in memory.options.values()  # whatever the option is called


def _embedder(suite: Suite, memory: PartSpec) -> PartSpec | None:
    """Return the embedder that a memory of these options asks for, which only it can tell."""
    with named_fault("memory", memory.name):
        made: Memory = make("memory", memory, MemorySetup("arms", has_model=_writes(memory)))
        with closing(made):
            name = made.embedder
    if name is None:
        return None
    part = Part(name=name, options=suite.embedders.get(name, {}))
    return effective_part("embedder", part, f"embedders.{name}")


@contextmanager
def named_fault(port: Culprit, name: str) -> Iterator[None]:
    """Say of anything that a part raises while it is made which part it was.

    Raises:
        InputError: with the name of the part and what it raised.
    """
    try:
        with blamed(port):
            yield
    except Fault as fault:
        raise InputError(f"{port} {name!r} cannot be made: {fault.message}") from fault


def effective_part(port: str, part: Part, place: str) -> PartSpec:
    """Return a part with its options checked and its defaults spelled out.

    Raises:
        InputError: with the field below `place`, for an unknown part or a wrong option.
    """
    try:
        cls = lookup(port, part.name)
        model = options_model(port, part.name, cls)
    except InputError as error:
        raise InputError(error.message, field=f"{place}.name") from None
    try:
        options = model.model_validate(part.options)
    except ValidationError as error:
        field = ".".join(map(str, (place, *error.errors()[0]["loc"])))
        message = f"{port} {part.name!r}: {explain(error, model)}"
        raise InputError(message, field=field) from None
    return PartSpec(name=part.name, options=options.model_dump(mode="json"))


def options_model(port: str, name: str, cls: Any) -> type[BaseModel]:
    """Return the class of a part's options.

    Raises:
        InputError: when it has none, so that it is no part at all.
    """
    model = getattr(cls, "Options", None)
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise InputError(f"{name!r} is no {port}: it has no `Options`, a pydantic model")
    return model


def _budgets(suite: Suite, memory: PartSpec) -> list[int | None]:
    """An implementation called `unbudgeted` is a control: one arm, no budget."""
    if memory.options.get("implementation") == "unbudgeted":
        return [None]
    return list(suite.token_budgets)


def _arm(
    memory: PartSpec,
    model: PartSpec,
    memory_model: PartSpec | None,
    embedder: PartSpec | None,
    agent: PartSpec,
    budget: int | None,
    compaction: Compaction,
    forgetting: Forgetting,
    latency: str,
) -> Arm:
    parts = [_part_slug("memory", memory), _part_slug("model", model)]
    parts.append("unbudgeted" if budget is None else str(budget))
    if memory_model is not None:
        parts.append(f"by={_part_slug('model', memory_model)}")
    if embedder is not None and _changed("embedder", embedder):
        parts.append(f"embedder={_part_slug('embedder', embedder)}")
    if agent.name != "scaffold" or _changed("agent", agent):
        parts.append(f"agent={_part_slug('agent', agent)}")
    if compaction != "forced":
        parts.append(f"compaction={compaction}")
    if forgetting != "off":
        parts.append(f"forgetting={forgetting}")
    if latency != "typical":
        parts.append(f"latency={latency}")
    return Arm(
        id=slug(parts),
        memory=memory,
        model=model,
        memory_model=memory_model,
        embedder=embedder,
        agent=agent,
        token_budget=budget,
        compaction=compaction,
        forgetting=forgetting,
        latency=latency,
    )


def part_named(text: str, field: str) -> Part:
    """Read `NAME,option=value,…`.

    Raises:
        InputError: when it is of another form.
    """
    name, *options = text.split(",")
    pairs = [option.partition("=") for option in options]
    for key, equals, _ in pairs:
        if not (key and equals):
            message = f"a part is NAME or NAME,option=value,…; got {text!r}"
            raise InputError(message, field=field)
    return Part(name=name, options={key: value for key, _, value in pairs})


def _part_slug(port: str, spec: PartSpec) -> str:
    changed = _changed(port, spec)
    implementation = spec.options.get("implementation")
    changed.pop("implementation", None)
    name = spec.name if implementation is None else f"{spec.name}-{implementation}"
    return ",".join([name, *(f"{key}={value}" for key, value in sorted(changed.items()))])


def _changed(port: str, spec: PartSpec) -> dict[str, object]:
    """Return the options that differ from their defaults."""
    defaults = {
        name: field.get_default(call_default_factory=True)
        for name, field in lookup(port, spec.name).Options.model_fields.items()
        if not field.is_required()
    }
    return {
        key: value
        for key, value in spec.options.items()
        if key not in defaults or defaults[key] != value
    }
