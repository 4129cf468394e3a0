"""The course of one trial, read once for everything that is looked for behind its notices."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scoring.context.notices import Dropped
from scoring.context.paths import OUTSIDE, path_of_item
from scoring.context.traces import Clock
from scoring.decisions import followed
from scoring.run import Event, Trial
from simulator.events.folding import fold
from simulator.models.rendering import one_line

_SHOWS = frozenset(
    {"said", "decision", "tool_return", "answer", "clarification", "refusal", "residue_audit"}
)
ENDS = frozenset({"answer", "clarification", "refusal"})


@dataclass(frozen=True)
class Shown:
    """A surface as the working context, or a prompt, showed it.

    Attributes:
        id: Its id.
        role: Whose words it has.
        called: It is a call of the agent's, or what one returned.
        text: What was shown, which may be a tombstone.
    """

    id: str
    role: str
    called: bool
    text: str


@dataclass
class Course:
    """A trial with what its log says of contexts and prompts.

    Attributes:
        trial: The trial.
        clock: Distances in it.
        said: Id of a surface to its text as it was said.
    """

    trial: Trial
    clock: Clock
    said: dict[str, str]
    _contexts: dict[int, tuple[Shown, ...]]
    _texts: dict[str, str]
    _surfaces: dict[str, tuple[Shown, ...]]

    @property
    def memory(self) -> str:
        """Name of the memory."""
        return str(self.trial.opened["options"]["memory"])

    def context(self, position: int) -> tuple[Shown, ...]:
        """Return the working context after one of the events that were asked for."""
        return self._contexts[position]

    def text(self, blob: str) -> str:
        """Return the text of a blob."""
        if blob not in self._texts:
            self._texts[blob] = self.trial.text(blob)
        return self._texts[blob]

    def surfaces(self, blob: str) -> tuple[Shown, ...]:
        """Return the surfaces of a section of a prompt."""
        if blob not in self._surfaces:
            listed: list[dict[str, Any]] = json.loads(self.text(blob) or "[]")
            self._surfaces[blob] = tuple(
                Shown(each["id"], each["role"], each.get("call") is not None, each["text"])
                for each in listed
            )
        return self._surfaces[blob]

    @cached_property
    def ran(self) -> Mapping[str, bool]:
        """Call to whether it ran without an error."""
        returns = (event.body for event in self.trial.events if event.kind == "tool_return")
        return {body["call"]: bool(body["ok"]) for body in returns}

    @cached_property
    def _stores(self) -> dict[str, str]:
        """Item to its store, where the log names it; what is in it, an audit is not asked."""
        found: dict[str, str] = {}
        for event in self.trial.events:
            if event.kind == "residue_audit":
                entries = (*event.body["residues"], *event.body["hidden"])
                found.update(
                    (each["holder"], each["path"])
                    for each in entries
                    if each["path"] not in OUTSIDE
                )
            elif event.kind == "memory_change":
                written = (each for each in event.body["written"] if "store" in each)
                found.update((each["id"], each["store"]) for each in written)
        return found

    def path_of(self, item: str, sources: Collection[str]) -> str:
        """Return the path of something that the memory holds."""
        return self._stores.get(item) or path_of_item(self.memory, item, sources)

    def carries(self, dropped: Dropped, shown: Shown, position: int) -> str | None:
        """Return by what a surface is known to hold dropped content: `pedigree`, `text` or None."""
        if shown.id in dropped.events and shown.text == self.said.get(shown.id, shown.text):
            return "pedigree"
        return "text" if dropped.holds(fold(shown.text), position) else None

    def words(self, dropped: Dropped) -> tuple[str, ...]:
        """Return the dropped surfaces as a prompt has them, a line each."""
        return tuple(one_line(self.said[name]) for name in dropped.events if name in self.said)

    def after(self, dropped: Dropped) -> Iterator[Event]:
        """Yield the events at which the content must not be used."""
        for event in self.trial.events[dropped.settled + 1 :]:
            if event.position >= dropped.until:
                return
            yield event


def _called(trial: Trial, surface: str) -> bool:
    return trial.by_id[surface].kind in ("tool_call", "tool_return")


def follow(trial: Trial, positions: Collection[int]) -> Course:
    """Read a trial, keeping the working context after the events at some positions."""
    if not positions:
        return Course(trial, Clock(trial), {}, {}, {}, {})
    said: dict[str, str] = {}
    contexts: dict[int, tuple[Shown, ...]] = {}
    gone: set[str] = set()
    for event, context in followed(trial):
        if event.kind in _SHOWS:
            for name in reversed(context):
                if name in said:
                    break
                said[name] = context[name].text
        if event.kind == "residue_audit":
            gone |= set(event.body["removed"])
            gone -= set(event.body["restored"])
        if event.position in positions:
            contexts[event.position] = tuple(
                Shown(
                    each.id,
                    each.role,
                    _called(trial, each.id),
                    "" if each.id in gone else each.text,
                )
                for each in context.values()
            )
    return Course(trial, Clock(trial), said, contexts, {}, {})
