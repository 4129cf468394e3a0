"""Lineage: which surfaces of a trial carry the text of which others.

A scripted surface carries itself alone, and what a tool result contains its environment says. The
agent's own words (answers, and calls with their arguments) are found by marks: they contain what
they have in common with something that was shown then, unless something else that was shown then,
and that may still be used, has it too. A result that gives back what the agent wrote in a call
contains what that call does. To have seen a text is not to contain it.

Words are read only once something is forgotten, so a trial without announcements pays nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from simulator.events import Surface
from simulator.events.marks import marks_of

Origins = Mapping[str, frozenset[str]]
"""Id of a surface that contains something forgotten, to the forgotten events that it is from."""


@dataclass(frozen=True)
class Piece:
    """Something that was shown: its text, and the events that the text is from."""

    text: str
    sources: frozenset[str]


@dataclass(frozen=True)
class Spoken:
    """A surface of the agent's making.

    Attributes:
        surface: What was said.
        shown: What the agent had been shown for that decision by then.
        calls: For a tool's result, the calls that the agent had made by then; else None.
    """

    surface: Surface
    shown: tuple[Piece, ...]
    calls: tuple[Surface, ...] | None = None

    @cached_property
    def marks(self) -> frozenset[str]:
        """What is to be looked for: its marks; of a result, those that a call has too."""
        own = marks_of(self.surface.text)
        if self.calls is None:
            return own
        return own & frozenset().union(*(marks_of(call.text) for call in self.calls))

    @property
    def pieces(self) -> Iterable[Piece]:
        """Everything that a mark may be from."""
        yield from self.shown
        for call in self.calls or ():
            yield Piece(call.text, frozenset((call.id,)))


@dataclass
class Lineage:
    """Everything that was said in a trial, and what was shown when the agent spoke.

    Attributes:
        surfaces: Every surface so far as it was said, by its id.
    """

    surfaces: dict[str, Surface] = field(default_factory=dict)
    _shown: dict[str, dict[str, Piece]] = field(default_factory=dict)
    _spoken: list[Spoken] = field(default_factory=list)
    _calls: list[Surface] = field(default_factory=list)
    _carriers: dict[str, list[list[frozenset[str]]]] = field(default_factory=dict)

    def look(self, decision: str, surfaces: Iterable[Surface]) -> None:
        """Note what the agent was shown of the session for a decision; a tombstone shows nothing."""
        shown = self._shown.setdefault(decision, {})
        for each in surfaces:
            if self.surfaces.get(each.id, each).text == each.text:
                shown.setdefault(each.id, Piece(each.text, frozenset((each.id,))))

    def recall(self, decision: str, item: str, text: str, sources: Iterable[str]) -> None:
        """Note a line of the memory block that the agent was shown for a decision."""
        shown = self._shown.setdefault(decision, {})
        shown[f"item {item}"] = Piece(text, frozenset(sources))

    def said(self, surface: Surface, context: Sequence[Surface], decision: str) -> Spoken | None:
        """Take in a surface and return it as the agent's own words, or None where it is not.

        Args:
            surface: What was said.
            context: The working context before it.
            decision: The decision that it was said for; "" for what the script says.
        """
        self.surfaces[surface.id] = surface
        calls = tuple(self._calls) if decision and surface.role == "tool" else None
        if surface.role != "assistant" and calls is None:
            return None
        if not decision:  # words of an agent of old, which had nothing but the session
            self.look(surface.id, context)
        spoken = Spoken(surface, tuple(self._shown.get(decision or surface.id, {}).values()), calls)
        self._spoken.append(spoken)
        if decision and surface.role == "assistant" and surface.call is not None:
            self._calls.append(surface)
        return spoken

    def closure(self, roots: Iterable[str]) -> Origins:
        """Return everything that contains one of `roots`, the roots themselves included.

        One pass is enough, since all that words can be from was said before them.
        """
        found = {root: frozenset((root,)) for root in roots}
        for spoken in self._spoken:
            origins = self.origins(spoken, found)
            if origins:
                found[spoken.surface.id] = found.get(spoken.surface.id, frozenset()) | origins
        return found

    def origins(self, spoken: Spoken, forgotten: Origins) -> frozenset[str]:
        """Return the forgotten events that the agent's words contain."""
        origins: set[str] = set()
        for carriers in self._carried(spoken) if forgotten else ():
            dead = [forgotten.keys() & each for each in carriers]
            if all(dead):
                origins.update(*(forgotten[name] for names in dead for name in names))
        return frozenset(origins)

    def _carried(self, spoken: Spoken) -> list[list[frozenset[str]]]:
        """Return for each mark of the words that was shown what it may be from."""
        known = self._carriers.get(spoken.surface.id)
        if known is None:
            found: dict[str, list[frozenset[str]]] = {}
            for piece in spoken.pieces:
                for mark in sorted(spoken.marks & marks_of(piece.text)):
                    found.setdefault(mark, []).extend(self._exactly(mark, piece))
            known = self._carriers[spoken.surface.id] = list(found.values())
        return known

    def _exactly(self, mark: str, piece: Piece) -> list[frozenset[str]]:
        """Return the events of a piece that have a mark; where none has, it is from any of them.

        A line that a model wrote from several events goes when one of them is forgotten, but a value
        in it is from the one that said it.
        """
        having = [
            frozenset((name,))
            for name in sorted(piece.sources)
            if name in self.surfaces and mark in marks_of(self.surfaces[name].text)
        ]
        return having or [piece.sources]
