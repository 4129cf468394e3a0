"""The study as a whole: success by tier, memory and domain, and what else a memory study plots.

The table and the plots are those of MERIT (section 5): each says one thing about arcs of several
tiers or domains, several implementations of a memory, or several models. What a run did not vary
is not drawn.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from runs.labels import arm_labels
from runs.report.grids import Cell, Grid, success_cell
from runs.report.plots import Plot, Point, success_plot
from runs.tables import Row
from scoring.compare import Scored, rows_by
from scoring.keys import TIERS
from simulator.events import Json
from simulator.events.recorded import ManifestRecorded

CLEAN = "none"


def study_cells(scored: Scored) -> list[Row]:
    """Return the rows by arm, tier, domain and corruption, from which table and plots are made."""
    return rows_by(scored, "arm", "tier", "domain", "corruption")


def study_grids(overall: Sequence[Row], parts: Sequence[Row]) -> Iterator[Grid]:
    """Yield dependent success by tier, memory and domain, a table for each kind of corruption.

    Nothing where the run has a single tier or a single domain.
    """
    if len(_values(parts, "tier")) < 2 or len(_values(parts, "domain")) < 2:
        return
    for corruption in _values(parts, "corruption"):
        yield _study_grid(overall, [row for row in parts if row["corruption"] == corruption])


def _study_grid(overall: Sequence[Row], parts: Sequence[Row]) -> Grid:
    labels, domains = arm_labels(overall), _values(parts, "domain")
    found = {(row["tier"], row["arm"], row["domain"]): row for row in parts}
    corruption = parts[0]["corruption"]
    arcs = "clean arcs" if corruption == CLEAN else f"arcs with wrong records ({corruption})"
    return Grid(
        f"Success on dependent decisions by tier, memory and domain, {arcs}.",
        ["tier", "memory", *domains],
        2,
        [
            [
                Cell(tier or "no tier"),
                Cell(label),
                *(success_cell(found.get((tier, arm, domain))) for domain in domains),
            ]
            for tier in _tiers(parts)
            for arm, label in labels.items()
        ],
    )


def study_plots(overall: Sequence[Row], parts: Sequence[Row], scored: Scored) -> list[Plot]:
    """Return the plots that this run has something for, in the order of MERIT's figures."""
    drawn = (
        _by_domain(overall, parts),
        _held_and_used(overall),
        _by_implementation(scored),
        _by_model(scored),
    )
    return [plot for plot in drawn if plot is not None]


def _by_domain(overall: Sequence[Row], parts: Sequence[Row]) -> Plot | None:
    """Draw the hardest tier, where memories that overwrite part from those that pile up."""
    labels = arm_labels(overall)
    hardest = _hardest(parts)
    if len(_values(hardest, "domain")) < 2:
        return None
    points = _points(hardest, lambda row: labels[row["arm"]], lambda row: row["domain"])
    return _plot(points, f"Dependent success by domain{_where(hardest)}, with 95 % intervals.")


def _held_and_used(overall: Sequence[Row]) -> Plot | None:
    """Draw how often a block held all that was needed, and how often all of that was used."""
    labels = arm_labels(overall)
    points = []
    for row in overall:
        if not row["n_dependent"] or not row["n_use_all"]:
            continue
        held = row["n_use_all"] / row["n_dependent"]
        used = held * row["use_rate_all"]
        for part, share in (("all of it in the block", held), ("and all of it used", used)):
            points.append(Point(labels[row["arm"]], part, share, share, share))
    axis = "share of dependent decisions"
    return _plot(points, "What was needed: held in the memory's block, and then used.", axis)


def _by_implementation(scored: Scored) -> Plot | None:
    """Draw the implementations of each memory that was played in several."""
    parts = _clean(rows_by(scored, "memory", "implementation", "model", "corruption"))
    several = defaultdict(set)
    for row in parts:
        several[row["memory"], row["model"]].add(row["implementation"])
    found = [row for row in parts if len(several[row["memory"], row["model"]]) > 1]
    models = len(_values(found, "model")) > 1
    points = _points(
        found,
        lambda row: f"{row['memory']} · {row['model']}" if models else str(row["memory"]),
        lambda row: row["implementation"],
    )
    return _plot(points, "Dependent success by implementation of the same memory, 95 % intervals.")


