"""From comparisons to rows: Holm's correction, verdicts, and whether a second seed confirms."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scoring.analysis.gates import NO_STATEMENT
from scoring.analysis.hypotheses import Comparison
from scoring.analysis.pairing import memory_name, model_name
from scoring.contrasts import LEVEL, verdict
from scoring.power import Needed
from scoring.statistics import Direction, Paired, holm, sign_flip, smallest_p
from simulator.events import Json

Controls = Mapping[tuple[str, str], float | None]
"""(Run, what an arm has besides its memory) to dependent success under the replay control."""


class Tested(NamedTuple):
    """A comparison's test within its family.

    Attributes:
        p: Holm-adjusted p; None where nothing is tested.
        opposite: Of a test with a direction, the p of the other direction, adjusted likewise
            among the tests of the family that have one.
        of: Number of tests in its family.
        verdict: See `docs/statistics.md`; None where nothing is tested.
    """

    p: float | None
    opposite: float | None
    of: int
    verdict: str | None


UNTESTED = Tested(None, None, 0, None)
_OTHER: dict[Direction, Direction] = {"higher": "lower", "lower": "higher"}


def families(made: Sequence[Comparison]) -> list[list[int]]:
    """Return the families as places in `made`; what is not tested is in none."""
    found: dict[tuple[str, str, str, str], list[int]] = defaultdict(list)
    for place, each in enumerate(made):
        if each.tested:
            found[each.family].append(place)
    return list(found.values())


def judged(made: Sequence[Comparison], results: Sequence[Paired | None]) -> list[Tested]:
    """Return the test of each comparison; `results` are theirs, or those of a confirmation."""
    found = [UNTESTED] * len(made)
    for family in families(made):
        known = [(place, result) for place in family if (result := results[place]) is not None]
        against = _opposite(made, known)
        for (place, result), p in zip(known, holm([each.p for _, each in known]), strict=True):
            said = _verdict(made[place], result, p, against.get(place))
            found[place] = Tested(p, against.get(place), len(known), said)
    return found


def _opposite(made: Sequence[Comparison], known: Sequence[tuple[int, Paired]]) -> dict[int, float]:
    """Return the adjusted p of the other direction, by place, of the tests that have one."""
    other = {
        place: sign_flip(result.data.sums, direction=direction)
        for place, result in known
        if (direction := _OTHER.get(made[place].hypothesis.direction)) is not None
    }
    return dict(zip(other, holm([*other.values()]), strict=True))


def _verdict(comparison: Comparison, result: Paired, p: float, opposite: float | None) -> str:
    if opposite is None:
        return verdict(result, p)
    if p < LEVEL:
        return "shown"
    return "refuted" if opposite < LEVEL else "not shown"


def hypothesis_rows(
    made: Sequence[Comparison],
    controls: Controls,
    sizes: Mapping[int, Needed] | None = None,
) -> list[dict[str, Json]]:
    """Return a row a comparison.

    Where the replay control of a model that took part is below the threshold of the comparison's
    analysis, the verdict is `no statement`. `sizes` are the studies needed, by place in `made`;
    None where nobody asked.
    """
    main = judged(made, [each.result for each in made])
    again = judged(made, [each.confirmation for each in made])
    return [
        {**_row(each, main[place], again[place], controls), **_size(sizes, place)}
        for place, each in enumerate(made)
    ]


def _size(sizes: Mapping[int, Needed] | None, place: int) -> dict[str, Json]:
    found = None if sizes is None else sizes.get(place)
    if found is None:
        return {"clusters_needed": None, "power": None}
    return {"clusters_needed": found.clusters, "power": found.power}


def _row(
    each: Comparison,
    test: Tested,
    again: Tested,
    controls: Controls,
) -> dict[str, Json]:
    hypothesis, result = each.hypothesis, each.result
    setting = each.sheet.setting
    control = _control(each, controls)
    said = test.verdict if test.verdict is None or control is not False else NO_STATEMENT
    return {
        "run": setting.run,
        "status": each.status,
        "kind": "default" if each.default else "own",
        "name": hypothesis.name,
        "family": hypothesis.family,
        "family_size": test.of,
        "metric": hypothesis.metric,
        "direction": hypothesis.direction,
        "first": each.first,
        "second": each.second,
        "first_memory": memory_name(setting.manifest.arms[each.first]),
        "second_memory": memory_name(setting.manifest.arms[each.second]),
        "model": model_name(setting.manifest.arms[each.first]),
        "where": {key: _listed(value) for key, value in hypothesis.where.items()},
        "cell": dict(each.cell),
        "evidence": each.evidence,
        **_columns(result),
        "p": result.p if result is not None and each.tested else None,
        "p_holm": test.p,
        "p_opposite_holm": test.opposite,
        "control_passed": control,
        "verdict": said,
        "confirmation": None if each.confirmation is None else _confirmation(each, again),
        "confirmed": _confirmed(each, test, again),
    }


def _control(each: Comparison, controls: Controls) -> bool | None:
    """Return whether the models of both arms passed; None where a control is missing, none failed."""
    setting = each.sheet.setting
    rates = [controls.get((setting.run, setting.rest(arm))) for arm in (each.first, each.second)]
    passed = [None if rate is None else rate >= each.threshold for rate in rates]
    return False if False in passed else None if None in passed else True


def _listed(value: Json) -> Json:
    return list(value) if isinstance(value, tuple) else value


def _columns(result: Paired | None) -> dict[str, Json]:
    if result is None:
        names = ("difference", "difference_ci", "pairs", "clusters", "dropped")
        return {**dict.fromkeys(names), "pairs": 0, "clusters": 0}
    return {
        "difference": result.difference,
        "difference_ci": list(result.interval),
        "pairs": result.pairs,
        "clusters": result.clusters,
        "dropped": result.dropped,
    }


def _confirmation(each: Comparison, again: Tested) -> dict[str, Json]:
    result = each.confirmation
    p = result.p if result is not None and each.tested else None
    return {
        **_columns(result),
        "p": p,
        "p_holm": again.p,
        "p_opposite_holm": again.opposite,
        "verdict": again.verdict,
    }


def _confirmed(each: Comparison, test: Tested, again: Tested) -> bool | None:
    """Return whether both halves show the same; None where one of them is not there or tested."""
    if test.verdict is None or again.verdict is None:
        return None
    found = {test.verdict, again.verdict}
    return len(found) == 1 and not found & {"tie", "not shown"}


def hopeless(made: Sequence[Comparison]) -> list[str]:
    """Return a warning for each family in which not even the smallest possible p could pass.

    Of default families the contrasts beside the rows already warn.
    """
    warnings = []
    own = [each for each in made if not each.default]
    for family in families(own):
        known = [
            (own[place], result) for place in family if (result := own[place].result) is not None
        ]
        best = min(smallest_p(result.clusters, e.hypothesis.direction) for e, result in known)
        if best * len(family) >= LEVEL:
            most = max(result.clusters for _, result in known)
            warnings.append(
                f"{known[0][0].hypothesis.family}: with {len(family)} tests and at most {most} "
                f"clusters the smallest possible adjusted p is {min(1.0, best * len(family)):.3g}; "
                "none can be significant"
            )
    return list(dict.fromkeys(warnings))
