"""What each kind of evidence is worth, in the words of every table and report."""

from collections.abc import Mapping, Sequence

from simulator.events import Json

EVIDENCE = {
    "scripted": "scripted readers: they validate semantics and are no evidence about language "
    "models; no ranks, no tests",
    "oracle": "an oracle sees the key: it tests scenarios and scorers and is never a result",
    "local model": "a local model: evidence about this model and these tasks only",
    "hosted model": "a hosted model: evidence about this model and these tasks only; its "
    "answers may change without notice",
    "other model": "a model of the user's own: evidence about this model and these tasks only",
    "external": "rows that somebody else scored: MemTrial has no log of them and cannot check them",
    "none": "no finished trial: there is no evidence",
}
"""What a reader must know about each kind of evidence, a sentence each."""


def evidence_notes(rows: Sequence[Mapping[str, Json]]) -> list[str]:
    """Return what the rows are evidence about, a sentence a kind."""
    kinds = {kind for row in rows for kind in str(row.get("evidence", "none")).split(" + ")}
    return [f"Evidence: {EVIDENCE.get(kind, kind)}." for kind in sorted(kinds)]
