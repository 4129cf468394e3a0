"""Readers of an arc's sentences: one that understands them, and some that only count.

They are given what was said before a probe's session, as full replay shows it, and no key.
"""

import re
from calendar import month_name
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from probes.ladder import phrasing
from probes.ladder.domains import DOMAINS
from simulator.models.scripted.shapes import Shape, shape_of_example
from tests.probes.arcs import environment_of

Said = Sequence[tuple[str, str]]
"""Day and text of everything that was said, in order."""


@lru_cache
def shape(environment: str, tool: str, parameter: str) -> Shape:
    (form,) = (
        each.parameters["properties"][parameter]
        for each in environment_of(environment).tools
        if each.name == tool
    )
    return shape_of_example(form["examples"][0])


def own_day(day: str, text: str) -> tuple[str, str]:
    """Return the day and the words of a text; a dated document has a day of its own."""
    found = re.fullmatch(r"Document [^:]*, (\d{4}-\d\d-\d\d): (.*)", text)
    return (found[1], found[2]) if found else (day, text)


def understand(said: Said, environment: str, tool: str, parameter: str, subject: str) -> str | None:
    """Return the value that holds, by what each sentence means.

    What holds from the latest day on holds; of one day, what was said last. That something held
    once says nothing of today.
    """
    fact = DOMAINS[environment].facts[tool, parameter].format(id=subject)
    held: list[tuple[str, int, str]] = []
    for place, (day, text) in enumerate(said):
        since, words = own_day(day, text)
        for act, value, told in meanings(words, fact, shape(environment, tool, parameter)):
            if act != "recall_past":
                held.append((told or since, place, value))
    return max(held)[2] if held else None


def meanings(text: str, fact: str, form: Shape) -> list[tuple[str, str, str | None]]:
    """Return act, value and day of each frame that a sentence about this fact fits."""
    if fact.lower() not in text.lower():
        return []
    found: list[tuple[str, str, str | None]] = []
    for act, frames in phrasing.FRAMES.items():
        for frame in frames:
            match = frame_pattern(frame, fact, form.pattern).fullmatch(text)
            if match:
                day = match.groupdict().get("day")
                found.append((act, match["value"], day and iso(day)))
    assert len(found) == 1, (text, found)
    return found


def iso(day: str) -> str:
    """Return the date of a day such as `3 March`; all arcs play in one year."""
    number, month = day.split()
    return f"2025-{list(month_name).index(month):02d}-{int(number):02d}"


@lru_cache(maxsize=100_000)
def frame_pattern(frame: str, fact: str, form: str) -> re.Pattern[str]:
    holes = {
        "fact": re.escape(fact),
        "value": f"(?P<value>{form})",
        "old": f"(?:{form})",
        "day": r"(?P<day>\d{1,2} [A-Z][a-z]+)",
    }
    pieces = re.split(r"\{(\w+)\}", frame)
    made = (
        holes[piece.lower()] if place % 2 else re.escape(piece)
        for place, piece in enumerate(pieces)
    )
    return re.compile("".join(made), re.IGNORECASE if "{Fact}" in frame else 0)


def mentions(said: Said, form: Shape, subject: str) -> list[str]:
    """Return every value of this form that stands in a sentence with the subject, in order."""
    named = re.compile(rf"(?<!\w){re.escape(subject)}(?!\w)")
    words = [own_day(day, text)[1] for day, text in said]
    return [v for text in words if named.search(text) for v in form.matches(text)]


def most_frequent(values: Iterable[str], of_equals: int) -> str:
    """Return the value mentioned most often; of equals the first (0) or the last (-1)."""
    counts = Counter(values)
    return [value for value in counts if counts[value] == max(counts.values())][of_equals]


COUNTING: dict[str, Callable[[list[str]], str]] = {
    "first": lambda values: values[0],
    "last": lambda values: values[-1],
    "most frequent, else first": lambda values: most_frequent(values, 0),
    "most frequent, else last": lambda values: most_frequent(values, -1),
}
