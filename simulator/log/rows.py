"""Rows and the hash chain of a stream."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

from simulator.events.canonical import Json, canonical_json, sha256_text

RUN_STREAM = "@run"
"""Name of the run-level stream; no trial id can start with `@`."""

MAX_BODY = 2**26
"""Most characters of an event's body: no honest one has a hundredth of it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One event as it is stored; the JSON columns hold canonical JSON.

    Attributes:
        position: Place in the stream, from 0, without gaps.
        id: Authored path (`episode/event`) or `#position`.
        kind: The event's kind.
        time: Simulated ms.
        scope: Whose information it is.
        causes: JSON list of event ids.
        body: JSON object of the fields that belong to the kind.
        blobs: JSON list of the content hashes that the body refers to.
        hash: The chain's value after this event.
    """

    position: int
    id: str
    kind: str
    time: int
    scope: str
    causes: str
    body: str
    blobs: str
    hash: str


HASHED = ("position", "id", "kind", "time", "scope", "causes", "body", "blobs")
"""The fields of a row that the chain covers, in the order in which it takes them."""

hashed_fields = attrgetter(*HASHED)
"""Returns what `chain_hash` takes of a row."""


def genesis_hash(trial: str, genesis: Json) -> str:
    """Return the chain's value before the first event of a stream."""
    return sha256_text(canonical_json([trial, genesis]))


def chain_hash(previous: str, fields: Sequence[str | int]) -> str:
    """Return the chain's value after an event.

    `fields` are position, id, kind, time, scope, causes, body and blobs; each is hashed with
    its length before it, so that no two rows share an encoding.
    """
    parts = [previous.encode()]
    for field in fields:
        data = str(field).encode("utf-8")
        parts += (len(data).to_bytes(8, "big"), data)
    return hashlib.sha256(b"".join(parts)).hexdigest()


def root_hash(heads: dict[str, str]) -> str:
    """Return the root over sealed heads (stream name to head)."""
    return sha256_text(canonical_json(sorted(heads.items())))
