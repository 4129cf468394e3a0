"""Extractors know nothing of the generators: they share neither a module nor a phrase with them."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from probes.ladder import ladder, phrasing
from probes.ladder.domains import DOMAINS
from probes.scenario import Scenario
from simulator.events.scripted import Message

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "memories").rglob("*.py"))
GENERATORS = sorted((ROOT / "probes" / "ladder").rglob("*.py"))
WORDS = 4
"""So many words in a row are a phrase; three can be anybody's English."""
HANDWRITTEN = ROOT / "tests" / "memories" / "phrasings.yaml"
BINDING = ROOT / "tests" / "memories" / "bookkeeping.yaml"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_memories_import_neither_the_exam_nor_a_world(path: Path) -> None:
    above = {"probes", "environments", "scoring", "runs", "tests"}
    assert not {name.partition(".")[0] for name in imported(path)} & above


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield str(node.module)


def test_no_phrase_of_a_generator_stands_in_a_memory() -> None:
    said = {gram for path in GENERATORS for gram in phrases(path)}
    assert ("it", "is", "time", "to") in said and ("takes", "the", "place", "of") in said
    for source in SOURCES:
        assert said.isdisjoint(phrases(source)), source.name


def phrases(path: Path) -> Iterator[tuple[str, ...]]:
    """Yield the runs of words in a module's literals and patterns, docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            for piece in re.split(r"\{\w+\}", node.value):
                yield from grams(piece)


def grams(text: str) -> Iterator[tuple[str, ...]]:
    words = re.findall(r"[a-z]+", text.lower())
    for start in range(len(words) - WORDS + 1):
        yield tuple(words[start : start + WORDS])


def test_no_phrasing_written_by_hand_can_come_from_the_generator() -> None:
    said = [text for entry in YAML(typ="safe").load(HANDWRITTEN) for text in entry["say"]]
    assert len(said) >= 40
    halves = YAML(typ="safe").load(BINDING).values()
    for text in (text for half in halves for texts in half.values() for text in texts):
        said += [text] if isinstance(text, str) else text
    assert len(said) >= 500
    assert [text for text in said if any(frame.search(text) for frame in stating())] == []


def test_whatever_the_generator_states_is_known_as_its_own() -> None:
    """The control: patterns that match nothing would let every phrasing pass above."""
    arcs = [scenario for name in DOMAINS for scenario in ladder(name, 1, 60)]
    stated = [text for scenario in arcs for text in evidence(scenario)]
    assert [text for text in stated if not any(frame.fullmatch(text) for frame in stating())] == []
    assert [frame for frame in stating() if not any(map(frame.fullmatch, stated))] == []


def evidence(scenario: Scenario) -> Iterator[str]:
    """Yield the sentences that say something of a gold value or of one in its place."""
    events = {
        f"{episode.id}/{event.id}": event
        for episode in scenario.script.episodes
        for event in episode.events
    }
    for probe in scenario.key.probes:
        places = [place for gold in probe.gold for place in gold.evidence]
        for place in [*places, *(name for each in probe.forbidden for name in each.evidence)]:
            event = events[place]
            assert isinstance(event, Message)
            yield event.text


def stating() -> list[re.Pattern[str]]:
    """Return a pattern for each way to say something of a fact: any fact, id, value and day."""
    names = {name for domain in DOMAINS.values() for name in domain.facts.values()}
    facts = "|".join(pattern(name, id=r"\S+") for name in sorted(names))
    return [
        re.compile(
            pattern(frame, fact=f"(?:{facts})", value=".+", old=".+", day=r"\d+ \w+"),
            re.IGNORECASE,
        )
        for frames in phrasing.FRAMES.values()
        for frame in frames
    ]


def pattern(template: str, **holes: str) -> str:
    pieces = re.split(r"\{(\w+)\}", template)
    return "".join(
        holes[piece.lower()] if place % 2 else re.escape(piece)
        for place, piece in enumerate(pieces)
    )


def test_the_generator_says_each_thing_in_at_least_twelve_ways() -> None:
    for frames in (*phrasing.FRAMES.values(), phrasing.PROBE_FRAMES, phrasing.FULL_FRAMES):
        assert len(set(frames)) >= 12


def test_the_layers_are_checked_by_the_linter() -> None:
    """The contract that forbids the imports for good, of which the test above is the echo."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'layers = ["runs", "probes", "scoring", "environments | memories", "simulator"]' in text
    assert importlib.util.find_spec("importlinter") is not None
