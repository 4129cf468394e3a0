"""How well the ledger takes phrasings that somebody wrote by hand for what they are."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memories.ledger import Ledger, LedgerOptions
from simulator.effects.memory import Ask, MemorySetup
from simulator.effects.steps import Effect, Result, perform
from simulator.events import GLOBAL, Surface
from simulator.events.surfaces import Role

KINDS = ("constraint", "obligation", "quotation", "correction", "notice", "lift")


@dataclass(frozen=True)
class Tally:
    """How often one kind was taken for what it is.

    Attributes:
        right: Taken for it, and it is.
        wrong: Taken for it, and it is something else or nothing.
        missed: It is, and was not taken for it.
    """

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """Share of what was taken for it that is; 1.0 when nothing was."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Share of what is that was taken for it; 1.0 when nothing is."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def taken_for(said: Sequence[str], role: Role = "user") -> frozenset[str]:
    """Return the kinds of entry that some surfaces in a row leave, `lift` when one was ended."""
    memory = Ledger(LedgerOptions(), MemorySetup(trial="quality", has_model=False))
    told = [Surface(id=f"e/{at}", role=role, text=text, time=at) for at, text in enumerate(said)]
    perform(memory.absorb(told), _unasked)
    entries = memory.book.visible(Ask("", None, GLOBAL, len(said)))
    return frozenset(each.kind for each, _, _ in entries)


def measure(phrasings: Mapping[str, Sequence[str | Sequence[str]]]) -> dict[str, Tally]:
    """Return a tally for each kind over phrasings by kind; under `none` stand those of no kind.

    Under `lift` and `kept` stand pairs: what binds, and what ends it or does not. Only whether it
    was ended counts there.
    """
    right, wrong, missed = Counter[str](), Counter[str](), Counter[str]()
    for kind, texts in phrasings.items():
        for text in texts:
            wanted, found = _compared(kind, text)
            right.update(found & wanted)
            wrong.update(found - wanted)
            missed.update(wanted - found)
    return {kind: Tally(right[kind], wrong[kind], missed[kind]) for kind in KINDS}


def _compared(kind: str, text: str | Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the kinds that are wanted of a phrasing and those found."""
    if kind in ("lift", "kept"):
        ended = taken_for(text) & {"lift"}
        return frozenset({"lift"} if kind == "lift" else ()), ended
    wanted = frozenset({kind} - {"none"})
    return wanted, taken_for((str(text),), "system" if kind == "notice" else "user")


def listing(phrasings: Mapping[str, Iterable[str | Sequence[str]]]) -> list[str]:
    """Return a line for each phrasing that was not taken for what it is."""
    lines = []
    for kind, texts in phrasings.items():
        for text in texts:
            wanted, found = _compared(kind, text)
            if wanted != found:
                lines.append(f"{kind}, taken for {', '.join(sorted(found)) or 'nothing'}: {text}")
    return lines


def _unasked(effect: Effect) -> Result:
    raise AssertionError(f"the ledger asks for nothing, but yielded {effect!r}")
