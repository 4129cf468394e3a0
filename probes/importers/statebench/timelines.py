"""StateBench's files as they are: one JSON object a line, read strictly, unknown fields ignored."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from simulator.events.errors import InputError
from simulator.events.times import parse_time

MAX_BYTES = 50_000_000
"""Largest file that is read, bytes; the whole release has 4 million."""


def _milliseconds(value: object) -> int:
    if not isinstance(value, str):
        raise ValueError("a time is an ISO 8601 text")
    time = parse_time(value)
    if time < 0:
        raise ValueError("a time before 1970 cannot be simulated")
    return time


Time = Annotated[int, BeforeValidator(_milliseconds)]
"""Simulated milliseconds, written as an ISO 8601 time; UTC where no zone is given."""

Text = Annotated[str, Field(pattern=r"\S")]
"""A text that holds more than white space."""

TimelineId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]
"""An id that still makes a valid scenario name when a number is added."""


class Loose(BaseModel):
    """A part of a timeline: types are strict, fields that the importer does not use are let by."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class Turn(Loose):
    """Somebody speaks."""

    type: Literal["conversation_turn"]
    ts: Time
    speaker: Literal["user", "assistant"]
    text: Text


class Write(Loose):
    """One entry of the recorded state, perhaps in place of an earlier one."""

    key: Text
    value: Text
    supersedes: Text | None = None


class Writes(Loose):
    """The recorded state changes."""

    type: Literal["state_write", "supersession"]
    ts: Time
    writes: tuple[Write, ...] = Field(min_length=1)


class GroundTruth(Loose):
    """What an answer is judged by.

    Attributes:
        decision: The right decision, free text.
        must_mention: Phrases that an answer has to contain.
        must_not_mention: Phrases that an answer must not contain.
    """

    decision: str
    must_mention: tuple[Text, ...]
    must_not_mention: tuple[Text, ...]


class Query(Loose):
    """A question to the agent, with its ground truth."""

    type: Literal["query"]
    ts: Time
    prompt: Text
    ground_truth: GroundTruth


class Fact(Write):
    """An entry of the recorded state from before the timeline starts."""

    ts: Time


class Note(Loose):
    """An entry of the working set from before the timeline starts."""

    item_type: Text
    content: Text
    ts: Time


class Identity(Loose):
    """Who the agent works for."""

    user_name: Text
    authority: Text
    department: Text
    organization: Text
    communication_style: Text | None = None


class Surroundings(Loose):
    """The environment before the timeline starts: the time, and signals by name."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")
    __pydantic_extra__: dict[str, Text] = Field(init=False)

    now: Time

    @property
    def signals(self) -> dict[str, str]:
        """Signals other than the time, in the order of the file."""
        return dict(self.__pydantic_extra__)


class InitialState(Loose):
    """What holds before the first event."""

    identity_role: Identity
    persistent_facts: tuple[Fact, ...] = ()
    working_set: tuple[Note, ...] = ()
    environment: Surroundings


class Timeline(Loose):
    """One item of the benchmark.

    Attributes:
        id: Unique in the release.
        track: What it tests, one of thirteen in the release.
        file: Name of the file it was read from.
        initial_state: What holds before the first event.
        events: In the order of the file, which is not always that of their times.
    """

    id: TimelineId
    track: Text
    file: str = ""
    initial_state: InitialState
    events: tuple[Annotated[Turn | Writes | Query, Field(discriminator="type")], ...]

    @model_validator(mode="after")
    def _asks(self) -> Self:
        if not any(self.queries()):
            raise ValueError("a timeline needs at least one query")
        return self

    def queries(self) -> Iterator[Query]:
        """Yield the queries in the order of the file."""
        for event in self.events:
            if isinstance(event, Query):
                yield event


_TIMELINE = TypeAdapter(Timeline)


def read_timelines(paths: Iterable[Path | str]) -> list[Timeline]:
    """Read timelines, one JSON object a line; an identical repetition of an id is read once.

    Raises:
        InputError: for a file that is missing, a folder, too large or no UTF-8, a line that is
            no timeline, or two different timelines of one id; names file, line and field.
    """
    found: dict[str, Timeline] = {}
    for path in paths:
        for number, timeline in _lines(Path(path)):
            known = found.setdefault(timeline.id, timeline)
            if known.model_copy(update={"file": timeline.file}) != timeline:
                raise InputError(
                    f"{timeline.id!r} is already another timeline of {known.file}",
                    file=str(path),
                    line=number,
                    field="id",
                )
    return list(found.values())


def _lines(path: Path) -> Iterator[tuple[int, Timeline]]:
    for number, line in enumerate(_bytes(path).splitlines(), start=1):
        if line.strip():
            yield number, _timeline(line, path, number)


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"the file is larger than {MAX_BYTES:,} bytes", file=str(path), line=1)
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from None


def _timeline(line: bytes, path: Path, number: int) -> Timeline:
    try:
        timeline = _TIMELINE.validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or None
        raise InputError(first["msg"], file=str(path), line=number, field=field) from None
    return timeline.model_copy(update={"file": path.name})
