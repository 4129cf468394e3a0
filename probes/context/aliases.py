"""Aliases: what a set of tasks cannot tell apart, computed from the levels that they have."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from probes.context.factors import LEVELS, Cell

_FEW_CUTS = {
    0: "position: without a cut, before, between and after are the start, the middle and the end "
    "of the only segment",
    1: "position: with one cut, between is just before it and before at the start of that segment",
}

Columns = NDArray[np.float64]
Pair = tuple[str, str]


def notes(cells: Sequence[Cell]) -> list[str]:
    """Return what must be known of a set of cells: its aliases, and positions between few cuts."""
    few = {min(cell.cuts, 2) for cell in cells}
    return [*aliases(cells), *(text for cuts, text in _FEW_CUTS.items() if cuts in few)]


def aliases(cells: Sequence[Cell]) -> list[str]:
    """Return a line for each alias of a set of cells; none where everything can be told apart.

    First come pairs of factors of which some levels never meet, then interactions of two factors
    that are confounded with main effects or with other interactions of two.
    """
    lines = [
        f"{_named(pair)}: {missing} of {crossed} pairs of levels do not occur"
        for pair, missing, crossed in uncrossed(cells)
    ]
    for pair, (free, lost) in confounded(cells).items():
        lines.append(f"{_named(pair)}: {lost} of {free} degrees of freedom are confounded")
    return lines


def uncrossed(cells: Sequence[Cell]) -> Iterator[tuple[Pair, int, int]]:
    """Yield the pairs of factors of which some levels never meet: how many, and of how many."""
    for one, other in itertools.combinations(_varying(cells), 2):
        met = {(getattr(cell, one), getattr(cell, other)) for cell in cells}
        crossed = len(_levels(cells, one)) * len(_levels(cells, other))
        if len(met) < crossed:
            yield (one, other), crossed - len(met), crossed


def confounded(cells: Sequence[Cell]) -> dict[Pair, tuple[int, int]]:
    """Return the interactions of two factors that are confounded: degrees of freedom, and how many.

    A degree of freedom is lost when its column is a sum of columns of the main effects and the
    other interactions (rank of the model matrix with and without the interaction).
    """
    mains = {name: _effects(cells, name) for name in _varying(cells)}
    pairs = {
        (one, other): _products(mains[one], mains[other])
        for one, other in itertools.combinations(mains, 2)
    }
    constant = np.ones((len(cells), 1))
    whole = _rank([constant, *mains.values(), *pairs.values()])
    found = {}
    for pair, columns in pairs.items():
        rest = [each for name, each in pairs.items() if name != pair]
        own = whole - _rank([constant, *mains.values(), *rest])
        if own < columns.shape[1]:
            found[pair] = (columns.shape[1], columns.shape[1] - own)
    return found


def counts(cells: Sequence[Cell], *names: str) -> Counter[tuple[str | int, ...]]:
    """Return how often each combination of levels of some factors occurs."""
    return Counter(tuple(getattr(cell, name) for name in names) for cell in cells)


def _varying(cells: Sequence[Cell]) -> list[str]:
    return [name for name in LEVELS if len(_levels(cells, name)) > 1]


def _levels(cells: Sequence[Cell], name: str) -> list[str | int]:
    met = {getattr(cell, name) for cell in cells}
    return [level for level in LEVELS[name] if level in met]


def _effects(cells: Sequence[Cell], name: str) -> Columns:
    """Return the columns of a main effect: a level less than there are, the last one as -1."""
    *levels, last = _levels(cells, name)
    rows = [
        [
            -1.0 if getattr(cell, name) == last else float(getattr(cell, name) == each)
            for each in levels
        ]
        for cell in cells
    ]
    return np.array(rows)


def _products(one: Columns, other: Columns) -> Columns:
    products: Columns = one[:, :, np.newaxis] * other[:, np.newaxis, :]
    return products.reshape(len(one), -1)


def _rank(columns: Sequence[Columns]) -> int:
    return int(np.linalg.matrix_rank(np.hstack(columns)))


def _named(pair: Pair) -> str:
    return f"{pair[0]} x {pair[1]}"
