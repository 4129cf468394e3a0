"""Which cue reaches a place: one pass over a text, clause by clause.

What holds between two words is a `Scope`. It changes at cues, at what ends clauses, at quotation
marks and parentheses; other words leave it as it is.
"""

from dataclasses import dataclass, replace

from scoring.matching import vocabulary as v
from scoring.matching.clauses import (
    AHEAD,
    and_closes,
    breaks_clause,
    ends_sentence,
    in_list,
    is_negator,
    is_pronoun,
    opens_clause,
)
from scoring.matching.cues import cue_at, is_interjection
from scoring.matching.tokens import Tokens, View

_DEPTH = 4
_ASIDE = 6
_PAIRS = {"(": ")", "[": "]", '"': '"'}
_CLOSING = frozenset(")]")


@dataclass(frozen=True)
class Scope:
    """What reaches a place.

    Attributes:
        clause: Index of the first word of the clause.
        sentence: Index of the first word of the sentence.
        cue: The last cue that reaches up to the end of the clause, None without one.
        odd: The number of such cues is odd.
        near: The cue that reaches only up to the end of an object, None without one.
        cued: Index of the last cue.
        aside: Index of the comma that begins an aside behind a cue, or -1.
        harmless: Words that look like a cue and rule nothing out.
        outer: What reached the places of open quotations and parentheses, with their marks.
    """

    clause: int = 0
    sentence: int = 0
    cue: str | None = None
    odd: bool = False
    near: str | None = None
    cued: int = -1
    aside: int = -1
    harmless: str | None = None
    outer: tuple[tuple[str, "Scope"], ...] = ()

    @property
    def negates(self) -> bool:
        """True when what stands here is ruled out: by one cue, or by an odd number."""
        return self.odd is not (self.near is not None)


def scopes(words: Tokens) -> list[Scope]:
    """Return the scope before each word, and the one behind the last."""
    view = View(words, len(words.words), len(words.words))
    found = [Scope()]
    for at in range(len(words.words)):
        found.append(after(found[-1], view, at))
    return found


def scope_of(words: Tokens, known: list[Scope], first: int, last: int) -> Scope:
    """Return what reaches a phrase that covers the words from `first` up to `last`.

    The last words before it are read again with the phrase as one word, since they looked ahead.
    """
    view = View(words, first, last)
    start = max(0, first - AHEAD)
    scope = known[start]
    for at in range(start, first):
        scope = after(scope, view, at)
    return scope


def after(scope: Scope, view: View, at: int) -> Scope:
    """Return the scope behind the word at a place."""
    word = view.word(at)
    if not word[0].isalnum():
        return _after_mark(scope, view, at)
    if word in v.CLOSERS or word in v.REASONS or word in _JOINING:
        return _after_joining(scope, view, at)
    if word[-1] == "." and ends_sentence(view, at):
        return Scope(at + 1, at + 1)
    if scope.near is not None:
        scope = _narrowed(scope, view, at)
    if scope.cue is not None and _main_clause(scope, view, at):
        return _fresh(scope, at + 1)
    return _after_cue(scope, view, at)


_VERBS = frozenset({"is", "are", "was", "were"})
_JOINING = frozenset({"and", "or", "yet", "instead", "rather"})


def _fresh(scope: Scope, clause: int) -> Scope:
    return Scope(clause, scope.sentence, outer=scope.outer)


def _after_mark(scope: Scope, view: View, at: int) -> Scope:
    mark = view.word(at)
    if mark == ",":
        return _after_comma(scope, view, at)
    if mark in _PAIRS or mark in _CLOSING:
        return _after_bracket(scope, view, at)
    if ends_sentence(view, at):
        return Scope(at + 1, at + 1)
    return _fresh(scope, at + 1) if breaks_clause(view, at) else scope


def _after_bracket(scope: Scope, view: View, at: int) -> Scope:
    """Return the scope inside what opens, or again outside of what closes.

    A cue reaches into a quotation and into what is bracketed right behind it, and never out.
    """
    mark = view.word(at)
    if mark in _CLOSING or (mark == '"' and not _opens(view, at)):
        if scope.outer and _PAIRS[scope.outer[-1][0]] == mark:
            return scope.outer[-1][1]
        return scope
    if len(scope.outer) == _DEPTH:
        return scope
    outer = (*scope.outer, (mark, scope))
    if mark == '"' or scope.cued == at - 1:
        return replace(scope, outer=outer)
    return Scope(at + 1, scope.sentence, outer=outer)


def _opens(view: View, at: int) -> bool:
    return view.gap(at) or view.word(at - 1) in ("(", "[", "-", ":")


