"""Comparison: a row an arm and cell, every number from the log."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

from scoring.analysis.declared import Analysis
from scoring.analysis.gates import withhold
from scoring.analysis.summary import Question, analyse
from scoring.causes.counts import count
from scoring.context.answers import holds_questions
from scoring.context.diagnostics import influence_rows, retention_rows, with_retention
from scoring.context.summary import context_tables, row_tables
from scoring.contrasts import baseline, contrast_rows, contrasts
from scoring.costs import amounts
from scoring.economy import best_rows, economy_columns
from scoring.failures import failure_columns
from scoring.grouping import (
    ARM_FACTORS,
    FACTORS,
    Bucket,
    Setting,
    buckets,
    check_factors,
    crossed,
)
from scoring.harm import harm_columns
from scoring.judge.table import judge_table
from scoring.kept import kept_rows, spend_rows
from scoring.keys import Key
from scoring.metrics import Played, cost_columns, decision_columns, pair
from scoring.names import named
from scoring.outcomes import outcome_columns
from scoring.passes import each_trial
from scoring.pricing import Pricing, pricing
from scoring.repeats import count_once
from scoring.risks.tables import risk_columns, risk_tables
from scoring.run import Run, Trial
from scoring.scorers import CLAUSE, Scorer
from scoring.trials import score_trial
from simulator.events import Json, content_hash
from simulator.events.errors import InputError

_LATER: dict[str, Json] = dict.fromkeys(
    (
        "compliance",
        "lift",
        "residues",
        "presentations",
        "exposures",
        "exposure_upper95",
        "collateral_loss",
        "retention",
    )
)
"""Columns of the contract that apply to other kinds of probes; always None here."""


_ARM = ("run", "arm", *ARM_FACTORS)
_BY_DOMAIN = (*_ARM, "domain", "corruption")
_BY_CORRUPTION = (*_ARM, "corruption")
_OWN = frozenset(
    {"arc", "cluster", "generation_seed", "seed", "history", "phrasing", "position", "subtype"}
)
"""Factors that rows have only when they are grouped by them."""


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

    def key(self, run: Run, arc: str) -> Key:
        """Return the key that an arc of a run is scored by."""
        return run.key(arc) if self.keys is None else self.keys[arc]


CURRENT = Version()
NOTHING = Question(usual=Analysis(families=()))
"""Nothing was declared and nothing is asked."""


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
        if holds_questions(run):
            message = "this is a run of retention questions; name the run that they are about"
            raise InputError(message, file=str(run.folder))
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
    analysis: Analysis | None = None,
    power: bool = False,
    workers: int = 1,
    scored: Scored | None = None,
) -> dict[str, Json]:
    """Compare the arms of one or several runs.

    Long runs are scored in `workers` processes, or not at all where they are given `scored`.

    `by` names the factors that rows are grouped by (default: `grouping.DEFAULT`). A factor
    column is None where a row pools several values of it. Besides `rows`, the answer holds
    `pairs` (each memory against `none` and against unbudgeted replay, on shared decisions),
    `conduct` (what dependent decisions came to, what harm wrong records did: a row an arm, clean
    and corrupted arcs apart), `worth` (what a success cost: a row an arm and domain), `best` (for
    each domain the memory of most utility, held against unbudgeted replay),
    `risks` (the risk track: `docs/risks.md`; None without a decision of it),
    `causes` (why dependent decisions failed: a row an arm, whatever the rows are grouped by),
    the tables of the context track (see `context.summary.context_tables`), `retention` (what was
    known when asked for, a row an arm and kind) and `influence` (what withdrawn content moved),
    `kept` (what memories held and spent: a row an arm), `spend` (success at equal spend, where
    arms have several token budgets),
    `warnings`, `unfinished` (trials that were begun and not sealed), the `scorer`'s version, the
    `roots` of the logs that it all rests on, and `judge` (a model's opinions beside the scorer;
    None when no run has a judge), on which no other key rests. What the runs declared, and an
    `analysis` asked for now, is answered by the keys of `analysis.summary.analyse`; with `power` it
    says how many clusters each difference needs.

    Raises:
        InputError: for an unknown factor or model, a wrong price file, or a damaged run.
    """
    factors = check_factors(by, partial(_crossed, runs, version))
    if scored is None:
        scored = score_runs(runs, version, prices=prices, as_model=as_model, workers=workers)
    unfinished = [name for run in runs for name in run.unfinished]
    declared = {name: run.declared for name, run in zip(_names(runs), runs, strict=True)}
    question = Question(declared, analysis, power=power)
    compared = compare_scored(scored, factors, version, question)
    named = list(zip(scored.settings, runs, strict=True))
    known = retention_rows(named, scored.trials, version.key, version.scorer)
    return {
        **compared,
        "rows": with_retention(compared["rows"], known),
        "retention": known,
        "influence": influence_rows(named, version.key),
        "judge": _judged(runs, scored),
        "unfinished": unfinished,
        "roots": {
            each.run: run.log.root() for each, run in zip(scored.settings, runs, strict=True)
        },
    }


def compare_scored(
    scored: Scored,
    factors: Sequence[str],
    version: Version = CURRENT,
    question: Question = NOTHING,
) -> dict[str, Json]:
    """Return what `compare` returns, but for `judge` and `unfinished`, from scored trials of any origin."""
    found = buckets(scored.trials, factors, scored.settings)
    pairs, hopeless = contrast_rows(contrasts(found))
    by_domain = buckets(scored.trials, _BY_DOMAIN, scored.settings)
    findings = analyse(scored.settings, scored.trials, question)
    withhold(pairs, findings.columns["controls"])
    kept = kept_rows(buckets(scored.trials, ("run", "arm"), scored.settings))
    return {
        "scorer": version.scorer.version,
        "rows": rows(found, version),
        "pairs": pairs,
        **findings.columns,
        "conduct": conduct_rows(scored),
        "worth": worth_rows(by_domain),
        "best": best_rows(by_domain),
        "causes": cause_rows(scored),
        "risks": risk_tables(scored.settings, scored.trials),
        **context_tables(scored.trials, scored.settings, factors),
        "kept": kept,
        "spend": spend_rows(kept),
        "warnings": [*scored.warnings, *_mixed(scored.books), *hopeless, *findings.warnings],
        "prices": sorted(title for title, _ in scored.books),
        "as": sorted(model for _, model in scored.books),
    }


def _crossed(runs: Sequence[Run], version: Version) -> frozenset[str]:
    """Return the factors that generators crossed in the arcs of runs."""
    keys = version.keys or {}
    found = [keys.get(arc) or run.key(arc) for run in runs for arc in run.manifest.arcs]
    names = frozenset(name for key in found for name in key.factors)
    context = any(probe.in_context for key in found for probe in key.probes)
    return names | ({"compactions"} if context else frozenset())


def _judged(runs: Sequence[Run], scored: Scored) -> dict[str, Json] | None:
    """Return the table of the judges, over the trials that count."""
    counted: dict[str, list[str]] = {setting.run: [] for setting in scored.settings}
    for setting, each in scored.trials:
        if each.finished:
            counted[setting.run].append(f"{each.arc}/{each.arm}/{each.seed}")
    return judge_table(
        [
            (setting, run, counted[setting.run])
            for setting, run in zip(scored.settings, runs, strict=True)
        ]
    )


def rows_by(scored: Scored, *factors: str) -> list[Json]:
    """Return the rows of a comparison alone, grouped by these factors."""
    return rows(buckets(scored.trials, factors, scored.settings))


def rows(found: Sequence[Bucket], version: Version = CURRENT) -> list[Json]:
    """Return a row a bucket; each names the scorer's version and the keys that it rests on."""
    return [
        {
            **_row(bucket, found),
            **harm,
            "scorer": version.scorer.version,
            "keys": keys_hash((each.arc, each.key) for each in bucket.finished),
        }
        for bucket, harm in zip(found, harm_columns(found), strict=True)
    ]


