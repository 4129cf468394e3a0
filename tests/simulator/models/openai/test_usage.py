"""Usage in every convention; the figures are worked out by hand from the endpoints' own docs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.effects.prompts import Usage
from simulator.events import Json
from simulator.models.openai.usage import UsageError, read_usage

TRUE = Usage(input=1000, cached=400, output=300, reasoning=250)

REPORTS: dict[str, Json] = {
    "openai": {
        "prompt_tokens": 1000,
        "completion_tokens": 300,
        "total_tokens": 1300,
        "prompt_tokens_details": {"cached_tokens": 400, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 250},
    },
    "openai responses": {
        "input_tokens": 1000,
        "input_tokens_details": {"cached_tokens": 400},
        "output_tokens": 300,
        "output_tokens_details": {"reasoning_tokens": 250},
        "total_tokens": 1300,
    },
    "deepseek": {
        "prompt_tokens": 1000,
        "prompt_cache_hit_tokens": 400,
        "prompt_cache_miss_tokens": 600,
        "completion_tokens": 300,
        "completion_tokens_details": {"reasoning_tokens": 250},
        "total_tokens": 1300,
    },
    "anthropic": {
        "input_tokens": 500,
        "cache_read_input_tokens": 400,
        "cache_creation_input_tokens": 100,
        "output_tokens": 300,
        "output_tokens_details": {"reasoning_tokens": 250},
    },
    "anthropic beside prompt_tokens, apart": {
        "prompt_tokens": 500,
        "cache_read_input_tokens": 400,
        "cache_creation_input_tokens": 100,
        "completion_tokens": 300,
        "completion_tokens_details": {"reasoning_tokens": 250},
        "total_tokens": 1300,
    },
    "anthropic beside prompt_tokens, within": {
        "prompt_tokens": 1000,
        "cache_read_input_tokens": 400,
        "cache_creation_input_tokens": 100,
        "completion_tokens": 300,
        "completion_tokens_details": {"reasoning_tokens": 250},
        "total_tokens": 1300,
    },
    "both, and they agree": {
        "prompt_tokens": 1000,
        "prompt_tokens_details": {"cached_tokens": 400},
        "cache_read_input_tokens": 400,
        "completion_tokens": 300,
        "completion_tokens_details": {"reasoning_tokens": 250},
        "total_tokens": 1300,
    },
    "xai": {
        "prompt_tokens": 1000,
        "prompt_tokens_details": {"cached_tokens": 400},
        "completion_tokens": 50,
        "completion_tokens_details": {"reasoning_tokens": 250},
        "total_tokens": 1300,
    },
    "gemini": {
        "prompt_tokens": 1000,
        "prompt_tokens_details": {"cached_tokens": 400},
        "completion_tokens": 50,
        "total_tokens": 1300,
    },
}


@pytest.mark.parametrize("convention", REPORTS)
def test_every_convention_comes_to_the_same_usage_h24(convention: str) -> None:
    assert read_usage(REPORTS[convention]) == TRUE


def test_without_a_total_the_names_decide() -> None:
    apart = {"prompt_tokens": 600, "cache_read_input_tokens": 400, "completion_tokens": 5}
    assert read_usage(apart) == Usage(input=1000, cached=400, output=5)
    within = {"prompt_tokens": 9, "completion_tokens": 30, "reasoning_tokens": 25}
    assert read_usage(within) == Usage(input=9, output=30, reasoning=25)
    larger = {"prompt_tokens": 9, "completion_tokens": 5, "reasoning_tokens": 25}
    assert read_usage(larger) == Usage(input=9, output=30, reasoning=25)


def test_fields_that_are_null_or_absent_count_nothing() -> None:
    plain: Json = {"prompt_tokens": 12, "completion_tokens": 0, "prompt_tokens_details": None}
    assert read_usage(plain) == Usage(input=12, output=0)
    nulls: Json = {"cached_tokens": None}
    assert read_usage(plain | {"prompt_tokens_details": nulls, "total_tokens": None}) == Usage(
        input=12, output=0
    )


@pytest.mark.parametrize(
    ("report", "why"),
    [
        (None, "reports no usage"),
        ([], "reports no usage"),
        ({}, "reports no prompt_tokens"),
        ({"prompt_tokens": 1}, "reports no completion_tokens"),
        ({"prompt_tokens": True, "completion_tokens": 1}, "prompt_tokens is no number"),
        ({"prompt_tokens": 1.5, "completion_tokens": 1}, "prompt_tokens is no number"),
        ({"prompt_tokens": 1, "completion_tokens": -1}, "completion_tokens is no number"),
        (
            {
                "prompt_tokens": 10,
                "prompt_tokens_details": {"cached_tokens": 11},
                "completion_tokens": 1,
            },
            "11 cached of 10 input",
        ),
        (
            {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 14},
            "10 input and 5 output tokens are reported as 14",
        ),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "reasoning_tokens": 3,
                "total_tokens": 17,
            },
            "reported as 17",
        ),
    ],
)
def test_impossible_reports_are_refused_h24(report: Json, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        read_usage(report)


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    whole = st.integers(0, 10_000)
    read, written = draw(whole), draw(whole)
    return Usage(
        input=read,
        cached=draw(st.integers(0, read)),
        output=written,
        reasoning=draw(st.integers(0, written)),
    )


def inputs(usage: Usage, made: int) -> list[dict[str, Json]]:
    """The input side as each convention writes it; `made` tokens went into the cache."""
    fresh = usage.input - usage.cached - made
    return [
        {
            "prompt_tokens": usage.input,
            "prompt_tokens_details": {"cached_tokens": usage.cached},
        },
        {
            "prompt_tokens": usage.input,
            "prompt_cache_hit_tokens": usage.cached,
            "prompt_cache_miss_tokens": usage.input - usage.cached,
        },
        {
            "input_tokens": fresh,
            "cache_read_input_tokens": usage.cached,
            "cache_creation_input_tokens": made,
        },
    ]


def outputs(usage: Usage) -> list[dict[str, Json]]:
    """The output side as each convention writes it."""
    told = {"completion_tokens_details": {"reasoning_tokens": usage.reasoning}}
    spoken = usage.output - usage.reasoning
    return [
        {"completion_tokens": usage.output, **told},
        {"completion_tokens": spoken, **told},
        {"completion_tokens": spoken},
    ]


@given(usage=usages(), data=st.data())
def test_whatever_a_convention_writes_is_read_back(usage: Usage, data: st.DataObject) -> None:
    made = data.draw(st.integers(0, usage.input - usage.cached))
    total = {"total_tokens": usage.input + usage.output}
    for left in inputs(usage, made):
        for right in outputs(usage):
            assert read_usage({**left, **right, **total}) == usage
