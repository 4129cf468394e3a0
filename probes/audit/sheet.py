"""A blinded sheet: decisions of a run for people to judge, and the key that stays apart from it.

The sheet shows what was asked, what was needed and forbidden, and what was done. It shows neither
arm nor trial nor verdict; only the key knows which decision a row is.
"""

import csv
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.decisions import DecisionRecord
from scoring.keys import Probe
from scoring.run import Run
from scoring.scorers import SCORER
from scoring.verdicts import Verdict, verdicts
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError
from simulator.events.seeds import stream

LABELS = ("pass", "violation", "fail")
"""What a row can be: right; using a forbidden value; wrong in another way."""

COLUMNS = ("id", "request", "needed", "forbidden", "checks", "calls", "outcome", "text", "label")
_ID_LENGTH = 12
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Row:
    """One decision.

    Attributes:
        id: Hash of run, seed, trial and probe.
        trial: The trial.
        cluster: The template that its probe belongs to.
        probe: What was tested.
        record: What happened.
        label: The scorer's verdict as one of `LABELS`.
    """

    id: str
    trial: str
    cluster: str
    probe: Probe
    record: DecisionRecord
    label: str


@dataclass(frozen=True)
class Sheet:
    """A sample of a run's decisions.

    Attributes:
        run: The run's name.
        seed: The seed that drew it.
        rows: The sample, in the order of the sheet.
        population: Number of decisions of the run by label.
    """

    run: str
    seed: int
    rows: tuple[Row, ...]
    population: Mapping[str, int]

    @property
    def sampled(self) -> dict[str, int]:
        """Number of rows by label."""
        return {label: sum(row.label == label for row in self.rows) for label in LABELS}


def sample(run: Run, n: int, seed: int = 0) -> Sheet:
    """Draw at most `n` decisions, as evenly over the scorer's verdicts as there are decisions.

    Left out are probes without a verdict and decisions that ended in an error, since there is
    nothing to judge.

    Raises:
        InputError: when the run has no such decision.
    """
    strata: dict[str, list[Row]] = {label: [] for label in LABELS}
    for row in _rows(run, seed):
        strata[row.label].append(row)
    sizes = {label: len(rows) for label, rows in strata.items()}
    if not any(sizes.values()):
        raise InputError("the run has no decision that can be judged", file=str(run.folder))
    draw = stream(run.name, seed, "audit sample")
    shares = _shares(sizes, n)
    drawn = [row for label, rows in strata.items() for row in draw.sample(rows, shares[label])]
    return Sheet(run.name, seed, tuple(sorted(drawn, key=lambda row: row.id)), sizes)


