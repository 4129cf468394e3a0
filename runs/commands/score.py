"""`memtrial score`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
from pydantic import ValidationError

from probes.scenario import read_scenarios
from runs.commands.output import print_json, print_table
from scoring.compare import CURRENT, Version
from scoring.failures import CLASSES
from scoring.keys import Key
from scoring.rescoring import rescore
from scoring.rescoring import score as score_run
from scoring.reviews import without_unsound
from scoring.run import load_run
from scoring.scorers import SCORERS
from simulator.events import Json
from simulator.events.errors import InputError

_SUFFIXES = (".yaml", ".yml", ".json")
_SHOWN = 20
_ANSWERS = (
    "arm",
    "n",
    "answers",
    "tokens",
    "ruled out",
    "rate",
    "r length",
    "phi ruled out",
    "calls",
    "coerced",
    "refused",
)
_CELLS = (
    "model",
    "probe",
    "arm",
    "n",
    "success",
    "rank",
    "tie group",
    "without violation",
    "rank ",
    "tie group ",
)


def score(folder: Path, keys: Path | None, against: str | None, as_json: bool) -> None:
    """Score a run again; exit 1 when a change touched what it cannot touch.

    With `keys` the run's own keys are held against those of a folder, with `against` an earlier
    scorer against the current one.
    """
    if keys is not None and against is not None:
        raise InputError("give --keys or --against: two changes at once explain nothing")
    before, after = CURRENT, CURRENT
    if keys is not None:
        after = Version(keys=read_keys(keys))
    if against is not None:
        before = Version(SCORERS[against])
    with load_run(folder) as run:
        found = score_run(run) if before is after else rescore(run, before, after)
    if as_json:
        print_json(found)
    else:
        _print(found, "its own" if keys is None else f"from {keys}")
    if "against" in found and not found["against"]["identical"]:
        raise typer.Exit(1)


def read_keys(folder: Path) -> dict[str, Key]:
    """Return arc to its key, from a folder of scenarios (YAML) or of frozen keys (JSON).

    Raises:
        InputError: when there is none, two are of one arc, or one cannot be read.
    """
    if not folder.is_dir():
        raise InputError("there is no such folder", file=str(folder))
    files = sorted(each for each in folder.iterdir() if each.suffix in _SUFFIXES)
    if not files:
        raise InputError(
            "the folder holds no scenario (*.yaml) and no key (*.json)", file=str(folder)
        )
    found: dict[str, Key] = {}
    for path in files:
        for key in _keys(path):
            if key.arc in found:
                raise InputError(f"there is a second key for arc {key.arc!r}", file=str(path))
            found[key.arc] = key
    return {key.arc: key for key in without_unsound([*found.values()])}


def _keys(path: Path) -> list[Key]:
    if path.suffix == ".json":
        return [_read_key(path)]
    return [scenario.key for scenario in read_scenarios(path)]


def _read_key(path: Path) -> Key:
    try:
        return Key.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(first["msg"], file=str(path), field=where or None) from None


def _print(found: Json, keys: str) -> None:
    print(f"run {found['run']}: scorer {found['scorer']}, keys {found['keys'][:12]} ({keys})\n")
    columns = ("arm", "class", "queries", "rate", "95 %", "phrases", "rate ", "query-aware")
    cells = [line for row in found["arms"] for line in _failures(row)]
    print_table("Violations, by query and by phrase", columns, cells, text=("arm", "class"))
    print()
    print_table("Answers", _ANSWERS, [_answers(row) for row in found["arms"]], text=("arm",))
    for line in _left_out(found["inadmissible"]):
        print(line)
    for warning in found["warnings"]:
        print(f"note: {warning}")
    if "against" in found:
        _print_against(found)


def _failures(row: Json) -> Iterator[list[object]]:
    held = [name for name in CLASSES if row["failures"][name]["by_query"][1]]
    several = len({"resurrection", "leakage", "fabrication"} & {*held}) > 1
    for name in held:
        counts, aware = row["failures"][name], row["failures_query_aware"][name]
        if name != "any" or several:
            yield [
                row["arm"],
                name,
                _of(counts["by_query"]),
                counts["query_rate"],
                _interval(counts["query_rate_ci"]),
                _of(counts["by_phrase"]),
                counts["phrase_rate"],
                _of(aware["by_query"]),
            ]


def _of(counts: Sequence[int]) -> str:
    return f"{counts[0]} of {counts[1]}"


def _interval(ends: Sequence[float]) -> str:
    return f"[{ends[0]:.2f}, {ends[1]:.2f}]"


def _answers(row: Json) -> list[object]:
    tokens = row["answer_tokens"]
    return [
        row["arm"],
        row["n"],
        row["n_answers"],
        None if tokens is None else f"{tokens:.1f}",
        _of(row["rejected"]),
        row["rejected_rate"],
        row["violation_by_length"],
        row["violation_by_rejection"],
        row["calls"],
        row["type_faults_coerced"],
        row["type_faults_refused"],
    ]


def _left_out(phrases: Sequence[Json]) -> Iterator[str]:
    if phrases:
        yield f"\nleft out, since alone they show nothing: {len(phrases)} phrases"
    for each in phrases[:_SHOWN]:
        yield f"  {each['phrase']!r}: {each['reason']}, in {each['probes']} probes"
    if len(phrases) > _SHOWN:
        yield f"  and {len(phrases) - _SHOWN} more (--json has all)"


def _print_against(found: Json) -> None:
    against = found["against"]
    changed = against["changed"]
    print(f"\nagainst scorer {against['scorer']}, keys {against['keys'][:12]}:")
    print(f"{len(changed)} of {against['decisions']} decisions changed")
    for (before, after), n in sorted(Counter(map(_turn, changed)).items()):
        print(f"  {n}: {before} → {after}")
    for each in changed[:_SHOWN]:
        print(f"\n{each['trial']} {each['probe']}: {' → '.join(_turn(each))}")
        for why in each["why"]:
            print(f"  {why}")
    if len(changed) > _SHOWN:
        print(f"\nand {len(changed) - _SHOWN} more (--json has all)")
    print()
    cells = [_standing(cell, arm) for cell in against["cells"] for arm in cell["arms"]]
    print_table("Standing of the arms", _CELLS, cells, text=("model", "probe", "arm"))
    print()
    for control in against["controls"]:
        state = f"DIFFERENT {control['different']} of" if control["different"] else "identical:"
        print(f"{state} {control['compared']} compared: {control['what']}")


def _turn(change: Json) -> tuple[str, str]:
    sides = (change["before"], change["after"])
    told = ["no probe" if each is None else _verdict(each) for each in sides]
    return told[0], told[1]


def _verdict(told: Json) -> str:
    return f"{told['verdict']} with a violation" if told["violations"] else str(told["verdict"])


def _standing(cell: Json, arm: Json) -> list[object]:
    names = ("success", "safety")
    columns = [f"{name}_{what}" for name in names for what in ("rate", "rank", "tie_group")]
    before, after = arm["before"] or {}, arm["after"] or {}
    shown = [_both(before.get(name), after.get(name)) for name in ("n", *columns)]
    return [cell["model"], cell["probe_kind"], arm["arm"], *shown]


def _both(before: float | None, after: float | None) -> str:
    one, other = _number(before), _number(after)
    return one if one == other else f"{one} → {other}"


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
