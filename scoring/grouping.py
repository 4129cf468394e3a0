"""Grouping: which scored trials and decisions belong to one row of a comparison."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.context.seen import NOT_PLANTED
from scoring.keys import TIERS
from scoring.metrics import Group, Observed, Played
from scoring.planting import PHRASINGS, POSITIONS
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError, nearest
from simulator.events.recorded import ManifestRecorded

ARM_FACTORS = (
    "memory",
    "implementation",
    "embedder",
    "model",
    "memory_model",
    "agent",
    "token_budget",
    "compaction",
    "forgetting",
    "latency",
)
DECISION_FACTORS = (
    *("domain", "cluster", "probe_kind", "history", "phrasing", "position"),
    *("risk", "subtype"),
)
ARC_FACTORS = ("tier", "corruption")
FACTORS = (
    "run",
    "arm",
    *ARM_FACTORS,
    *ARC_FACTORS,
    "arc",
    "generation_seed",
    "seed",
    *DECISION_FACTORS,
)
"""Everything that rows can be grouped by, besides the factors that a generator crosses."""

DEFAULT = ("run", "arm", *ARM_FACTORS, "domain", *ARC_FACTORS)
MEMORY_SIDE = frozenset(
    {
        "arm",
        "memory",
        "implementation",
        "memory_options",
        "memory_model",
        "memory_model_options",
        "embedder",
        "embedder_options",
        "token_budget",
    }
)
"""What may differ between an arm and the arm it is held against."""

_SORTED_BY = ("run", "domain", "tier", "arm")


def rest_of(options: dict[str, Json]) -> str:
    """Return everything of an arm's flat options that is not on the memory's side."""
    return canonical_json({k: v for k, v in options.items() if k not in MEMORY_SIDE})


Part = tuple[str | int | None, ...]
"""Values of `DECISION_FACTORS`; an arc may mix them."""


@dataclass(frozen=True)
class Setting:
    """A run's manifest, read for grouping.

    Attributes:
        run: Name of the run in tables.
        manifest: Its manifest.
    """

    run: str
    manifest: ManifestRecorded

    def factors(self, played: Played) -> dict[str, Json]:
        """Return the value of every factor that is a trial's."""
        options = self.manifest.arms[played.arm]
        return {
            **played.levels,
            "run": self.run,
            "arm": played.arm,
            **{name: options.get(name) for name in ARM_FACTORS},
            **{name: self.manifest.arcs[played.arc][name] for name in ARC_FACTORS},
            "arc": played.arc,
            "generation_seed": played.generation_seed,
            "seed": played.seed,
        }

    def parts(self, played: Played) -> dict[Part, list[Observed]]:
        """Return a trial's decisions by the values of `DECISION_FACTORS`."""
        parts: dict[Part, list[Observed]] = defaultdict(list)
        for each in played.observed:
            planted = each.context.planting if each.context is not None else NOT_PLANTED
            how = planted.phrasing or played.levels.get("phrasing")
            where = planted.position or played.levels.get("position")
            risk = (each.risked.risk, each.risked.subtype) if each.risked else (None, None)
            parts[each.domain, each.cluster, each.kind, each.history, how, where, *risk].append(
                each
            )
        if not parts:
            arc = self.manifest.arcs[played.arc]
            parts[arc["domain"], arc["cluster"], *[None] * 6] = []
        return parts

    def rest(self, arm: str) -> str:
        """Return everything of an arm that is not on the memory's side, as canonical JSON."""
        return rest_of(self.manifest.arms[arm])

    def arms(self) -> list[str]:
        """Return the arms in the order in which the suite names models and memories."""
        suite = self.manifest.suite
        return sorted(
            self.manifest.arms,
            key=lambda arm: (*_place(suite, self.manifest.arms[arm]), arm),
        )


def _place(suite: dict[str, Json], options: dict[str, Json]) -> tuple[int, int, int, int]:
    budget = options["token_budget"]
    return (
        _index(suite.get("models"), options["model"], options.get("model_options")),
        _index(suite.get("memories"), options["memory"], options.get("memory_options")),
        0 if budget is None else 1,
        budget or 0,
    )


def _index(parts: Any, name: str, options: Any) -> int:
    """Return the place of the part that the suite wrote with this name and these options.

    The suite leaves defaults out, so of several that fit the one that says most is meant.
    """
    listed = parts if isinstance(parts, list) else []
    fitting = [
        (-len(part["options"]), place)
        for place, part in enumerate(listed)
        if part["name"] == name and part["options"].items() <= (options or {}).items()
    ]
    return min(fitting)[1] if fitting else len(listed)


@dataclass(frozen=True)
class Bucket:
    """What one row is about.

    Attributes:
        values: Factor to its value; None where the row's trials differ in it.
        key: Values of the factors that rows are grouped by.
        played: Its trials.
        rest: What its arms have in common besides the memory; None where they differ.
        group: Its decisions.
        whole: True when it holds all decisions of its trials, so that costs can be given.
    """

    values: dict[str, Json]
    key: dict[str, Json]
    played: tuple[Played, ...]
    rest: str | None
    group: Group
    whole: bool

    @property
    def finished(self) -> list[Played]:
        """Its sealed trials."""
        return [each for each in self.played if each.finished]

    @property
    def evidence(self) -> str:
        """Evidence of its sealed trials, several kinds joined; `none` without any."""
        return " + ".join(sorted({each.evidence for each in self.finished})) or "none"