def _shares(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    """Deal `n` one by one to the strata that still have rows, in the order of the labels."""
    shares = dict.fromkeys(sizes, 0)
    left = min(n, sum(sizes.values()))
    while left:
        for label in (each for each in sizes if shares[each] < sizes[each]):
            if left:
                shares[label] += 1
                left -= 1
    return shares


def _rows(run: Run, seed: int) -> Iterator[Row]:
    for trial in run.trials():
        for verdict in verdicts(trial):
            if verdict.skipped is None and not verdict.errored:
                yield Row(
                    id=_hashed(run.name, str(seed), trial.name, verdict.probe.id),
                    trial=trial.name,
                    cluster=verdict.probe.cluster or trial.key.cluster,
                    probe=verdict.probe,
                    record=verdict.record,
                    label=label_of(verdict),
                )


def label_of(verdict: Verdict) -> str:
    """Return the scorer's verdict as one of `LABELS`."""
    if verdict.misuses:
        return "violation"
    return "pass" if verdict.success else "fail"


def _hashed(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:_ID_LENGTH]


def write_sheet(sheet: Sheet, path: Path) -> Path:
    """Write the sheet as CSV and its key beside it as JSON; return the key's path.

    Raises:
        InputError: when one of the two files is there already or cannot be written.
    """
    key = path.with_suffix(".key.json")
    for each in (path, key):
        if each.exists():
            raise InputError("is there already", file=str(each))
    try:
        with path.open("x", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS)
            table.writeheader()
            table.writerows(map(_unfeigned, map(_cells, sheet.rows)))
        with key.open("x", encoding="utf-8") as file:
            json.dump(_key(sheet), file, indent=1, ensure_ascii=False)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from None
    return key


def _unfeigned(cells: dict[str, str]) -> dict[str, str]:
    """Return cells that no spreadsheet takes for a formula: a quote before what begins like one."""
    return {name: f"'{text}" if text[:1] in _FORMULA else text for name, text in cells.items()}


def _cells(row: Row) -> dict[str, str]:
    record, probe = row.record, row.probe
    return {
        "id": row.id,
        "request": record.request,
        "needed": "; ".join(f"{each.name} = {each.value}" for each in probe.gold),
        "forbidden": "; ".join(f"{each.value} ({each.failure})" for each in probe.forbidden),
        "checks": "; ".join(_check(each.model_dump(mode="json")) for each in probe.checks),
        "calls": "; ".join(
            f"{call.tool}({canonical_json(call.arguments)}){'' if call.ok else ' failed'}"
            for call in record.calls
        ),
        "outcome": str(record.outcome),
        "text": record.text,
        "label": "",
    }


def _check(dumped: dict[str, Json]) -> str:
    kind = dumped.pop("check")
    return f"{kind} {canonical_json(dumped)}"


def _key(sheet: Sheet) -> Json:
    sampled = sheet.sampled
    return {
        "run": sheet.run,
        "seed": sheet.seed,
        "scorer": SCORER,
        "population": dict(sheet.population),
        "rows": {
            row.id: {
                "label": row.label,
                "trial": row.trial,
                "probe": row.probe.id,
                "cluster": row.cluster,
                "weight": sheet.population[row.label] / sampled[row.label],
            }
            for row in sheet.rows
        },
    }


def read_labels(path: Path) -> dict[str, str]:
    """Return id to label of a filled sheet (CSV) or of a key (JSON); empty labels are left out.

    Raises:
        InputError: for a file that is neither, an unknown label, or an id that stands twice.
    """
    if path.suffix == ".json":
        return {row: each["label"] for row, each in read_key(path).items()}
    found: dict[str, str] = {}
    for line, cells in enumerate(_table(path), start=2):
        label = (cells["label"] or "").strip().lower()
        if label and label not in LABELS:
            known = ", ".join(LABELS)
            raise InputError(
                f"{label!r} is no label; write one of {known}",
                file=str(path),
                line=line,
                field="label",
            )
        if cells["id"] in found:
            raise InputError("the id stands twice", file=str(path), line=line, field="id")
        if label:
            found[cells["id"]] = label
    return found


def read_key(path: Path) -> dict[str, dict[str, Json]]:
    """Return the rows of a key by id, each with `label`, `trial`, `probe`, `cluster`, `weight`.

    Raises:
        InputError: for a file that is no key.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from None
    except (ValueError, KeyError, TypeError):
        raise InputError("is no key of a sheet", file=str(path)) from None
    if not isinstance(rows, dict) or not all(_is_row(row) for row in rows.values()):
        raise InputError("is no key of a sheet", file=str(path))
    return rows


def _is_row(row: Json) -> bool:
    return isinstance(row, dict) and row.get("label") in LABELS and {"cluster", "weight"} <= {*row}


def _table(path: Path) -> Sequence[dict[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            rows = list(table)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from None
    except (UnicodeDecodeError, csv.Error):
        raise InputError("is no CSV sheet in UTF-8", file=str(path)) from None
    for column in ("id", "label"):
        if column not in (table.fieldnames or ()):
            raise InputError(f"has no column {column!r}", file=str(path), line=1)
    return rows
