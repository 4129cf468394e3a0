"""The tables of the context track: what was complied with, what survived, what could be read at all."""

from collections.abc import Callable, Iterable, Sequence

from scoring.context.rates import (
    MOST,
    context_columns,
    price_columns,
    survival_columns,
    undiagnostic,
)
from scoring.context.seen import WORK
from scoring.context.traced import forgetting_rows, row_columns
from scoring.grouping import ARM_FACTORS, DEFAULT, FACTORS, Bucket, Setting, buckets, crossed
from scoring.metrics import Played
from simulator.events import Json

Trials = Sequence[tuple[Setting, Played]]
Columns = dict[str, Json]

_ARM = ("run", "arm")
_SHOWN = (*_ARM, *ARM_FACTORS)
_LEGIBLE = ("run", "model", "forgetting", "probe_kind", "phrasing")


def context_tables(
    trials: Trials, settings: Sequence[Setting], factors: Sequence[str] = DEFAULT
) -> dict[str, Json]:
    """Return the keys that a comparison has for the context track; empty lists without its probes.

    `context` has a row an arm and kind of probe, `forgetting` a row an arm and path, or, where
    rows were asked for `factors`, a row their values. `survival` has a row an arm, kind (None is
    all of them) and number of compactions; `phrasing` a row a model, kind and phrasing; `not_diagnostic` a row an
    arm and kind.
    """
    held = [(setting, each) for setting, each in trials if _has_context(each)]
    by = _ARM if tuple(factors) == DEFAULT else tuple(factors)

    def made(names: Sequence[str], rows: Callable[[Bucket], Iterable[Columns]]) -> list[Json]:
        return [
            {**_names(bucket, names), **row, "evidence": bucket.evidence}
            for bucket in buckets(held, names, settings)
            for row in rows(bucket)
        ]

    kinds = tuple(dict.fromkeys((*by, "probe_kind")))
    return {
        "context": made(kinds, _compliance),
        "forgetting": made(by, lambda each: forgetting_rows(each.group, each.finished)),
        "survival": [
            *made((*_ARM, "compactions"), lambda each: _survival(each, {"probe_kind": None})),
            *made((*_ARM, "probe_kind", "compactions"), _survival),
        ],
        "phrasing": legibility(held, settings),
        "not_diagnostic": made((*_ARM, "probe_kind"), _not_diagnostic),
    }


def _has_context(played: Played) -> bool:
    return any(each.context is not None for each in played.observed)


def _names(bucket: Bucket, names: Sequence[str]) -> Columns:
    shown = dict.fromkeys((*_SHOWN, *(name for name in names if name in FACTORS)))
    values = {**bucket.values, **bucket.key}
    return {**{name: values.get(name) for name in shown}, **crossed(bucket.key)}


def _compliance(bucket: Bucket) -> Iterable[Columns]:
    columns = context_columns(bucket.group)
    if bucket.key["probe_kind"] != WORK and (columns["n_compliance"] or columns["n_lifted"]):
        names, _ = undiagnostic(bucket.group)
        yield {**columns, "not_diagnostic": len(names), **price_columns(bucket.finished)}


def _survival(bucket: Bucket, more: Columns | None = None) -> Iterable[Columns]:
    columns = survival_columns(bucket.group)
    if columns["n_survival"]:
        yield {**(more or {}), **columns}


def _not_diagnostic(bucket: Bucket) -> Iterable[Columns]:
    names, tasks = undiagnostic(bucket.group)
    if tasks:
        yield {"tasks": tasks, "not_diagnostic": len(names), "names": names}


def legibility(trials: Trials, settings: Sequence[Setting]) -> list[Json]:
    """Return a row a model, kind and phrasing: compliance where everything said is still shown.

    That is unbudgeted replay on tasks without a compaction. A phrasing that is complied with no
    more often there than the same task without the planting is illegible for that model; where
    the twins mostly comply anyway, nothing can be said.
    """
    full = [
        (setting, each)
        for setting, each in trials
        if each.finished and each.levels.get("compactions") == 0 and _uncut(setting, each)
    ]
    return [
        {
            **{name: bucket.key.get(name) for name in _LEGIBLE},
            **{name: columns[name] for name in _LEGIBILITY},
            "illegible": _illegible(columns),
            "evidence": bucket.evidence,
        }
        for bucket in buckets(full, _LEGIBLE, settings)
        if bucket.key["phrasing"] is not None
        and bucket.key["probe_kind"] != WORK
        and (columns := context_columns(bucket.group))["n_compliance"]
    ]


_LEGIBILITY = (
    "compliance",
    "compliance_ci",
    "n_compliance",
    "twin_compliance",
    "n_twins",
    "lift",
    "lift_ci",
    "n_lift",
)


def _uncut(setting: Setting, played: Played) -> bool:
    options = setting.manifest.arms[played.arm]
    return options["memory"] == "replay" and options.get("token_budget") is None


def _illegible(columns: Columns) -> bool | None:
    chance = columns["twin_compliance"]
    if chance is None or chance > MOST:
        return None
    return bool(columns["compliance"] <= chance)


def row_tables(bucket: Bucket) -> Columns:
    """Return the columns that a row of a comparison has for the context track, if it has any."""
    if not any(each.context is not None for each in bucket.group.seen):
        return {}
    return {**context_columns(bucket.group), **row_columns(bucket.group)}
