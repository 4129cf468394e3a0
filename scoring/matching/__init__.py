"""Matching: what a text says of a phrase, by clauses.

Lexical, not entailment: it reads how a text is written. `docs/matching.md` has the rules.
"""

from scoring.matching.findings import Finding, Occurrence, asserts, asserts_folded, find
from scoring.spans import Span, find_folded, occurrences

__all__ = [
    "Finding",
    "Occurrence",
    "Span",
    "asserts",
    "asserts_folded",
    "find",
    "find_folded",
    "occurrences",
]
