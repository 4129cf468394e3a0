"""Rows about forgetting: residues, presentations and exposures by path, and what went with them."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from scoring.context.paths import (
    ANSWER,
    ANY,
    ARGUMENT,
    BLOCK,
    MEMORY_PROMPT,
    PROMPT_CACHE,
    WORLD,
    WORLD_COPIES,
    place,
)
from scoring.context.seen import Forgot
from scoring.context.traces import Distance, Measure, Tally
from scoring.metrics import Group, Observed, Played
from scoring.prices import show_usd
from simulator.events import Json

EXAMPLES = 3
"""Examples of a measure that a row gives."""

_USES = frozenset((ANSWER, ARGUMENT, WORLD))
_NO_STORE = frozenset((BLOCK, MEMORY_PROMPT))
_NEVER_SHOWN = frozenset((PROMPT_CACHE, WORLD_COPIES))
_COLUMNS: dict[Measure, tuple[str, str]] = {
    "residue": ("residues", "residue_trials"),
    "presentation": ("presentations", "presentation_trials"),
    "exposure": ("exposures", "exposure_trials"),
    "derived": ("derived", "derived_trials"),
}
_LEVEL = 0.05


class Noticed(NamedTuple):
    """One notice in one trial: who tested it, and what became of the content."""

    probe: Observed
    forgot: Forgot


def tests(group: Group) -> list[Noticed]:
    """Return the notices of a group that count."""
    return [
        Noticed(each, each.context.forgot)
        for each in group.scored
        if each.context is not None and each.context.forgot is not None
    ]


def row_columns(group: Group) -> dict[str, Json]:
    """Return the columns that a row of a comparison has; None without a notice."""
    found = tests(group)
    told = _path(found, ANY)
    held, lost = _losses(found)
    return {
        **{name: told[name] if found else None for name in ("residues", "presentations")},
        "exposures": told["exposures"],
        "exposure_upper95": told["exposure_upper95"],
        "collateral_loss": lost / held if held else None,
    }


def forgetting_rows(group: Group, trials: Sequence[Played]) -> list[dict[str, Json]]:
    """Return a row a path of one arm, `any` first; none without a notice."""
    found = tests(group)
    if not found:
        return []
    paths = {tally.path for test in found for tally in test.forgot.tallies}
    ordered = sorted({ANY, *paths}, key=place)
    losses = _loss_columns(found, trials)
    return [
        {
            "path": path,
            "n": len(found),
            "clusters": len({test.probe.cluster for test in found}),
            **_path(found, path),
            **(losses if path == ANY else dict.fromkeys(losses)),
        }
        for path in ordered
    ]


def _path(found: Sequence[Noticed], path: str) -> dict[str, Json]:
    telling = [test for test in found if test.forgot.telling]
    told: dict[str, Json] = {}
    distances: dict[str, Json] = {}
    examples: dict[str, Json] = {}
    at_notice: int | None = None
    for measure, (column, trials) in _COLUMNS.items():
        tested = found if measure in ("residue", "presentation") else telling
        tallies = _of(tested, measure, path)
        known = bool(tested) and _applies(measure, path)
        told[column] = sum(each.count for each in tallies) if known else None
        told[trials] = len(tallies) if known else None
        if measure == "residue" and known:
            at_notice = sum(each.at_notice for each in tallies)
        if tallies:
            distances[column] = _distances(tallies)
            examples[column] = [each.example._asdict() for each in tallies[:EXAMPLES]]
    clusters = len({test.probe.cluster for test in telling})
    return {
        **told,
        "residues_at_notice": at_notice,
        "n_exposures": len(telling),
        "clusters_exposures": clusters,
        "exposure_upper95": upper95(clusters) if told["exposures"] == 0 else None,
        "distances": distances,
        "examples": examples,
    }


def _of(found: Iterable[Noticed], measure: Measure, path: str) -> list[Tally]:
    return [
        tally
        for test in found
        for tally in test.forgot.tallies
        if (tally.measure, tally.path) == (measure, path)
    ]


def _applies(measure: Measure, path: str) -> bool:
    if path == ANY:
        return True
    if measure in ("exposure", "derived"):
        return path in _USES
    if measure == "residue":
        return path not in _USES and path not in _NO_STORE
    return path not in _USES and path not in _NEVER_SHOWN


def _distances(tallies: Sequence[Tally]) -> dict[str, Json]:
    """Return the shortest and the longest distance from a notice, of all trials."""
    nearest = [each.nearest for each in tallies]
    farthest = [each.farthest for each in tallies]
    return {
        name: {
            "nearest": min(getattr(each, name) for each in nearest),
            "farthest": max(getattr(each, name) for each in farthest),
        }
        for name in Distance._fields
    }


def upper95(tasks: int) -> float | None:
    """Return the upper 95 % bound of a rate of which n independent tasks showed nothing.

    1 − 0.05^(1/n), which is about 3/n (Hanley and Lippman-Hand, JAMA 249:1743, 1983).
    """
    return 1 - float(_LEVEL ** (1 / tasks)) if tasks else None


def _losses(found: Iterable[Noticed]) -> tuple[int, int]:
    losses = [test.forgot.loss for test in found]
    return sum(each.held for each in losses), sum(each.lost for each in losses)


def _loss_columns(found: Sequence[Noticed], trials: Sequence[Played]) -> dict[str, Json]:
    held, lost = _losses(found)
    again = sum(each.forgot.loss.rebuilt for each in found)
    rebuilt = [
        spent
        for each in trials
        if each.counterpart is None
        for line, spent in each.spent.items()
        if line.purpose == "rebuild"
    ]
    amounts = [spent.usd for spent in rebuilt]
    known = [each for each in amounts if each is not None]
    return {
        "collateral_held": held,
        "collateral_lost": lost,
        "collateral_loss": lost / held if held else None,
        "reabsorbed_tokens": again,
        "rebuild_tokens": sum(spent.tokens for spent in rebuilt),
        "rebuild_usd": show_usd(sum(known, Decimal(0))) if len(known) == len(amounts) else None,
    }
