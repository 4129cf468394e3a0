"""Fates: what became of a value in a memory before a decision asked for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.causes.past import Past
from scoring.holdings import Held, Step
from scoring.keys import Gold
from simulator.events.folding import fold

FateName = Literal["never written", "lost", "held"]


@dataclass(frozen=True)
class Fate:
    """What became of one value.

    Attributes:
        name: `held`: some item that may be given back holds it. `lost`: one did, and none does.
            `never written`: none ever did.
        value: The value.
        events: Events that state it: the key's evidence as far as it was said, or else every
            surface that holds the value.
        items: What holds it; what held it last; or what came of the events without the value.
        compaction: The boundary, from 1, at which it was lost; for what was never written, at
            which it was handed over. None where a notice took it, or where it was never handed over.
        how: What happened to the last items that held it, one word each; empty unless `lost`.
        by: Ids of the items that stand in their place, and of the notice that took them.
    """

    name: FateName
    value: str
    events: tuple[str, ...]
    items: tuple[Held, ...]
    compaction: int | None = None
    how: tuple[str, ...] = ()
    by: tuple[str, ...] = ()


def fate(past: Past, gold: Gold, position: int) -> Fate:
    """Return what had become of a gold value when the event at a position took place.

    An item holds a value when its text does: that is what a block shows and what `in_block` means.
    """
    value = fold(gold.value)
    events = _stating(past, gold, value, position)
    holding, lost = _follow(past, value, position)
    if holding:
        return Fate("held", gold.value, events, tuple(holding.values()))
    if lost:
        return _lost(past, gold.value, events, lost)
    came = [item for item in past.held(position).values() if _from(item, events)]
    over = past.absorbed(events, position)
    return Fate("never written", gold.value, events, tuple(came), over)


def _stating(past: Past, gold: Gold, value: str, position: int) -> tuple[str, ...]:
    said = [e for e in gold.evidence if e in past.heard]
    said = [e for e in said if past.heard[e].event.position < position]
    return tuple(said or past.stating(value, position))


def _from(item: Held, events: Sequence[str]) -> bool:
    return bool(set(events) & {*item.sources, *item.saw})


def _follow(past: Past, value: str, position: int) -> tuple[dict[str, Held], list[Step]]:
    """Return what can be given back and holds a value, and how its last holder was lost."""
    holding: dict[str, Held] = {}
    lost: list[Step] = []
    for change in past.changes:
        if change[0].position > position:
            break
        gone, kept_back = [], []
        for step in change:
            holds = past.holds(step.item.text, value)
            if holds and _gives(step):
                holding[step.item.id] = step.item
            elif holding.pop(step.item.id, None) is not None:
                gone.append(step)
            elif holds and step.held:
                kept_back.append(step)
        if not holding:
            # What was withheld as soon as it was written is lost there and then.
            lost = gone or lost or kept_back
    return holding, lost


def _gives(step: Step) -> bool:
    """Return whether an item may be given back: held, not hidden, and no mere history."""
    return step.held and not step.item.hidden and step.item.replaced_by is None


def _lost(past: Past, value: str, events: tuple[str, ...], lost: Sequence[Step]) -> Fate:
    last = lost[0]
    noticed = last.why in ("withdrawn", "deleted", "granted")
    by = [name for step in lost for name in step.by]
    return Fate(
        "lost",
        value,
        events,
        tuple({step.item.id: step.item for step in lost}.values()),
        None if noticed else past.compaction(last.position),
        tuple(dict.fromkeys(map(_how, lost))),
        tuple(dict.fromkeys([*([last.cause] if noticed else []), *by])),
    )


def _how(step: Step) -> str:
    if step.held and step.item.hidden:
        return "hidden"
    return "replaced" if step.held and step.item.replaced_by is not None else step.what
