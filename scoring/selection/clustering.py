"""Clusters of episodes by their features: k-medoids, and Ward's clusters with their medoids."""

import numpy as np

from scoring.selection.matrix import Floats, Ints

_GAIN = 1e-9


def distances(points: Floats) -> Floats:
    """Return Euclidean distances between rows, shape (E, E)."""
    from scipy.spatial.distance import cdist

    found: Floats = cdist(points, points)
    return found


def medoids(points: Floats, size: int) -> Ints:
    """Return `size` medoids by PAM (Kaufman and Rousseeuw 1990): build greedily, then swap.

    Deterministic: equal costs are decided by the order of the rows.
    """
    apart = distances(points)
    chosen = _build(apart, size)
    while True:
        change, place, candidate = _best_swap(apart, chosen)
        if change >= -_GAIN:
            return np.sort(chosen)
        chosen[place] = candidate


def cost(apart: Floats, chosen: Ints) -> float:
    """Return the sum of distances to the nearest medoid."""
    return float(apart[:, chosen].min(axis=1).sum())


def _build(apart: Floats, size: int) -> Ints:
    chosen: list[int] = []
    near = np.full(len(apart), np.inf)
    for _ in range(size):
        costs = np.minimum(apart, near[:, None]).sum(axis=0)
        costs[chosen] = np.inf
        best = int(np.argmin(costs))
        chosen.append(best)
        near = np.minimum(near, apart[:, best])
    return np.array(chosen, dtype=np.int64)


def _best_swap(apart: Floats, chosen: Ints) -> tuple[float, int, int]:
    """Return the change of cost, the medoid's place and the row of the best swap.

    Shared work is done once for all medoids (Schubert and Rousseeuw 2019).
    """
    to_medoids = apart[:, chosen]
    order = np.argsort(to_medoids, axis=1, kind="stable")
    nearest = order[:, 0]
    rows = np.arange(len(apart))
    near = to_medoids[rows, nearest]
    second = to_medoids[rows, order[:, 1]] if len(chosen) > 1 else np.full(len(apart), np.inf)
    nearer = np.minimum(apart - near[:, None], 0)
    shared = nearer.sum(axis=0)
    best = (0.0, 0, int(chosen[0]))
    for place in range(len(chosen)):
        own = nearest == place
        moved = np.minimum(apart[own], second[own, None]) - near[own, None] - nearer[own]
        changes = shared + moved.sum(axis=0)
        changes[chosen] = np.inf
        candidate = int(np.argmin(changes))
        if changes[candidate] < best[0] - _GAIN:
            best = (float(changes[candidate]), place, candidate)
    return best


def ward_medoids(points: Floats, size: int) -> Ints:
    """Return the medoid of each of `size` clusters that Ward's method makes."""
    from scipy.cluster.hierarchy import cut_tree, linkage

    if size == len(points):
        return np.arange(size)
    labels = cut_tree(linkage(points, method="ward"), n_clusters=size)[:, 0]
    apart = distances(points)
    members = [np.flatnonzero(labels == label) for label in range(size)]
    central = [each[int(np.argmin(apart[np.ix_(each, each)].sum(axis=1)))] for each in members]
    return np.sort(np.array(central, dtype=np.int64))
