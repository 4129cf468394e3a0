"""What scoring needs of a run's manifest, checked before anything is built on it."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from scoring.keys import Tier
from simulator.events.recorded import ManifestRecorded
from simulator.log.bodies import body_of
from simulator.log.errors import LogDamaged
from simulator.log.rows import Row


class _Loose(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


_Options = dict[str, Any]


class _Part(_Loose):
    name: str
    options: _Options


class _Fork(_Loose):
    reused: dict[Annotated[str, StringConstraints(pattern=r"\A[0-9]{1,18}\z")], int]


class _Suite(_Loose):
    name: str
    seeds: list[int]
    shard: str | None = None
    models: list[_Part] = []
    memories: list[_Part] = []
    forks: dict[str, _Fork] = {}
    prices: dict[str, str | None] | None = None


class _Arc(_Loose):
    script: str
    key: str
    domain: str
    tier: Tier | None
    cluster: str
    corruption: str


class _Arm(_Loose):
    memory: str
    memory_options: _Options = {}
    implementation: str | None = None
    model: str
    model_options: _Options = {}
    memory_model: str | None = None
    memory_model_options: _Options | None = None
    embedder: str | None = None
    embedder_options: _Options | None = None
    token_budget: int | None


class _Manifest(_Loose):
    suite: _Suite
    arcs: dict[str, _Arc]
    arms: dict[str, _Arm]
    identities: dict[str, dict[str, _Options]] = {}


def manifest_of(row: Row) -> ManifestRecorded:
    """Return the manifest that a run-level event records.

    Raises:
        LogDamaged: when a part of it that runs are read by is missing or of another type.
    """
    body = body_of(row)
    try:
        _Manifest.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise LogDamaged(f"the manifest cannot be read: {place}: {first['msg']}") from None
    return ManifestRecorded(**body, scope=row.scope)
