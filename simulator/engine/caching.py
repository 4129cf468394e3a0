"""What counts as cached: the last prompt of each model, and the events that it showed.

Cached is a function of the trial alone: the common prefix of a prompt with the one before it. A
prompt that held something which was then forgotten through lineage counts as that no more.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from simulator.effects.prompts import Prompt
from simulator.engine.forgotten import Forgotten


@dataclass(frozen=True)
class Prompted:
    """A prompt as it was rendered, and the events that it is known to have shown."""

    rendered: str = ""
    events: frozenset[str] = frozenset()


class LastPrompts:
    """The last prompt of each model role."""

    def __init__(self, forgotten: Forgotten) -> None:
        self._forgotten = forgotten
        self._last: dict[str, Prompted] = {}

    def __iter__(self) -> Iterator[tuple[str, Prompted]]:
        return iter(list(self._last.items()))

    def replace(self, role: str, prompt: Prompt, rendered: str, decision: str) -> str:
        """Note a prompt, of the agent for a decision or of a memory (""); return the one before."""
        previous = self._last.get(role, Prompted())
        self._last[role] = Prompted(rendered, self._events(prompt, decision))
        return previous.rendered

    def drop(self, role: str) -> None:
        """Let nothing of the last prompt of a role count as cached."""
        self._last.pop(role, None)

    def _events(self, prompt: Prompt, decision: str) -> frozenset[str]:
        if not self._forgotten.watches:
            return frozenset()
        return self._forgotten.looked((*prompt.context, *prompt.steps), decision)
