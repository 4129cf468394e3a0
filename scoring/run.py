"""A run folder, read: its manifest, scripts, keys and sealed trials. Nothing is ever written."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ValidationError

from scoring.keys import Key
from scoring.manifests import manifest_of
from simulator.events import Json, Script
from simulator.events.canonical import sha256_bytes
from simulator.events.errors import InputError, nearest, shown
from simulator.events.recorded import ManifestRecorded, TrialOpened
from simulator.log.bodies import body_of, causes_of
from simulator.log.errors import LogDamaged
from simulator.log.rows import RUN_STREAM, Row
from simulator.log.store import EventLog

B = TypeVar("B", bound=BaseModel)

_HASH = re.compile("[0-9a-f]{64}")
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
        causes: Ids of the events that led to it.
    """

    position: int
    id: str
    kind: str
    time: int
    scope: str
    body: dict[str, Any]
    causes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Forked:
    """What a fork made other, and what it had not to pay for.

    Attributes:
        position: Position of the first event that may differ from the parent's.
        parent: Id of the parent trial.
        settings: What holds from there on: `arm`, `options` and `identities`.
        reused: Position of a call from there on to its tokens that the parent had paid for.
    """

    position: int
    parent: str
    settings: dict[str, Json]
    reused: dict[int, int]


@dataclass(frozen=True)
class Trial:
    """One sealed trial.

    Attributes:
        name: `arc/arm/seed`.
        events: All its events in order.
        script: What was played.
        key: What it means.
        text: Returns the text of a blob.
        blob: Returns the bytes of a blob.
        forked: Where it leaves the course of another trial; None when it is no fork.
    """

    name: str
    events: tuple[Event, ...] = field(repr=False)
    script: Script = field(repr=False)
    key: Key = field(repr=False)
    text: Callable[[str], str] = field(repr=False)
    blob: Callable[[str], bytes] = field(repr=False)
    forked: Forked | None = None

    @cached_property
    def opened(self) -> dict[str, Any]:
        """Body of `trial_opened`: arc, arm, seed, options, identities, oracle.

        Of a fork it has the settings that the fork turned to.
        """
        return self.events[0].body | (self.forked.settings if self.forked else {})

    def reused(self, event: Event) -> int | None:
        """Return the tokens of a call that were paid for in the parent; None for a new call."""
        if self.forked is None:
            return None
        if event.position < self.forked.position:
            return _all_tokens(event)
        return self.forked.reused.get(event.position)

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

    @cached_property
    def by_id(self) -> dict[str, Event]:
        """The events by their id."""
        return {event.id: event for event in self.events}


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
                    return manifest_of(row)
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
            LogDamaged: when an event was changed after the run, or has not the fields of its
                kind; nothing is scored from it.
        """
        attempt = self._attempts.get(name)
        if attempt is None:
            known = nearest(name, self.sealed) if len(self.sealed) <= 50 else ""
            what = "is not finished" if name in self._attempts else f"is not in this run{known}"
            raise InputError(f"trial {name!r} {what}", file=str(self.folder))
        return self._read(name, self._events(name, attempt), attempt)

    def begun(self) -> Iterator[Trial]:
        """Yield every trial as far as it is recorded: for what was paid, never for scores.

        Raises:
            LogDamaged: when an event was changed after the run.
        """
        for stream in self.log.streams():
            if stream.trial != RUN_STREAM and stream.events:
                events = self._events(stream.trial, stream.attempt)
                yield self._read(stream.trial, events, stream.attempt)

    def _events(self, name: str, attempt: int) -> tuple[Event, ...]:
        return tuple(map(_event, self.log.sound_rows(name, attempt)))

    def _read(self, name: str, events: tuple[Event, ...], attempt: int) -> Trial:
        if events[0].kind != TrialOpened.kind:
            raise LogDamaged(f"trial {name!r} does not begin with its opening")
        arc = str(events[0].body["arc"])
        forked = self._forked(name, attempt)
        return Trial(
            name, events, self.script(arc), self.key(arc), self.log.text, self.log.blob, forked
        )

    def _forked(self, name: str, attempt: int) -> Forked | None:
        noted = self.manifest.suite.get("forks", {}).get(name)
        if noted is None:
            return None
        turn = self.log.genesis(name, attempt)["forked"][-1]
        return Forked(
            position=turn["position"],
            parent=turn["parent"],
            settings={key: turn[key] for key in ("arm", "options", "identities")},
            reused={int(position): tokens for position, tokens in noted["reused"].items()},
        )

    def script(self, arc: str) -> Script:
        """Return the frozen script of an arc.

        Raises:
            InputError: when it is missing or was changed.
            LogDamaged: when the manifest names no hash.
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
            if not _HASH.fullmatch(content):  # a forged manifest must not name any other file
                raise LogDamaged(f"the manifest names no frozen copy: {shown(content)}")
            if len(self._models) >= _MODELS:
                self._models.clear()  # trials are read arc by arc: it will not be asked for soon
            made = _read_frozen(cls, self.folder, self.frozen(place, content), content)
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


def _event(row: Row) -> Event:
    body, causes = body_of(row), tuple(causes_of(row))
    return Event(row.position, row.id, row.kind, row.time, row.scope, body, causes)


def _read_frozen(cls: type[B], folder: Path, data: bytes, content: str) -> B:
    try:
        made = cls.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(first["msg"], file=str(folder), field=where) from None
    # An older version wrote fewer fields; what it froze keeps the hash that its log names.
    made.__dict__["hash"] = content
    return made


def _all_tokens(event: Event) -> int:
    """Return the tokens of a call, or of the requests that failed before it."""
    if event.kind == "embedding":
        return int(event.body["tokens"])
    told = [event.body] if event.kind == "completion" else event.body["attempts"]
    usages = [each["usage"] for each in told]
    return sum(usage["input"] + usage["output"] for usage in usages if usage is not None)
