"""Census: what a set holds, what each gate takes out of it, and what is wrong with its keys."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from probes.audit.gates import Gated, unmatchable
from probes.audit.items import Item
from scoring.admissibility import inadmissible, published_gate
from scoring.matching import asserts
from simulator.events import Json

_IDENTIFIER = re.compile(r"[A-Za-z0-9]+(_[A-Za-z0-9]+)+")

Gate = Callable[[str], str | None]


def inadmissible_counts(items: Sequence[Item]) -> dict[str, Json]:
    """Return what the published gate refuses, what ours does, and where the two differ."""
    return {
        **_refused(items, published_gate),
        "ours": _refused(items, inadmissible),
        "differ": _differences(items),
    }


def _refused(items: Sequence[Item], gate: Gate) -> dict[str, Json]:
    found = Counter(
        (item.group, phrase) for item in items for phrase in item.forbidden if gate(phrase)
    )
    phrases: Counter[str] = Counter()
    groups = dict.fromkeys(sorted({item.group for item in items}), 0)
    for (group, phrase), n in found.items():
        phrases[phrase] += n
        groups[group] += n
    return {"total": found.total(), "by_track": groups, "phrases": _ordered(phrases)}


def _differences(items: Sequence[Item]) -> list[Json]:
    phrases = Counter(phrase for item in items for phrase in item.forbidden)
    return [
        {
            "phrase": phrase,
            "count": n,
            "published": published_gate(phrase),
            "ours": inadmissible(phrase),
        }
        for phrase, n in sorted(phrases.items(), key=_by_count)
        if (published_gate(phrase) is None) is not (inadmissible(phrase) is None)
    ]


def lost(items: Sequence[Gated]) -> dict[str, Json]:
    """Return `[phrases, queries]` that each gate takes out in turn, in all and by track.

    Headline gate, then what cannot match, then the query-aware gate. A query is lost where the
    gate takes its last phrase.
    """
    groups = sorted({gated.item.group for gated in items})
    return {
        "all": _lost(items),
        "by_track": {
            group: _lost([gated for gated in items if gated.item.group == group])
            for group in groups
        },
    }


def _lost(items: Iterable[Gated]) -> dict[str, list[int]]:
    found = {"headline": [0, 0], "unmatchable": [0, 0], "query_aware": [0, 0]}
    for gated in items:
        left = len(gated.item.forbidden)
        taken = (len(gated.inadmissible), len(gated.unmatchable))
        for name, n in zip(found, (*taken, len(gated.scored) - len(gated.aware)), strict=True):
            found[name][0] += n
            found[name][1] += bool(n) and n == left
            left -= n
    return found


def unmatchable_counts(items: Sequence[Item]) -> dict[str, Json]:
    """Return the phrases that no text could assert, with the reason and how often they stand."""
    found = Counter(
        (phrase, why)
        for item in items
        for phrase in item.forbidden
        if (why := unmatchable(phrase, item.group)) is not None
    )
    return {
        "total": found.total(),
        "phrases": [
            {"phrase": phrase, "count": n, "reason": why}
            for (phrase, why), n in sorted(found.items(), key=lambda each: (-each[1], each[0]))
        ],
    }


def defects(items: Sequence[Item]) -> dict[str, Json]:
    """Return counts of queries whose key is unfair, and of what repeats or is missing.

    `internal_keys` are queries that require an identifier such as `go_live`; `contradictory`
    ones require what they admissibly forbid; `without_forbidden` have nothing to score here.
    """
    return {
        "internal_keys": sum(any(map(_IDENTIFIER.fullmatch, i.required)) for i in items),
        "contradictory": [item.id for item in items if _contradicts(item)],
        "without_forbidden": sum(not item.forbidden for item in items),
        "prompts": len({item.prompt for item in items}),
        "templates": len({item.cluster for item in items}),
    }


def _contradicts(item: Item) -> bool:
    admissible = [phrase for phrase in item.forbidden if inadmissible(phrase) is None]
    return any(asserts(phrase, text) for phrase in admissible for text in item.required)


def _ordered(phrases: Counter[str]) -> dict[str, int]:
    return dict(sorted(phrases.items(), key=_by_count))


def _by_count(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]