def _by_model(scored: Scored) -> Plot | None:
    """Draw the hardest tier by model; with several seeds the bar is their range."""
    parts = _hardest(rows_by(scored, "memory", "implementation", "model", "tier", "corruption"))
    by_seed = _hardest(
        rows_by(
            scored,
            *("memory", "implementation", "model", "tier", "corruption"),
            *("generation_seed", "seed"),
        )
    )
    seeds = len({(row["generation_seed"], row["seed"]) for row in by_seed}) > 1
    if len(_values(parts, "model")) < 2 and not seeds:
        return None
    rates = defaultdict(list)
    for row in by_seed:
        if row["tsr_dependent"] is not None:
            rates[_memory(row), row["model"]].append(row["tsr_dependent"])
    points = [
        point._replace(low=min(found), high=max(found)) if seeds else point
        for point in _points(parts, _memory, lambda row: row["model"])
        if (found := rates[point.label, point.part])
    ]
    bars = "from the lowest to the highest seed" if seeds else "95 % intervals"
    return _plot(points, f"Dependent success by model{_where(parts)}; bars: {bars}.")


def limits(manifest: ManifestRecorded) -> list[str]:
    """Return what limits a run on generated arcs: domains, users, implementations, arcs a cell."""
    cells: dict[tuple[Json, Json, Json], int] = defaultdict(int)
    for arc in manifest.arcs.values():
        if arc["tier"] is not None:
            cells[arc["domain"], arc["tier"], arc["corruption"]] += 1
    if not cells:
        return []
    domains = len({domain for domain, _, _ in cells})
    implementations: dict[str, set[Json]] = defaultdict(set)
    for arm in manifest.arms.values():
        implementations[arm["memory"]].add(arm.get("implementation"))
    single = sum(len(found) == 1 for found in implementations.values())
    fewest, most = min(cells.values()), max(cells.values())
    arcs = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    return [
        f"Limits: {domains} synthetic domain{'s' if domains > 1 else ''} with scripted users; "
        f"{single} of {len(implementations)} memories stand for their family with a single "
        f"implementation; {arcs} arcs in a cell of domain, tier and corruption."
        + (" Five arcs or fewer can never be significant." if fewest <= 5 else "")
    ]


def _values(parts: Iterable[Row], factor: str) -> list[Json]:
    return list(dict.fromkeys(row[factor] for row in parts))


def _tiers(parts: Iterable[Row]) -> list[Json]:
    found = _values(parts, "tier")
    return sorted(found, key=lambda tier: TIERS.index(tier) if tier in TIERS else len(TIERS))


def _clean(parts: Iterable[Row]) -> list[Row]:
    return [row for row in parts if row["corruption"] == CLEAN]


def _hardest(parts: Iterable[Row]) -> list[Row]:
    clean = _clean(parts)
    tiers = [tier for tier in _tiers(clean) if tier in TIERS]
    return [row for row in clean if not tiers or row["tier"] == tiers[-1]]


def _where(parts: Sequence[Row]) -> str:
    tier = parts[0]["tier"] if parts else None
    return f" on the {tier} tier" if tier else ""


def _memory(row: Row) -> str:
    return f"{row['memory']}/{row['implementation']}" if row["implementation"] else row["memory"]


def _points(
    parts: Iterable[Row], label: Callable[[Row], str], part: Callable[[Row], Json]
) -> list[Point]:
    points = []
    for row in parts:
        value = row["tsr_dependent"]
        if value is not None:
            low, high = row["tsr_dependent_ci"] or (value, value)
            points.append(Point(label(row), str(part(row) or ""), value, low, high))
    return points


def _plot(
    points: Sequence[Point], caption: str, axis: str = "success on dependent decisions"
) -> Plot | None:
    if not points:
        return None
    return success_plot(points, caption, axis)
