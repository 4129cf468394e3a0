"""What a memory promises of its items and blocks, held against what it does."""

from collections.abc import Iterable, Mapping

from simulator.effects.memory import Ask, Block, Item, Shown, Used
from simulator.events import GLOBAL
from simulator.events.faults import Fault


def by_id(items: Iterable[Item]) -> dict[str, Item]:
    """Return items by their ids.

    Raises:
        Fault: culprit `memory`, `invalid`, when two share one.
    """
    held: dict[str, Item] = {}
    for item in items:
        if item.id in held:
            raise Fault("memory", "invalid", f"two items are called {item.id!r}")
        held[item.id] = item
    return held


def check_items(items: Iterable[Item], seen: set[str], held: Mapping[str, Item]) -> None:
    """Refuse items whose pedigree is missing or names what was never absorbed, or is not held.

    Raises:
        Fault: culprit `memory`, `invalid`.
    """
    for item in items:
        if not item.sources:
            raise Fault("memory", "invalid", f"item {item.id!r} names no source")
        if not item.sources | item.saw <= seen:
            raise Fault("memory", "invalid", f"item {item.id!r} names a source it never saw")
        if item.replaced_by is not None and item.replaced_by not in held:
            raise Fault(
                "memory", "invalid", f"item {item.id!r} is replaced by one that is not held"
            )


def check_block(block: Block, ask: Ask, held: dict[str, Item]) -> None:
    """Hold a block to the port's contract: budget, scope, hidden items, no repetition.

    Raises:
        Fault: culprit `memory`, `invalid`.
    """
    if ask.budget is not None and block.tokens > ask.budget:
        raise Fault("memory", "invalid", f"block of {block.tokens} tokens, budget {ask.budget}")
    _check_shown(block.items, ask, held)


def check_used(used: Used, tokens: int, ask: Ask, held: dict[str, Item]) -> None:
    """Hold what a memory's tool gave back to the same contract as a block.

    Raises:
        Fault: culprit `memory`, `invalid`.
    """
    if ask.budget is not None and tokens > ask.budget:
        raise Fault("memory", "invalid", f"result of {tokens} tokens, {ask.budget} were left")
    if len(used.text.splitlines()) > 1:
        raise Fault("memory", "invalid", "the text before a result's items is more than one line")
    _check_shown(used.items, ask, held)


def _check_shown(items: Iterable[Shown], ask: Ask, held: dict[str, Item]) -> None:
    for shown in items:
        broken = _broken_rule(shown, held.get(shown.item), ask)
        if broken is not None:
            raise Fault("memory", "invalid", f"{shown.item!r} {broken}")


def _broken_rule(shown: Shown, item: Item | None, ask: Ask) -> str | None:
    if item is None:
        return "is not among the holdings"
    if item.hidden:
        return "is hidden"
    if item.scope not in (GLOBAL, ask.scope):
        return f"belongs to scope {item.scope!r}"
    if shown.sources and ask.shown.issuperset(shown.sources):
        return "repeats the working context"
    if not shown.sources or not item.sources.issuperset(shown.sources):
        return "is shown with other sources than it is held with"
    if "".join(shown.text.splitlines()) != shown.text:
        return "is more than one line"
    return None
