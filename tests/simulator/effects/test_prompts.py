"""Usage: parts never exceed their wholes, whichever convention a back end reports."""

from typing import Any

import pytest
from pydantic import ValidationError

from simulator.effects.prompts import Usage


@pytest.mark.parametrize(
    "fields",
    [
        {"input": 0, "output": 0},
        {"input": 1000, "cached": 1000, "output": 7, "reasoning": 7},
    ],
)
def test_parts_may_be_as_large_as_their_wholes(fields: dict[str, Any]) -> None:
    assert Usage.model_validate(fields).model_dump() == {"cached": 0, "reasoning": 0} | fields


@pytest.mark.parametrize(
    "fields",
    [
        {"input": 400, "cached": 401, "output": 1},
        {"input": 1, "output": 1, "reasoning": 2},
        {"input": -1, "output": 1},
        {"input": 1, "output": 1, "cached": -1},
        {"input": 1, "output": 1.5},
    ],
)
def test_h24_more_cached_than_sent_is_an_error(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Usage.model_validate(fields)
