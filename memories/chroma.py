"""A collection of vectors in Chroma, private to one trial.

Chroma is imported when the first collection is opened. Measured on 1.5.9: every in-memory client
of a process shares one system, a deleted collection keeps some 2.8 MB, and `add` on an existing
id keeps the old vector. So the systems here are our own, live for 25 collections each, and are
written with `upsert` only. One costs 2 to 6 ms, a third of it for metadata where there is any, so
vectors wait until somebody searches (what is never searched is never indexed), and scopes are kept
here: a search names the ids that it may find.
"""

import hashlib
import itertools
from collections.abc import Sequence
from typing import Any

from simulator.effects.steps import Vector
from simulator.events.faults import Fault

COLLECTIONS_PER_SYSTEM = 25
CAPACITY = 100_000
"""Most vectors in a collection; the search list is as long, so that search misses none."""

_serial = itertools.count()


class _System:
    """One in-memory Chroma, unknown to everybody else who uses Chroma in this process."""

    def __init__(self) -> None:
        from chromadb.api import ServerAPI
        from chromadb.api.client import Client
        from chromadb.api.shared_system_client import SharedSystemClient
        from chromadb.config import Settings, System

        # `_env_file=None`: a stray .env in the working directory must not configure a trial.
        settings = Settings(_env_file=None, anonymized_telemetry=False, is_persistent=False)
        self._system = System(settings)
        self._system.instance(ServerAPI)
        self._system.start()
        self.client: Any = Client.from_system(self._system)
        SharedSystemClient.clear_system_cache()
        self.opened = 0
        self.live = 0

    def release(self) -> None:
        """Count one collection as closed; stop the system when it is worn and nobody uses it."""
        self.live -= 1
        if self.live == 0 and self.opened >= COLLECTIONS_PER_SYSTEM:
            self._system.stop()


_current: _System | None = None


def _system() -> _System:
    global _current
    if _current is None or _current.opened >= COLLECTIONS_PER_SYSTEM:
        _current = _System()
    _current.opened += 1
    _current.live += 1
    return _current


def collection_name(trial: str) -> str:
    """Return a name that no other collection of this process has; 3 to 512 of `[A-Za-z0-9._-]`."""
    return f"{hashlib.sha256(trial.encode()).hexdigest()}-{next(_serial)}"


class Collection:
    """Unit vectors by item id, searched by Euclidean distance."""

    def __init__(self, trial: str) -> None:
        self._home: _System | None = _system()
        self._client = self._home.client
        self.name = collection_name(trial)
        self._collection = self._client.create_collection(
            self.name,
            configuration={"hnsw": {"space": "l2", "ef_search": CAPACITY}},
            embedding_function=None,  # else Chroma would download a model of its own
        )
        self.scopes: dict[str, str] = {}
        self._waiting: dict[str, Vector] = {}

    def put(self, ids: Sequence[str], vectors: Sequence[Vector], scopes: Sequence[str]) -> None:
        """Take vectors, to be written before the next search; an id that exists gets the new one.

        Raises:
            Fault: culprit `memory`, `invalid`, when the collection would outgrow its capacity.
        """
        self.scopes.update(zip(ids, scopes, strict=True))
        if len(self.scopes) > CAPACITY:
            raise Fault("memory", "invalid", f"a collection holds at most {CAPACITY} vectors")
        self._waiting.update(zip(ids, vectors, strict=True))

    def remove(self, ids: Sequence[str]) -> None:
        """Delete vectors; ids that are not there are left out, since Chroma would count them."""
        self._write()
        held = [each for each in ids if each in self.scopes]
        if held:
            self._collection.delete(ids=held)
        for each in held:
            del self.scopes[each]

    def search(self, query: Vector, scopes: frozenset[str]) -> list[str]:
        """Return the ids of all vectors of these scopes, nearest first as Chroma sees it.

        Chroma's graph can lose a vector: with identical lines in 1 of 60 small collections one
        was never found, whatever the search list. What it leaves out stands at the end.
        """
        held = [name for name, scope in self.scopes.items() if scope in scopes]
        if not held:
            return []
        self._write()
        found: list[str] = self._collection.query(
            query_embeddings=[query],
            n_results=len(held),
            ids=held if len(held) < len(self.scopes) else None,
            include=[],
        )["ids"][0]
        lost = set(held).difference(found)
        return [*found, *(name for name in held if name in lost)]

    def ids(self) -> list[str]:
        """Return all ids that Chroma holds, sorted."""
        self._write()
        return sorted(self._collection.get(include=[])["ids"])

    def _write(self) -> None:
        """Write what waits, in one call."""
        if not self._waiting:
            return
        self._collection.upsert(
            ids=list(self._waiting),
            embeddings=list(self._waiting.values()),
        )
        self._waiting = {}

    def close(self) -> None:
        """Delete the collection; closing twice is no error."""
        if self._home is None:
            return
        self._client.delete_collection(self.name)
        self._home.release()
        self._home = None
