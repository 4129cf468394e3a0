"""Facts: entity, attribute, value. The newest value is given back, the older ones are history."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal, Self

from pydantic import BaseModel, model_validator

from memories.budget import fit
from memories.extraction.dictation import facts_prompt, parse_facts
from memories.extraction.domains import VOCABULARIES, DomainName
from memories.extraction.factbook import Factbook
from memories.extraction.noting import Reader, note_all
from memories.extraction.patterns import read_sentence
from memories.lines import show
from memories.shelf import Shelved, repeats
from memories.words import content_stems, value_words
from simulator.effects.memory import (
    Ask,
    Block,
    Forgetting,
    Gone,
    Habit,
    Item,
    MemoryOptions,
    MemorySetup,
    Reach,
)
from simulator.effects.steps import Complete, Steps
from simulator.events import Surface
from simulator.events.errors import InputError

_FACT_TOKENS = 512  # most tokens that the memory model may write for one boundary


class FactsOptions(MemoryOptions):
    """Options of `facts`.

    Attributes:
        implementation: Who extracts: general `pattern`s of English, the patterns of a `domain`,
            or the memory `model`.
        domain: Whose attributes the patterns of a domain know.
        dates: Whether a line begins with the date of the event that stated the fact.
    """

    implementation: Literal["pattern", "domain", "model"] = "pattern"
    domain: DomainName = "all"
    dates: bool = True

    @model_validator(mode="after")
    def _domain_is_read(self) -> Self:
        if self.domain != "all" and self.implementation != "domain":
            raise ValueError(
                f"domain {self.domain!r} goes with implementation 'domain', "
                f"not {self.implementation!r}"
            )
        return self

    def reader(self) -> Reader | None:
        """Return what tells what a sentence states; None where a model does."""
        if self.implementation == "model":
            return None
        if self.implementation == "domain":
            return VOCABULARIES[self.domain].read
        return read_sentence


class Facts(Shelved):
    """Holds facts with history; only values that hold now come back."""

    Options: ClassVar[type[BaseModel]] = FactsOptions
    habit: Habit = "overwrites"
    embedder: str | None = None

    def __init__(self, options: FactsOptions, setup: MemorySetup) -> None:
        super().__init__()
        if options.implementation == "model" and not setup.has_model:
            raise InputError(
                "implementation 'model' needs a memory model, and none is configured",
                field="facts.implementation",
            )
        self._reader = options.reader()
        self.book = Factbook(self.shelf, options.dates)

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Write the facts that users, documents and tools state; the assistant's words are none.

        Raises:
            Fault: culprit `model`, `unparsable` or `truncated`, when the memory model's reply is
                not facts of the schema; nothing of that scope is then written.
        """
        if self._reader is not None:
            note_all(transcript, self.book, self._reader)
            return
        for scope in dict.fromkeys(surface.scope for surface in transcript):
            heard = [each for each in transcript if each.scope == scope and self._hears(each)]
            if heard:
                completion = yield Complete(facts_prompt(heard), _FACT_TOKENS)
                for noun, fact in parse_facts(completion, heard):
                    self.book.name(fact.entity, noun)
                    self.book.write(fact)

    def read(self, ask: Ask) -> Steps[Block]:
        """Return the facts that fit, those that share most with the request first."""
        yield from ()
        return Block(items=fit((show(item) for item in self.rank(ask)), ask.budget))

    def rank(self, ask: Ask) -> list[Item]:
        """Return what holds now, by overlap of entity and words with the request, then newest."""
        holding = [item for item in self.book.current(ask) if not repeats(item, ask)]
        return sorted(holding[::-1], key=lambda item: -overlap(item, ask.query))

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        """Hide or erase the facts that these events stated; what they superseded holds again."""
        done = yield from super().forget(sources, how, reach)
        self.book.forgotten()
        return done

    def holdings(self) -> Iterable[Item]:
        """Yield every fact, hidden or not, and of history what stands for it, as they came."""
        return self.book.holdings()

    def _hears(self, surface: Surface) -> bool:
        return surface.role != "assistant" and self.shelf.usable(surface.id)


def overlap(item: Item, query: str) -> int:
    """Return how much a fact's line shares with a request: ids 6, other words of its name 2.

    Words of the value count 1, so that a long note does not win by chance.
    """
    name, _, value = item.text.partition(" = ")
    words = content_stems(query)
    ids = value_words(name) & value_words(query)
    return 4 * len(ids) + 2 * len(content_stems(name) & words) + len(content_stems(value) & words)
