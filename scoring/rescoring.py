"""Re-scoring: a log scored again, by the current version or by two that are held side by side.

Nothing is called and nothing is written.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from scoring.cells import cells
from scoring.changes import changed
from scoring.compare import CURRENT, Scored, Version, keys_hash, rows, score_runs
from scoring.controls import Pair, controls
from scoring.grouping import DEFAULT, buckets
from scoring.keys import Key
from scoring.metrics import Played
from scoring.run import Run
from scoring.verdicts import forbidden_values
from simulator.events import Json
from simulator.events.errors import InputError, nearest


def score(run: Run, version: Version = CURRENT) -> dict[str, Json]:
    """Score a run by one version.

    Returns the scorer's version, one hash of all keys and the hash of each, `rows` as a
    comparison has them, `arms` with a row an arm, and the forbidden phrases that alone show
    nothing, each with the reason.

    Raises:
        InputError: when the keys do not fit the run, or the run is damaged.
    """
    return _scored(run, version, _keys(run, version), score_runs([run], version))


def rescore(run: Run, before: Version, after: Version) -> dict[str, Json]:
    """Score a run by two versions that differ in the scorer or in the keys.

    Returns what `score` returns for the version after the change, and `against`: the version
    before it with its `rows`; `changed`, the verdicts that changed and why; `cells`, the rates,
    ranks and tie groups of all arms by model and kind of probe under both; and `controls`, what
    the change could not touch, with how often it was not the same.

    Raises:
        InputError: when the two differ in both or in neither, when the keys do not fit the run,
            or the run is damaged.
    """
    same_scorer = before.scorer is after.scorer
    if same_scorer is (before.keys is after.keys):
        raise InputError("two versions must differ either in the scorer or in the keys")
    old_keys, new_keys = _keys(run, before), _keys(run, after)
    old, new = score_runs([run], before), score_runs([run], after)
    pairs = _pairs(old, new)
    checked = controls(pairs, old_keys, new_keys, same_scorer)
    return {
        **_scored(run, after, new_keys, new),
        "against": {
            **_scored(run, before, old_keys, old),
            "decisions": sum(len(played.observed) for _, played in pairs),
            "changed": [each for pair in pairs for each in changed(run, *pair, before, after)],
            "cells": cells(old, new),
            "controls": [each._asdict() for each in checked],
            "identical": not any(each.different for each in checked),
        },
    }


def _keys(run: Run, version: Version) -> dict[str, Key]:
    """Return arc to its key."""
    arcs = sorted(run.manifest.arcs)
    if version.keys is None:
        return {arc: run.key(arc) for arc in arcs}
    for arc in arcs:
        if arc not in version.keys:
            raise InputError(f"there is no key for arc {arc!r}{nearest(arc, version.keys)}")
    return {arc: version.keys[arc] for arc in arcs}


def _scored(run: Run, version: Version, keys: Mapping[str, Key], scored: Scored) -> dict[str, Json]:
    found, arms = (buckets(scored.trials, by, scored.settings) for by in (DEFAULT, ("arm",)))
    hashes = {arc: key.hash for arc, key in keys.items()}
    return {
        "run": run.name,
        "scorer": version.scorer.version,
        "keys": keys_hash(hashes.items()),
        "key_hashes": hashes,
        "rows": rows(found, version),
        "arms": rows(arms, version),
        "inadmissible": _inadmissible(keys.values(), version),
        "warnings": list(scored.warnings),
        "unfinished": list(run.unfinished),
    }


def _inadmissible(keys: Iterable[Key], version: Version) -> list[dict[str, Json]]:
    """Return the forbidden phrases that alone show nothing, the most frequent first."""
    phrases = Counter(
        value for key in keys for probe in key.probes for value, _ in forbidden_values(probe)
    )
    gated = ((value, version.scorer.leaves_out(value), n) for value, n in phrases.items())
    listed = [
        {"phrase": value, "reason": why, "probes": n} for value, why, n in gated if why is not None
    ]
    return sorted(listed, key=lambda each: (-each["probes"], each["phrase"]))


def _pairs(old: Scored, new: Scored) -> list[Pair]:
    """Return each sealed trial under both versions."""
    known = {_name(played): played for _, played in new.trials}
    return [(played, known[_name(played)]) for _, played in old.trials if played.finished]


def _name(played: Played) -> tuple[str, str, int]:
    return played.arm, played.arc, played.seed
