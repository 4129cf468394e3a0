"""The tables of the risk track: pass rates by model and risk, tiers, tests, inversions, pedigrees.

A model is compared with others under one memory side only. Models stand in the order in which the
suite names them, the weakest first; an inversion is a pair that passes the other way round.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from scoring.contrasts import TESTED
from scoring.exact import Count, Tested, all_pairs, clopper_pearson
from scoring.grouping import MEMORY_SIDE, Setting
from scoring.keys import TIERS
from scoring.metrics import Observed, Played
from scoring.risks.conduct import REFUSALS
from scoring.risks.judged import Risked
from scoring.risks.kinds import NUMBERS, RISKS, SAFE_TO_REFUSE, SEPARATE, Risk
from scoring.risks.pedigree import PATHS
from scoring.risks.violations import VIOLATIONS
from simulator.events import Json, canonical_json

_SIDE = ("run", "memory", "implementation", "token_budget", "compaction", "forgetting")


@dataclass
class _Cell:
    """The decisions of one model under one memory side about one risk."""

    place: dict[str, Json]
    risk: Risk
    quantization: str | None
    evidence: set[str] = field(default_factory=set)
    found: list[tuple[Observed, Risked]] = field(default_factory=list)

    def count(self, *, safe: bool = False) -> Count:
        """Return how many passed, by the default or the safety-aware variant."""
        passed = [each.safe if safe else each.passed for _, each in self.found]
        return Count(sum(passed), len(passed))


Cells = Mapping[tuple[str, str, Risk], _Cell]
"""Memory side, model and risk to their decisions, in the suite's order."""


def risk_columns(seen: Iterable[Observed]) -> dict[str, Json]:
    """Return a row's pass rates over its scored decisions of the risk track; None without any.

    The separate track counts only where there is nothing else.
    """
    found = [each.risked for each in seen if each.risked is not None]
    main = [each for each in found if each.risk not in SEPARATE] or found
    passed, safe = (Count(n, len(main)) for n in _passed(main))
    return {
        "n_risk": len(main) or None,
        "pass_rate": passed.rate,
        "pass_rate_ci": _interval(passed),
        "pass_rate_safety": safe.rate,
        "pass_rate_safety_ci": _interval(safe),
        "risk_score": sum(each.score for each in main) / len(main) if main else None,
    }


def _passed(found: Sequence[Risked]) -> tuple[int, int]:
    return sum(each.passed for each in found), sum(each.safe for each in found)


def risk_tables(
    settings: Sequence[Setting], trials: Iterable[tuple[Setting, Played]]
) -> dict[str, Json] | None:
    """Return every table of the risk track; None where no decision belongs to it."""
    cells = _cells(settings, trials)
    if not cells:
        return None
    tests = [_tests(cells, separate=False), _tests(cells, separate=True)]
    return {
        "rows": [_row(cell) for cell in cells.values()],
        "memories": list(_memories(cells)),
        "tests": [test for found in tests for test in found],
        "inversions": list(_inversions(cells)),
        "contamination": [_contamination(cell) for cell in cells.values() if cell.risk in SEPARATE],
        "undecided": [each for cell in cells.values() for each in _undecided(cell)],
        "failures": [each for cell in cells.values() for each in _failures(cell)],
    }


def _cells(settings: Sequence[Setting], trials: Iterable[tuple[Setting, Played]]) -> Cells:
    found: dict[tuple[str, str, Risk], _Cell] = {}
    for setting, played in trials:
        for each in played.observed:
            if each.risked is not None:
                cell = _cell(found, setting, played, each.risked.risk)
                cell.evidence.add(played.evidence)
                cell.found.append((each, each.risked))
    places = _places(settings)
    ordered = sorted(found, key=lambda key: (places[key[0]], places[key[1]], RISKS.index(key[2])))
    return {key: found[key] for key in ordered}


def _cell(
    found: dict[tuple[str, str, Risk], _Cell], setting: Setting, played: Played, risk: Risk
) -> _Cell:
    options = setting.manifest.arms[played.arm]
    key = (_side(setting, options), _model(setting, options), risk)
    if key not in found:
        model = setting.manifest.identities.get(played.arm, {}).get("agent_model") or {}
        place = {"arm": played.arm, **{name: options.get(name) for name in _SIDE}}
        place |= {"run": setting.run, "model": key[1]}
        found[key] = _Cell(place, risk, model.get("quantization"))
    return found[key]


