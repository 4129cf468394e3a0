"""Repeats: an arm that does the same under every trial seed is counted once."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from scoring.metrics import Played


def count_once(played: Sequence[Played]) -> tuple[list[Played], list[str]]:
    """Drop the repeats of arms that did exactly the same under every seed; warn of each arm.

    Whether an arm repeats itself is read from what it was shown and did. It must hold for every
    arc that was played with several seeds: equal outcomes on a single arc may be chance.
    """
    by_arm: dict[str, dict[str, list[Played]]] = defaultdict(lambda: defaultdict(list))
    for each in played:
        if each.finished:
            by_arm[each.arm][each.arc].append(each)
    dropped: set[tuple[str, str, int]] = set()
    warnings = []
    for arm, arcs in by_arm.items():
        if not _repeats(arcs):
            continue
        extra = [each for trials in arcs.values() for each in _after_first(trials)]
        dropped.update((each.arm, each.arc, each.seed) for each in extra)
        warnings.append(
            f"{arm}: the same under every trial seed, so {len(extra)} of its trials are repeats "
            "and are not counted"
        )
    repeated = {(arm, arc) for arm, arc, _ in dropped}
    kept = [
        replace(each, repeats=(each.arm, each.arc) in repeated)
        for each in played
        if (each.arm, each.arc, each.seed) not in dropped
    ]
    return kept, warnings


def _repeats(arcs: dict[str, list[Played]]) -> bool:
    repeated = [trials for trials in arcs.values() if len(trials) > 1]
    return bool(repeated) and all(
        len({each.signature for each in trials}) == 1 for trials in repeated
    )


def _after_first(trials: list[Played]) -> list[Played]:
    return sorted(trials, key=lambda each: each.seed)[1:]
