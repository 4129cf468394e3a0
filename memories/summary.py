"""Summary: a digest of limited size, one for each scope, that replaces the transcript.

What does not fit is lost for good, unlike in `replay`, which holds everything and shows a part.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from memories.budget import fit
from memories.digests import as_lines, attribute, digest_prompt, weigh
from memories.lines import dated, show, verbatim
from memories.sentences import sentences
from memories.shelf import Shelved, repeats
from simulator.effects.memory import Ask, Block, Habit, Item, MemorySetup
from simulator.effects.options import Options
from simulator.effects.steps import Complete, Steps
from simulator.events import Surface
from simulator.events.errors import InputError
from simulator.events.faults import Fault


class SummaryOptions(Options):
    """Options of `summary`.

    Attributes:
        implementation: `extractive` keeps the sentences that say most, `truncating` the newest
            ones, `model` lets the memory model write the digest anew at each boundary.
        max_tokens: Size limit of the digest of one scope, tokens.
        dates: Whether a line begins with its date.
    """

    implementation: Literal["extractive", "truncating", "model"] = "extractive"
    max_tokens: int = Field(default=160, ge=16)
    dates: bool = True


_HABITS: dict[str, Habit] = {
    "extractive": "accumulates",  # old and new value stand side by side until the size limit
    "truncating": "truncates",
    "model": "overwrites",
}


class Summary(Shelved):
    """Holds a digest for each scope, as items of a sentence or a written line each."""

    Options: ClassVar[type[BaseModel]] = SummaryOptions
    habit: Habit = "accumulates"
    embedder: str | None = None

    def __init__(self, options: SummaryOptions, setup: MemorySetup) -> None:
        super().__init__()
        if options.implementation == "model" and not setup.has_model:
            raise InputError(
                "implementation 'model' needs a memory model, and none is configured",
                field="summary.implementation",
            )
        self._options = options
        self.habit = _HABITS[options.implementation]
        self._written = 0

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Digest the old summary and the new surfaces of each scope.

        Raises:
            Fault: culprit `model` (`empty`, `truncated`) when the memory model wrote nothing
                that can be kept; the old digest then stands.
        """
        for scope in dict.fromkeys(surface.scope for surface in transcript):
            part = [surface for surface in transcript if surface.scope == scope]
            if self._options.implementation == "model":
                yield from self._rewrite(scope, part)
            else:
                self._extract(scope, part)

    def read(self, ask: Ask) -> Steps[Block]:
        """Return the digest's lines that fit, first ones first."""
        yield from ()
        lines = [show(item) for item in self.shelf.visible(ask) if not repeats(item, ask)]
        return Block(items=fit(lines, ask.budget))

    def _digest(self, scope: str) -> list[Item]:
        """Return the visible lines of a scope's digest; hidden ones wait beside it."""
        return [item for item in self.shelf if item.scope == scope and not item.hidden]

    def _extract(self, scope: str, surfaces: Iterable[Surface]) -> None:
        for surface in surfaces:
            for number, sentence in enumerate(sentences(surface.text)):
                part = f":{number}"
                self.shelf.put(verbatim(surface, self._options.dates, sentence, part))
        digest = self._digest(scope)
        newest_first = digest[::-1]
        if self._options.implementation == "extractive":
            newest_first.sort(key=weigh, reverse=True)  # stable: of equals, the newest stays
        kept = fit((show(item) for item in newest_first), self._options.max_tokens)
        names = {line.item for line in kept}
        self.shelf.drop(item.id for item in digest if item.id not in names)

    def _rewrite(self, scope: str, surfaces: Sequence[Surface]) -> Steps[None]:
        seen = [surface for surface in surfaces if self.shelf.usable(surface.id)]
        self._set_aside(surfaces)
        if not seen:
            return
        old = self._digest(scope)
        prompt = digest_prompt(old, seen, self._options.max_tokens)
        completion = yield Complete(prompt, self._options.max_tokens)
        lines = as_lines(completion)
        new = [self._written_item(line, scope, old, seen) for line in lines]
        kept = {line.item for line in fit(map(show, new), self._options.max_tokens)}
        if not kept:
            raise Fault("model", "truncated", "no line of the written summary fits its size limit")
        self.shelf.drop(item.id for item in old)
        for item in new:
            if item.id in kept:
                self.shelf.put(item)

    def _set_aside(self, surfaces: Iterable[Surface]) -> None:
        """Hold withdrawn surfaces word for word, hidden: the model must not see them."""
        for surface in surfaces:
            if not self.shelf.usable(surface.id):
                self.shelf.put(verbatim(surface, self._options.dates))

    def _written_item(
        self, line: str, scope: str, old: Sequence[Item], seen: Sequence[Surface]
    ) -> Item:
        sources, time = attribute(line, old, seen)
        self._written += 1
        return Item(
            id=f"digest-{self._written}",
            text=dated(line, time, self._options.dates),
            sources=sources,
            saw=frozenset(surface.id for surface in seen).union(*(item.saw for item in old)),
            time=time,
            scope=scope,
        )
