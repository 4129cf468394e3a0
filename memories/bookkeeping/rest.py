"""The rest: sentences that are nothing in particular, kept by weight up to a size limit a scope.

Of a person's words those weigh more that look like a limit or a duty, though not enough to be
taken for one.
"""

from collections.abc import Iterator

from memories.bookkeeping.force import force
from memories.budget import fit
from memories.digests import weigh
from memories.lines import show, verbatim
from memories.shelf import Shelf
from simulator.effects.memory import Ask, Item
from simulator.events import Surface


class Rest:
    """An extractive digest of each scope; what does not fit is lost for good."""

    def __init__(self, max_tokens: int, dates: bool, provenance: bool) -> None:
        self.shelf = Shelf()
        self._max_tokens = max_tokens
        self._dates = dates
        self._provenance = provenance

    def write(self, surface: Surface, number: int, sentence: str) -> None:
        """Keep a sentence for now."""
        part = f":{number}"
        self.shelf.put(
            verbatim(
                surface,
                self._dates,
                sentence,
                part,
                self._provenance,
                store="summaries",
                derived=True,
            )
        )

    def compress(self, scope: str) -> None:
        """Let go of the sentences of a scope that say least, until the others fit the limit."""
        digest = [item for item in self.shelf if item.scope == scope and not item.hidden]
        digest.sort(key=lambda item: (-_worth(item), -item.time))
        kept = {line.item for line in fit((show(item) for item in digest), self._max_tokens)}
        self.shelf.drop(item.id for item in digest if item.id not in kept)

    def ranked(self, ask: Ask) -> Iterator[Item]:
        """Yield the sentences that may answer `ask`, those that say most first, then the newest."""
        items = self.shelf.visible(ask)
        yield from sorted(items[::-1], key=lambda item: -_worth(item))


def _worth(item: Item) -> int:
    """Return what a sentence is worth: how much it says, and twice its force for a person's."""
    if item.role not in ("user", "system"):
        return weigh(item)
    return weigh(item) + round(2 * max(0.0, *force(item.text.split(": ", 1)[-1])))
