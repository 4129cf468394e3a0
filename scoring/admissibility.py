"""Which phrases can show by themselves that an answer is wrong.

A phrase is inadmissible when a right answer could plausibly contain it. Such a phrase leaves the
numerator and the denominator, and is listed with the reason.
"""

from collections.abc import Iterable

from scoring.spans import find_folded
from simulator.events.folding import fold

STOP_WORDS = frozenset(
    """
    a about after all also am an and any are as at be because been before being both but by can
    could did do does doing done during each either every few for from get got had has have he
    her here him his how i if in into is it its just may me might more most must my no nor not of
    off on once only or other our out over own per same shall she should since so some such than
    that the their them then there these they this those through to too under until up us use
    used uses using very via was we were what when where which while who whom whose why will with
    within without would yes you your
    """.split()
)
"""Words that any sentence may need."""

TOPIC_WORDS = frozenset(
    """
    agreed agreement allocated allocation amount approval approved budget budgets chose chosen
    color colour confirmed cost costs date dates day days deadline deadlines decided decision
    delivery design discount discounts discussed duration expected feature features hour hours
    meeting minute minutes month months negotiated option options order plan plans price prices
    project quarter quarters schedule scheduled selected team time timeline week weeks year years
    """.split()
)
"""Words that name what a question is about: an answer that says there is none needs them too."""

_SHORT = 3


def inadmissible(phrase: str) -> str | None:
    """Return why a phrase alone can show nothing, None when it can.

    The headline gate: blank, symbols only, or as a whole one stop or topic word.
    """
    folded = fold(phrase)
    if not folded:
        return "blank"
    if not any(char.isalnum() for char in folded):
        return "symbols only"
    if folded in STOP_WORDS:
        return "a stop word"
    return "a topic word" if folded in TOPIC_WORDS else None


def published_gate(phrase: str) -> str | None:
    """Return why the gate published with StateBench's audit drops a phrase, None when it does not.

    As the headline gate, and also what has fewer than three letters and no digit. Boundaries make
    that rule unnecessary: `HP` is not in `PHP`.
    """
    reason = inadmissible(phrase)
    if reason is not None:
        return reason
    folded = fold(phrase)
    letters = sum(char.isalpha() for char in folded)
    if letters < _SHORT and not any(char.isdigit() for char in folded):
        return "shorter than three letters"
    return None


def query_aware(phrase: str, prompt: str, required: Iterable[str]) -> str | None:
    """Return why a phrase can show nothing under one question, None when it can.

    The sensitivity gate, shown beside the headline: also what the question or the required content
    says. It is no headline, since it leaves a wrong `Yes, $45.` to `Still $45?` unscored.
    """
    reason = inadmissible(phrase)
    if reason is not None:
        return reason
    folded = fold(phrase)
    if find_folded(folded, fold(prompt)):
        return "in the question"
    if any(find_folded(folded, fold(text)) for text in required):
        return "in the required content"
    return None
