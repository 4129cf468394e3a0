"""Short names for arms: the memory, and what else the arms of a comparison differ in."""

from collections.abc import Sequence

from runs.tables import Row, factor_text, memory_name, varying
from scoring.grouping import ARM_FACTORS


def arm_labels(overall: Sequence[Row]) -> dict[str, str]:
    """Return a label for each arm, the same one in whichever run and domain it was played."""
    arms = {
        str(row["arm"]): {name: row.get(name) for name in ("arm", *ARM_FACTORS)}
        for row in overall
        if row.get("arm") is not None
    }
    return dict(zip(arms, row_labels(list(arms.values())), strict=True))


def row_labels(rows: Sequence[Row]) -> list[str]:
    """Return a label for each row of arms; full ids where they differ in options only."""
    factors = varying(rows)
    labels = [_label(row, factors) for row in rows]
    if len(set(labels)) == len(labels):
        return labels
    several = "run" in factors
    return [f"{row['run']} · {row['arm']}" if several else str(row["arm"]) for row in rows]


def _label(row: Row, factors: Sequence[str]) -> str:
    parts = [memory_name(row) or str(row.get("arm"))]
    for name in factors:
        text = factor_text(row, name)
        if name == "token_budget" and row[name] is not None:
            parts.append(f"{text} tokens")
        elif text is not None and text not in parts[0].split("/"):
            parts.append(text)
    return " · ".join(parts)
