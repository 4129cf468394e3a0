"""The audit of a set of items, as one JSON value."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from probes.audit.blindness import blindness
from probes.audit.census import defects, inadmissible_counts, lost, unmatchable_counts
from probes.audit.controls import (
    filler_control,
    late_cue_control,
    laundering_control,
    next_sentence_control,
)
from probes.audit.gates import Gated
from probes.audit.items import Item, from_timelines
from probes.audit.published import PUBLISHED
from probes.audit.rates import by_group, counts, intervals, judged
from probes.audit.texts import CONSTRUCTED
from probes.importers.statebench import Timeline, read_timelines
from scoring.scorers import SCORER
from simulator.events import Json
from simulator.events.errors import InputError

CONDITIONAL = (
    "The constructed table is conditional: it says what a scorer does with an answer that is "
    "phrased so, not how often a system phrases it so."
)
CHECKS_CODE = (
    '"rejecting under legacy = 100 %" and "plain under corrected_query_aware = 0" hold by '
    "construction: they check code and measure nothing."
)
ECHO = (
    "The corrected scorer counts a forbidden phrase in an echoed prompt. corrected_with_prompt "
    "forgives a verbatim repetition; corrected_query_aware takes the phrase out instead."
)
DENOMINATORS = (
    "Each scorer's denominator holds the queries with a phrase that counts for it: legacy all "
    "with a forbidden phrase, corrected those with an admissible one that can match. "
    "legacy_paired is legacy on the corrected scorer's queries."
)
LEXICAL = "All scorers here are lexical: they compare how texts are written, not what they entail."

_YES_NO = re.compile(r"(yes|no)\b", re.IGNORECASE)


def audit_statebench(files: Iterable[Path | str]) -> dict[str, Json]:
    """Audit StateBench files.

    Raises:
        InputError: for a line that is no timeline, or files without any.
    """
    timelines = read_timelines(files)
    if not timelines:
        raise InputError("the files hold no timelines")
    return {
        "timelines": len(timelines),
        **audit_items(from_timelines(timelines)),
        "decisions": _decisions(timelines),
        "published": PUBLISHED,
    }


def audit_items(items: Sequence[Item]) -> dict[str, Json]:
    """Audit a set of items; `[flagged, of]` everywhere, by scorer.

    The answer holds `scorer`, the version of the corrected one, `queries`, `forbidden_phrases`, `inadmissible`, `unmatchable`, `lost`,
    `defects`, `constructed`, `filler`, `laundering`, `late_cue`, `next_sentence`, `overlap` and
    `notes`.
    """
    gated = [Gated(item) for item in items]
    return {
        "scorer": SCORER,
        "queries": len(items),
        "forbidden_phrases": sum(len(item.forbidden) for item in items),
        "inadmissible": inadmissible_counts(items),
        "unmatchable": unmatchable_counts(items),
        "lost": lost(gated),
        "defects": defects(items),
        "constructed": _constructed(gated),
        "filler": filler_control(gated),
        "laundering": laundering_control(),
        "late_cue": late_cue_control(),
        "next_sentence": next_sentence_control(),
        "overlap": blindness(gated),
        "notes": [CONDITIONAL, CHECKS_CODE, DENOMINATORS, ECHO, LEXICAL],
    }


def _constructed(items: Sequence[Gated]) -> dict[str, Json]:
    groups = sorted({gated.item.group for gated in items})
    table: dict[str, Json] = {}
    by_track: dict[str, dict[str, Json]] = {group: {} for group in groups}
    for name, text in CONSTRUCTED.items():
        verdicts = judged(items, _of_item(text))
        table[name] = {**counts(verdicts), "intervals": intervals(verdicts)}
        for group, cells in by_group(verdicts, groups).items():
            by_track[group][name] = cells
    return {**table, "by_track": by_track}


def _of_item(text: Callable[[Item], str]) -> Callable[[Gated], str]:
    return lambda gated: text(gated.item)


def _decisions(timelines: Sequence[Timeline]) -> dict[str, int]:
    """Return how many queries' decisions are the bare word yes or no, and open with it."""
    truths = [query.ground_truth.decision for each in timelines for query in each.queries()]
    return {
        "yes_no": sum(truth.strip().lower() in ("yes", "no") for truth in truths),
        "opens_yes_no": sum(bool(_YES_NO.match(truth)) for truth in truths),
        "of": len(truths),
    }
