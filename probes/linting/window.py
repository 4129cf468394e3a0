"""The window that a scenario declares: an agent that is shown the whole story must fit into it."""

from collections.abc import Iterator

from probes.scenario.structure import Fault
from simulator.events import Script, event_id
from simulator.events.scripted import Injected
from simulator.events.tokens import count_tokens


def window_faults(script: Script) -> Iterator[Fault]:
    """Yield that a story is too large for full context; what an agent adds to it is not counted."""
    needed = story_tokens(script)
    if script.window is not None and needed > script.window:
        message = (
            f"the story and its requests have {needed:,} tokens, and the window is declared with "
            f"{script.window:,}: the arm with full context could not play it"
        )
        yield Fault("script.window", message)


def story_tokens(script: Script) -> int:
    """Return the tokens of everything that an agent is shown until the last event of an arc."""
    surfaces = (
        event.surface(event_id(episode.id, event.id), event.at)
        for episode in script.episodes
        for event in episode.events
        if not isinstance(event, Injected)
    )
    return sum(count_tokens(surface.text) for surface in surfaces if surface is not None)