def conduct_rows(scored: Scored) -> list[Json]:
    """Return a row an arm and corruption: outcomes and harm, see `docs/metrics.md`."""
    found = buckets(scored.trials, _BY_CORRUPTION, scored.settings)
    return [
        {
            **{name: bucket.values.get(name) for name in _BY_CORRUPTION},
            "n_dependent": len(bucket.group.part(True)),
            "tsr_dependent": bucket.group.tsr(True),
            **outcome_columns([each.acting for each in bucket.group.part(True) if each.acting]),
            **harm,
            "evidence": bucket.evidence,
        }
        for bucket, harm in zip(found, harm_columns(found), strict=True)
    ]


def worth_rows(found: Sequence[Bucket]) -> list[Json]:
    """Return a row a bucket: what a success cost and what it is worth."""
    return [
        {
            **{name: bucket.values.get(name) for name in _BY_DOMAIN},
            "n_dependent": len(bucket.group.part(True)),
            "tsr_dependent": bucket.group.tsr(True),
            "tsr_dependent_ci": pair(bucket.group.tsr_interval(True)),
            **economy_columns(bucket, baseline(bucket, found, "none")),
            **harm,
            "evidence": bucket.evidence,
        }
        for bucket, harm in zip(found, harm_columns(found), strict=True)
    ]


def cause_rows(scored: Scored) -> list[Json]:
    """Return a row an arm: its failed dependent decisions by cause, see `docs/causes.md`."""
    return [
        {
            **{name: bucket.values.get(name) for name in _ARM},
            "n_dependent": len(bucket.group.part(True)),
            **_causes(bucket),
        }
        for bucket in buckets(scored.trials, ("run", "arm"), scored.settings)
    ]


def _causes(bucket: Bucket) -> dict[str, Json]:
    told = [each for each in bucket.group.seen if each.risked is None]
    return count(each.cause for each in told if each.cause is not None)


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
        arc, arm, seed = named(trial)
        yield Played(name, arm, arc, seed, "none", 0, {}, (), "", finished=False)


def _mixed(books: Iterable[tuple[str, str]]) -> list[str]:
    if len({model for _, model in books}) < 2:
        return []
    return ["the runs are priced as different models; name one with --as"]


def _row(bucket: Bucket, among: Sequence[Bucket]) -> dict[str, Json]:
    return {
        **{k: v for k, v in bucket.values.items() if k in FACTORS and k not in _OWN},
        **{k: v for k, v in bucket.key.items() if k in _OWN},
        **crossed(bucket.key),
        **decision_columns(bucket.group),
        **failure_columns(bucket.group.scored),
        **_causes(bucket),
        **_LATER,
        **row_tables(bucket),
        **risk_columns(bucket.group.scored),
        **economy_columns(bucket, baseline(bucket, among, "none")),
        **_costs(bucket),
        "evidence": bucket.evidence,
        "trials": len(bucket.finished),
        "unfinished": len(bucket.played) - len(bucket.finished),
    }


def _costs(bucket: Bucket) -> dict[str, Json]:
    """Return the cost columns; None where a row holds only some decisions of its trials."""
    columns, spent = cost_columns(bucket.finished)
    if not bucket.whole:
        return dict.fromkeys({**columns, **amounts(spent)})
    return {**columns, **amounts(spent)}
