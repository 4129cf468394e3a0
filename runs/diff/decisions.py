"""Two trials decision by decision: block, prompt, action, outcome."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from runs.diff.alignment import Keyed, keyed, keys
from scoring.decisions import DecisionRecord, decisions
from scoring.holdings import History, histories
from scoring.run import Event, Trial
from simulator.events import Json

PARTS = ("block", "prompt", "action", "outcome")
"""What is compared of a decision, in the order in which one leads to the next."""

ACTED = ("action", "outcome")
"""Those of them that the agent is the author of."""


@dataclass(frozen=True)
class Side:
    """One of the trials that are compared.

    Attributes:
        folder: The run folder as the user named it.
        trial: The trial.
    """

    folder: str
    trial: Trial

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Event id to a name that holds across trials."""
        return keys(self.trial.events)

    @cached_property
    def keyed(self) -> list[Keyed]:
        """The events as they are compared."""
        return keyed(self.trial)

    @cached_property
    def past(self) -> Mapping[str, History]:
        """What happened to each item of the memory."""
        return histories(self.trial.events)

    @cached_property
    def records(self) -> dict[str, DecisionRecord]:
        """The decisions by their id, in script order."""
        return {record.id: record for record in decisions(self.trial)}

    @cached_property
    def completions(self) -> dict[str, Event]:
        """Decision to the agent's first completion there."""
        found: dict[str, Event] = {}
        for event in self.trial.events:
            if event.kind == "completion" and event.body["purpose"] == "act" and event.causes:
                found.setdefault(event.causes[0], event)
        return found

    @cached_property
    def reads(self) -> dict[str, Event]:
        """Decision to the read of the memory there."""
        read = (event for event in self.trial.events if event.kind == "memory_read")
        return {cause: event for event in read for cause in event.causes}

    def prompt(self, decision: str) -> str | None:
        """Return the prompt of a decision's first completion, or None where there was none."""
        event = self.completions.get(decision)
        return None if event is None else self.trial.text(event.body["rendered"])

    def part(self, decision: str, part: str) -> Any:
        """Return one part of a decision as it is compared, or None where there is none."""
        record = self.records.get(decision)
        if record is None or record.first < 0:
            return None
        match part:
            case "block":
                return record.block if record.read else None
            case "prompt":
                return self.prompt(decision)
            case "action":
                return outcome(record)["calls"]
        return {**outcome(record), "calls": None}


def outcome(record: DecisionRecord) -> dict[str, Json]:
    """Return how a decision ended."""
    error = record.error
    return {
        "outcome": record.outcome,
        "text": record.text if error is None else f"{error.culprit} {error.fault}: {error.message}",
        "calls": [
            {"tool": call.tool, "arguments": call.arguments, "ok": call.ok} for call in record.calls
        ],
    }


def rows(a: Side, b: Side) -> list[dict[str, Json]]:
    """Return a row a decision: each part is `same`, `differs`, or None where neither has it."""
    return [_row(a, b, name) for name in {**a.records, **b.records}]


def _row(a: Side, b: Side, decision: str) -> dict[str, Json]:
    row: dict[str, Json] = {"id": decision}
    for part in PARTS:
        one, other = a.part(decision, part), b.part(decision, part)
        row[part] = None if one is None and other is None else _same(one == other)
    for name, side in (("a", a), ("b", b)):
        record = side.records.get(decision)
        row[name] = None if record is None else outcome(record)
    return row


def _same(equal: bool) -> str:
    return "same" if equal else "differs"


def first_differing(
    found: Sequence[dict[str, Json]], parts: Sequence[str]
) -> dict[str, Json] | None:
    """Return the first decision in which one of these parts differs."""
    return next((row for row in found if set(differing(row)) & set(parts)), None)


def differing(row: Mapping[str, Json]) -> list[str]:
    """Return the parts in which a decision differs."""
    return [part for part in PARTS if row[part] == "differs"]
