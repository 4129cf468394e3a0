"""Comparison: a row an arm and cell, every number from the log."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

from scoring.contrasts import baseline, camu, contrast_rows, contrasts
from scoring.costs import Pricing, pricing, show
from scoring.failures import failure_columns
from scoring.grouping import Bucket, Setting, buckets, check_factors
from scoring.keys import Key
from scoring.metrics import Played, cost_columns, decision_columns, score_trial
from scoring.passes import each_trial
from scoring.repeats import count_once
from scoring.run import Run, Trial
from scoring.scorers import CLAUSE, Scorer
from simulator.events import Json, content_hash
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


@dataclass(frozen=True)
class Version:
    """Which rules and which keys a log is scored by.

    Attributes:
        scorer: The rules for phrases.
        keys: Arc to its key; None stands for the keys that were frozen with the run.
    """

    scorer: Scorer = CLAUSE
    keys: Mapping[str, Key] | None = None

    def keyed(self, trial: Trial) -> Trial:
        """Return a trial with the key that it is to be scored by."""
        return trial if self.keys is None else replace(trial, key=self.keys[trial.arc])


CURRENT = Version()


@dataclass(frozen=True)
class Scored:
    """The scored trials of runs.

    Attributes:
        settings: One entry a run.
        trials: Each trial with its run's setting; repeats are left out, unfinished ones are not.
        warnings: Which arms repeat themselves.
        books: Title of each price book, with the model that `usd_as_if` prices.
    """

    settings: tuple[Setting, ...]
    trials: tuple[tuple[Setting, Played], ...]
    warnings: tuple[str, ...]
    books: frozenset[tuple[str, str]]


def score_runs(
    runs: Sequence[Run],
    version: Version = CURRENT,
    *,
    prices: Path | None = None,
    as_model: str | None = None,
    workers: int = 1,
) -> Scored:
    """Score every trial of runs; with several workers, those of a long run in other processes.

    Raises:
        InputError: for an unknown model, a wrong price file, or a damaged run.
    """
    scored = []
    for run, name in zip(runs, _names(runs), strict=True):
        make = partial(scoring, name, version, prices, as_model)
        trials = list(each_trial(run, make, workers))
        scored.append(scored_run(run, name, pricing(run, prices, as_model), trials))
    return Scored(
        tuple(chain.from_iterable(each.settings for each in scored)),
        tuple(chain.from_iterable(each.trials for each in scored)),
        tuple(chain.from_iterable(each.warnings for each in scored)),
        frozenset(chain.from_iterable(each.books for each in scored)),
    )


def scoring(
    name: str, version: Version, prices: Path | None, as_model: str | None, run: Run
) -> Callable[[Trial], Played]:
    """Return what scores one trial of the run called `name`."""
    priced = pricing(run, prices, as_model)
    return lambda trial: score_trial(name, version.keyed(trial), priced, version.scorer)


def scored_run(run: Run, name: str, priced: Pricing, trials: Sequence[Played]) -> Scored:
    """Return the scored trials of one run: repeats are dropped, unfinished ones are added."""
    setting = Setting(name, run.manifest)
    kept, repeated = count_once(trials)
    return Scored(
        settings=(setting,),
        trials=tuple((setting, each) for each in (*kept, *_unfinished(run, name))),
        warnings=tuple(repeated),
        books=frozenset({(priced.book.title, priced.as_model)}),
    )


def compare(
    runs: Sequence[Run],
    by: list[str] | None = None,
    *,
    prices: Path | None = None,
    as_model: str | None = None,
    version: Version = CURRENT,
    workers: int = 1,
    scored: Scored | None = None,
) -> dict[str, Json]:
    """Compare the arms of one or several runs.

    Long runs are scored in `workers` processes, or not at all where they are given `scored`.

    `by` names the factors that rows are grouped by (default: `grouping.DEFAULT`). A factor
    column is None where a row pools several values of it. Besides `rows`, the answer holds
    `pairs` (each memory against `none` and against unbudgeted replay, on shared decisions),
    `warnings`, `unfinished` (trials that were begun and not sealed), the `scorer`'s version and the
    `roots` of the logs that it all rests on.

    Raises:
        InputError: for an unknown factor or model, a wrong price file, or a damaged run.
    """
    factors = check_factors(by)
    if scored is None:
        scored = score_runs(runs, version, prices=prices, as_model=as_model, workers=workers)
    found = buckets(scored.trials, factors, scored.settings)
    pairs, hopeless = contrast_rows(contrasts(found))
    return {
        "scorer": version.scorer.version,
        "rows": rows(found, version),
        "pairs": pairs,
        "warnings": [*scored.warnings, *_mixed(scored.books), *hopeless],
        "unfinished": [name for run in runs for name in run.unfinished],
        "prices": sorted(title for title, _ in scored.books),
        "as": sorted(model for _, model in scored.books),
        "roots": {
            each.run: run.log.root() for each, run in zip(scored.settings, runs, strict=True)
        },
    }


def rows(found: Sequence[Bucket], version: Version = CURRENT) -> list[Json]:
    """Return a row a bucket; each names the scorer's version and the keys that it rests on."""
    return [
        {
            **_row(bucket, found),
            "scorer": version.scorer.version,
            "keys": keys_hash((each.arc, each.key) for each in bucket.finished),
        }
        for bucket in found
    ]


def keys_hash(keys: Iterable[tuple[str, str]]) -> str:
    """Return one hash for the keys of several arcs, each given with its hash."""
    return content_hash([list(each) for each in sorted(set(keys))])


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


def _mixed(books: Iterable[tuple[str, str]]) -> list[str]:
    if len({model for _, model in books}) < 2:
        return []
    return ["the runs are priced as different models; name one with --as"]


def _row(bucket: Bucket, among: Iterable[Bucket]) -> dict[str, Json]:
    return {
        **{k: v for k, v in bucket.values.items() if k not in ("arc", "cluster", "seed")},
        **{k: v for k, v in bucket.key.items() if k in ("arc", "cluster", "seed")},
        **decision_columns(bucket.group),
        **failure_columns(bucket.group.scored),
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
