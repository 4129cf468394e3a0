"""Following one stream's chain from its genesis to its seal."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from simulator.log.findings import Findings
from simulator.log.rows import Row, chain_hash, hashed_fields

_TYPES = (int, str, str, int, str, str, str, str, str)


@dataclass
class StoredStream:
    """A stream as its row in `streams`, and its row in `heads` if sealed, have it."""

    id: int
    trial: str
    attempt: int
    genesis: str
    hash: str
    events: int | None
    head: str | None


@dataclass
class Chain:
    """The chain while it is followed.

    Attributes:
        links: Values that the next event may continue. There are two after an event whose
            stored hash is not its computed one: where the content was changed the next event
            continues the stored hash, where the hash was, the computed one. So one change is
            one fault. There are none after a gap; then any event is taken.
        next: Position that comes next.
        last: Stored hash of the last event.
    """

    links: tuple[str, ...]
    next: int = 0
    last: str | None = None

    def take(self, row: Row) -> bool:
        """Go on to `row` and return whether it continues the chain."""
        computed = [_chained(link, row) for link in self.links]
        sound = not self.links or row.hash in computed
        self.links = (row.hash,) if sound else (row.hash, computed[0])
        self.next = row.position + 1
        self.last = row.hash
        return sound


@dataclass
class StreamCheck:
    """Checks one stream; `sound_row` is called for each event that continues the chain.

    Attributes:
        head: After `run`, the head that the chain proves; None when it proves none.
        read: Number of events read.
    """

    db: sqlite3.Connection
    stream: StoredStream
    findings: Findings
    sound_row: Callable[[StoredStream, Row], None]
    head: str | None = None
    read: int = 0

    def run(self) -> None:
        """Follow the chain and note every fault."""
        chain = Chain((self.stream.hash,))
        computed = _genesis(self.stream)
        if computed != self.stream.hash:
            self.findings.add(self.stream.trial, None, "its genesis is not what was written")
            chain.links = (self.stream.hash, computed)
        for row in self._rows():
            self._step(chain, row)
        if self.stream.head is not None:
            self._seal(chain)

    def _rows(self) -> Iterator[Row]:
        sql = f"SELECT {', '.join(Row.__slots__)} FROM events WHERE stream = ? ORDER BY position"
        for fields in self.db.execute(sql, (self.stream.id,)):
            self.read += 1
            if tuple(map(type, fields)) == _TYPES:
                yield Row(*fields)
            else:
                place = fields[0] if isinstance(fields[0], int) else None
                self.findings.add(self.stream.trial, place, "a column has another type")

    def _step(self, chain: Chain, row: Row) -> None:
        trial = self.stream.trial
        if row.position < chain.next:
            self.findings.add(trial, row.position, "the event stands before the stream's start")
            return
        if row.position > chain.next:
            last = row.position - 1
            which = f"events {chain.next} to {last} are" if last > chain.next else "the event is"
            self.findings.add(trial, chain.next, f"{which} missing")
            chain.links = ()
        anchored = bool(chain.links)
        if not chain.take(row):
            self.findings.add(trial, row.position, f"{row.kind} {row.id} is not what was written")
        elif anchored:
            self.sound_row(self.stream, row)

    def _seal(self, chain: Chain) -> None:
        stream, head, count = self.stream, self.stream.head, self.stream.events
        proven = chain.last is not None and head in chain.links
        self.head = head if proven else chain.last
        if count == chain.next:
            if not proven:
                self.findings.add(stream.trial, None, "its sealed head is not the chain's end")
        elif proven:
            self.findings.add(
                stream.trial, None, f"sealed with {count} events, but holds {chain.next}"
            )
        elif count is not None and count < chain.next:
            self.findings.add(stream.trial, count, "events stand after the sealed end")
        else:
            self.findings.add(stream.trial, chain.next, "events are missing before the sealed end")


def _genesis(stream: StoredStream) -> str:
    """Return the hash of the stored genesis byte for byte, canonical or not."""
    text = f"[{json.dumps(stream.trial, ensure_ascii=False)},{stream.genesis}]"
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _chained(link: str, row: Row) -> str:
    try:
        return chain_hash(link, hashed_fields(row))
    except UnicodeEncodeError:
        return "no hash: these bytes are no UTF-8"
