"""Ids of documents and people: their forms are learned from the tools' signatures."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from simulator.models.scripted.reading import Parameter, Toolbox
from simulator.models.scripted.words import content_words

SUBMIT = "submit_report"
ANY_ID = re.compile(r"\b[A-Z]{1,8}-\d+\b")


@dataclass(frozen=True)
class Ids:
    """The forms of ids in one toolbox.

    Attributes:
        document: Pattern of a document's id.
        person: Pattern of a person's id.
        heading: Pattern of what a document's text stands behind.
    """

    document: re.Pattern[str]
    person: re.Pattern[str]
    heading: re.Pattern[str]

    def documents(self, text: str) -> list[str]:
        """Return the documents that a text names, each once."""
        return list(dict.fromkeys(self.document.findall(text)))

    def people(self, text: str) -> list[str]:
        """Return the people that a text names by their ids, each once."""
        return list(dict.fromkeys(self.person.findall(text)))


@lru_cache(maxsize=16)
def ids_of(toolbox: Toolbox | None) -> Ids:
    """Learn the forms from `submit_report` and from the tools that take a person.

    Where there is nothing to learn from they are `DOC-…` and `P-…`.
    """
    tools = () if toolbox is None else toolbox.tools
    parameters = [each for tool in tools for each in tool.parameters]
    report = [tool.parameters for tool in tools if tool.name == SUBMIT]
    sources = [each for each in _flat(*report) if each.kind == "shape"]
    people = [each for each in parameters if each.name.startswith("person")]
    document = _pattern(sources, r"DOC-\d+")
    pattern = document.pattern
    heading = re.compile(
        rf"(?P<word>[Dd]ocument )?\s*(?P<id>{pattern})(?:\s+\"[^\"]*\")?[^:\"]{{0,300}}:\s+(?P<text>\S.*)",
        re.DOTALL,
    )
    return Ids(document, _pattern(people, r"P-\d+"), heading)


def _flat(*groups: tuple[Parameter, ...]) -> Iterator[Parameter]:
    for group in groups:
        for each in group:
            yield each
            yield from _flat(each.inner)


def _pattern(parameters: list[Parameter], otherwise: str) -> re.Pattern[str]:
    shapes = (each.shape.pattern for each in parameters if each.shape is not None)
    return re.compile(rf"(?<![\w-])(?:{next(shapes, otherwise)})(?![\w])(?!-\w)")


def words(text: str) -> frozenset[str]:
    """Return the content words of a text, ids left out."""
    return content_words(ANY_ID.sub(" ", text))


_STEM = 5


def shared(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """Return the words of `other` that are in `one`, or begin as one of `one` does.

    Words count as one when they are of one stem: `renew`, `renewal`; five letters at least.
    """
    begun = {word[:_STEM] for word in one if len(word) >= _STEM}
    return frozenset(word for word in other if word in one or word[:_STEM] in begun)
