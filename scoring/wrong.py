"""Wrong values: what held once, and what was put in to mislead. Worked out from the key alone."""

from collections.abc import Iterator

from scoring.keys import Key, Probe
from simulator.events.folding import fold


def stale_values(key: Key, probe: Probe) -> list[str]:
    """Return the values that the right ones took the place of, each once.

    The key says so in its revisions, or by forbidding them as resurrections. A value that is
    right again is not among them.
    """
    right = {fold(each.value) for each in probe.gold}
    forbidden = [each.value for each in probe.forbidden if each.failure == "resurrection"]
    found = dict.fromkeys([*forbidden, *superseded_values(key, probe)])
    return [each for each in found if fold(each) not in right]


def superseded_values(key: Key, probe: Probe) -> Iterator[str]:
    """Yield the values that gold values took the place of, directly or one by one."""
    right = {fold(each.value) for each in probe.gold}
    seen, newer = set(right), set(right)
    while newer:
        older = [r.was for r in key.revisions if fold(r.now) in newer]
        older = [was for was in older if fold(was) not in seen]
        newer = {fold(was) for was in older}
        seen |= newer
        yield from older


def corrupted_values(key: Key, probe: Probe) -> list[str]:
    """Return the values of records that were put in to mislead, but for those that are right."""
    right = {fold(each.value) for each in probe.gold}
    found = dict.fromkeys(each.value for each in key.corrupted)
    return [each for each in found if fold(each) not in right]
