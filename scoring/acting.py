"""Acting: which calls change the world, and what an agent did before it made the first of them."""

from functools import lru_cache

from scoring.decisions import CallRecord, DecisionRecord
from scoring.keys import wants_act
from scoring.scorers import CLAUSE, Scorer
from scoring.verdicts import Verdict, in_arguments
from simulator.effects.registry import lookup_environment
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.events.folding import fold
from simulator.events.nested import leaves


@lru_cache(maxsize=64)
def read_only_tools(environment: str) -> frozenset[str] | None:
    """Return the tools that never change the world; None when the environment is not installed."""
    try:
        found = lookup_environment(environment)
    except (InputError, ImportError):
        return None
    return frozenset(tool.name for tool in found.tools if tool.read_only)


def checks_an_act(verdict: Verdict) -> bool:
    """Return whether the probe asks for an act, so that an answer alone cannot pass it."""
    return any(wants_act(check) for check in verdict.probe.checks)


def writing_calls(record: DecisionRecord) -> list[CallRecord]:
    """Return the calls, refused ones included, that were meant to change the world.

    Where the environment is not installed nobody can tell which tools only read: then every call
    counts if the world changed, and none if it did not.
    """
    reading = read_only_tools(record.environment)
    calls = [call for call in record.calls if not call.of_memory]
    if reading is None:
        return [] if record.before == record.after else calls
    return [call for call in calls if call.tool not in reading]


def reverified(record: DecisionRecord) -> bool | None:
    """Return whether a read-only tool answered before the first writing call.

    None where there was no writing call, and where the environment is not installed.
    """
    reading = read_only_tools(record.environment)
    if reading is None:
        return None
    looked = False
    for call in record.calls:
        if call.of_memory:
            continue  # to ask the memory again is no look at the world
        if call.tool not in reading:
            return looked
        looked = looked or bool(call.ok)
    return None


def quoted_not_acted(verdict: Verdict, scorer: Scorer = CLAUSE) -> bool | None:
    """Return whether the final text asserts a right value that no executed argument has.

    What only repeats the request is not the agent's own. None where the probe checks no act or
    names no value, and after an error, which has no final text.
    """
    record = verdict.record
    if record.errored or not verdict.gold or not checks_an_act(verdict):
        return None
    text, request = fold(record.text), fold(record.request)
    return any(
        scorer.asserts(value, text, request) and not in_arguments(record, value, scorer)
        for value in (fold(each.value) for each in verdict.gold)
    )


def acted_on(verdict: Verdict) -> list[Json]:
    """Return what a decision acted with: arguments of executed calls, or the answer.

    Nested arguments are taken apart. The answer counts where the probe checks no act.
    """
    if checks_an_act(verdict):
        return [leaf for call in verdict.record.executed for leaf in leaves(call.arguments)]
    return [verdict.record.text] if verdict.record.outcome == "answer" else []
