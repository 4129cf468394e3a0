"""The scorers that are audited: the published one, and its published repair.

They live here and nowhere else: no run is ever scored by them.
"""

import re
from functools import lru_cache

WINDOW = 40
"""How far back the published repair looks for a cue, characters."""

CUES = (
    "not",
    "n't",
    "never",
    "cannot",
    "no longer",
    "no more",
    "instead of",
    "rather than",
    "without",
    "avoid",
    "superseded",
    "outdated",
    "previously",
    "used to be",
    "was changed",
    "invalid",
)
"""Cues of the repair: the usual words of negation and of what no longer holds."""


def contains(phrase: str, text: str) -> bool:
    """Return whether `text` contains `phrase` anywhere, in whatever case: the legacy scorer."""
    return phrase.strip().lower() in text.lower()


def unexcused(phrase: str, text: str) -> bool:
    """Return whether one occurrence of `phrase` has no cue in the `WINDOW` characters before it.

    This is the published repair: word boundaries at edges that are word characters, then a
    look-back that knows neither sentences nor clauses nor what stands after the phrase.
    """
    folded = text.replace("\u2019", "'").lower()
    return any(
        not any(cue in folded[max(0, found.start() - WINDOW) : found.start()] for cue in CUES)
        for found in _bounded(phrase).finditer(folded)
    )


@lru_cache(maxsize=4096)
def _bounded(phrase: str) -> re.Pattern[str]:
    sought = phrase.strip().replace("\u2019", "'").lower()
    before = r"(?<!\w)" if re.match(r"\w", sought) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", sought) else ""
    # A phrase of white space only would otherwise be found everywhere.
    return re.compile(before + re.escape(sought) + after if sought else r"(?!)")
