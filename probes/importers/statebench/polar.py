"""Decisions: only a question that yes or no answers, with ground truth that says which."""

import re
from typing import Literal

_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_VERDICT = re.compile(r"(yes|no)(?=$|\.(?!\s*\d)|,|;|:| [-–—])", re.IGNORECASE)
_POLAR = frozenset(
    "am are can could did do does had has have is may might must shall should was were will would"
    " isn't aren't can't couldn't didn't don't doesn't haven't hasn't shouldn't wasn't won't"
    " wouldn't".split()
)


def right_decision(prompt: str, truth: str) -> Literal["yes", "no"] | None:
    """Return the decision where the truth is "yes", "no", "Yes - …" or "No - …", else None.

    None too where the question asks for something else than yes or no ("When is it due?"), since
    a right answer to it says neither.
    """
    verdict = _VERDICT.match(truth.strip())
    if verdict is None or not is_polar(prompt):
        return None
    return "yes" if verdict[1].lower() == "yes" else "no"


def is_polar(prompt: str) -> bool:
    """Return whether the last sentence of the prompt opens with an auxiliary verb."""
    last = _SENTENCE.split(prompt.strip())[-1]
    words = last.replace("\u2019", "'").split()
    return bool(words) and words[0].lower() in _POLAR
