"""What a wrong record says.

It is a plain statement, in the words of the arc's domain where it has a ladder and else in the
sentence that stated the right value. `stale` gives a value that held once, `contradictory` one that
never did, and `distractor` a value of another subject.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from probes.corruption.targets import Target
from probes.corruption.values import like
from probes.ladder import phrasing
from probes.ladder.domains import DOMAINS
from probes.scenario import Scenario
from scoring.keys import CorruptionKind
from simulator.events import event_id
from simulator.events.scripted import Document, Message

SOURCES = (
    "copy from the archive",
    "form of another office",
    "printout from a folder",
    "page of an old report",
    "note of a former colleague",
    "scan of a letter",
)
"""Where a record comes from, by its title; nothing there says what is wrong with it."""


@dataclass(frozen=True)
class Record:
    """A wrong record of a target: the value that it gives, where it comes from, what it says."""

    target: Target
    value: str
    source: str
    text: str


def make_record(
    scenario: Scenario, target: Target, kind: CorruptionKind, taken: str, source: Random
) -> Record | None:
    """Return a wrong record, or None where none can be made.

    Args:
        scenario: The clean arc.
        target: What the record speaks of.
        kind: What is wrong with it.
        taken: Text that holds everything a new value must not be found in.
        source: Its random stream.
    """
    environment = scenario.script.environment
    held = [each for each in target.probe.forbidden if each.failure == "resurrection"]
    about = target.about
    if kind == "stale" and held:
        value: str | None = held[0].value
    else:
        value = like(target.gold.value, environment, target.gold.name, taken, source)
    if kind == "distractor":
        about = _another(about, environment, taken, source)
    if value is None or not about:
        return None
    text = _own_words(scenario, target, about, value, source) or _copied(
        scenario, target, about, value
    )
    return None if text is None else Record(target, value, source.choice(SOURCES), text)


def _another(about: dict[str, str], environment: str, taken: str, source: Random) -> dict[str, str]:
    """Return another subject of the same form, or nothing where there is none."""
    changed = ((name, like(old, environment, name, taken, source)) for name, old in about.items())
    return {name: value for name, value in changed if value is not None}


def _own_words(
    scenario: Scenario, target: Target, about: dict[str, str], value: str, source: Random
) -> str | None:
    """Return a statement as the arc's domain makes it, or None where it has no words for it."""
    domain = DOMAINS.get(scenario.script.environment)
    fact = domain and domain.facts.get((target.call.tool, target.gold.name))
    if not fact or len(about) != 1:
        return None
    (subject,) = about.values()
    said = phrasing.FRAMES["state"]
    return phrasing.say(said, source, fact=fact.format(id=subject), value=value)


def _copied(scenario: Scenario, target: Target, about: dict[str, str], value: str) -> str | None:
    """Return the sentence that stated the right value, with what is wrong put in its place.

    None where it does not name the subject: such a record would speak of nothing.
    """
    text = dict(_texts(scenario))[target.gold.evidence[-1]]
    named = [name for name, old in target.about.items() if old in text and name in about]
    if not named:
        return None
    for name in named:
        text = text.replace(target.about[name], about[name])
    return text.replace(target.gold.value, value)


def _texts(scenario: Scenario) -> Iterator[tuple[str, str]]:
    for episode in scenario.script.episodes:
        for event in episode.events:
            if isinstance(event, Message | Document):
                yield event_id(episode.id, event.id), event.text
