"""Wrong records, as documents that every memory absorbs like everything else.

A record is a copy of a sentence that states a gold value, with another value (`stale`: it held
once; `contradictory`: it never did) or about another subject (`distractor`). It comes after what it
speaks of and bears a date of its own, from before the arc began: who goes by the records' dates is
not misled, and a stale record after a revision cannot be taken for a real return of the old value.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from probes.corruption.scrambling import like, scrambled
from probes.scenario import Scenario
from scoring.keys import Corrupted, CorruptionKind, Gold, Probe
from simulator.events import Episode, canonical_json, event_id
from simulator.events.errors import InputError
from simulator.events.scripted import Decision, Document, Message, ScriptedEvent
from simulator.events.seeds import stream
from simulator.events.times import DAY, MINUTE, show_date


@dataclass(frozen=True)
class Target:
    """A gold value of one probe, and where a wrong record of it can be put.

    Attributes:
        scenario: Place of the scenario in the list.
        probe: The probe.
        gold: The value.
        sessions: Indices of the sessions that a record may come in: not before the value was
            said, and before the session of the probe.
    """

    scenario: int
    probe: Probe
    gold: Gold
    sessions: range


@dataclass(frozen=True)
class Record:
    """A wrong record: what it speaks of, the value that it gives, and its text."""

    target: Target
    value: str
    text: str


def corrupt(
    scenarios: Sequence[Scenario], kind: CorruptionKind, rate: float, seed: int = 0
) -> list[Scenario]:
    """Return a corrupted version of each scenario.

    Of all gold values that can be corrupted exactly the share `rate`, rounded to whole values, gets
    a wrong record; which ones and what they say is drawn from `seed`. A version that got none is
    there all the same, for comparisons in pairs.

    Raises:
        InputError: for a rate outside [0, 1], or when nothing can be corrupted.
    """
    if not 0 <= rate <= 1:
        raise InputError(f"a rate lies from 0 to 1, not {rate}", field="rate")
    source = stream("corruption", seed, kind)
    found = [each for place, one in enumerate(scenarios) for each in _targets(place, one)]
    records = [_record(scenarios[each.scenario], each, kind, source) for each in found]
    possible = [each for each in records if each is not None]
    if not possible:
        raise InputError("no value that a probe needs can be corrupted", field="corruption")
    chosen = source.sample(possible, round(rate * len(possible)))
    return [
        _corrupted(
            one, [each for each in chosen if each.target.scenario == place], kind, rate, source
        )
        for place, one in enumerate(scenarios)
    ]


def _targets(place: int, scenario: Scenario) -> Iterator[Target]:
    order = [episode.id for episode in scenario.script.episodes]
    for probe in scenario.key.probes:
        asked = order.index(probe.decision.partition("/")[0])
        for gold in probe.gold if probe.dependent else ():
            said = [order.index(event.partition("/")[0]) for event in gold.evidence]
            if said and max(said) < asked:
                yield Target(place, probe, gold, range(max(said), asked))


def _record(
    scenario: Scenario, target: Target, kind: CorruptionKind, source: Random
) -> Record | None:
    texts = _texts(scenario)
    held = target.probe.forbidden
    if kind == "stale" and held and held[0].evidence:
        return Record(target, held[0].value, texts[held[0].evidence[0]])
    taken = canonical_json([scenario.script.model_dump(mode="json"), list(texts.values())])
    value, text = target.gold.value, texts[target.gold.evidence[-1]]
    wrong = like(value, scenario.script.environment, target.gold.name, taken, source)
    if wrong is None:
        return None
    if kind == "distractor":
        subject = next(iter(_subjects(target, text)), None)
        other = subject and scrambled(subject, taken, source)
        if not subject or not other:
            return None
        text = text.replace(subject, other)
    return Record(target, wrong, text.replace(value, wrong))


def _texts(scenario: Scenario) -> dict[str, str]:
    """Return the text of every message by its full id."""
    return {
        event_id(episode.id, event.id): event.text
        for episode in scenario.script.episodes
        for event in episode.events
        if isinstance(event, Message | Document)
    }


def _subjects(target: Target, text: str) -> Iterator[str]:
    """Yield what the sentence is about: other arguments of the right call that it names."""
    reference = target.probe.reference
    gold = {each.value for each in target.probe.gold}
    for call in reference.calls if reference else ():
        for value in call.arguments.values():
            if isinstance(value, str) and value not in gold and value in text:
                yield value


def _corrupted(
    scenario: Scenario,
    records: Sequence[Record],
    kind: CorruptionKind,
    rate: float,
    source: Random,
) -> Scenario:
    script, key = scenario.script, scenario.key
    episodes = list(script.episodes)
    begin = min(event.at for event in episodes[0].events)
    noted: list[Corrupted] = []
    for record in records:
        place = source.choice(record.target.sessions)
        date = show_date(begin - source.randrange(30, 300) * DAY)
        episodes[place], event = _with_document(episodes[place], record.text, date)
        noted.append(
            Corrupted(event=event, kind=kind, name=record.target.gold.name, value=record.value)
        )
    arc = f"{script.arc}.{kind}-{round(100 * rate)}"
    changed = {"arc": arc, "corruption": f"{kind}:{rate:g}", "clean": script.arc}
    return Scenario(
        script=script.model_copy(update={"arc": arc, "episodes": tuple(episodes)}),
        key=key.model_copy(update={**changed, "corrupted": tuple(noted)}),
    )


def _with_document(episode: Episode, text: str, date: str) -> tuple[Episode, str]:
    """Return the session with a document before its decision, and the document's full id."""
    last = max(
        (event for event in episode.events if isinstance(event, Decision)), key=lambda e: e.at
    )
    name = _free_name(episode)
    before = tuple(event.id for event in episode.events if event.id in last.causes)
    document = Document(
        id=name,
        at=max(last.at - MINUTE // 4, 0),
        causes=before,
        title=f"copy from the archive, {date}",
        text=text,
    )
    asked = last.model_copy(update={"causes": (*last.causes, name)})
    events: list[ScriptedEvent] = [
        asked if event.id == last.id else event for event in episode.events
    ]
    events.insert(events.index(asked), document)
    made = Episode(id=episode.id, events=tuple(events))
    return made, event_id(episode.id, name)


def _free_name(episode: Episode) -> str:
    """Return an id like the others: one that says nothing of what the event means."""
    used = {event.id for event in episode.events}
    number = len(used)
    while f"m{number:02d}" in used:
        number += 1
    return f"m{number:02d}"
