"""Texts that stand in the place of withdrawn content: other values of its form, or empty talk."""

from collections.abc import Callable, Iterable, Iterator
from itertools import cycle

from scoring.matching import occurrences
from simulator.events.errors import InputError
from simulator.events.tokens import count_tokens

TALK: tuple[tuple[str, ...], tuple[str, ...]] = (
    (
        *("the page is kept for the record and says little", "nothing here was decided yet"),
        *("the layout was tidied and the margins are wider", "a cover sheet comes first"),
    ),
    (
        *("this sheet is filed with the others and is brief", "no point was settled here"),
        *("its headings were moved and the font is larger", "an index stands at the end"),
    ),
)
"""Two sets of phrases without a value, a name or a rule; every word costs a token or two."""

_PAD = ("so", "it")
"""What makes up for the last tokens, by set; each word costs one."""


def filler(text: str, number: int) -> str:
    """Return empty talk that has exactly as many tokens as a text, of set 0 or 1."""
    wanted, words = count_tokens(text), list[str]()
    for word in _words(number):
        if count_tokens(" ".join([*words, word])) > wanted:
            break
        words.append(word)
    words += [_PAD[number]] * (wanted - count_tokens(" ".join(words)))
    return " ".join(words)


def _words(number: int) -> Iterator[str]:
    return (word for phrase in cycle(TALK[number]) for word in phrase.split())


def _always(value: str) -> bool:
    return True


def other_value(value: str, taken: Iterable[str], fits: Callable[[str], bool] = _always) -> str:
    """Return a value of the same form and length whose digits are others, and that no text holds.

    Args:
        value: The value.
        taken: Texts that must not hold the other one.
        fits: What else must be true of it.

    Raises:
        InputError: when the value has no digit, or every other one is taken or does not fit.
    """
    texts = list(taken)
    for step in range(1, 10):
        other = _turned(value, step)
        held = other == value or any(occurrences(other, text) for text in texts)
        if not held and fits(other):
            return other
    raise InputError(f"there is no other value of the form of {value!r}")


def _turned(value: str, step: int) -> str:
    """Return a value with its digits moved on by `step`; a first digit does not become 0."""
    out, first = [], True
    for char in value:
        if char.isdecimal() and char.isascii():
            moved = (int(char) + step) % 10
            if first and char != "0" and moved == 0:
                moved = 1 if char != "1" else 2
            out.append(str(moved))
            first = False
        else:
            out.append(char)
            first = first or not (char.isdecimal() or char in ".,")
    return "".join(out)
