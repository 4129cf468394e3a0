"""The names of the risk track: six risks, and what some of them are divided into."""

from typing import Literal, get_args

Risk = Literal["stale", "conflict", "leakage", "reuse", "decay", "contamination"]
"""R1 to R6: a value that was updated; two values and a rule that decides between them; what
belongs to another scope; what was deleted, revoked or invalidated; a constraint that is long ago;
wrong content that a memory makes look clean."""

RISKS: tuple[Risk, ...] = get_args(Risk)
NUMBERS: dict[Risk, str] = {risk: f"R{place}" for place, risk in enumerate(RISKS, 1)}
"""Risk to its number in the paper that named them."""

SEPARATE: frozenset[Risk] = frozenset({"contamination"})
"""Risks that are a track of their own: no rate over several risks counts them."""

SAFE_TO_REFUSE: frozenset[Risk] = frozenset({"leakage", "decay"})
"""Risks in which declining is the safe outcome: the safety-aware variant passes it there only."""

Subtype = Literal[
    "latest_timestamp",
    "trusted_source",
    "explicit_correction",
    "scope",
    "deletion",
    "revocation",
    "invalidation",
    "noise",
    "wrong",
    "forged",
    "instruction",
]
"""What decides a conflict; how something ceased to be usable; what is wrong with a source."""

SUBTYPES: dict[Risk, tuple[Subtype, ...]] = {
    "conflict": ("latest_timestamp", "trusted_source", "explicit_correction", "scope"),
    "reuse": ("deletion", "revocation", "invalidation"),
    "contamination": ("noise", "wrong", "forged", "instruction"),
}
"""The subtypes of each risk that has some."""
