"""The rest: sentences that are nothing in particular, kept by weight up to a size limit a scope.

Of a person's words those weigh more that look like a limit or a duty, though not enough to be
taken for one.
"""

from collections.abc import Callable, Iterator

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
        self._documents: dict[str, str] = {}

    def write(self, surface: Surface, number: int, sentence: str, document: str = "") -> None:
        """Keep a sentence for now; one of a document with the document's id before it."""
        part = f":{number}"
        text = f"{document}: {sentence}" if document else sentence
        by = self._provenance and not document
        line = verbatim(surface, self._dates, text, part, by, store="summaries", derived=True)
        kept = self.shelf.put(line)
        if kept is not None and document:
            self._documents[kept.id] = document

    def compress(self, scope: str) -> None:
        """Let go of the sentences of a scope that say least, until the others fit the limit."""
        digest = [item for item in self.shelf if item.scope == scope and not item.hidden]
        digest.sort(key=lambda item: (-_worth(item), -item.time))
        kept = {line.item for line in fit((show(item) for item in digest), self._max_tokens)}
        self.shelf.drop(item.id for item in digest if item.id not in kept)
        self.shelf_changed()

    def shelf_changed(self) -> None:
        """Let go of what is known of sentences that are not kept any more."""
        kept = {name: each for name, each in self._documents.items() if name in self.shelf}
        self._documents = kept

    def holdings(self, closed: Callable[[str], frozenset[str]]) -> Iterator[Item]:
        """Yield every sentence, hidden where its document may not be used in its scope."""
        gone = {scope: closed(scope) for scope in {item.scope for item in self.shelf}}
        for item in self.shelf:
            hidden = item.hidden or self._documents.get(item.id) in gone[item.scope]
            yield item if hidden == item.hidden else item.model_copy(update={"hidden": True})

    def ranked(self, ask: Ask, closed: frozenset[str]) -> Iterator[Item]:
        """Yield the sentences that may answer `ask`, those that say most first, then the newest.

        Those of `closed` documents may not.
        """
        items = [
            item for item in self.shelf.visible(ask) if self._documents.get(item.id) not in closed
        ]
        yield from sorted(items[::-1], key=lambda item: -_worth(item))


def _worth(item: Item) -> int:
    """Return what a sentence is worth: how much it says, and twice its force for a person's."""
    if item.role not in ("user", "system"):
        return weigh(item)
    return weigh(item) + round(2 * max(0.0, *force(item.text.split(": ", 1)[-1])))
