"""Shapes: what a value looks like, learned from the one example in a tool's signature."""

import re
from functools import lru_cache

_PIECES = re.compile(r"(\d+)|([A-Z][a-z]+)|([A-Z]+(?![a-z])|.)", re.DOTALL)
_MONEY = re.compile(r"(\$?)\d[\d,]*\.\d{2}")

INTEGER = r"-?\d+"
NUMBER = r"-?\d+(?:\.\d+)?"

# A value never starts or ends inside a longer word, id or number.
_LEFT = r"(?<![\w$])(?<!\w-)(?<!\d[.,:])"
_RIGHT = r"(?!\w)(?!-\w)(?![.,:]\d)"


class Shape:
    """A pattern of values, found between edges only."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._apart = re.compile(f"{_LEFT}(?:{pattern}){_RIGHT}")
        self._everywhere = re.compile(f"{_LEFT}(?=({pattern}){_RIGHT})")

    def matches(self, text: str) -> list[str]:
        """Return the values of this shape from left to right, none overlapping another."""
        return [found[0] for found in self._apart.finditer(text)]

    def all_matches(self, text: str) -> list[str]:
        """Return the values of this shape at every place where one starts."""
        return [found[1] for found in self._everywhere.finditer(text)]


@lru_cache(maxsize=1024)
def shape_of_example(example: str) -> Shape:
    r"""Return the shape of an example.

    Digits stand for any digits, a capitalised word (`[A-Z][a-z]+`) for any; all else, capitals
    included, stands for itself: `O-1042` gives `O-\d+`. Money (two decimals) may have thousands
    commas, and where the example has a `$`, the `$` may be missing.
    """
    money = _MONEY.fullmatch(example)
    if money:
        return Shape(r"\$?\d[\d,]*\.\d{2}" if money[1] else r"\d[\d,]*\.\d{2}")
    return Shape("".join(_generalise(*groups) for groups in _PIECES.findall(example)))


def _generalise(digits: str, word: str, literal: str) -> str:
    if digits:
        return r"\d+"
    return "[A-Z][a-z]+" if word else re.escape(literal)


class Names:
    """A closed list of values, such as an enum.

    Case does not count, and a space, `_` and `-` inside a value stand for each other.
    """

    def __init__(self, values: tuple[str, ...]) -> None:
        self.options = values
        self._values = sorted(values, key=lambda value: -len(value))
        patterns = (f"({_loose(value)})" for value in self._values)
        self._find = re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)

    def first(self, text: str) -> str | None:
        """Return the value that `text` names first, the longest of several at one place."""
        found = self._find.search(text)
        return None if found is None else self._values[(found.lastindex or 1) - 1]


def _loose(value: str) -> str:
    return "[ _-]".join(re.escape(part) for part in re.split(r"[ _-]", value))
