"""Where clauses end and begin.

Looking ahead is bounded, so that reading a text takes time linear in its length.
"""

from scoring.matching import vocabulary as v
from scoring.matching.tokens import PHRASE, View

AHEAD = 16
"""How many words any rule looks ahead."""

_ENDS = frozenset("?!")
_BREAKS = frozenset({";", "|", "->", "=>", "\u2192", "\u21d2", "\u2022", "--"})
_NO_SUBJECT = frozenset({",", ";", ":", ".", "and", "or", "that", "which", "who", "to", "from"})
_OPENING = v.VERBS | v.TURNS | v.AUXILIARIES | v.REPORTING
_SUBJECT_WORDS = 6
_AFTER_OR = 4


def is_negator(word: str) -> bool:
    """Return whether a word is a negation by itself."""
    return word in v.NEGATORS or word.endswith("n't")


def is_pronoun(word: str) -> bool:
    """Return whether a word is a subject pronoun, alone or with a verb contracted to it."""
    return word in v.PRONOUNS or ("'" in word and word.split("'")[0] in v.PRONOUNS)


def ends_sentence(view: View, at: int) -> bool:
    """Return whether the mark at a place ends a sentence."""
    word = view.word(at)
    if word in _ENDS or (word.startswith("..") and word.strip(".") == ""):
        return True
    if word != ".":
        # `p.m.` ends one where a clause opens behind it.
        return len(word) > 2 and word.endswith(".") and _subject(view.word(at + 1))
    before = view.word(at - 1)
    if not _open_after(view, at) or before in v.ABBREVIATIONS:
        return False
    if before in v.SOFT_ABBREVIATIONS and view.word(at + 1) not in ("", '"', ")"):
        return _subject(view.word(at + 1))
    return not numbers(view, at - 1)


def _open_after(view: View, at: int) -> bool:
    return view.gap(at + 1) or view.word(at + 1) in "\"')]*"


def numbers(view: View, at: int) -> bool:
    """Return whether `No.` at a place counts something, as in `No. 5`."""
    counted = view.word(at + 2)
    return view.word(at) == "no" and view.word(at + 1) == "." and counted[:1].isdigit()


def breaks_clause(view: View, at: int) -> bool:
    """Return whether the mark at a place ends a clause, whatever stands around it."""
    word = view.word(at)
    if word in _BREAKS:
        return True
    if word == ":":
        return _open_after(view, at)
    if word == "*":
        return view.gap(at) and view.gap(at + 1)
    return word == "-" and _is_dash(view, at)


def _is_dash(view: View, at: int) -> bool:
    # Folding writes every dash as a hyphen: what follows tells `Friday-it` from `follow-up`.
    return view.gap(at + 1) or (_subject(view.word(at + 1)) and view.gap(at + 2))


def _subject(word: str) -> bool:
    return is_pronoun(word) or word in v.DETERMINERS or word in v.TURNS or word == "but"


def opens_clause(view: View, at: int) -> bool:
    """Return whether a clause of its own begins at a place, behind a comma or `and`.

    It does with a pronoun, a negation, a verb, an adverb that turns, or a short subject with an
    auxiliary verb behind it.
    """
    word = view.word(at)
    if is_pronoun(word) or is_negator(word) or word in _OPENING:
        return True
    return _has_verb(view, at + 1, _SUBJECT_WORDS)


def _has_verb(view: View, at: int, words: int) -> bool:
    for place in range(at, at + words):
        word = view.word(place)
        if word in v.AUXILIARIES or word in v.REPORTING or word.endswith("n't"):
            return True
        if not word or word in _NO_SUBJECT:
            return False
    return False


def and_closes(view: View, at: int) -> bool:
    """Return whether the `and` at a place ends a scope: a clause or another verb follows."""
    after = view.word(at + 1)
    return opens_clause(view, at + 1) or (after.endswith("ed") and len(after) > 4)


def in_list(view: View, comma: int) -> bool:
    """Return whether a comma stands in a list that an `or`, `nor` or `and` ends."""
    if view.word(comma + 1) in v.VERBS or view.word(comma + 1) in v.TURNS:
        return False
    for place in range(comma + 1, comma + AHEAD):
        word = view.word(place)
        if word in ("or", "nor"):
            return not _has_verb(view, place + 1, _AFTER_OR)
        if word == "and":
            return not and_closes(view, place)
        if word != PHRASE and _ends_list(view, place):
            return False
    return False


def _ends_list(view: View, at: int) -> bool:
    word = view.word(at)
    return (
        not word
        or word in v.AUXILIARIES
        or word in v.CLOSERS
        or is_pronoun(word)
        or is_negator(word)
        or breaks_clause(view, at)
        or ends_sentence(view, at)
    )


def asks(view: View, at: int) -> bool:
    """Return whether the sentence from a place on ends with a question mark."""
    for place in range(at, at + AHEAD):
        if view.word(place) == "?":
            return True
        if not view.word(place) or ends_sentence(view, place):
            return False
    return False
