"""Where each compiled place was authored, so that what is wrong is told at the verb."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from scoring.keys import Key
from simulator.events import Script, event_id

Parts = dict[str, str]
"""Field of a compiled thing to the place where it was authored; '' is the thing itself."""


@dataclass
class Places:
    """Where everything of a task was authored.

    Attributes:
        events: Full id of an event to its parts.
        probes: Id of a probe to its parts.
        sessions: Id of a session to its place.
        fixed: Everything else, by its place in every arc of the task.
    """

    events: dict[str, Parts] = field(default_factory=dict)
    probes: dict[str, Parts] = field(default_factory=dict)
    sessions: Parts = field(default_factory=dict)
    fixed: Parts = field(default_factory=dict)

    def of(self, script: Script, key: Key) -> Parts:
        """Return the authored place of each place of an arc: of the task, or of a twin."""
        return dict(self._entries(script, key))

    def _entries(self, script: Script, key: Key) -> Iterator[tuple[str, str]]:
        yield from self.fixed.items()
        for i, episode in enumerate(script.episodes):
            yield f"script.episodes.{i}", self.sessions[episode.id]
            for j, event in enumerate(episode.events):
                parts = self.events[event_id(episode.id, event.id)]
                yield from _below(f"script.episodes.{i}.events.{j}", parts)
        for n, probe in enumerate(key.probes):
            yield from _below(f"key.probes.{n}", self.probes[probe.id])
        for n, revision in enumerate(key.revisions):
            yield from _below(f"key.revisions.{n}", {"": self.events[revision.event][""]})


def _below(place: str, parts: Parts) -> Iterator[tuple[str, str]]:
    for name, authored in parts.items():
        yield (f"{place}.{name}" if name else place), authored
