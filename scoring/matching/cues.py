"""Cues: words that rule out what follows, and the ones that look so and do not."""

from typing import Literal, NamedTuple

from scoring.matching import vocabulary as v
from scoring.matching.clauses import asks, is_negator, is_pronoun, numbers
from scoring.matching.tokens import PHRASE, View

_NEAR = 3
_CHANGE_WORDS = 6
_QUESTION_WORDS = 4
_NEWS_WORDS = 6


class Cue(NamedTuple):
    """A cue.

    Attributes:
        text: The words, for people.
        reach: `clause`, up to the end of the clause; `object`, up to the end of what it takes;
            `harmless`, when what looks like a cue rules nothing out.
    """

    text: str
    reach: Literal["clause", "object", "harmless"]


def cue_at(view: View, at: int, clause: int) -> Cue | None:
    """Return the cue that begins at a place of a clause that begins at `clause`, if any."""
    word = view.word(at)
    if word == "no" and numbers(view, at):
        return None
    if is_negator(word):
        harmless = _harmless(view, at, clause)
        return Cue(harmless, "harmless") if harmless else Cue(_named(view, at), "clause")
    return _paired(view, at) or _verbal(view, at) or _adjacent(view, at)


def is_interjection(view: View, at: int, clause: int) -> bool:
    """Return whether a `no` answers by itself: `No, …`, `No it is X`."""
    if view.word(at) != "no":
        return False
    after = view.word(at + 1)
    if after == ",":
        return True
    return at == clause and (is_pronoun(after) or after in v.DETERMINERS or after in v.REASONS)


def _named(view: View, at: int) -> str:
    if view.word(at + 1) == "longer" or (view.word(at), view.word(at + 1)) == ("no", "one"):
        return f"{view.word(at)} {view.word(at + 1)}"
    return view.word(at)


def _harmless(view: View, at: int, clause: int) -> str | None:
    """Return the words that turn a negation round, if any do."""
    word, after, third = (view.word(at + step) for step in range(3))
    before = view.word(at - 1)
    if before in ("why", "if") or (before == "or" and view.word(at - 2) == "whether"):
        return f"{before} {word}"
    if word == "not" and (before == "than" or (before == "or" and not after.isalnum())):
        return f"{before} not"
    settled = _bound(view, at) or _nothing_new(view, at)
    if settled is not None:
        return settled
    if word in ("no", "nothing"):
        if after in v.HARMLESS_AFTER_NO or (word, after) == ("nothing", "wrong"):
            return f"{word} {after}"
        return _kept(view, at)
    if word == "without":
        return _sure(after, third)
    if after in v.HARMLESS_AFTER_NOT:
        return f"{word} {after}"
    if (after, third) in v.HARMLESS_PAIRS:
        return f"{word} {after} {third}"
    return _kept(view, at) or _suggested(view, at, clause)


def _bound(view: View, at: int) -> str | None:
    """Return `no later than`, `not a cent more than`, `won't go above`: they bound by X.

    A bound does not rule X out.
    """
    for place in range(at + 1, at + 2 + _NEAR):
        word = view.word(place)
        between = "" if place == at + 1 else "… "
        if word in v.COMPARATIVES and view.word(place + 1) == "than":
            return f"{view.word(at)} {between}{word} than"
        if word in v.BOUNDING and view.word(place - 1) in v.BOUNDED:
            return f"{view.word(at)} {between}{word}"
        amount = place > at + 1 and view.word(place - 1) in v.BOUNDED and word.isalpha()
        if word not in v.BOUNDED and not (amount and word not in v.AUXILIARIES):
            return None
    return None


def _nothing_new(view: View, at: int) -> str | None:
    """Return `no reason to change`, `not … any change`, `no day better … than`: what holds, holds."""
    for place in range(at + 1, at + 1 + _NEWS_WORDS):
        word, after = view.word(place), view.word(place + 1)
        if (word in v.COMPARATIVES or word in ("other", "else")) and after != "than":
            than = "than" in (view.word(place + step) for step in range(2, _NEAR + 1))
            return f"{view.word(at)} … {word} … than" if than else None
        if word in ("better", "else") and after == "than":
            return f"{view.word(at)} … {word} than"
        if word == "reason" and after == "to":
            verb = view.word(place + 2)
            known = verb in v.KEEPING or verb in v.DISCARDING or verb in v.CHANGES
            return f"{view.word(at)} … reason to {verb}" if known or verb in v.REASONED else None
        if word in ("any", "later", "newer") and after in v.NEWS:
            return f"{view.word(at)} … {word} {after}"
        if not word.isalpha():
            return None
    return None


def _sure(after: str, third: str) -> str | None:
    doubt = third if after in ("a", "any", "further") else after
    return f"without {doubt}" if doubt in v.DOUBTS else None


