"""Agreement: how far two judgements of one sheet agree, and how sure that is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from probes.audit.sheet import LABELS, read_key, read_labels
from scoring.agreement import Agreed, agreed
from simulator.events import Json
from simulator.events.errors import InputError

SCORER = "scorer"
"""Name of the key's side."""


@dataclass(frozen=True)
class Agreement(Agreed):
    """How far two judges of one sheet agree; labels are in the order of `LABELS`.

    Attributes:
        first: Name of the first.
        second: Name of the second.
        only_one: Rows that only one of them labelled.
        weighted: Agreement with rows weighted back to the run's verdicts; None without a key.
    """

    first: str
    second: str
    only_one: int
    weighted: float | None


def agree(first: Path, second: Path, key: Path | None = None) -> list[Agreement]:
    """Compare two filled sheets, and with a key both of them with the scorer.

    Either sheet may be the key itself, which then stands for the scorer. Intervals are bootstrap
    over the key's templates; without a key every row counts as its own.

    Raises:
        InputError: for a file that is no sheet or key, or sheets that share no labelled row.
    """
    keys = [path for path in (key, first, second) if path is not None and path.suffix == ".json"]
    rows = read_key(keys[0]) if keys else {}
    judges = [(_name(path), read_labels(path)) for path in (first, second)]
    pairs = [(0, 1)]
    if key is not None:
        judges.append((SCORER, {row: str(each["label"]) for row, each in rows.items()}))
        pairs += [(0, 2), (1, 2)]
    return [compare(*judges[one], *judges[other], rows) for one, other in pairs]


def _name(path: Path) -> str:
    return SCORER if path.suffix == ".json" else path.name


def compare(
    first: str,
    labels: Mapping[str, str],
    second: str,
    others: Mapping[str, str],
    key: Mapping[str, Mapping[str, Json]],
) -> Agreement:
    """Compare two judges' labels by row id.

    Raises:
        InputError: when they share no row.
    """
    shared = sorted(labels.keys() & others.keys())
    if not shared:
        raise InputError(f"{first} and {second} share no labelled row")
    clusters = [key[row]["cluster"] if row in key else row for row in shared]
    found = agreed([(labels[row], others[row]) for row in shared], clusters, LABELS)
    return Agreement(
        **vars(found),
        first=first,
        second=second,
        only_one=len(labels.keys() ^ others.keys()),
        weighted=_weighted(shared, labels, others, key) if key else None,
    )


def _weighted(
    shared: Sequence[str],
    labels: Mapping[str, str],
    others: Mapping[str, str],
    key: Mapping[str, Mapping[str, Json]],
) -> float | None:
    weights = {row: float(key[row]["weight"]) for row in shared if row in key}
    if not weights:
        return None
    same = sum(weight for row, weight in weights.items() if labels[row] == others[row])
    return same / sum(weights.values())
