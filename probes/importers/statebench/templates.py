"""Templates: questions that differ in names and numbers only are one cluster."""

import re

from probes.importers.statebench.timelines import Timeline

_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_WORD = re.compile(r"[^\s?!,;:]+")
GAP = "…"


def template(timeline: Timeline) -> str:
    """Return what is left of the timeline's questions without names and numbers.

    A name is a word with a capital letter inside a sentence (but "I"), a number a word with a
    digit; neighbouring ones are one gap.
    """
    return " / ".join(abstracted(query.prompt) for query in timeline.queries())


def abstracted(prompt: str) -> str:
    """Return the words of a question in small letters, with gaps for names and numbers."""
    words: list[str] = []
    for sentence in _SENTENCE.split(prompt):
        for position, word in enumerate(_WORD.findall(sentence)):
            plain = GAP if _names(word, position) else word.rstrip(".").lower()
            if plain and (plain != GAP or words[-1:] != [GAP]):
                words.append(plain)
    return " ".join(words)


def _names(word: str, position: int) -> bool:
    if any(character.isdigit() for character in word):
        return True
    return position > 0 and word[0].isupper() and not re.match(r"I\b", word)
