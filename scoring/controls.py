"""Controls: what a change of scorer or keys cannot touch has to come out the same under both."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from scoring.arguments import TypeFaults
from scoring.keys import Key, Probe
from scoring.metrics import Observed, Played
from simulator.events import Json

PHRASE_CHECKS = frozenset({"says", "never_says"})
"""Checks whose result a change of the scorer can touch."""

Pair = tuple[Played, Played]
"""One trial under the version before the change and under the one after it."""


class Control(NamedTuple):
    """How often something was compared, and how often it was not the same."""

    what: str
    compared: int
    different: int


def controls(
    pairs: Sequence[Pair], before: Mapping[str, Key], after: Mapping[str, Key], same_scorer: bool
) -> list[Control]:
    """Return the controls of a change; `before` and `after` hold each arc's key.

    Where the scorer is the same, the keys changed; else the scorer did.
    """
    trials = _compared(
        "tokens, costs, sessions and what was shown and done, by trial", _played(pairs)
    )
    if same_scorer:
        what = "everything about decisions whose probe is the same in both keys"
        return [trials, _compared(what, _unchanged(pairs, before, after))]
    return [
        trials,
        _compared(
            "errors, blocks, values shown, lengths of answers and tool calls, by decision",
            [(_record(one), _record(other)) for one, other in _shared(pairs)],
        ),
        _compared(
            "verdicts of decisions that no phrase check judges",
            [
                ((one.skipped, one.success), (other.skipped, other.success))
                for one, other in _shared(pairs)
                if not _has_phrase(_probe(after, one))
            ],
        ),
    ]


def _compared(what: str, pairs: Iterable[tuple[object, object]]) -> Control:
    same = [one == other for one, other in pairs]
    return Control(what, len(same), same.count(False))


def _played(pairs: Sequence[Pair]) -> list[tuple[object, object]]:
    return [(_outside(one), _outside(other)) for one, other in pairs]


def _outside(played: Played) -> object:
    return played.spent, played.episodes, played.evidence, played.signature


def _shared(pairs: Sequence[Pair]) -> list[tuple[Observed, Observed]]:
    found = []
    for one, other in pairs:
        known = {each.probe: each for each in other.observed}
        found += [(each, known[each.probe]) for each in one.observed if each.probe in known]
    return found


def _record(seen: Observed) -> Json:
    """Return what of a decision neither phrases nor verdicts can touch."""
    return (
        seen.errored,
        seen.memory_values,
        seen.memory_only,
        seen.block_tokens,
        seen.answer_tokens,
        seen.faults,
    )


def _unchanged(
    pairs: Sequence[Pair], before: Mapping[str, Key], after: Mapping[str, Key]
) -> list[tuple[object, object]]:
    return [
        (_own(one), _own(other))
        for one, other in _shared(pairs)
        if _probe(before, one) == _probe(after, other)
    ]


def _own(seen: Observed) -> Observed:
    """Return an observation without what it owes to the rest of its key."""
    return replace(
        seen,
        domain="",
        cluster="",
        faults=TypeFaults(0, 0, 0),
        cause=None,
        acting=None,
        shown=None,
        clean=None,
    )


def _probe(keys: Mapping[str, Key], seen: Observed) -> Probe:
    return next(probe for probe in keys[seen.arc].probes if probe.id == seen.probe)


def _has_phrase(probe: Probe) -> bool:
    return any(check.check in PHRASE_CHECKS for check in probe.checks)
