"""A timeline as surfaces: who says what when, the same for every memory, nothing of the key."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from probes.importers.statebench.timelines import (
    InitialState,
    Query,
    Timeline,
    Turn,
    Write,
    Writes,
)


@dataclass(frozen=True)
class Told:
    """Something that is seen before a question.

    Attributes:
        at: Simulated milliseconds.
        role: Who it comes from; `system` for what the platform recorded.
        text: As the agent and every memory see it.
        content: The parts of the text that the data gives, without the importer's own words.
        keys: Those of the parts that are names of entries.
        supersedes: The entry that a recorded one replaces, by name; None where it says none.
        was: The value that a recorded one replaces, where it is known; else None.
    """

    at: int
    role: Literal["user", "assistant", "system"]
    text: str
    content: tuple[str, ...]
    keys: frozenset[str] = frozenset()
    supersedes: str | None = None
    was: str | None = None


def tell(timeline: Timeline) -> list[Told | Query]:
    """Return what happens, by time; at one time the initial state first, then as in the file.

    Initial entries dated after the first event are there when it happens.
    """
    first = min(event.ts for event in timeline.events)
    story: list[Told | Query] = [*_initially(timeline.initial_state, first)]
    for event in timeline.events:
        if isinstance(event, Query):
            story.append(event)
        else:
            story.extend(_happening(event))
    return list(_revised(sorted(story, key=moment)))


def _revised(story: Iterable[Told | Query]) -> Iterator[Told | Query]:
    """Yield the story with each recorded value that replaces another one saying which."""
    values: dict[str, str] = {}
    for item in story:
        if isinstance(item, Told) and item.keys:
            (key,), value = item.keys, item.content[-1]
            was = values.get(item.supersedes or key)
            values[key] = value
            if was is not None and was != value:
                item = replace(item, was=was)
        yield item


def moment(item: Told | Query) -> int:
    """Return when it happens, simulated milliseconds."""
    return item.ts if isinstance(item, Query) else item.at


def _initially(state: InitialState, first: int) -> list[Told]:
    now = min(state.environment.now, first)
    identity = {name: value for name, value in state.identity_role if value is not None}
    return [
        _about_user(identity, now),
        *(_recorded(fact, min(fact.ts, first)) for fact in state.persistent_facts),
        *(
            _recorded(Write(key=key, value=value), now)
            for key, value in state.environment.signals.items()
        ),
        *(_noted(note.item_type, note.content, min(note.ts, first)) for note in state.working_set),
    ]


def _about_user(identity: dict[str, str], at: int) -> Told:
    text = "; ".join(f"{name} = {value}" for name, value in identity.items())
    return Told(at, "system", f"Recorded: {text}", tuple(identity.values()))


def _happening(event: Turn | Writes) -> list[Told]:
    if isinstance(event, Turn):
        return [Told(event.ts, event.speaker, event.text, (event.text,))]
    return [_recorded(write, event.ts) for write in event.writes]


def _recorded(write: Write, at: int) -> Told:
    replaced = f" (replaces {write.supersedes})" if write.supersedes else ""
    text = f"Recorded: {write.key} = {write.value}{replaced}"
    return Told(
        at, "system", text, (write.key, write.value), frozenset({write.key}), write.supersedes
    )


def _noted(name: str, content: str, at: int) -> Told:
    return Told(at, "system", f"Working note: {name} = {content}", (content,))
