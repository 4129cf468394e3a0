"""Where a live trial's rows go: into the log, a trial or a paid call at a time."""

from simulator.events import Json
from simulator.log.rows import Row
from simulator.log.store import EventLog


class LogSink:
    """Collects rows and blobs and hands them to the log.

    A trial whose completions were free is written in one transaction at its end; one whose
    completions cost money or minutes is written after each of them. Each write is one
    transaction, the first one begins the stream and the last one seals it. With `begun` the
    stream is in the log already, and what is taken here goes on after its last row.
    """

    def __init__(self, log: EventLog, trial: str, genesis: Json, begun: bool = False) -> None:
        self._log = log
        self._trial = trial
        self._genesis = genesis
        self._rows: list[Row] = []
        self._blobs: dict[str, bytes] = {}
        self._begun = begun

    def take(self, row: Row) -> None:
        """Take one row."""
        self._rows.append(row)

    def keep(self, content: str, data: bytes) -> None:
        """Take the bytes of a blob."""
        self._blobs[content] = data

    def pause(self) -> None:
        """Write what was taken so far."""
        self._write(seal=False)

    def finish(self) -> int:
        """Write the rest and seal the stream; return the number of events written here."""
        written = len(self._rows)
        self._write(seal=True)
        return written

    def _write(self, seal: bool) -> None:
        if self._begun:
            self._log.append(self._trial, self._rows, self._blobs, seal=seal)
        else:
            self._log.write_trial(self._trial, self._genesis, self._rows, self._blobs, seal=seal)
        self._rows, self._blobs, self._begun = [], {}, True


class ListSink:
    """Keeps rows and blobs in memory, for tests and dry runs."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.blobs: dict[str, bytes] = {}

    def take(self, row: Row) -> None:
        """Take one row."""
        self.rows.append(row)

    def keep(self, content: str, data: bytes) -> None:
        """Take the bytes of a blob."""
        self.blobs[content] = data

    def pause(self) -> None:
        """Nothing to make durable."""