def _kept(view: View, at: int) -> str | None:
    """Return `do not forget` and the like: a verb whose negation asserts its object."""
    word = view.word(at)
    for place in range(at + 1, at + 1 + _NEAR):
        verb = view.word(place)
        stops = verb in v.CEASING and view.word(place + 1).endswith("ing")
        if verb in v.KEEPING or verb in v.DISCARDING or stops:
            return f"{word} {verb}"
        if verb in v.CHANGES and "from" in (
            view.word(place + step) for step in range(1, _NEAR + 2)
        ):
            return f"{word} {verb} … from"
        if verb in v.CHANGES and _takes_phrase(view, place + 1):
            return f"{word} {verb}"
        if verb == "wait" and word in ("can't", "cannot", "couldn't", "cant"):
            return f"{word} wait"
        if verb not in v.ADVERBS:
            return None
    return None


def _takes_phrase(view: View, at: int) -> bool:
    """Return whether the object of a verb before a place begins with the phrase."""
    return view.word(at + (view.word(at) in v.DETERMINERS)) == PHRASE


def _suggested(view: View, at: int, clause: int) -> str | None:
    """Return the words of a negative question, which suggests what it names: `Isn't it X?`."""
    word = view.word(at)
    near = at - clause < _QUESTION_WORDS
    opening = word.endswith("n't") if at == clause else view.word(clause) in v.AUXILIARIES
    if near and opening and asks(view, at):
        return f"{word} …?"
    return None


def _paired(view: View, at: int) -> Cue | None:
    word, after = view.word(at), view.word(at + 1)
    if (word, after) in v.PAIRED_CUES:
        return Cue(v.PAIRED_CUES[word, after], "object")
    if word in v.SINGLE_EXCLUDERS:
        return Cue(word, "object")
    if (word, after) in v.PHRASAL and view.word(at - 1) not in v.BE_FORMS:
        return None if _negated(view, at) else Cue(f"{word} {after}", "object")
    if word in v.CLAIMS and after in ("that", "to"):
        return Cue(f"{word} {after}", "clause")
    if word in v.CEASING and after.endswith("ing") and not _negated(view, at):
        return Cue(f"{word} {after}", "object")
    doubted = word in ("doubt", "doubts") and view.word(at - 1) in v.DOUBTERS
    if doubted and not _negated(view, at):
        return Cue(word, "clause")
    if (word, after) == ("used", "to") and view.word(at - 1) not in v.BE_FORMS:
        return Cue("used to", "clause")
    if word in ("fail", "fails", "failed") and after == "to" and not _negated(view, at):
        return Cue(f"{word} to", "clause")
    return None


def _verbal(view: View, at: int) -> Cue | None:
    """Return the cue of a verb that discards its object, or of leaving something by `from`."""
    word, before = view.word(at), view.word(at - 1)
    if word == "out" and before in ("rule", "rules", "ruled", "ruling"):
        passive = view.word(at - 2) in v.BE_FORMS
        return None if passive or _negated(view, at - 1) else Cue(f"{before} out", "object")
    if word == "from":
        return _left(view, at)
    if word not in v.DISCARDING or before in v.BE_FORMS or before in v.DETERMINERS:
        return None
    return None if _negated(view, at) else Cue(word, "object")


def _left(view: View, at: int) -> Cue | None:
    found = None
    for place in range(at - 1, max(-1, at - 1 - _CHANGE_WORDS), -1):
        word = view.word(place)
        if word in (".", ";", ":", ","):
            break
        if word in v.CHANGES and _negated(view, place):
            return None
        if word in v.CHANGES and found is None:
            found = Cue(f"{word} from", "object")
    return found


def _negated(view: View, at: int) -> bool:
    """Return whether a negation stands right before a verb, but for adverbs."""
    for place in range(at - 1, at - 1 - _NEAR, -1):
        word = view.word(place)
        if is_negator(word):
            return True
        if word not in v.ADVERBS and word not in v.BE_FORMS and word not in ("have", "has", "had"):
            return False
    return False


def _adjacent(view: View, at: int) -> Cue | None:
    """Return a cue that holds only for a phrase right behind it: `previously X`, `(was X)`."""
    word = view.word(at)
    if word == "non" and view.word(at + 1) == "-" and view.word(at + 2) == PHRASE:
        return Cue("non-", "object")
    if word not in v.EARLIER and (word != "was" or view.word(at - 1) not in ("(", "[")):
        return None
    if view.word(at - 1) == "as":  # as previously agreed
        return None
    for place in range(at + 1, at + 2 + _NEAR):
        if view.word(place) == PHRASE:
            return Cue(word, "object")
        if view.word(place) not in v.FILLERS:
            return None
    return None
