"""Causes counted over decisions."""

from collections import Counter
from collections.abc import Iterable

from scoring.causes.contract import CAUSES, LOST, Cause
from simulator.events import Json


def count(found: Iterable[Cause]) -> dict[str, Json]:
    """Return what the causes of a group of failed decisions come to.

    - `failed_dependent`: how many there are.
    - `causes`: each of `CAUSES` with its number `n` and its `share` of them, None when there are
      none. Every failure has one cause, so the shares add up to 1.
    - `lost_at`: the boundaries of `lost at compaction` with their numbers; `"notice"` where a
      notice took the value.
    - `copies_without_right_value`: decisions that used a stale or derived copy and were not given
      the right value either, by what became of that.
    - `stale_from_lines`: decisions of a `hybrid` that used a wrong value which a retrieved line
      showed and no fact did, of `n_stale_from_lines` that used one its block showed.
    """
    listed = list(found)
    names = Counter(each.name for each in listed)
    lost = Counter(each.compaction for each in listed if each.name == LOST)
    halves = Counter(each.half for each in listed if each.half)
    places = sorted(lost, key=lambda at: (at is None, at or 0))
    return {
        "failed_dependent": len(listed),
        "causes": {
            name: {"n": names[name], "share": names[name] / len(listed) if listed else None}
            for name in CAUSES
        },
        "lost_at": {"notice" if at is None else str(at): lost[at] for at in places},
        "copies_without_right_value": dict(
            sorted(Counter(each.also.name for each in listed if each.also).items())
        ),
        "stale_from_lines": halves["lines"],
        "n_stale_from_lines": halves.total(),
    }
