"""Options of parts: every mistake is one sentence that names the option."""

from typing import Any

import pytest
from pydantic import Field, ValidationError

from simulator.effects.options import Options, read_options
from simulator.events.errors import InputError


class Inner(Options):
    depth: int = 1


class Knobs(Options):
    top_k: int = Field(default=5, ge=1)
    name: str
    inner: Inner = Inner()


def test_good_options_are_read_and_frozen() -> None:
    knobs = read_options(Knobs, {"name": "x", "inner": {"depth": 2}}, "memory 'm'")
    assert (knobs.top_k, knobs.name, knobs.inner.depth) == (5, "x", 2)
    with pytest.raises(ValidationError):
        knobs.top_k = 7  # type: ignore[misc]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": "x", "top_kk": 200}, "unknown option 'top_kk'; did you mean 'top_k'?"),
        ({}, "option 'name' is required"),
        (
            {"name": "x", "top_k": 0},
            "option 'top_k': Input should be greater than or equal to 1 (got 0)",
        ),
        (
            {"name": "x", "inner": {"depth": "deep"}},
            "option 'inner.depth': Input should be a valid integer, unable to parse string as an"
            " integer (got 'deep')",
        ),
    ],
)
def test_h25_a_mistake_is_named_with_what_would_be_right(
    values: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_options(Knobs, values, "memory 'm'")
    assert (caught.value.field, caught.value.message) == ("memory 'm'", message)
    assert str(caught.value) == f"memory 'm': {message}"


def test_a_part_without_options_refuses_every_one() -> None:
    with pytest.raises(InputError) as caught:
        read_options(Options, {"k": 1}, "agent 'a'")
    assert caught.value.message == "unknown option 'k'"
