"""The scorers that the audit sets side by side."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from probes.audit.gates import Gated
from probes.audit.legacy import contains, unexcused
from scoring.admissibility import published_gate
from scoring.matching import asserts_folded
from simulator.events.folding import fold

Matches = Callable[[str, str, str], bool]
"""Takes a phrase, a text and the prompt that it answers; True when the text violates the phrase."""


@dataclass(frozen=True)
class Scorer:
    """A way to match phrases, and a gate that says which phrases are matched at all.

    Attributes:
        matches: Whether a text violates a phrase.
        phrases: The phrases of an item that count; an item without any is out of the denominator.
    """

    matches: Matches
    phrases: Callable[[Gated], tuple[str, ...]]

    def flags(self, gated: Gated, text: str) -> bool | None:
        """Return whether a text violates one of the item's phrases; None when none counts."""
        phrases, prompt = self.phrases(gated), gated.item.prompt
        return any(self.matches(phrase, text, prompt) for phrase in phrases) if phrases else None


def legacy(phrase: str, text: str, _prompt: str) -> bool:
    """Return whether the published scorer flags the text."""
    return contains(phrase, text)


def window(phrase: str, text: str, _prompt: str) -> bool:
    """Return whether the published repair flags the text."""
    return unexcused(phrase, text)


def corrected(phrase: str, text: str, _prompt: str) -> bool:
    """Return whether our scorer flags the text, as a `never_says` check of a run does."""
    return _asserted(_folded(phrase), _folded(text), "")


def prompted(phrase: str, text: str, prompt: str) -> bool:
    """Return whether our scorer flags the text where repeating the prompt asserts nothing."""
    said, asked = _folded(text), _folded(prompt)
    return _asserted(_folded(phrase), said, asked if asked in said else "")


# A text is matched against every phrase of its item, and by several scorers alike.
_folded = lru_cache(maxsize=4096)(fold)
_asserted = lru_cache(maxsize=65_536)(asserts_folded)

SCORERS = {
    "legacy": Scorer(legacy, lambda gated: gated.item.forbidden),
    "window": Scorer(
        window, lambda gated: tuple(p for p in gated.item.forbidden if published_gate(p) is None)
    ),
    "corrected": Scorer(corrected, lambda gated: gated.scored),
    "corrected_with_prompt": Scorer(prompted, lambda gated: gated.scored),
    "corrected_query_aware": Scorer(corrected, lambda gated: gated.aware),
}
"""The published scorer, its published repair, and ours: as it scores, and in two ways that forgive
an answer for echoing the prompt."""

MATCHERS: dict[str, Matches] = {"legacy": legacy, "window": window, "corrected": corrected}
"""Those that differ where a control has one phrase and no query."""
