"""Digests: which sentences say most, and how a model is asked for a written one."""

import re
from collections.abc import Sequence

from memories.sentences import sentences, states
from memories.words import content_stems, value_words
from simulator.effects.memory import Item
from simulator.effects.prompts import Completion, Prompt
from simulator.events import Surface
from simulator.events.faults import Fault
from simulator.events.tokens import count_tokens

_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_CHANGED = re.compile(
    r"\b(?:now|instead|changed?|correct(?:ed|ion)|updated?|moved|new|never|always|must|only|don't"
    r"|do not|prefers?)\b",
    re.IGNORECASE,
)
_ROLE_WEIGHT = {"user": 3, "system": 3, "tool": 1, "assistant": 0}
_SHARED_STEMS = 2
_BULLET = re.compile(r"^\s*(?:[-*•]\s+|\d+[.)]\s+)?(?:\[\d{4}-\d\d-\d\d\]\s*)?")


def weigh(item: Item) -> int:
    """Return how much an item's sentence says: values, names, words of change; who said it."""
    said = item.text.split(": ", 1)[-1]
    values = min(4, len(value_words(said)))
    names = min(2, len(_NAME.findall(said)))
    change = 2 if _CHANGED.search(said) else 0
    return 2 * values + names + change + _ROLE_WEIGHT[item.role] - (0 if states(said) else 4)


def digest_prompt(old: Sequence[Item], seen: Sequence[Surface], max_tokens: int) -> Prompt:
    """Return the request for a new digest: the old one as block, the surfaces as context."""
    return Prompt(
        instructions=(
            "You keep notes for an assistant. Write new notes from the old notes and the session. "
            "Keep every id, amount, date, address, code and rule that is still valid. "
            "Where the session corrects the old notes, write only the new value. "
            "One fact a line, no comments."
        ),
        block="\n".join(["Old notes:", *(item.text for item in old)]) if old else "",
        context=tuple(seen),
        request=f"Write the new notes in at most {max_tokens * 3 // 4} words.",
    )


def as_lines(completion: Completion, old: Sequence[Item], seen: Sequence[Surface]) -> list[str]:
    """Return the lines of a written digest; of one that was cut off, the whole lines only.

    Raises:
        Fault: culprit `model`; `empty` when nothing was written, `truncated` when the cut left
            no whole line or sentence, `longer` when what it was made of, the old digest and the
            surfaces, has fewer tokens.
    """
    text = completion.text.strip()
    if not text:
        raise Fault("model", "empty", "the memory model wrote an empty summary")
    lines = [
        piece
        for line in text.splitlines()
        for piece in sentences(_BULLET.sub("", line))
        if any(letter.isalnum() for letter in piece)
    ]
    _refuse_longer(lines, [*(item.text for item in old), *(each.text for each in seen)])
    if completion.finish == "length":
        lines = lines[:-1]
        if not lines:
            raise Fault("model", "truncated", "the summary was cut off inside its first line")
    if not lines:
        raise Fault("model", "empty", "the memory model wrote a summary without a word")
    return lines


def _refuse_longer(lines: Sequence[str], made_of: Sequence[str]) -> None:
    written, whole = (count_tokens("\n".join(each)) for each in (lines, made_of))
    if written > whole:
        message = f"the memory model wrote a summary of {written} tokens of {whole} tokens"
        raise Fault("model", "longer", message)


def attribute(
    line: str, old: Sequence[Item], seen: Sequence[Surface]
) -> tuple[frozenset[str], int]:
    """Return the ids of the events whose text a written line carries, and the newest's time (ms).

    Carrying is lexical: a value with a digit in common, or two other words. A line that shares
    nothing with anything is charged to all that the model saw, so that forgetting any of it takes
    the line away: too much rather than too little.
    """
    inputs = [(item.text, item.sources, item.time) for item in old]
    inputs += [(surface.text, frozenset((surface.id,)), surface.time) for surface in seen]
    carried = [each for each in inputs if _shares(line, each[0])] or inputs
    return frozenset().union(*(each[1] for each in carried)), max(each[2] for each in carried)


def _shares(line: str, text: str) -> bool:
    if value_words(line) & value_words(text):
        return True
    return len(content_stems(line) & content_stems(text)) >= _SHARED_STEMS