def nothing_crossed() -> frozenset[str]:
    """Return the factors that were crossed where nothing was generated."""
    return frozenset()


def check_factors(
    by: Sequence[str] | None, crossed: Callable[[], frozenset[str]] = nothing_crossed
) -> tuple[str, ...]:
    """Return the factors to group by; names of implementations are a memory's own.

    `crossed` gives the names of the factors that generators crossed, and is asked only for a name
    that is none of `FACTORS`.

    Raises:
        InputError: for an unknown factor, with the nearest one, and for an empty list.
    """
    if by is None:
        return DEFAULT
    for name in by:
        if name not in FACTORS and name not in (known := crossed()):
            near = nearest(name, (*FACTORS, *sorted(known)))
            raise InputError(f"unknown factor {name!r}{near}", field="by")
    if not by:
        raise InputError("name at least one factor to group by", field="by")
    own = ("memory",) if "implementation" in by else ()
    return tuple(dict.fromkeys((*own, *by)))


def crossed(key: dict[str, Json]) -> dict[str, Json]:
    """Return the columns of the factors that only a generator crossed, and `levels` with them all.

    Empty where rows are grouped by none.
    """
    levels = {name: value for name, value in key.items() if name not in FACTORS}
    return {**levels, "levels": levels} if levels else {}


def buckets(
    scored: Iterable[tuple[Setting, Played]], by: Sequence[str], order: Sequence[Setting]
) -> list[Bucket]:
    """Group scored trials, in the order of runs, domains, tiers and the suite's arms."""
    found: dict[tuple[str, ...], _Gathering] = defaultdict(_Gathering)
    for setting, played in scored:
        factors = setting.factors(played)
        keys = set()
        for part, observed in setting.parts(played).items():
            values = {**factors, **dict(zip(DECISION_FACTORS, part, strict=True))}
            key = tuple(canonical_json(values.get(name)) for name in by)
            found[key].add(values, setting, played, observed)
            keys.add(key)
        if len(keys) > 1:
            for key in keys:
                found[key].whole = False
    rank = _ranks(order)
    made = [gathering.bucket(by) for gathering in found.values()]
    return sorted(made, key=lambda bucket: _sort_key(bucket, by, rank))


class _Gathering:
    def __init__(self) -> None:
        self.whole = True
        self._values: dict[str, Json] = {}
        self._mixed: set[str] = set()
        self._played: dict[tuple[str, str, str, int], Played] = {}
        self._rests: set[str] = set()
        self._seen: list[Observed] = []

    def add(
        self, values: dict[str, Json], setting: Setting, played: Played, observed: list[Observed]
    ) -> None:
        self._mixed |= {k for k, v in values.items() if self._values.setdefault(k, v) != v}
        self._played[played.run, played.arm, played.arc, played.seed] = played
        self._rests.add(setting.rest(played.arm))
        self._seen.extend(observed)

    def bucket(self, by: Sequence[str]) -> Bucket:
        return Bucket(
            values={k: None if k in self._mixed else v for k, v in self._values.items()},
            key={name: self._values.get(name) for name in by},
            played=tuple(self._played.values()),
            rest=next(iter(self._rests)) if len(self._rests) == 1 else None,
            group=Group(tuple(self._seen)),
            whole=self.whole,
        )


Rank = Callable[[str, Json], tuple[int, str]]


def _ranks(order: Sequence[Setting]) -> Rank:
    """Return a function that ranks a factor's values: as first met in the suite, else by text."""
    ranks: dict[str, dict[str, int]] = {
        name: {canonical_json(value): i for i, value in enumerate(values)}
        for name, values in (("tier", TIERS), ("phrasing", PHRASINGS), ("position", POSITIONS))
    }
    for setting in order:
        _meet(ranks, "run", setting.run)
        for arm in setting.arms():
            _meet(ranks, "arm", arm)
            for name in ARM_FACTORS:
                _meet(ranks, name, setting.manifest.arms[arm].get(name))

    def rank(name: str, value: Json) -> tuple[int, str]:
        text = canonical_json(value)
        if type(value) is int and name not in FACTORS:
            return value, text
        return ranks.get(name, {}).get(text, len(ranks.get(name, {}))), text

    return rank


def _meet(ranks: dict[str, dict[str, int]], name: str, value: Json) -> None:
    met = ranks.setdefault(name, {})
    met.setdefault(canonical_json(value), len(met))


def _sort_key(bucket: Bucket, by: Sequence[str], rank: Rank) -> list[tuple[int, str]]:
    first = [name for name in _SORTED_BY if name in by]
    rest = [name for name in by if name not in first]
    return [rank(name, bucket.key[name]) for name in (*first, *rest)]
