"""The factbook: facts with a validity interval, where a newer value supersedes and history stays."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from memories.lines import dated
from memories.shelf import Shelf
from simulator.effects.memory import Ask, Item
from simulator.events import GLOBAL
from simulator.events.faults import Fault
from simulator.events.surfaces import Role


@dataclass(frozen=True)
class Fact:
    """That something has a value, from when on, and who said so.

    Attributes:
        entity: Id of what it is said of; empty where nothing was named.
        attribute: What the value is.
        value: The value as written; a relative day is resolved to a date.
        valid_from: Simulated ms of the event that said it.
        source: Id of that event.
        role: Role of who said it.
        scope: Whose information it is.
        kind: Shape of the value.
        revises: A value that this one was put in place of, or None.
        beside: True when it stands beside other values of the attribute.
        valid_to: Simulated ms from which another value holds, or None while this one does.
    """

    entity: str
    attribute: str
    value: str
    valid_from: int
    source: str
    role: Role
    scope: str = GLOBAL
    kind: str = "text"
    revises: str | None = None
    beside: bool = False
    valid_to: int | None = None

    @cached_property
    def subject(self) -> tuple[str, bool, str, str]:
        """Scope, whether a tool said it, entity and attribute.

        What a tool reports never takes the place of what a person said, nor the other way round.
        """
        return self.scope, self.role == "tool", self.entity.casefold(), self.attribute

    @cached_property
    def slot(self) -> tuple[object, ...]:
        """What only one fact can hold at a time; of facts `beside` others, one for each value."""
        return *self.subject, fold(self.value) if self.beside else ""

    @cached_property
    def ended_slot(self) -> tuple[object, ...] | None:
        """The slot of the fact beside it that this one takes the place of, or None."""
        return (*self.subject, fold(self.revises)) if self.beside and self.revises else None


def fold(value: str) -> str:
    """Return the form in which values are compared."""
    return " ".join(value.casefold().split())


def _names(fact: Fact, text: str) -> bool:
    """Tell whether a folded text names the entity and the value of a fact."""
    named = (fold(each) for each in (fact.entity, fact.value) if each)
    return all(
        each in text and re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-]|[.,]\d)", text)
        for each in named
    )


class Factbook:
    """Facts on a shelf, one item each; which are current follows from what is visible.

    A fact whose successor is withdrawn or deleted is current again: nothing of the successor,
    not even that it superseded something, may be used.
    """

    def __init__(self, shelf: Shelf, dates: bool) -> None:
        self._shelf = shelf
        self._dates = dates
        self._facts: dict[str, Fact] = {}
        self._nouns: dict[str, str] = {}
        self._written = 0

    def name(self, entity: str, noun: str) -> None:
        """Remember what an entity is, such as an `order`."""
        if noun:
            self._nouns.setdefault(entity.casefold(), noun)

    def write(self, fact: Fact) -> None:
        """Add a fact.

        Raises:
            Fault: culprit `memory`, `invalid`, for a fact without a source event or a role, and
                for one that says nothing.
        """
        if not fact.source or not fact.role:
            raise Fault("memory", "invalid", f"a fact needs a source event and a role: {fact}")
        if not fact.attribute or not fact.value:
            raise Fault("memory", "invalid", f"a fact needs an attribute and a value: {fact}")
        item = self._item(fact)
        if self._shelf.put(item) is not None:
            self._facts[item.id] = fact
            self._written += 1

    def current(self, ask: Ask) -> list[Item]:
        """Return the items of the facts that hold now for `ask`, oldest first."""
        return list(self._holding(self._shelf.visible(ask)).values())

    def lookup(self, scope: str, tool: bool) -> list[Fact]:
        """Return the facts of one scope that hold now, as persons or as tools said, oldest first."""
        items = [item for item in self._shelf if not item.hidden and item.scope == scope]
        facts = [self._facts[item.id] for item in self._holding(items).values()]
        return [fact for fact in facts if (fact.role == "tool") == tool]

    def history(self, entity: str, attribute: str, scope: str = GLOBAL) -> list[Fact]:
        """Return what persons said of one attribute, in order, with validity intervals.

        Saying a value again opens no new interval.
        """
        asked = (scope, False, entity.casefold(), attribute)
        versions: list[Fact] = []
        for fact in self._visible_facts():
            if fact.subject != asked:
                continue
            if versions and fold(versions[-1].value) == fold(fact.value):
                continue
            if versions and not fact.beside:
                versions[-1] = replace(versions[-1], valid_to=fact.valid_from)
            versions.append(fact)
        return versions

    def outdates(self, text: str, ask: Ask) -> bool:
        """Tell whether a text gives only values of the past for something that a fact is about.

        It does when it names the entity and a superseded value, and not the value that holds now.
        """
        return self.outdated(ask)(text)

    def outdated(self, ask: Ask) -> Callable[[str], bool]:
        """Return `outdates` for many texts and one `ask`."""
        visible = self._shelf.visible(ask)
        now = {slot: self._facts[item.id] for slot, item in self._holding(visible).items()}
        facts = [self._facts[item.id] for item in visible]
        past = [(each, now[each.slot]) for each in facts if now.get(each.slot, each) is not each]

        def tell(text: str) -> bool:
            folded = fold(text)
            return any(_names(old, folded) and not _names(new, folded) for old, new in past)

        return tell

    def holdings(self) -> Iterator[Item]:
        """Yield every fact's item; one that holds no more names the one that does."""
        successors: dict[str, str] = {}
        self._holding([item for item in self._shelf if not item.hidden], successors)
        for item in self._shelf:
            by = successors.get(item.id)
            yield item if by is None else item.model_copy(update={"replaced_by": by})

    def forgotten(self) -> None:
        """Let go of the facts whose items were erased from the shelf."""
        self._facts = {name: fact for name, fact in self._facts.items() if name in self._shelf}

    def _visible_facts(self) -> Iterator[Fact]:
        for item in self._shelf:
            if not item.hidden:
                yield self._facts[item.id]

    def _holding(
        self, items: list[Item], successors: dict[str, str] | None = None
    ) -> dict[tuple[object, ...], Item]:
        """Return slot to what holds there; note in `successors` what took whose place."""
        holding: dict[tuple[object, ...], Item] = {}
        for item in items:
            fact = self._facts[item.id]
            # The newest takes the last place, too.
            ended = [holding.pop(slot, None) for slot in (fact.slot, fact.ended_slot) if slot]
            if successors is not None:
                successors.update((old.id, item.id) for old in ended if old is not None)
            holding[fact.slot] = item
        return holding

    def _item(self, fact: Fact) -> Item:
        noun = self._nouns.get(fact.entity.casefold(), "")
        subject = f"{noun} {fact.entity}".strip()
        witness = " (tool)" if fact.role == "tool" else ""
        text = f"{subject}: " if subject else ""
        return Item(
            id=f"{fact.source}#{self._written}",
            text=dated(
                f"{text}{fact.attribute} = {fact.value}{witness}", fact.valid_from, self._dates
            ),
            sources=frozenset((fact.source,)),
            saw=frozenset((fact.source,)),
            time=fact.valid_from,
            scope=fact.scope,
            role=fact.role,
            store="facts",
        )
