"""Comparison: a row an arm and cell, every number from the log."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from scoring.contrasts import baseline, camu, contrast_rows, contrasts
from scoring.costs import pricing, show
from scoring.grouping import Bucket, Setting, buckets, check_factors
from scoring.metrics import Played, cost_columns, decision_columns, score_trial
from scoring.repeats import count_once
from scoring.run import Run
from simulator.events import Json
from simulator.events.errors import InputError

_LATER: dict[str, Json] = dict.fromkeys(
    (
        "risk",
        "smh",
        "compliance",
        "lift",
        "residues",
        "presentations",
        "exposures",
        "exposure_upper95",
        "collateral_loss",
        "retention",
        "pass_rate",
        "pass_rate_safety",
    )
)
"""Columns of the contract that apply to other kinds of probes; always None here."""


def compare(
    runs: Sequence[Run],
    by: list[str] | None = None,
    *,
    prices: Path | None = None,
    as_model: str | None = None,
) -> dict[str, Json]:
    """Compare the arms of one or several runs.

    `by` names the factors that rows are grouped by (default: `grouping.DEFAULT`). A factor
    column is None where a row pools several values of it. Besides `rows`, the answer holds
    `pairs` (each memory against `none` and against unbudgeted replay, on shared decisions),
    `warnings`, and `unfinished` (trials that were begun and not sealed).

    Raises:
        InputError: for an unknown factor or model, a wrong price file, or a damaged run.
    """
    factors = check_factors(by)
    settings: list[Setting] = []
    scored: list[tuple[Setting, Played]] = []
    warnings: list[str] = []
    books: set[tuple[str, str]] = set()
    for run, name in zip(runs, _names(runs), strict=True):
        priced = pricing(run, prices, as_model)
        books.add((priced.book.title, priced.as_model))
        setting = Setting(name, run.manifest)
        trials = [score_trial(name, trial, priced) for trial in run.trials()]
        kept, repeated = count_once(trials)
        settings.append(setting)
        scored.extend((setting, each) for each in (*kept, *_unfinished(run, name)))
        warnings.extend(repeated)
    found = buckets(scored, factors, settings)
    pairs, hopeless = contrast_rows(contrasts(found))
    return {
        "rows": [_row(bucket, found) for bucket in found],
        "pairs": pairs,
        "warnings": [*warnings, *_mixed(books), *hopeless],
        "unfinished": [name for run in runs for name in run.unfinished],
        "prices": sorted(title for title, _ in books),
        "as": sorted(model for _, model in books),
    }


def _names(runs: Sequence[Run]) -> list[str]:
    """Return a name for each run: its folder's, or the whole path where two are alike."""
    times = Counter(run.name for run in runs)
    names = [run.name if times[run.name] == 1 else str(run.folder) for run in runs]
    if len(set(names)) < len(names):
        raise InputError("the same run is named twice")
    return names


def _unfinished(run: Run, name: str) -> Iterator[Played]:
    for trial in run.unfinished:
        arc, _, rest = trial.partition("/")
        arm, _, seed = rest.rpartition("/")
        yield Played(name, arm, arc, int(seed), "none", 0, {}, (), "", finished=False)


def _mixed(books: set[tuple[str, str]]) -> list[str]:
    if len({model for _, model in books}) < 2:
        return []
    return ["the runs are priced as different models; name one with --as"]


def _row(bucket: Bucket, among: Iterable[Bucket]) -> dict[str, Json]:
    return {
        **{k: v for k, v in bucket.values.items() if k not in ("arc", "cluster", "seed")},
        **{k: v for k, v in bucket.key.items() if k in ("arc", "cluster", "seed")},
        **decision_columns(bucket.group),
        **_LATER,
        "camu": camu(bucket, baseline(bucket, among, "none")),
        **_costs(bucket),
        "evidence": bucket.evidence,
        "trials": len(bucket.finished),
        "unfinished": len(bucket.played) - len(bucket.finished),
    }


def _costs(bucket: Bucket) -> dict[str, Json]:
    """Return the cost columns; None where a row holds only some decisions of its trials."""
    columns, spent = cost_columns(bucket.finished)
    if not bucket.whole:
        return {**dict.fromkeys(columns), "usd": None, "usd_as_if": None}
    return {**columns, "usd": show(spent.usd), "usd_as_if": show(spent.usd_as_if)}
