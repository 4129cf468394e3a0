"""What may no longer be used in a trial, and the tombstones that stand for it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from simulator.effects.memory import Block
from simulator.engine.lineage import Lineage
from simulator.events import Surface
from simulator.events.residues import TOMBSTONE, Forgetting
from simulator.events.scripted import Notice


@dataclass(frozen=True)
class Change:
    """What an announcement changed: events that are hidden now, erased, and free again."""

    hidden: frozenset[str] = frozenset()
    erased: frozenset[str] = frozenset()
    freed: frozenset[str] = frozenset()


@dataclass
class Forgotten:
    """Follows what is withdrawn and deleted, and everything that contains it.

    What contains something deleted is erased. What contains something withdrawn is hidden until
    nothing that it contains is withdrawn any more.

    Attributes:
        mode: The arm's forgetting mode; tombstones are set up with `lineage` only.
        watches: False where nothing is ever announced, so that nothing has to be followed.
        lineage: What carries what.
        origins: Everything that is forgotten, to the withdrawn and deleted events that it is from.
        written: JSON Pointers of what the agent's calls wrote into the world.
    """

    mode: Forgetting = "off"
    watches: bool = False
    lineage: Lineage = field(default_factory=Lineage)
    origins: dict[str, frozenset[str]] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    _withdrawn: set[str] = field(default_factory=set)
    _deleted: set[str] = field(default_factory=set)
    _recalled: dict[str, frozenset[str]] = field(default_factory=dict)
    _hidden: frozenset[str] = frozenset()
    _erased: frozenset[str] = frozenset()

    @property
    def removes(self) -> bool:
        """Whether what is forgotten leaves the working context."""
        return self.mode == "lineage"

    def hear(self, notice: Notice, events: Iterable[str]) -> Change:
        """Take in an announcement about events; return what follows for all that contain them."""
        if notice == "granted":
            self._withdrawn.difference_update(events)
        else:
            (self._deleted if notice == "deleted" else self._withdrawn).update(events)
        erased = self.lineage.closure(self._deleted)
        self.origins = dict(self.lineage.closure(self._withdrawn | self._deleted))
        hidden = self.origins.keys() - erased.keys()
        change = Change(
            hidden=frozenset(hidden - self._hidden),
            erased=frozenset(erased.keys() - self._erased),
            freed=frozenset(self._hidden - self.origins.keys()),
        )
        self._hidden, self._erased = frozenset(hidden), frozenset(erased)
        return change

    def entering(self, surface: Surface, context: Sequence[Surface], decision: str) -> Surface:
        """Take in a surface and return it as it may be shown.

        The agent may say what it was shown before an announcement: such words are forgotten as
        soon as they are spoken, and no memory ever gets them.
        """
        spoken = self.lineage.said(surface, context, decision)
        origins = self.lineage.origins(spoken, self.origins) if spoken else frozenset()
        if origins:
            self.origins[surface.id] = origins
        return self.as_shown(surface)

    def as_shown(self, surface: Surface) -> Surface:
        """Return a surface as the working context shows it: whole, or as a tombstone."""
        if surface.id not in self.lineage.surfaces:
            return surface
        if not self.removes or surface.id not in self.origins:
            return self.lineage.surfaces[surface.id]
        return surface.model_copy(update={"text": TOMBSTONE})

    def waits(self, surface: str) -> bool:
        """Tell whether a tombstone stands for something that may come back."""
        return surface in self._hidden

    def whole(self, context: Iterable[Surface]) -> tuple[Surface, ...]:
        """Return what a memory absorbs of the working context.

        Of a withdrawn surface that is the surface itself: the memory was told to keep it hidden, and
        may have it back. What was deleted, and words that it was never told of, it does not get.
        """
        if not (self.removes and self.origins):
            return tuple(context)
        return tuple(
            self.lineage.surfaces.get(each.id, each)
            for each in context
            if each.id not in self.origins or each.id in self._hidden
        )

    def block(self, block: Block, rendered: str) -> str:
        """Return a block as it may be shown now, which was read before."""
        if not (self.removes and self.origins):
            return rendered
        kept = (each for each in block.items if self.origins.keys().isdisjoint(each.sources))
        return Block(items=tuple(kept)).render()

    def remember(self, decision: str, block: Block) -> None:
        """Note what the agent was shown of the memory for a decision."""
        self._recalled[decision] = frozenset(name for each in block.items for name in each.sources)
        for each in block.items:
            self.lineage.recall(decision, each.item, each.text, each.sources)

    def looked(self, surfaces: Iterable[Surface], decision: str) -> frozenset[str]:
        """Return the events that a prompt with these surfaces shows; note them for a `decision`."""
        said = self.lineage.surfaces
        whole = [each for each in surfaces if said.get(each.id, each).text == each.text]
        events = frozenset(each.id for each in whole)
        if not decision:
            return events
        self.lineage.look(decision, whole)
        recalled = self._recalled.get(decision, frozenset())
        return events | (recalled - self.origins.keys() if self.removes else recalled)
