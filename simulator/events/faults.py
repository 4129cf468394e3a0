"""Faults: what goes wrong while a story is played. A fault is an event, never a score."""

from typing import Literal

from simulator.events.secrets import redacted

Culprit = Literal["script", "environment", "memory", "embedder", "model", "agent", "harness"]

FaultKind = Literal[
    "crash",  # the part raised an exception
    "overflow",  # the prompt does not fit the model's context
    "truncated",  # the completion was cut off before it was whole
    "unparsable",  # the model's action cannot be read
    "empty",  # the model said nothing
    "longer",  # the summary is longer than what it sums up
    "step_cap",  # the agent used all its steps without an outcome
    "invalid",  # the part broke its port's contract
]


class Fault(Exception):
    """Something failed; carries who is to blame.

    Attributes:
        culprit: The part that failed.
        fault: What kind of failure it is.
        message: What happened, in one sentence; never shown to an agent as an answer.
        detail: Raw material that could not be used, such as an unreadable action.
    """

    def __init__(self, culprit: Culprit, fault: FaultKind, message: str, detail: str = "") -> None:
        # A lone surrogate in somebody's message must not keep the fault out of the log, and a key
        # that an error quotes must not come into it.
        message, detail = _storable(message), _storable(detail)
        # SimPy makes a failed event's exception anew from its `args`.
        super().__init__(culprit, fault, message, detail)
        self.culprit: Culprit = culprit
        self.fault: FaultKind = fault
        self.message = message
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.culprit} {self.fault}: {self.message}"


def _storable(text: str) -> str:
    return redacted(text.encode("utf-8", "backslashreplace").decode("utf-8"))
