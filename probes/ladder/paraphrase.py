"""Sentences that state facts, put into other words by a model.

What a model wrote is checked word by word, and where the check refuses it the sentence stays as it
was. The result is a scenario like any other: its texts are settled before anything is played.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from probes.ladder.domains import DOMAINS
from probes.ladder.rewording import Wording
from probes.scenario import Scenario
from simulator.effects.prompts import Prompt
from simulator.engine.parts import make_environment
from simulator.events import Episode, Script, event_id
from simulator.events.scripted import Message, ScriptedEvent
from simulator.events.seeds import stream
from simulator.models.scripted.shapes import Shape, shape_of_example

MAX_TOKENS = 64
INSTRUCTIONS = (
    "Say the sentence in other words. Keep every number, name, code and date as it is written. "
    "Keep what it says of time: what holds now, what held before, from which day on. "
    "Write one sentence and nothing else."
)
EXAMPLES = (
    "Request: The deposit for booking B-7714 has changed to 250 EUR.\n"
    "Answer: For booking B-7714 the deposit is now changed to 250 EUR.",
    "Request: The gate code of hall H-208 used to be 5512.\n"
    "Answer: 5512 is what the gate code of hall H-208 used to be.",
)

Ask = Callable[[Prompt, int], str | None]
"""Returns a model's answer to a prompt under a seed, or None where the call failed."""


class Stating(NamedTuple):
    """A message that states a fact: where it stands, and what must be kept of it."""

    event: str
    wording: Wording


@dataclass
class Paraphrased:
    """What came of it.

    Attributes:
        scenarios: The scenarios with the new sentences.
        sentences: Sentences that state facts.
        accepted: Those that were put into other words.
        kept: Why the others stayed as they were, and how many for each reason.
    """

    scenarios: list[Scenario] = field(default_factory=list)
    sentences: int = 0
    accepted: int = 0
    kept: Counter[str] = field(default_factory=Counter)


def paraphrase(
    scenarios: Sequence[Scenario],
    ask: Ask,
    model: str,
    report: Callable[[int, int], None] = lambda done, of: None,
) -> Paraphrased:
    """Let a model put every sentence that states a fact into other words.

    Args:
        scenarios: Arcs of a ladder, not corrupted.
        ask: Asks the model.
        model: Its name, for the keys' origin.
        report: Told how many arcs are done, of how many.
    """
    done = Paraphrased()
    for number, scenario in enumerate(scenarios, 1):
        texts = {}
        for event, wording in statements(scenario):
            done.sentences += 1
            seed = stream(scenario.script.arc, 0, f"paraphrase {event}").getrandbits(63)
            answer = ask(prompt_for(wording.text), seed)
            text = "" if answer is None else first_line(answer)
            fault = "the model failed" if answer is None else wording.fault(text)
            if fault is None:
                texts[event] = text
                done.accepted += 1
            else:
                done.kept[fault] += 1
        done.scenarios.append(_with_texts(scenario, texts, model))
        report(number, len(scenarios))
    return done


def prompt_for(sentence: str) -> Prompt:
    """Return the prompt that asks for other words."""
    return Prompt(instructions=INSTRUCTIONS, examples=EXAMPLES, request=sentence)


def first_line(answer: str) -> str:
    """Return the first line of an answer that says something, without quotes around it."""
    lines = (line.strip() for line in answer.splitlines())
    return next((line.strip('"“”').strip() for line in lines if line), "")


def statements(scenario: Scenario) -> Iterator[Stating]:
    """Yield the user's messages that state a fact of the arc's domain, in order."""
    script = scenario.script
    facts = DOMAINS[script.environment].facts.values()
    ids = frozenset(_names(script.world))
    shapes = tuple(_shapes(script.environment))
    for episode in script.episodes:
        for event in episode.events:
            if isinstance(event, Message) and event.role == "user":
                named = frozenset(name for name in ids if name in event.text)
                fact = next(iter(_said(event.text, facts, named)), None)
                if fact is not None:
                    wording = Wording(event.text, fact, named, shapes)
                    yield Stating(event_id(episode.id, event.id), wording)


def _said(text: str, facts: Iterable[str], ids: frozenset[str]) -> Iterator[str]:
    """Yield how the text calls a fact; the longest name first."""
    calls = {fact.format(id=name) for fact in facts for name in ids}
    for call in sorted(calls, key=len, reverse=True):
        if call.lower() in text.lower():
            yield call


def _names(world: object) -> Iterator[str]:
    """Yield the ids of a world: the names in its collections."""
    for collection in world.values() if isinstance(world, dict) else ():
        if isinstance(collection, dict):
            yield from collection


def _shapes(environment: str) -> Iterator[Shape]:
    for tool in make_environment(environment).tools:
        for form in tool.parameters.get("properties", {}).values():
            yield from map(shape_of_example, form.get("examples", [])[:1])


def _with_texts(scenario: Scenario, texts: dict[str, str], model: str) -> Scenario:
    script, key = scenario.script, scenario.key
    episodes = tuple(_reworded(episode, texts) for episode in script.episodes)
    fields = {name: getattr(script, name) for name in Script.model_fields}
    return Scenario(
        script=Script(**fields | {"episodes": episodes}),
        key=key.model_copy(update={"origin": f"{key.origin} paraphrase={model}"}),
    )


def _reworded(episode: Episode, texts: dict[str, str]) -> Episode:
    events: list[ScriptedEvent] = []
    for event in episode.events:
        text = texts.get(event_id(episode.id, event.id))
        changed = isinstance(event, Message) and text is not None
        events.append(event.model_copy(update={"text": text}) if changed else event)
    return Episode(id=episode.id, events=tuple(events))