def _side(setting: Setting, options: dict[str, Json]) -> str:
    """Return everything of an arm but its model."""
    rest = {k: v for k, v in options.items() if k not in ("arm", "model", "model_options")}
    return canonical_json([setting.run, rest])


def _model(setting: Setting, options: Mapping[str, Json]) -> str:
    """Return an arm's model with the options that its suite wrote, such as `forgetful(span=8)`."""
    name, own = str(options["model"]), options.get("model_options") or {}
    written: list[dict[str, Json]] = [
        part["options"]
        for part in setting.manifest.suite.get("models") or ()
        if part["name"] == name and part["options"].items() <= own.items()
    ]
    # Defaults are left out there; of several that fit, the one that says most is meant.
    told = max(written, key=len, default=own)
    listed = ",".join(f"{key}={value}" for key, value in sorted(told.items()))
    return f"{name}({listed})" if listed else name


def _places(settings: Sequence[Setting]) -> dict[str, int]:
    """Return the rank of each memory side and of each model, by the suites that name them."""
    places: dict[str, int] = {}
    for setting in settings:
        for arm in setting.arms():
            options = setting.manifest.arms[arm]
            for name in (_side(setting, options), _model(setting, options)):
                places.setdefault(name, len(places))
    return places


def _row(cell: _Cell) -> dict[str, Json]:
    """Return both variants side by side, refusals by sort, tiers, subtypes and violations."""
    passed, safe = cell.count(), cell.count(safe=True)
    found = [each for _, each in cell.found]
    return {
        **cell.place,
        "risk": cell.risk,
        "number": NUMBERS[cell.risk],
        "n": passed.n,
        "errors": sum(each.errored for each, _ in cell.found),
        "passed": passed.passed,
        "pass_rate": passed.rate,
        "pass_rate_ci": _interval(passed),
        "passed_safety": safe.passed,
        "pass_rate_safety": safe.rate,
        "pass_rate_safety_ci": _interval(safe),
        "refusal_is_safe": cell.risk in SAFE_TO_REFUSE,
        "score": sum(each.score for each in found) / len(found),
        "refusals": {sort: sum(each.conduct == sort for each in found) for sort in REFUSALS},
        "clarifications": sum(each.conduct == "asked" for each in found),
        "tiers": {tier: _part(e for e in found if e.tier == tier) for tier in TIERS},
        "subtypes": {
            subtype: _part(e for e in found if e.subtype == subtype)
            for subtype in sorted({each.subtype for each in found if each.subtype is not None})
        },
        "violations": {
            kind: sum(any(v.kind == kind for v in each.violations) for each in found)
            for kind in VIOLATIONS
        },
        "evidence": " + ".join(sorted(cell.evidence)),
    }


def _part(found: Iterable[Risked]) -> dict[str, Json]:
    part = list(found)
    count = Count(_passed(part)[0], len(part))
    return {
        "n": count.n,
        "passed": count.passed,
        "pass_rate": count.rate,
        "pass_rate_ci": _interval(count),
    }


def _interval(count: Count) -> list[float] | None:
    interval = clopper_pearson(count)
    return None if interval is None else list(interval)


def _memories(cells: Cells) -> Iterator[dict[str, Json]]:
    """Yield each memory side and risk over all models, held against unbudgeted replay."""
    pools: dict[tuple[str, Risk], list[_Cell]] = {}
    for (side, _, risk), cell in cells.items():
        pools.setdefault((side, risk), []).append(cell)
    for (side, risk), pool in pools.items():
        control = _control(pools, pool, risk)
        count, against = _pooled(pool), _pooled(control)
        yield {
            **{name: pool[0].place[name] for name in _SIDE},
            "side": side,
            "risk": risk,
            "models": len(pool),
            "n": count.n,
            "passed": count.passed,
            "pass_rate": count.rate,
            "against_no_filter": None
            if count.rate is None or against.rate is None or control is pool
            else count.rate - against.rate,
        }


def _pooled(pool: Sequence[_Cell]) -> Count:
    counts = [cell.count() for cell in pool]
    return Count(sum(each.passed for each in counts), sum(each.n for each in counts))


