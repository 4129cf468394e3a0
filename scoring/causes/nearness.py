"""Nearness: rank and distance of everything a memory held, from the vectors in the log.

A block holds the ranks of what was shown. What was left out is ranked here by the same arithmetic
and the same order at equal distances, so that ranks of shown items come out as recorded.
"""

from dataclasses import dataclass
from typing import Literal

from scoring.causes.past import Past
from scoring.decisions import DecisionRecord
from scoring.holdings import Held
from scoring.run import Event
from simulator.effects.distances import cosine_distances, event_order
from simulator.effects.memory import BLOCK_HEADER
from simulator.effects.steps import Vector
from simulator.events import GLOBAL
from simulator.events.canonical import sha256_text
from simulator.events.tokens import count_tokens
from simulator.models.rendering import one_line

LeftOut = Literal["scope", "budget", "order"]
"""Why a held item is not in a block.

`scope`: it is somebody else's. `budget`: it does not fit into what the block leaves of the
budget. `order`: it would fit, and the memory chose others or fewer.
"""


@dataclass(frozen=True)
class Near:
    """How near an item is to a request.

    Attributes:
        rank: Place among all items open to the read, from 1, by distance and then event order.
        distance: Cosine distance × 10⁶.
        of: How many items were ranked.
    """

    rank: int
    distance: int
    of: int


def nearness(past: Past, record: DecisionRecord, read: Event) -> dict[str, Near]:
    """Return item id to its nearness, for every item open to a read whose vector is in the log.

    Open is what the port lets a memory give back: held, not hidden, of the request's scope or
    `global`, and not made of what the session shows alone. Empty when the memory embedded nothing
    for this read, or none of its items can be matched with a text that was embedded.
    """
    query = _query(past, record, read)
    if query is None:
        return {}
    shown = {record.id, *(surface.id for surface in record.context)}
    found: dict[str, tuple[Held, Vector]] = {}
    for item in past.held(read.position).values():
        vector = _kept(past, item, read.position)
        if vector is not None and _open(item, read.scope, shown):
            found[item.id] = (item, vector)
    far = cosine_distances(query, [vector for _, vector in found.values()])
    order = sorted(
        zip(far, found, strict=True),
        key=lambda each: (each[0], event_order(_time(past, found[each[1]][0]), each[1])),
    )
    return {name: Near(rank, d, len(order)) for rank, (d, name) in enumerate(order, 1)}


def left_out(read: Event, item: Held) -> LeftOut:
    """Return why a held item that may be given back is not in the block of a read."""
    if item.scope not in (GLOBAL, read.scope):
        return "scope"
    budget = read.body["budget"]
    used = read.body["tokens"] or count_tokens(BLOCK_HEADER)
    fits = budget is None or used + count_tokens("\n") + count_tokens(item.text) <= budget
    return "order" if fits else "budget"


def _open(item: Held, scope: str, shown: set[str]) -> bool:
    mine = item.scope in (GLOBAL, scope) and not item.hidden and item.replaced_by is None
    return mine and not shown.issuperset(item.sources)


def _query(past: Past, record: DecisionRecord, read: Event) -> Vector | None:
    """Return the vector that a read embedded its request as."""
    wanted = {sha256_text(text) for text in (one_line(record.request), record.request)}
    for event in past.trial.events[record.first : read.position]:
        if event.kind == "embedding" and event.body["purpose"] == "read":
            for text, blob in zip(event.body["texts"], event.body["vectors"], strict=True):
                if text in wanted:
                    return past.vector(blob)
    return None


def _kept(past: Past, item: Held, until: int) -> Vector | None:
    """Return the newest vector of an item before a position, None where the log has none."""
    for text in _embedded_as(past, item):
        early = [blob for position, blob in past.embedded.get(text, ()) if position < until]
        if early:
            return past.vector(early[-1])
    return None


def _embedded_as(past: Past, item: Held) -> list[str]:
    """Return the hashes of the texts that an item may have been embedded as.

    Its own text, that behind the role of who said it, or that of its one source where the item
    ends with it word for word. Nothing is guessed: only a text that was embedded has such a hash.
    """
    texts = [item.text, one_line(item.text), item.text.partition(f"{item.role}: ")[2]]
    if len(item.sources) == 1 and item.sources[0] in past.heard:
        said = one_line(past.heard[item.sources[0]].text)
        texts += [said] if item.text.endswith(said) else []
    return [sha256_text(text) for text in texts if text]


def _time(past: Past, item: Held) -> int:
    return max((past.heard[s].event.time for s in item.sources if s in past.heard), default=0)
