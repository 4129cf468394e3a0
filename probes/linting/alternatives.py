"""Alternatives that are all broken at once: what a check forbids that any one of them would pass."""

from collections.abc import Callable, Iterator, Sequence

from probes.linting.reporting import wrong_reports
from scoring.keys import (
    CalledCheck,
    DecidesCheck,
    EitherCheck,
    NeverSaysCheck,
    NotCalledCheck,
    PlainCheck,
    ReferenceCall,
    SaysCheck,
    WorldCheck,
)
from scoring.reports import SUBMIT

Calls = tuple[ReferenceCall, ...]
Fill = Callable[[NotCalledCheck], ReferenceCall]


def wrong_in_all(
    check: EitherCheck, calls: Sequence[ReferenceCall], text: str, fill: Fill
) -> Iterator[tuple[Calls, str]]:
    """Yield the right calls and answer, changed so that each alternative should fail.

    Args:
        check: The alternatives.
        calls: The right calls.
        text: The right answer.
        fill: Gives a forbidden call that can be made.
    """
    ways: list[tuple[Calls, str]] = [(tuple(calls), text)]
    for each in check.of:
        ways = [after for before in ways for after in _broken(each, *before, fill)]
    yield from ways


def _broken(check: PlainCheck, calls: Calls, text: str, fill: Fill) -> Iterator[tuple[Calls, str]]:
    if isinstance(check, NotCalledCheck):
        yield (fill(check), *calls), text
    elif isinstance(check, CalledCheck):
        yield tuple(call for call in calls if call.tool != check.tool), text
    elif isinstance(check, WorldCheck):
        yield tuple(call for call in calls if call.tool == SUBMIT), text
    elif isinstance(check, SaysCheck | DecidesCheck):
        yield calls, ""
    elif isinstance(check, NeverSaysCheck):
        yield calls, f"{text} It is {check.phrase}."
    else:
        yield from ((changed, text) for changed in wrong_reports(check, calls))
