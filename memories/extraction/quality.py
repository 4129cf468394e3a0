"""How well the pattern extractor reads phrasings that somebody wrote by hand."""

from collections.abc import Iterable
from dataclasses import dataclass

from memories.extraction.factbook import Fact, Factbook, fold
from memories.extraction.noting import Reader, note_all
from memories.extraction.patterns import read_sentence
from memories.shelf import Shelf
from simulator.events import GLOBAL, Surface


@dataclass(frozen=True)
class Phrasing:
    """Some surfaces in a row and the facts that hold after them.

    Attributes:
        name: What it is called in a listing.
        said: The surfaces.
        facts: `entity | attribute | value` of each fact that a reader would note; the entity is
            empty where none is named.
    """

    name: str
    said: tuple[Surface, ...]
    facts: frozenset[str]


@dataclass(frozen=True)
class Quality:
    """Counts of facts over all phrasings.

    Attributes:
        right: Extracted and wanted.
        wrong: Extracted and not wanted.
        missed: Wanted and not extracted.
        listing: A line for each fact that is wrong or missed.
    """

    right: int
    wrong: int
    missed: int
    listing: tuple[str, ...]

    @property
    def precision(self) -> float:
        """Share of extracted facts that are wanted; 1.0 when nothing was extracted."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Share of wanted facts that were extracted; 1.0 when nothing was wanted."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def extract(said: Iterable[Surface], reader: Reader = read_sentence) -> frozenset[str]:
    """Return what holds after these surfaces, as `entity | attribute | value`, case folded."""
    shelf = Shelf()
    book = Factbook(shelf, dates=False)
    note_all(list(said), book, reader)
    return frozenset(_row(fact) for tool in (False, True) for fact in book.lookup(GLOBAL, tool))


def measure(phrasings: Iterable[Phrasing]) -> Quality:
    """Compare what is extracted with what is wanted, fact by fact."""
    right = wrong = missed = 0
    listing = []
    for each in phrasings:
        found = extract(each.said)
        wanted = frozenset(fold(fact) for fact in each.facts)
        right += len(found & wanted)
        wrong += len(found - wanted)
        missed += len(wanted - found)
        listing += [f"{each.name}: wrong {fact}" for fact in sorted(found - wanted)]
        listing += [f"{each.name}: missed {fact}" for fact in sorted(wanted - found)]
    return Quality(right, wrong, missed, tuple(listing))


def _row(fact: Fact) -> str:
    return fold(f"{fact.entity} | {fact.attribute} | {fact.value}")
