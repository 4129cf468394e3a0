"""What the report says about a run, before it is set as a page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from runs.labels import arm_labels
from runs.report.analysis import analysis_grids, grid_of, held_against
from runs.report.classes import engagement_grid, failures_grid, judge_grid
from runs.report.conduct import (
    cause_bars,
    causes_grid,
    harm_grid,
    outcome_bars,
    outcomes_grid,
    worth_grid,
)
from runs.report.context import compliance_grids, context_plots, forgetting_grids
from runs.report.examples import Example, Gathered, choose
from runs.report.grids import (
    Cell,
    Grid,
    cells_across,
    cells_by,
    costs_grid,
    pairs_grid,
    per_episode,
    skipped_grid,
    use_grid,
)
from runs.report.plots import Plot, Point, price_plot, success_plot
from runs.report.reading import read
from runs.report.reproduction import MAX_LISTED, Reproduction, left_out, reproduction
from runs.report.study import limits, study_cells, study_grids, study_plots
from runs.risks import risk_tables
from runs.tables import Row, evidence_notes, rate_text
from scoring.bills import costs
from scoring.compare import compare, rows_by, scored_run
from scoring.pricing import pricing
from scoring.reviews import counted
from scoring.run import Run


class ArmFailures(NamedTuple):
    """Failed dependent decisions of one arm: all of them counted, some of them told."""

    label: str
    failed: int
    decisions: int
    examples: Sequence[Example]


@dataclass(frozen=True)
class Content:
    """Everything that the page shows, in its order.

    Attributes:
        name: The suite's name.
        description: What the suite says it is for.
        answer: What the run found, three sentences.
        evidence: What the run is evidence about, and what limits that.
        warnings: What a reader must not overlook.
        success: Tables of dependent success.
        study: Success by tier, memory and domain; empty where the run has one of either.
        study_plots: By domain, held and used, by implementation, by model.
        plots: Success by arm, then against prices.
        use: What the memory gave and what was used.
        outcomes: What dependent decisions came to, or None without any.
        outcome_plot: The same as bars.
        harm: Stale-memory harm, or None without corrupted arcs.
        worth: What a success cost, or None where no arm has a utility.
        pairs: Arms held against baselines, or None.
        analysis: Hypotheses, controls, seeds and models, where there are any.
        violations: Failure classes, then how much arms say; empty where nothing is forbidden.
        risks: The tables of the risk track; empty without a decision of it.
        judge: A judge's opinions beside the scorer, or None.
        costs: The cost table.
        causes: Why dependent decisions failed, or None when none did.
        cause_plot: The same as bars.
        failures: Failed decisions by arm.
        left_out: Failed decisions that are not told.
        errors: Error events by kind, or None when there are none.
        skipped: Probes counted apart, or None when there are none.
        context: Compliance and lift, survival, phrasings; empty without planted probes.
        context_plots: Lift by kind, survival by compactions.
        forgetting: Where withdrawn and deleted content survived; empty without a notice.
        reproduction: How to check it all.
    """

    name: str
    description: str
    answer: tuple[str, ...]
    evidence: tuple[str, ...]
    warnings: tuple[str, ...]
    success: tuple[Grid, ...]
    study: tuple[Grid, ...]
    study_plots: tuple[Plot, ...]
    plots: tuple[Plot, ...]
    use: Grid
    outcomes: Grid | None
    outcome_plot: Plot | None
    harm: Grid | None
    worth: Grid | None
    pairs: Grid | None
    analysis: tuple[Grid, ...]
    violations: tuple[Grid, ...]
    risks: tuple[Grid, ...]
    judge: Grid | None
    costs: Grid
    causes: Grid | None
    cause_plot: Plot | None
    failures: tuple[ArmFailures, ...]
    left_out: int
    errors: Grid | None
    skipped: Grid | None
    context: tuple[Grid, ...]
    context_plots: tuple[Plot, ...]
    forgetting: tuple[Grid, ...]
    reproduction: Reproduction


def content(run: Run, workers: int = 1) -> Content:
    """Read a run, a long one in several processes, and return what its report says.

    Raises:
        InputError: when scripts or keys are missing or changed, or a price is unknown.
    """
    played, gathered = read(run, workers)
    scored = scored_run(run, run.name, pricing(run), played)
    compared = compare([run], ["arm"], scored=scored)
    overall: list[Row] = compared["rows"]
    conduct: list[Row] = compared["conduct"]
    labels = arm_labels(overall)
    chosen = choose(gathered, list(labels))
    splits = {name: rows_by(scored, "arm", name) for name in _splits(run, overall)}
    cells = study_cells(scored)
    skipped = skipped_grid(overall)
    return Content(
        name=str(run.manifest.suite["name"]),
        description=str(run.manifest.suite.get("description", "")),
        answer=(
            _played(run, overall, splits.get("domain", overall)),
            _range(overall),
            held_against(compared["pairs"], labels),
        ),
        evidence=(*_evidence(overall, gathered), *limits(run.manifest)),
        warnings=tuple(_warnings(run, compared["warnings"])),
        success=_success(overall, splits),
        study=tuple(study_grids(overall, cells)),
        study_plots=tuple(study_plots(overall, cells, scored)),
        plots=tuple(_plots(overall, splits.get("tier", []), labels, compared["as"])),
        use=use_grid(overall),
        outcomes=outcomes_grid(conduct) if (bars := outcome_bars(conduct)) else None,
        outcome_plot=bars,
        harm=harm_grid(conduct),
        worth=worth_grid(compared["worth"]),
        pairs=pairs_grid(compared["pairs"], labels) if compared["pairs"] else None,
        analysis=tuple(analysis_grids(compared)),
        violations=_violations(overall, labels),
        risks=tuple(map(grid_of, risk_tables(compared["risks"]))),
        judge=judge_grid(compared["judge"], labels) if compared["judge"] else None,
        costs=costs_grid(costs(run, spent=[(each.arm, each.spent) for each in played]), labels),
        causes=causes_grid(compared["causes"], labels),
        cause_plot=cause_bars(compared["causes"], labels),
        failures=tuple(_failures(gathered, chosen, overall, labels)),
        left_out=gathered.failed.total() - sum(len(each) for each in chosen.values()),
        errors=_errors(gathered, labels),
        skipped=skipped if skipped.rows else None,
        context=tuple(compliance_grids(compared)),
        context_plots=tuple(context_plots(compared)),
        forgetting=tuple(forgetting_grids(compared)),
        reproduction=reproduction(run),
    )


def _violations(overall: Sequence[Row], labels: dict[str, str]) -> tuple[Grid, ...]:
    failures = failures_grid(overall, labels)
    return () if failures is None else (failures, engagement_grid(overall, labels))


def _splits(run: Run, overall: Sequence[Row]) -> list[str]:
    """Return the factors that are worth a table: those with several values."""
    several = {
        "tier": len({arc["tier"] for arc in run.manifest.arcs.values()}) > 1,
        "domain": any(row["domain"] is None and row["trials"] for row in overall),
    }
    return [name for name, found in several.items() if found]


def _success(overall: Sequence[Row], splits: dict[str, list[Row]]) -> tuple[Grid, ...]:
    grids = [cells_by(overall, splits.get("tier", []), "tier")]
    if "domain" in splits:
        grids.append(cells_across(overall, splits["domain"], "domain"))
    return tuple(grids)


def _played(run: Run, overall: Sequence[Row], by_domain: Sequence[Row]) -> str:
    models = list(dict.fromkeys(str(arm["model"]) for arm in run.manifest.arms.values()))
    domains = list(dict.fromkeys(str(row["domain"]) for row in by_domain))
    about = f"the domain {domains[0]}" if len(domains) == 1 else f"{len(domains)} domains"
    scripted = all(row["evidence"] == "scripted" for row in overall)
    model = ("scripted reader" if scripted else "model") + ("s" if len(models) > 1 else "")
    who = (
        f"{len(overall)} memories served the {model} {models[0]}"
        if len(models) == 1
        else f"{len(overall)} arms, each a memory with one of the {model} {', '.join(models)}, went"
    )
    trials = sum(row["trials"] for row in overall)
    episodes = sum(row["episodes"] for row in overall)
    return (
        f"{who} through {len(run.manifest.arcs)} arcs of {about}: {trials:,} trials, "
        f"{episodes:,} sessions."
    )


def _range(overall: Sequence[Row]) -> str:
    rates = [row["tsr_dependent"] for row in overall if row["tsr_dependent"] is not None]
    if not rates:
        return "No decision that needs an earlier session was scored."
    decisions = sum(row["n_dependent"] for row in overall)
    return (
        f"On the {decisions:,} decisions that need something from an earlier session, the arms' "
        f"success lies between {rate_text(min(rates))} and {rate_text(max(rates))}; errors count "
        "as failures."
    )


def _evidence(overall: Sequence[Row], gathered: Gathered) -> list[str]:
    told = ", ".join(_origins(list(gathered.origins.values())))
    return [
        *(note.removeprefix("Evidence: ").capitalize() for note in evidence_notes(overall)),
        f"Scenarios: {told}. Reviews by people: {counted(gathered.verdicts.values())}."
        if told
        else "No trial was finished.",
        "Verdicts are lexical: a check reads tool calls, the world and the answer's text by "
        "written rules, and understands no paraphrase.",
        "Intervals resample whole clusters of arcs; arcs of one template are no independent "
        "evidence, and with few clusters the intervals say little.",
    ]


def _origins(origins: Sequence[str]) -> list[str]:
    """Return where the arcs come from with their number; many origins by their first word."""
    counted = Counter(origins)
    if len(counted) > 4:
        counted = Counter((origin.split() or ["unknown"])[0] for origin in origins)
    return [f"{origin} ({count} arcs)" for origin, count in counted.most_common(8)]


def _warnings(run: Run, compared: Sequence[str]) -> list[str]:
    if not run.unfinished:
        return list(compared)
    return [*compared, f"{len(run.unfinished)} trials were begun and not finished; not scored."]


def _plots(
    overall: Sequence[Row], tiers: Sequence[Row], labels: dict[str, str], models: Sequence[str]
) -> list[Plot]:
    points = [point for row in tiers or overall if (point := _point(row, labels)) is not None]
    if not points:
        return []
    plots = [success_plot(points, "Dependent success: marks, with 95 % intervals as bars.")]
    blocks = _priced(overall, labels, [row["block_tokens"] for row in overall])
    caption = "Success against the room that memory takes in a prompt."
    plots.append(price_plot(blocks, "mean tokens of a memory block", caption))
    as_if = [per_episode(row, lambda each: each["usd_as_if"]) for row in overall]
    if all(each is not None for each in as_if):
        thousand = [None if each is None else each * 1000 for each in as_if]
        caption = f"Success against all calls, as if {', '.join(models)} had been paid."
        priced = _priced(overall, labels, thousand)
        plots.append(price_plot(priced, "USD for 1,000 sessions", caption))
    return plots


def _point(row: Row, labels: dict[str, str], price: float = 0.0) -> Point | None:
    value = row["tsr_dependent"]
    if value is None:
        return None
    low, high = row["tsr_dependent_ci"] or (value, value)
    return Point(labels[row["arm"]], str(row["tier"] or ""), value, low, high, price)


def _priced(
    overall: Sequence[Row], labels: dict[str, str], prices: Sequence[float | None]
) -> list[Point]:
    points = [_point(row, labels, price or 0.0) for row, price in zip(overall, prices, strict=True)]
    return [point for point in points if point is not None]


def _failures(
    gathered: Gathered,
    chosen: dict[str, list[Example]],
    overall: Sequence[Row],
    labels: dict[str, str],
) -> list[ArmFailures]:
    return [
        ArmFailures(labels[arm], gathered.failed[arm], row["n_dependent"], chosen[arm])
        for row in overall
        if (arm := row["arm"]) in chosen
    ]


def _errors(gathered: Gathered, labels: dict[str, str]) -> Grid | None:
    if not gathered.errors:
        return None
    kinds = sorted(gathered.errors.items(), key=lambda each: (-each[1].times, each[0]))
    rows = [
        [
            Cell(labels.get(kind.arm, kind.arm)),
            Cell(kind.culprit),
            Cell(kind.fault),
            Cell(found.message[:300], f"first: {found.where}"),
            Cell(str(found.times)),
            Cell(str(found.fatal)),
        ]
        for kind, found in kinds[:MAX_LISTED]
    ]
    columns = ["memory", "culprit", "fault", "the first one", "errors", "ended a trial"]
    return Grid(f"Error events by culprit.{left_out(kinds)}", columns, 4, rows)
