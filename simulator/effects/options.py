"""Options of pluggable parts: pydantic models, checked before anything runs."""

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from simulator.events.errors import InputError, nearest, shown

UNSHOWN = "unshown"
"""Type of a pydantic error whose input must not be shown: it may hold a secret."""


class Options(BaseModel):
    """Base of a part's options. Unknown names are refused; a part without options uses this."""

    model_config = ConfigDict(frozen=True, extra="forbid")


M = TypeVar("M", bound=BaseModel)


def read_options(cls: type[M], values: dict[str, Any], owner: str) -> M:
    """Validate `values` as options of `owner`.

    Raises:
        InputError: naming the wrong option and the nearest known one.
    """
    try:
        return cls.model_validate(values)
    except ValidationError as error:
        raise InputError(explain(error, cls), field=owner) from None


def explain(error: ValidationError, cls: type[BaseModel]) -> str:
    """Turn the first fault of a validation error into one sentence."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        names = (field.alias or name for name, field in cls.model_fields.items())
        return f"unknown option {place!r}{nearest(place, names)}"
    if first["type"] == "missing":
        return f"option {place!r} is required"
    if first["type"] == UNSHOWN:
        return f"option {place!r}: {first['msg']}"
    return f"option {place!r}: {first['msg']} (got {shown(first['input'])})"
