"""A selection as tables and sentences."""

from collections.abc import Iterator

from runs.tables import EVIDENCE, Table
from simulator.events import Json

_MEASURES = ("psi", "spearman", "coverage", "coverage_tiers", "high_risk", "fail_coverage")
_HEADINGS = ("Ψ", "ρ", "risks", "risk×tier", "high-risk", "fails")
_HELD = ("rank_error", "worst_rank_error", "pass_error", "high_risk")
_HELD_HEADINGS = ("out: rank", "worst", "pass", "high-risk found")

Told = dict[str, Json]


def tables(told: Told) -> Iterator[Table]:
    """Yield the tables of a selection, the subset's composition first."""
    yield _composition(told)
    yield _side_by_side(told)
    yield _models(told)
    yield _fractions(told)
    yield _ablation(told)
    if told["drift"]:
        yield _drift(told["drift"])


def _number(value: Json) -> str:
    return "-" if value is None else f"{value:.3f}"


def _composition(told: Told) -> Table:
    rows = [
        [row["risk"], row["tier"], str(row["subset"]), str(row["all"])]
        for row in told["composition"]
    ]
    return Table("In the subset", ("risk", "tier", "in subset", "of"), rows, ("risk", "tier"), ())


def _side_by_side(told: Told) -> Table:
    rows = []
    for name, each in {**told["selectors"], **told["baselines"]}.items():
        held = each["held_out"] or {}
        cells = [_number(each[measure]) for measure in _MEASURES]
        mark = f"{name} *" if name == told["selector"] else name
        k = "-" if each["k"] is None else str(each["k"])
        rows.append([mark, k, *cells, _interval(each), *(_number(held.get(n)) for n in _HELD)])
    columns = ("selector", "k", *_HEADINGS, "ρ 95 %", *_HELD_HEADINGS)
    return Table(
        "Kept by the models looked at, and by a model held out", columns, rows, ("selector",), ()
    )


def _interval(each: Json) -> str:
    if not each["draws"] or each["spearman_ci"] is None:
        return "-"
    return "[{:.2f}, {:.2f}]".format(*each["spearman_ci"])


def _models(told: Told) -> Table:
    rows = [
        [
            row["model"],
            *(_number(row[name]) for name in ("full_rate", "rate", "pass_error")),
            *(f"{row[name]:.1f}" for name in ("full_rank", "rank")),
            _number(row["rank_error"]),
        ]
        for row in (told["held_out"] or {"models": []})["models"]
    ]
    columns = ("model", "pass rate", "on subset", "error", "rank", "by subset", "places off")
    return Table("Each model held out in turn", columns, rows, ("model",), ())


def _fractions(told: Told) -> Table:
    rows = [
        [
            f"{row['fraction']:.0%}",
            str(row["k"]),
            row["selector"],
            *(_number(row[name]) for name in ("spearman", "high_risk", "fail_coverage")),
            _interval(row),
            *(_number(row[f"held_out_{name}"]) for name in ("rank_error", "high_risk")),
        ]
        for row in told["fractions"]
    ]
    columns = (
        "share",
        "k",
        "selector",
        "ρ",
        "high-risk",
        "fails",
        "ρ 95 %",
        "out: rank",
        "high-risk found",
    )
    return Table("At 10, 20 and 30 %", columns, rows, ("share", "selector"), ())


def _ablation(told: Told) -> Table:
    rows = [
        [
            row["without"] or "nothing",
            *(_number(row[name]) for name in ("spearman", "high_risk", "held_out_rank_error")),
        ]
        for row in told["ablation"]
    ]
    columns = ("features without", "ρ", "high-risk", "out: rank")
    return Table("The feature selector without a group", columns, rows, ("features without",), ())


def _drift(found: Json) -> Table:
    rows = [
        [
            row["model"],
            "ALARM" if row["alarm"] else "no",
            _number(row["rate"]),
            "{:.3f} to {:.3f}".format(*row["reference_rates"]),
            _number(row["fit"]),
            _number(row["reference_lowest_fit"]),
            _number(row["p"]),
            row["why"] or "-",
        ]
        for row in found
    ]
    columns = ("new model", "drift", "rate", "reference", "fit", "lowest of them", "p", "why")
    return Table("New models against the reference set", columns, rows, ("new model", "why"), ())


def notes(told: Told) -> Iterator[str]:
    """Yield what the tables rest on, in sentences."""
    yield f"{told['k']} of {told['episodes']} episodes, chosen by {told['selector']}:"
    yield f"  {', '.join(told['subset'])}"
    yield (
        "Headline is what follows `out`: each model judged by a subset chosen without it. rank = "
        "places off, as a share of all places, and of the worst model; pass = pass rate off; "
        f"high-risk found = share of the {told['high']} models that fail most."
    )
    yield from _resampled(told)
    yield from _discrimination(told["discrimination"])
    yield from _tests(told["tests"])
    for name, each in {**told["selectors"], **told["baselines"]}.items():
        if each["missing"]:
            yield f"{name} is left out: {each['missing']}."
    for kind in str(told["evidence"]).split(" + "):
        yield f"Evidence: {EVIDENCE.get(kind, kind)}."
    yield from (f"Warning: {warning}." for warning in told["warnings"])
    yield from (f"root {root} of {name}" for name, root in told["roots"].items())


def _resampled(told: Told) -> Iterator[str]:
    found = told["bootstrap"]
    if found is not None:
        yield (
            f"Episodes drawn again {found['resamples']} times: ρ {_with_interval(found, 'spearman')}, "
            f"and {_with_interval(found, 'spearman_unseen')} against episodes that were not drawn; "
            f"high-risk {_with_interval(found, 'high_risk')} and "
            f"{_with_interval(found, 'high_risk_unseen')}."
        )
    yield f"Drawing baselines: {told['draws']} subsets each, seed {told['seed']}; --out stores them."


def _with_interval(found: Told, name: str) -> str:
    return "{:.2f} [{:.2f}, {:.2f}]".format(found[name], *found[f"{name}_ci"])


def _discrimination(found: Told) -> Iterator[str]:
    if found["why"]:
        yield f"Discrimination is not predicted: {found['why']}."
        return
    by_risk = ", ".join(f"{risk} {rho:.2f}" for risk, rho in found["by_risk"].items())
    yield (
        f"Discrimination predicted from {len(found['features'])} static features, risks and models "
        f"held out: ρ {found['spearman']:.2f} ({by_risk})."
    )


def _tests(found: Told | None) -> Iterator[str]:
    if found is None:
        yield "No pair is tested for significance: the evidence is not of that kind."
        return
    least = found["smallest"]
    yield (
        f"Fisher's exact test over all {found['pairs']} pairs of models within a risk: "
        f"{len(found['significant'])} stand after Holm's correction; the smallest p is "
        f"{least['p']:.3g}, corrected {least['p_holm']:.3g} ({least['first']} and {least['second']}, "
        f"{least['risk']})."
    )
