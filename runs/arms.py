"""From a suite to its arms: every combination, options checked and defaults spelled out."""

from collections.abc import Iterator
from itertools import product

from runs.suite import Part, Suite
from simulator.effects.registry import lookup
from simulator.engine.arm import Arm, Forgetting, PartSpec, slug
from simulator.engine.latency import profile
from simulator.engine.parts import effective
from simulator.events.errors import InputError


def arms(suite: Suite) -> list[Arm]:
    """Return the suite's arms: models, then memories, budgets and forgetting modes.

    Raises:
        InputError: for an unknown part, an unknown option, or two arms that are the same.
    """
    profile(suite.latency)
    made = list(_arms(suite))
    seen: set[str] = set()
    for arm in made:
        if arm.id in seen:
            raise InputError(f"two arms of the suite are the same: {arm.id}", field="memories")
        seen.add(arm.id)
    return made


def _arms(suite: Suite) -> Iterator[Arm]:
    agent = effective("agent", suite.agent.name, suite.agent.options)
    helper = _effective("model", suite.memory_model) if suite.memory_model else None
    for model, memory in product(suite.models, suite.memories):
        part = _effective("memory", memory)
        uses_model = "model" in part.options.values()  # whatever the option is called
        if uses_model and helper is None:
            raise InputError(
                f"memory {part.name!r} writes with a model; name one under [memory_model]",
                field="memory_model",
            )
        for budget, forgetting in product(_budgets(suite, part), suite.forgetting):
            yield _arm(
                part,
                _effective("model", model),
                helper if uses_model else None,
                agent,
                budget,
                forgetting,
                suite.latency,
            )


def _effective(port: str, part: Part) -> PartSpec:
    return effective(port, part.name, part.options)


def _budgets(suite: Suite, memory: PartSpec) -> list[int | None]:
    """An implementation called `unbudgeted` is a control: one arm, no budget."""
    if memory.options.get("implementation") == "unbudgeted":
        return [None]
    return list(suite.token_budgets)


def _arm(
    memory: PartSpec,
    model: PartSpec,
    memory_model: PartSpec | None,
    agent: PartSpec,
    budget: int | None,
    forgetting: Forgetting,
    latency: str,
) -> Arm:
    parts = [_part_slug("memory", memory), _part_slug("model", model)]
    parts.append("unbudgeted" if budget is None else str(budget))
    if memory_model is not None:
        parts.append(f"by={_part_slug('model', memory_model)}")
    if agent.name != "scaffold" or _changed("agent", agent):
        parts.append(f"agent={_part_slug('agent', agent)}")
    if forgetting != "off":
        parts.append(f"forgetting={forgetting}")
    if latency != "typical":
        parts.append(f"latency={latency}")
    return Arm(
        id=slug(parts),
        memory=memory,
        model=model,
        memory_model=memory_model,
        agent=agent,
        token_budget=budget,
        forgetting=forgetting,
        latency=latency,
    )


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