def _after_comma(scope: Scope, view: View, at: int) -> Scope:
    if not scope.cue and not scope.near:
        return _fresh(scope, at + 1) if opens_clause(view, at + 1) else scope
    if scope.cued == at - 1 and scope.near in v.DISCARDING or _ruled_out(scope, view, at):
        return _fresh(scope, at + 1)  # `with Thursday ruled out, X`: what it took stands before it
    if scope.cued == at - 1 and view.word(at - 1) != "no":
        # `It is not, in fact, X`: the aside does not end what the cue has begun.
        return replace(scope, aside=at)
    if scope.aside >= 0 and at - scope.aside <= _ASIDE:
        return replace(scope, aside=-1)
    if view.word(at + 1) in ("nor", "or", "and") or in_list(view, at):
        return scope
    if _names_again(scope, view, at):
        return scope
    return _fresh(scope, at + 1)


def _ruled_out(scope: Scope, view: View, comma: int) -> bool:
    return scope.near is not None and scope.near.endswith(" out") and scope.cued == comma - 1


def _names_again(scope: Scope, view: View, comma: int) -> bool:
    """Return whether a comma only names the ruled out thing: `not the old date, Friday`."""
    first = max(scope.cued + 1, comma - _ASIDE)
    outdated = any(view.word(place) in v.OUTDATED for place in range(first, comma))
    return outdated and not opens_clause(view, comma + 1)


def _after_joining(scope: Scope, view: View, at: int) -> Scope:
    if not _joins(scope, view, at):
        return _fresh(scope, at + 1)
    return _after_cue(scope, view, at)


def _joins(scope: Scope, view: View, at: int) -> bool:
    """Return whether a word that may begin a clause goes on with the one before it."""
    word, before, behind = view.word(at), view.word(at - 1), view.word(at + 1)
    match word:
        case "and":
            return not and_closes(view, at) and (scope.near is None or _names(behind))
        case "or":
            return not is_negator(behind) and not is_pronoun(behind)
        case "but":
            return before in ("anything", "everything", "all")
        case "yet":
            return before != ","
        case "instead":
            return behind == "of"
        case "rather":
            return behind == "than" or before not in (",", "or")
    return word in v.REASONS and word != "before" and scope.cued == at - 1


def _names(word: str) -> bool:
    """Return whether a word can go on with a list of things."""
    return word in v.DETERMINERS or not word.isalpha()


def _narrowed(scope: Scope, view: View, at: int) -> Scope:
    """Return the scope without a verb's cue where its object has ended."""
    word = view.word(at)
    right_behind = scope.cued == at - 1
    if word in v.PREPOSITIONS:
        left = scope.near is not None and scope.near.endswith(" from") and not right_behind
        ends = left or scope.near in v.DISCARDING or str(scope.near).split()[0] in v.CEASING
    else:
        ends = is_pronoun(word) and not right_behind
    return replace(scope, near=None) if ends else scope


def _main_clause(scope: Scope, view: View, at: int) -> bool:
    """Return whether a word shows that the cue stood in a part before the main clause.

    `The day that is not free is X`: the verb of the main clause. `Without further notice it is
    X`: its subject.
    """
    word = view.word(at)
    if scope.cue == "without":
        return is_pronoun(word) and scope.cued < at - 1
    if word not in _VERBS or scope.cued >= at - 1:
        return False
    before = [view.word(place) for place in range(scope.clause, scope.cued)][-2:]
    if before and view.word(scope.cued) == "not" and _is_noun(before[-1]):
        return True  # `the option not ruled out is X`
    if before[-1:] and before[-1] in v.AUXILIARIES:
        before = before[:-1]
    opens = before[-1:] and before[-1] in v.RELATIVES
    return bool(opens) and (before[-1] != "that" or scope.clause < scope.cued - 1)


def _is_noun(word: str) -> bool:
    known = word in v.AUXILIARIES or word in v.ADVERBS or word in v.CLOSERS or word in v.REASONS
    return word.isalpha() and not known and not is_pronoun(word) and word not in _JOINING


def _after_cue(scope: Scope, view: View, at: int) -> Scope:
    word = view.word(at)
    if word not in v.CUE_STARTS and not word.endswith("n't"):
        return scope
    if is_interjection(view, at, scope.clause):
        return _fresh(scope, at + 1)
    cue = cue_at(view, at, scope.clause)
    if cue is None:
        return scope
    if cue.reach == "harmless":
        return replace(scope, harmless=cue.text)
    if cue.reach == "object":
        return replace(scope, near=cue.text, cued=at)
    if word == "nor" and scope.odd:
        return replace(scope, cue="nor", cued=at)
    return replace(scope, cue=cue.text, odd=not scope.odd, cued=at)
