"""Overlap metrics, as papers use them: token-F1, BLEU-1 and ROUGE-L of an answer.

Written out here because they are what is studied, not what anything is scored by. Tokens are runs
of letters and digits of the folded text; nothing is stemmed, since no stem tells "not X" from "X".
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

from simulator.events.folding import fold

_TOKEN = re.compile(r"\w+")


def tokens(text: str) -> list[str]:
    """Return the tokens of a text."""
    return _TOKEN.findall(fold(text))


def token_f1(answer: Sequence[str], reference: Sequence[str]) -> float:
    """Return the harmonic mean of token precision and recall, counted with multiplicity."""
    return _harmonic(_shared(answer, reference), len(answer), len(reference))


def bleu_1(answer: Sequence[str], reference: Sequence[str]) -> float:
    """Return clipped unigram precision times the brevity penalty, one reference."""
    if not answer:
        return 0.0
    penalty = min(1.0, math.exp(1 - len(reference) / len(answer)))
    return penalty * _shared(answer, reference) / len(answer)


def rouge_l(answer: Sequence[str], reference: Sequence[str]) -> float:
    """Return the F-measure of the longest common subsequence, precision and recall alike."""
    return _harmonic(longest_common(answer, reference), len(answer), len(reference))


def longest_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence.

    One machine word operation a token: bit i of `open_` is cleared where a common subsequence
    can grow at `one[i]` (Hyyrö's form of the dynamic programme).
    """
    full = (1 << len(one)) - 1
    places: dict[str, int] = {}
    for index, token in enumerate(one):
        places[token] = places.get(token, 0) | 1 << index
    open_ = full
    for token in other:
        hit = open_ & places.get(token, 0)
        open_ = (open_ + hit | open_ - hit) & full
    return len(one) - open_.bit_count()


METRICS = {"token_f1": token_f1, "bleu_1": bleu_1, "rouge_l": rouge_l}
"""The metrics by name; each takes the tokens of an answer and of a reference."""


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return (Counter(one) & Counter(other)).total()


def _harmonic(shared: int, given: int, wanted: int) -> float:
    return 2 * shared / (given + wanted) if given + wanted else 0.0
