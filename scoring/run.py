"""A run folder, read: its manifest, scripts, keys and sealed trials. Nothing is ever written."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ValidationError

from scoring.keys import Key
from simulator.events import Json, Script
from simulator.events.canonical import sha256_bytes
from simulator.events.errors import InputError, nearest
from simulator.events.recorded import ManifestRecorded
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog

B = TypeVar("B", bound=BaseModel)

_MODELS = 256
"""Scripts and keys that are in memory at once."""


@dataclass(frozen=True)
class Event:
    """One event of a trial with its body read.

    Attributes:
        position: Place in the stream, from 0.
        id: Authored path or `#position`.
        kind: The event's kind.
        time: Simulated ms.
        scope: Whose information it is.
        body: The fields of its kind.
    """

    position: int
    id: str
    kind: str
    time: int
    scope: str
    body: dict[str, Any]


@dataclass(frozen=True)
class Trial:
    """One sealed trial.

    Attributes:
        name: `arc/arm/seed`.
        events: All its events in order.
        script: What was played.
        key: What it means.
        text: Returns the text of a blob.
    """

    name: str
    events: tuple[Event, ...] = field(repr=False)
    script: Script = field(repr=False)
    key: Key = field(repr=False)
    text: Callable[[str], str] = field(repr=False)

    @property
    def opened(self) -> dict[str, Any]:
        """Body of `trial_opened`: arc, arm, seed, options, identities, oracle."""
        return self.events[0].body

    @property
    def arc(self) -> str:
        """The arc that was played."""
        return str(self.opened["arc"])

    @property
    def arm(self) -> str:
        """Id of the arm."""
        return str(self.opened["arm"])

    @property
    def seed(self) -> int:
        """The trial seed."""
        return int(self.opened["seed"])


@dataclass(frozen=True)
class Run:
    """A run folder, or a backup of one; a context manager that closes its log.

    Attributes:
        folder: Where it is; the file of a backup.
        log: Its event log.
    """

    folder: Path
    log: EventLog = field(repr=False)
    _models: dict[tuple[type[BaseModel], str], Any] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.resolve().name

    def close(self) -> None:
        """Close the log."""
        self.log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @cached_property
    def manifest(self) -> ManifestRecorded:
        """The manifest of the run-level stream.

        Raises:
            InputError: when the run has none.
            LogDamaged: when it was changed after the run.
        """
        if any(stream.trial == RUN_STREAM for stream in self.log.streams()):
            for row in self.log.sound_rows(RUN_STREAM):
                if row.kind == ManifestRecorded.kind:
                    return ManifestRecorded(**json.loads(row.body), scope=row.scope)
        raise InputError("this log holds no manifest, so it is no run", file=str(self.folder))

    @cached_property
    def _attempts(self) -> dict[str, int | None]:
        """Trial to its last sealed attempt, or to None when it has none."""
        last: dict[str, int | None] = {}
        for stream in self.log.streams():
            if stream.trial != RUN_STREAM:
                last.setdefault(stream.trial, None)
                if stream.sealed:
                    last[stream.trial] = stream.attempt
        return last

    @cached_property
    def sealed(self) -> tuple[str, ...]:
        """Names of the sealed trials, sorted."""
        return tuple(sorted(name for name, last in self._attempts.items() if last is not None))

    @cached_property
    def unfinished(self) -> tuple[str, ...]:
        """Names of the trials that were begun and not sealed, sorted; they are not scored."""
        return tuple(sorted(name for name, last in self._attempts.items() if last is None))

    def trials(self) -> Iterator[Trial]:
        """Yield the sealed trials one after the other, each read when it is asked for."""
        for name in self.sealed:
            yield self.trial(name)

    def trial(self, name: str) -> Trial:
        """Return one sealed trial.

        Raises:
            InputError: when there is no such trial or it was not finished.
            LogDamaged: when an event was changed after the run; nothing is scored from it.
        """
        attempt = self._attempts.get(name)
        if attempt is None:
            known = nearest(name, self.sealed) if len(self.sealed) <= 50 else ""
            what = "is not finished" if name in self._attempts else f"is not in this run{known}"
            raise InputError(f"trial {name!r} {what}", file=str(self.folder))
        events = tuple(
            Event(row.position, row.id, row.kind, row.time, row.scope, json.loads(row.body))
            for row in self.log.sound_rows(name, attempt)
        )
        arc = str(events[0].body["arc"])
        return Trial(name, events, self.script(arc), self.key(arc), self.log.text)

    def script(self, arc: str) -> Script:
        """Return the frozen script of an arc.

        Raises:
            InputError: when it is missing or was changed.
        """
        return self._frozen(Script, "scripts", self._arc(arc)["script"])

    def key(self, arc: str) -> Key:
        """Return the frozen key of an arc.

        Raises:
            InputError: when it is missing or was changed.
        """
        return self._frozen(Key, "keys", self._arc(arc)["key"])

    def _arc(self, arc: str) -> dict[str, Json]:
        if arc not in self.manifest.arcs:
            raise InputError(f"the manifest knows no arc {arc!r}", file=str(self.folder))
        entry: dict[str, Json] = self.manifest.arcs[arc]
        return entry

    def _frozen(self, cls: type[B], place: str, content: str) -> B:
        made = self._models.get((cls, content))
        if made is None:
            if len(self._models) >= _MODELS:
                self._models.clear()  # trials are read arc by arc: it will not be asked for soon
            made = _read_frozen(cls, self.folder, self.frozen(place, content))
            self._models[cls, content] = made
        model: B = made
        return model

    def frozen(self, place: str, content: str) -> bytes:
        """Return the frozen copy with this hash: a content of a backup, else a file beside the log.

        Raises:
            InputError: when it is missing or was changed.
            LogDamaged: when the backup cannot give it back.
        """
        path = log_path(self.folder).parent / place / f"{content}.json"
        try:
            data = self.log.blob(content) if self.log.holds(content) else path.read_bytes()
        except FileNotFoundError:
            raise InputError("the run's frozen copy is missing", file=str(path)) from None
        if sha256_bytes(data) != content:
            raise InputError("the frozen copy was changed after the run", file=str(path))
        return data


def log_path(run: Path) -> Path:
    """Return where the log of a run is: in its folder, or the run itself where that is a file."""
    return run if run.is_file() else run / "events.db"


def load_run(folder: Path) -> Run:
    """Open a run folder, or a backup of one, for reading.

    Raises:
        InputError: when the folder is no run.
    """
    database = log_path(folder)
    if not database.is_file():
        raise InputError("this folder is no run: it has no events.db", file=str(folder))
    run = Run(folder, EventLog.open(database))
    try:
        _ = run.manifest  # a log without one is refused here and not in the middle of a table
    except InputError:
        run.close()
        raise
    return run


def _read_frozen(cls: type[B], folder: Path, data: bytes) -> B:
    try:
        return cls.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(first["msg"], file=str(folder), field=where) from None
