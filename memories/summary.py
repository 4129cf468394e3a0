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
from simulator.events.faults import Fault


class SummaryOptions(MemoryOptions):
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
        self._lost: set[str] = set()
        self._standing_in: set[str] = set()

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        """Digest the old summary and the new surfaces of each scope.

        Surfaces whose written lines went with a forgotten one get lines of their own, beside the
        digest, until the old ones are back.

        Raises:
            Fault: culprit `model` (`empty`, `truncated`, `longer`) when the memory model wrote
                nothing that can be kept; the old digest then stands.
        """
        for scope in dict.fromkeys(surface.scope for surface in transcript):
            part = [surface for surface in transcript if surface.scope == scope]
            if self._options.implementation != "model":
                self._extract(scope, part)
            elif self._lost.issuperset(surface.id for surface in part):
                yield from self._stand_in(scope, part)
            else:
                yield from self._rewrite(scope, part)

    def read(self, ask: Ask) -> Steps[Block]:
        """Return the digest's lines that fit, first ones first."""
        yield from ()
        lines = [show(item) for item in self.shelf.visible(ask) if not repeats(item, ask)]
        return Block(items=fit(lines, ask.budget))

    def forget(
        self, sources: frozenset[str], how: Gone, reach: Reach = "lineage"
    ) -> Steps[Forgetting]:
        """Hide or erase the lines that contain one of `sources`; with `lineage` only."""
        before = self._carried()
        done = yield from super().forget(sources, how, reach)
        lost = before - self._carried()
        self._lost |= {source for source in lost if self.shelf.usable(source, derived=True)}
        return done

    def regrant(self, sources: frozenset[str]) -> Steps[None]:
        """Show again what was hidden because of `sources`, in the place of what stood in for it."""
        yield from super().regrant(sources)
        carried = self._carried()
        self._lost -= carried
        items = self.shelf.by_id
        back = [name for name in self._standing_in if items[name].sources <= carried]
        self._standing_in.difference_update(back)
        self.shelf.drop(back)

    def _carried(self) -> set[str]:
        """Return the events that a visible line contains, those that only stand in left out."""
        lines = (each for each in self.shelf if each.id not in self._standing_in)
        return {source for each in lines if not each.hidden for source in each.sources}

    def _digest(self, scope: str) -> list[Item]:
        """Return the visible lines of a scope's digest; hidden ones wait beside it."""
        return [item for item in self.shelf if item.scope == scope and not item.hidden]

    def _extract(self, scope: str, surfaces: Iterable[Surface]) -> None:
        for surface in surfaces:
            for number, sentence in enumerate(sentences(surface.text)):
                part = f":{number}"
                self.shelf.put(self._verbatim(surface, sentence, part))
        digest = self._digest(scope)
        newest_first = digest[::-1]
        if self._options.implementation == "extractive":
            newest_first.sort(key=weigh, reverse=True)  # stable: of equals, the newest stays
        kept = fit((show(item) for item in newest_first), self._options.max_tokens)
        names = {line.item for line in kept}
        self.shelf.drop(item.id for item in digest if item.id not in names)

    def _rewrite(self, scope: str, surfaces: Sequence[Surface]) -> Steps[None]:
        seen = [each for each in surfaces if self.shelf.usable(each.id, derived=True)]
        self._set_aside(surfaces)
        if not seen:
            return
        old = self._digest(scope)
        new = yield from self._write(scope, old, seen)
        kept = {line.item for line in fit(map(show, new), self._options.max_tokens)}
        self._keep(new, kept)
        self.shelf.drop(item.id for item in old)
        self._standing_in.difference_update(item.id for item in old)

    def _stand_in(self, scope: str, surfaces: Sequence[Surface]) -> Steps[None]:
        beside = self._digest(scope)
        new = yield from self._write(scope, (), surfaces)
        fitting = fit(map(show, [*beside, *new]), self._options.max_tokens)
        kept = {line.item for line in fitting}.intersection(item.id for item in new)
        self._keep(new, kept)
        self._standing_in |= kept
        self._lost.difference_update(surface.id for surface in surfaces)

    def _write(self, scope: str, old: Sequence[Item], seen: Sequence[Surface]) -> Steps[list[Item]]:
        completion = yield Complete(
            digest_prompt(old, seen, self._options.max_tokens), self._options.max_tokens
        )
        lines = as_lines(completion, old, seen)
        return [self._written_item(line, scope, old, seen) for line in lines]

    def _keep(self, new: Iterable[Item], names: set[str]) -> None:
        if not names:
            raise Fault("model", "truncated", "no line of the written summary fits its size limit")
        for item in new:
            if item.id in names:
                self.shelf.put(item)

    def _set_aside(self, surfaces: Iterable[Surface]) -> None:
        """Hold withdrawn surfaces word for word, hidden: the model must not see them."""
        for surface in surfaces:
            if not self.shelf.usable(surface.id, derived=True):
                self.shelf.put(self._verbatim(surface))

    def _verbatim(self, surface: Surface, text: str | None = None, part: str = "") -> Item:
        dates = self._options.dates
        return verbatim(surface, dates, text, part, store="summaries", derived=True)

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
            store="summaries",
            derived=True,
        )