def _control(
    pools: Mapping[tuple[str, Risk], list[_Cell]], pool: Sequence[_Cell], risk: Risk
) -> list[_Cell]:
    """Return the same models and risk under the memory that filters nothing; else nothing."""
    place = pool[0].place
    for (_, other), found in pools.items():
        there = found[0].place
        unfiltered = there["memory"] == "replay" and there["token_budget"] is None
        same = all(there[name] == place[name] for name in _SIDE if name not in MEMORY_SIDE)
        if other == risk and unfiltered and same:
            return found
    return []


def _tests(cells: Cells, *, separate: bool) -> Iterator[dict[str, Json]]:
    """Yield Fisher's exact test of every pair of models within a risk, under each memory side.

    Holm's family is all pairs of all risks under one memory side; the separate track has its own.
    Scripted readers and oracles are never tested.
    """
    for side in dict.fromkeys(side for side, _, _ in cells):
        own = {
            (model, risk): cell
            for (at, model, risk), cell in cells.items()
            if at == side and (risk in SEPARATE) is separate and cell.evidence <= TESTED
        }
        groups: dict[str, dict[str, Count]] = {}
        for (model, risk), cell in own.items():
            groups.setdefault(risk, {})[model] = cell.count()
        tested = all_pairs(groups)
        for test in tested:
            yield _test(test, {k: v for k, v in own.items() if k[1] == test.group}, len(tested))


def _test(test: Tested, own: Mapping[tuple[str, Risk], _Cell], family: int) -> dict[str, Json]:
    first, second = (
        next(cell for (model, _), cell in own.items() if model == name)
        for name in (test.first, test.second)
    )
    return {
        **{name: first.place[name] for name in _SIDE},
        "risk": test.group,
        "first": test.first,
        "second": test.second,
        "passed": [first.count().passed, second.count().passed],
        "n": [first.count().n, second.count().n],
        "p": test.p,
        "p_holm": test.adjusted,
        "tests": family,
        "quantisations": _quantisations(first, second),
    }


def _quantisations(first: _Cell, second: _Cell) -> list[str] | None:
    """Return both quantisations where they differ: the difference may be their doing."""
    both = [str(first.quantization), str(second.quantization)]
    return both if first.quantization != second.quantization else None


def _inversions(cells: Cells) -> Iterator[dict[str, Json]]:
    """Yield pairs in which the model that is named earlier, as the weaker one, passes more."""
    by_side: dict[tuple[str, Risk], list[_Cell]] = {}
    for (side, _, risk), cell in cells.items():
        by_side.setdefault((side, risk), []).append(cell)
    for pool in by_side.values():
        for weaker, stronger in combinations(pool, 2):
            low, high = weaker.count(), stronger.count()
            if low.passed * high.n > high.passed * low.n:
                yield {
                    **{name: weaker.place[name] for name in _SIDE},
                    "risk": weaker.risk,
                    "weaker": weaker.place["model"],
                    "stronger": stronger.place["model"],
                    "passed": [low.passed, high.passed],
                    "n": [low.n, high.n],
                    "quantisations": _quantisations(weaker, stronger),
                    "evidence": " + ".join(sorted(weaker.evidence | stronger.evidence)),
                }


def _contamination(cell: _Cell) -> dict[str, Json]:
    """Return by which way contaminated text reached actions: decisions, by the first way found."""
    ways = Counter(risked.pedigrees[0].path for _, risked in cell.found if risked.pedigrees)
    return {
        **cell.place,
        "n": len(cell.found),
        "reached": ways.total(),
        "paths": {path: ways[path] for path in PATHS},
    }


def _undecided(cell: _Cell) -> Iterator[dict[str, Json]]:
    for observed, risked in cell.found:
        for each in risked.pedigrees:
            if each.path == "undecided":
                yield {
                    **_decision(cell, observed),
                    "value": each.value,
                    "items": list(each.items),
                    "reason": each.reason,
                }


def _failures(cell: _Cell) -> Iterator[dict[str, Json]]:
    """Yield each decision that did not pass, check by check and with its violations."""
    for observed, risked in cell.found:
        if risked.passed:
            continue
        yield {
            **_decision(cell, observed),
            **risked.told(),
            "checks": [
                {"check": name, "passed": passed, "reason": reason}
                for name, passed, reason in risked.checks
            ],
        }


def _decision(cell: _Cell, observed: Observed) -> dict[str, Json]:
    return {
        "trial": f"{observed.arc}/{cell.place['arm']}/{observed.seed}",
        "probe": observed.probe,
        "model": cell.place["model"],
    }
