"""Agreement: how far two judgements of one sheet agree, and how sure that is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from probes.audit.sheet import LABELS, read_key, read_labels
from scoring.statistics import LEVEL, RESAMPLES, SEED, agreeing_bound
from simulator.events import Json
from simulator.events.errors import InputError

Floats = NDArray[np.float64]
SCORER = "scorer"
"""Name of the key's side."""


@dataclass(frozen=True)
class Agreement:
    """How far two judges agree.

    Attributes:
        first: Name of the first.
        second: Name of the second.
        n: Rows that both labelled.
        only_one: Rows that only one of them labelled.
        agreement: Share of rows with the same label.
        agreement_ci: Its 95 % interval; the exact bound where all templates agree alike.
        kappa: Cohen's kappa, None where both only ever gave one and the same label.
        kappa_ci: Its 95 % interval, None where all templates agree alike, since resampling
            cannot move it then.
        weighted: Agreement with rows weighted back to the run's verdicts; None without a key.
        confusion: Rows by (first's label, second's label), in the order of `LABELS`.
    """

    first: str
    second: str
    n: int
    only_one: int
    agreement: float
    agreement_ci: tuple[float, float]
    kappa: float | None
    kappa_ci: tuple[float, float] | None
    weighted: float | None
    confusion: tuple[tuple[int, ...], ...]


def agree(first: Path, second: Path, key: Path | None = None) -> list[Agreement]:
    """Compare two filled sheets, and with a key both of them with the scorer.

    Either sheet may be the key itself, which then stands for the scorer. Intervals are bootstrap
    over the key's templates; without a key every row counts as its own.

    Raises:
        InputError: for a file that is no sheet or key, or sheets that share no labelled row.
    """
    keys = [path for path in (key, first, second) if path is not None and path.suffix == ".json"]
    rows = read_key(keys[0]) if keys else {}
    judges = [(_name(path), read_labels(path)) for path in (first, second)]
    pairs = [(0, 1)]
    if key is not None:
        judges.append((SCORER, {row: str(each["label"]) for row, each in rows.items()}))
        pairs += [(0, 2), (1, 2)]
    return [compare(*judges[one], *judges[other], rows) for one, other in pairs]


def _name(path: Path) -> str:
    return SCORER if path.suffix == ".json" else path.name


def compare(
    first: str,
    labels: Mapping[str, str],
    second: str,
    others: Mapping[str, str],
    key: Mapping[str, Mapping[str, Json]],
) -> Agreement:
    """Compare two judges' labels by row id.

    Raises:
        InputError: when they share no row.
    """
    shared = sorted(labels.keys() & others.keys())
    if not shared:
        raise InputError(f"{first} and {second} share no labelled row")
    cells = np.array([_cell(labels[row], others[row]) for row in shared])
    clusters = [key[row]["cluster"] if row in key else row for row in shared]
    tables = _tables(cells, clusters)
    total = tables.sum(axis=0)
    agreement_ci, kappa_ci = _intervals(tables)
    return Agreement(
        first=first,
        second=second,
        n=len(shared),
        only_one=len(labels.keys() ^ others.keys()),
        agreement=float(_agreement(total[None])[0]),
        agreement_ci=agreement_ci,
        kappa=_number(_kappa(total[None])[0]),
        kappa_ci=kappa_ci,
        weighted=_weighted(shared, labels, others, key) if key else None,
        confusion=tuple(tuple(map(int, line)) for line in total.reshape(len(LABELS), -1)),
    )


def _cell(one: str, other: str) -> int:
    return LABELS.index(one) * len(LABELS) + LABELS.index(other)


def _tables(cells: NDArray[np.int_], clusters: Sequence[str]) -> Floats:
    """Return each cluster's confusion table, flat, shape (clusters, labels squared)."""
    names = {name: number for number, name in enumerate(sorted(set(clusters)))}
    tables = np.zeros((len(names), len(LABELS) ** 2))
    for cell, cluster in zip(cells, clusters, strict=True):
        tables[names[cluster], cell] += 1
    return tables


def _agreement(tables: Floats) -> Floats:
    """Return the share on the diagonal of each flat table, shape (tables,)."""
    square = tables.reshape(-1, len(LABELS), len(LABELS))
    return np.asarray(np.trace(square, axis1=1, axis2=2) / square.sum(axis=(1, 2)))


def _kappa(tables: Floats) -> Floats:
    """Return Cohen's kappa of each flat table; NaN where chance alone gives full agreement."""
    square = tables.reshape(-1, len(LABELS), len(LABELS))
    n = square.sum(axis=(1, 2))
    chance = (square.sum(axis=1) * square.sum(axis=2)).sum(axis=1) / n**2
    left = np.where(chance < 1, 1 - chance, np.nan)
    return np.asarray((_agreement(tables) - chance) / left)


def _intervals(tables: Floats) -> tuple[tuple[float, float], tuple[float, float] | None]:
    """Return the intervals of agreement and kappa, over clusters."""
    shares, k = _agreement(tables), len(tables)
    if np.ptp(shares) == 0:
        low, high = agreeing_bound(float(shares[0]), k, 0.0, 1.0)
        return (low, high), None
    draws = np.random.default_rng(SEED).multinomial(k, np.full(k, 1 / k), size=RESAMPLES)
    drawn = draws.astype(np.float64) @ tables
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    low, high = np.quantile(_agreement(drawn), tails)
    bottom, top = np.nanquantile(_kappa(drawn), tails)
    return (float(low), float(high)), (float(bottom), float(top))


def _weighted(
    shared: Sequence[str],
    labels: Mapping[str, str],
    others: Mapping[str, str],
    key: Mapping[str, Mapping[str, Json]],
) -> float | None:
    weights = {row: float(key[row]["weight"]) for row in shared if row in key}
    if not weights:
        return None
    same = sum(weight for row, weight in weights.items() if labels[row] == others[row])
    return same / sum(weights.values())


def _number(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)
