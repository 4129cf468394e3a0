"""What led to an event of a trial: back through what was shown and written to the script."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runs.telling import mention
from scoring.holdings import History
from scoring.run import Event, Trial
from simulator.events import Json

_ACTS = frozenset({"answer", "clarification", "refusal", "tool_call"})
_LISTS = {"memory_read": "items", "memory_change": "written"}
_RETOLD = frozenset({"contains", "written by"})
_ITEM = "item "

Item = dict[str, Any]
"""An item as a `memory_read` (`item`, …) or a `memory_change` (`id`, …) lists it."""

Next = tuple[str, str]
"""How one thing led to another, and the name of that one."""


def listed(event: Event | None) -> list[Item]:
    """Return the items that an event wrote or gave back."""
    name = event and _LISTS.get(event.kind)
    return list(event.body[name]) if event and name else []


class Causes:
    """Walks back from one event of a trial; scripted events are where a walk ends."""

    def __init__(
        self,
        trial: Trial,
        past: Mapping[str, History],
        start: str,
        items: Sequence[Item] = (),
        context: Sequence[str] = (),
    ) -> None:
        """Set out a walk.

        Args:
            trial: The trial.
            past: What happened to each item of its memory.
            start: Id of the event.
            items: The items that are followed where the memory wrote or gave them back; what two
                trials have alike explains no difference.
            context: Ids of the surfaces of the session that are followed from the prompt of the
                decision that `start` belongs to.
        """
        self._trial = trial
        self._past = past
        self._start = start
        self._items = {_name(item): item for item in items}
        self._context = context
        self._seen: set[str] = set()

    def chain(self) -> list[dict[str, Json]]:
        """Return what led there, depth first, each thing with what led to it told once.

        Every link has `depth`, `relation` (to the last link before it that is one less deep),
        `again` (what led to it stands further up) and the keys of `mention`; the `kind` of an
        item is `item`.
        """
        return list(self._walk())

    def _walk(self) -> Iterator[dict[str, Json]]:
        waiting: list[tuple[int, Next]] = [(0, ("", self._start))]
        while waiting:  # no recursion: a chain may be as long as a trial
            depth, (relation, name) = waiting.pop()
            again = name in self._seen
            if again and relation not in _RETOLD:
                continue
            yield {"depth": depth, "relation": relation, "again": again, **self._told(name)}
            if not again:
                self._seen.add(name)
                behind = list(self._behind(relation, name))
                waiting += [(depth + 1, each) for each in reversed(behind)]

    def _told(self, name: str) -> dict[str, Json]:
        item = self._items.get(name.removeprefix(_ITEM)) if name.startswith(_ITEM) else None
        if item is None:
            return mention(self._trial, name)
        told = {"kind": "item", "position": None, "time": None, "text": item["text"]}
        return {"id": _name(item), **told}

    def _behind(self, relation: str, name: str) -> Iterator[Next]:
        if name.startswith(_ITEM):
            yield from self._behind_item(name.removeprefix(_ITEM))
        event = self._trial.by_id.get(name)
        if event is None or not name.startswith("#"):
            return
        if event.kind in _ACTS:
            yield from self._completion(event)
        if event.kind == "completion" and event.body["purpose"] == "act":
            yield from self._shown(event)
        if relation != "written by":
            how = "gave back" if event.kind == "memory_read" else "wrote"
            followed = (_name(item) for item in listed(event))
            yield from ((how, _ITEM + each) for each in followed if each in self._items)
        yield from (("because of", cause) for cause in event.causes)

    def _behind_item(self, name: str) -> Iterator[Next]:
        for source in self._items[name]["sources"]:
            yield "contains", source
        until = self._trial.by_id[self._start].position
        for step in reversed(self._past.get(name, ())):
            if step.position <= until and step.what in ("written", "rewritten"):
                yield "written by", step.event
                return

    def _completion(self, act: Event) -> Iterator[Next]:
        """Yield the last completion before what an agent did, at the same decision."""
        for event in reversed(self._trial.events[: act.position]):
            if event.id in act.causes:
                return
            if event.kind == "completion" and event.causes == act.causes:
                yield "written in", event.id
                return

    def _shown(self, completion: Event) -> Iterator[Next]:
        """Yield where the prompt got the followed items and surfaces from."""
        for event in reversed(self._trial.events[: completion.position]):
            if event.kind == "memory_read" and event.causes == completion.causes:
                if any(_name(item) in self._items for item in listed(event)):
                    yield "was shown", event.id
                break
        if completion.causes == self._trial.by_id[self._start].causes:
            yield from (("was shown", name) for name in self._context)


def _name(item: Item) -> str:
    return str(item["item"] if "item" in item else item["id"])
