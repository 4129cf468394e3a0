"""Right values that were not given, and those that were and did not help."""

from collections.abc import Callable

from scoring.causes.contract import (
    IGNORED,
    LOST,
    NEVER_WRITTEN,
    NO_VALUE,
    NOT_RETRIEVED,
    Cause,
    listed,
)
from scoring.causes.fates import Fate, fate
from scoring.causes.nearness import Near, left_out, nearness
from scoring.causes.past import Past
from scoring.causes.places import block_items, places
from scoring.scorers import Scorer
from scoring.verdicts import GoldUse, Verdict


def not_given(past: Past, verdict: Verdict, scorer: Scorer) -> Cause | None:
    """Return the cause of a decision that was not shown all that it needed."""
    position = verdict.record.last
    read = past.read(verdict.record)
    if read is not None:
        position = read.position
    golds = {each.value: each for each in verdict.probe.gold}
    missing = [each for each in verdict.gold if not _available(past, verdict, each)]
    fates = [fate(past, golds[each.value], position) for each in missing]
    # The earliest break on the way counts; of several alike, the key's first value.
    for name, told in _FATES.items():
        for each in fates:
            if each.name == name:
                return told(past, verdict, each)
    return None


def _available(past: Past, verdict: Verdict, gold: GoldUse) -> bool:
    shown = gold.in_block or gold.in_context or gold.used
    return shown or bool(places(past, verdict.record, gold.value))


def _never_written(past: Past, verdict: Verdict, fate: Fate) -> Cause:
    if not fate.events:
        why = "nothing said it before this decision"
    elif fate.compaction is None:
        why = f"{listed(fate.events)} was never handed to the memory"
    else:
        why = f"the memory took in {listed(fate.events)} at compaction {fate.compaction}"
    if fate.items:
        why += f" and made {listed([item.id for item in fate.items])} of it, without the value"
    return Cause(
        NEVER_WRITTEN,
        f"no item ever held {fate.value!r}: {why}",
        value=fate.value,
        events=fate.events,
        items=tuple(item.id for item in fate.items),
        compaction=fate.compaction,
    )


def _lost(past: Past, verdict: Verdict, fate: Fate) -> Cause:
    names = [item.id for item in fate.items]
    when = f"at compaction {fate.compaction}" if fate.compaction else "at a notice"
    by = f" ({listed(fate.by)})" if fate.by else ""
    return Cause(
        LOST,
        f"{fate.value!r} was held by {listed(names)} and {' and '.join(fate.how)} {when}{by}",
        value=fate.value,
        events=fate.events,
        items=tuple(names),
        compaction=fate.compaction,
        how=fate.how,
        by=fate.by,
    )


def _not_retrieved(past: Past, verdict: Verdict, fate: Fate) -> Cause:
    read = past.read(verdict.record)
    near = {} if read is None else nearness(past, verdict.record, read)
    items = sorted(fate.items, key=lambda item: near[item.id].rank if item.id in near else 1 << 62)
    first = items[0]
    ranked = near.get(first.id)
    why = None if read is None else left_out(read, first)
    return Cause(
        NOT_RETRIEVED,
        f"{fate.value!r} is held by {listed([item.id for item in items])}, {_rank(ranked)}; "
        f"left out: {_LEFT_OUT.get(why, 'the memory was not read')}",
        value=fate.value,
        events=fate.events,
        items=tuple(item.id for item in items),
        rank=ranked.rank if ranked else None,
        distance=ranked.distance if ranked else None,
        of=ranked.of if ranked else None,
        left_out=why,
    )


_LEFT_OUT: dict[str | None, str] = {
    "scope": "it belongs to another scope",
    "budget": "it does not fit into the rest of the budget",
    "order": "it would fit; the memory chose others or fewer",
}


def _rank(ranked: Near | None) -> str:
    if ranked is None:
        return "which the memory does not rank by vectors"
    return f"rank {ranked.rank} of {ranked.of}, distance {ranked.distance / 1e6:.6f}"


def no_value(past: Past, verdict: Verdict, scorer: Scorer) -> Cause | None:
    """Return the cause of a decision of which nobody can say what it needed."""
    if verdict.gold:
        return None
    return Cause(NO_VALUE, "the key names no value that this decision needs")


def ignored(past: Past, verdict: Verdict) -> Cause:
    """Return the cause of a decision that was shown all that it needed."""
    unused = [each for each in verdict.gold if not each.used]
    gold = (unused or verdict.gold)[0]
    seen = places(past, verdict.record, gold.value)
    first = seen[0] if seen else None
    did = _DID.get(verdict.record.outcome, "acted otherwise")
    if not unused:
        did = "used it, and failed another check"
    elif verdict.record.outcome == "answer" and not verdict.record.executed:
        did = "answered without a call"
    shown = f"shown by {first.name} in the {first.where}" if first else "shown nowhere"
    return Cause(
        IGNORED,
        f"{gold.value!r} is {shown}, and the agent {did}",
        value=gold.value,
        events=first.sources if first else (),
        items=block_items(seen),
        place=first.where if first else None,
    )


_DID = {"clarification": "asked a question", "refusal": "declined"}


_FATES: dict[str, Callable[[Past, Verdict, Fate], Cause]] = {
    "never written": _never_written,
    "lost": _lost,
    "held": _not_retrieved,
}
"""Breaks on the way of a value, the earliest first."""
