"""Agreement of two judges on the same rows: the share of equal labels, and Cohen's kappa."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.statistics import LEVEL, RESAMPLES, SEED, agreeing_bound

Floats = NDArray[np.float64]
Pair = tuple[str, str]
"""The labels that two judges gave one row."""


@dataclass(frozen=True)
class Agreed:
    """How far two judges agree.

    Attributes:
        n: Number of rows.
        agreement: Share of rows with the same label.
        agreement_ci: Its 95 % interval over clusters; the exact bound where all agree alike.
        kappa: Cohen's kappa (1960), None where both only ever gave one and the same label.
        kappa_ci: Its 95 % interval, None where all clusters agree alike, since resampling
            cannot move it then.
        confusion: Rows by (first's label, second's label), in the order of the labels.
    """

    n: int
    agreement: float
    agreement_ci: tuple[float, float]
    kappa: float | None
    kappa_ci: tuple[float, float] | None
    confusion: tuple[tuple[int, ...], ...]


def agreed(pairs: Sequence[Pair], clusters: Sequence[Hashable], labels: Sequence[str]) -> Agreed:
    """Return how far two judges agree on rows, each with its cluster; there is at least one row.

    Intervals are percentile bootstrap over clusters, seeded.
    """
    tables = _tables(pairs, clusters, labels)
    total = tables.sum(axis=0)
    agreement_ci, kappa_ci = _intervals(tables)
    return Agreed(
        n=len(pairs),
        agreement=float(_agreement(total[None])[0]),
        agreement_ci=agreement_ci,
        kappa=_number(_kappa(total[None])[0]),
        kappa_ci=kappa_ci,
        confusion=tuple(tuple(map(int, line)) for line in total),
    )


def _tables(pairs: Sequence[Pair], clusters: Sequence[Hashable], labels: Sequence[str]) -> Floats:
    """Return each cluster's confusion table, shape (clusters, labels, labels)."""
    names = {name: number for number, name in enumerate(sorted(set(clusters), key=repr))}
    places = {label: number for number, label in enumerate(labels)}
    tables = np.zeros((len(names), len(labels), len(labels)))
    for (one, other), cluster in zip(pairs, clusters, strict=True):
        tables[names[cluster], places[one], places[other]] += 1
    return tables


def _agreement(tables: Floats) -> Floats:
    """Return the share on the diagonal of each table, shape (tables,)."""
    return np.asarray(np.trace(tables, axis1=1, axis2=2) / tables.sum(axis=(1, 2)))


def _kappa(tables: Floats) -> Floats:
    """Return Cohen's kappa of each table; NaN where chance alone gives full agreement."""
    n = tables.sum(axis=(1, 2))
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / n**2
    left = np.where(chance < 1, 1 - chance, np.nan)
    return np.asarray((_agreement(tables) - chance) / left)


def _intervals(tables: Floats) -> tuple[tuple[float, float], tuple[float, float] | None]:
    """Return the intervals of agreement and kappa, over clusters."""
    shares, k = _agreement(tables), len(tables)
    if np.ptp(shares) == 0:
        low, high = agreeing_bound(float(shares[0]), k, 0.0, 1.0)
        return (low, high), None
    draws = np.random.default_rng(SEED).multinomial(k, np.full(k, 1 / k), size=RESAMPLES)
    drawn = np.tensordot(draws.astype(np.float64), tables, axes=1)
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    low, high = np.quantile(_agreement(drawn), tails)
    bottom, top = np.nanquantile(_kappa(drawn), tails)
    return (float(low), float(high)), (float(bottom), float(top))


def _number(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)
