"""Usage as endpoints report it, brought into one convention: parts are counted in wholes, once.

| convention | input | cached | output | reasoning |
|---|---|---|---|---|
| OpenAI | `prompt_tokens` (or `input_tokens`) | its `…_details.cached_tokens` | `completion_tokens` (or `output_tokens`) | its `…_details.reasoning_tokens` |
| DeepSeek | `prompt_tokens` | `prompt_cache_hit_tokens` | the same | the same |
| cache apart (Anthropic) | `input_tokens` + both cache figures | `cache_read_input_tokens` | the same | the same |
| reasoning apart (xAI) | as above | as above | `completion_tokens` + reasoning | as reported |
| reasoning untold (Gemini) | as above | as above | `total_tokens` - input | output - `completion_tokens` |

`total_tokens` decides between them wherever it stands: the first reading that adds up to it is
taken, and a report that no reading fits is refused. Without it, cache figures of the Anthropic
kind are apart (beside `prompt_tokens` too), and reasoning is a part unless it is larger than
the whole.
"""

from collections.abc import Mapping
from typing import NamedTuple

from simulator.effects.prompts import Usage
from simulator.events import Json


class UsageError(ValueError):
    """A report of usage that is missing, malformed or impossible."""


class _Side(NamedTuple):
    """One side of a call: all tokens, and the cached or reasoning ones among them."""

    whole: int
    part: int


def read_usage(report: Json) -> Usage:
    """Return the usage that an endpoint reports in the `usage` field of its answer.

    Raises:
        UsageError: when it is missing, malformed, does not add up to its total, or has more
            cached than input tokens.
    """
    if not isinstance(report, dict):
        raise UsageError("the endpoint reports no usage")
    inputs, outputs = _inputs(report), _outputs(report)
    total = _count(report, "total_tokens")
    read, written = inputs[0], outputs[0]
    if total is not None:
        read, written = _fitting(inputs, outputs, total)
    if read.part > read.whole:
        raise UsageError(f"{read.part} cached of {read.whole} input tokens")
    if written.part > written.whole:
        raise UsageError(f"{written.part} reasoning of {written.whole} output tokens")
    return Usage(input=read.whole, cached=read.part, output=written.whole, reasoning=written.part)


def _inputs(report: Mapping[str, Json]) -> list[_Side]:
    """Return the readings of the input side, the likeliest first."""
    told = _whole(report, "prompt_tokens", "input_tokens")
    details = _details(report, "prompt_tokens_details", "input_tokens_details")
    within = _count(details, "cached_tokens")
    if within is None:
        within = _count(report, "prompt_cache_hit_tokens")
    if within is not None:
        return [_Side(told, within)]
    read = _count(report, "cache_read_input_tokens")
    written = _count(report, "cache_creation_input_tokens")
    if read is None and written is None:
        return [_Side(told, 0)]
    apart = _Side(told + (read or 0) + (written or 0), read or 0)
    return [apart, _Side(told, read or 0)]


def _outputs(report: Mapping[str, Json]) -> list[_Side]:
    """Return the readings of the output side, the likeliest first."""
    told = _whole(report, "completion_tokens", "output_tokens")
    details = _details(report, "completion_tokens_details", "output_tokens_details")
    reasoning = _count(details, "reasoning_tokens")
    if reasoning is None:
        reasoning = _count(report, "reasoning_tokens")
    if reasoning is None:
        return [_Side(told, 0)]
    readings = [_Side(told, reasoning), _Side(told + reasoning, reasoning)]
    return readings if reasoning <= told else readings[1:]


def _fitting(inputs: list[_Side], outputs: list[_Side], total: int) -> tuple[_Side, _Side]:
    for read in inputs:
        for written in outputs:
            if read.whole + written.whole == total:
                return read, written
    read, written = inputs[0], outputs[0]
    untold = total - read.whole - written.whole
    if untold < 0 or written.part:
        raise UsageError(
            f"{read.whole} input and {written.whole} output tokens are reported as {total} in all"
        )
    return read, _Side(written.whole + untold, untold)


def _whole(report: Mapping[str, Json], *names: str) -> int:
    for name in names:
        found = _count(report, name)
        if found is not None:
            return found
    raise UsageError(f"the endpoint reports no {names[0]}")


def _details(report: Mapping[str, Json], *names: str) -> Mapping[str, Json]:
    for name in names:
        found = report.get(name)
        if isinstance(found, dict):
            return found
    return {}


def _count(report: Mapping[str, Json], name: str) -> int | None:
    found = report.get(name)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise UsageError(f"{name} is no number of tokens")
    return found
