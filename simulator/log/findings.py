"""What a verification finds."""

from simulator.events.surfaces import Frozen

MAX_LISTED = 1_000
"""Faults that are listed; further ones are only counted."""


class LogFault(Frozen):
    """One thing that is not as it was written.

    Attributes:
        trial: The stream it is in; None when it belongs to none.
        position: Position of the event; None for what stands outside the events.
        what: What is wrong.
    """

    trial: str | None
    position: int | None
    what: str


class Verification(Frozen):
    """The result of a verification.

    Attributes:
        ok: True when there is no fault.
        events: Number of events read.
        root: Root over the sealed heads as stored.
        heads: Sealed trial to its head as stored.
        faults: The first `MAX_LISTED` faults, in the order of streams and positions.
        unlisted: Number of further faults.
        unfinished: Trials without a sealed attempt; that is no fault.
    """

    ok: bool
    events: int
    root: str
    heads: dict[str, str]
    faults: tuple[LogFault, ...]
    unlisted: int
    unfinished: tuple[str, ...]


class Findings:
    """Faults as they are found.

    Attributes:
        faults: The listed ones.
        unlisted: Number of those beyond `MAX_LISTED`.
    """

    def __init__(self) -> None:
        self.faults: list[LogFault] = []
        self.unlisted = 0

    @property
    def count(self) -> int:
        """Number of faults, listed or not."""
        return len(self.faults) + self.unlisted

    def add(self, trial: str | None, position: int | None, what: str) -> None:
        """Note a fault."""
        if len(self.faults) >= MAX_LISTED:
            self.unlisted += 1
            return
        name = None if trial is None else printable(trial)
        self.faults.append(LogFault(trial=name, position=position, what=printable(what)))


def printable(text: str) -> str:
    """Return `text` with a question mark for each byte that was no UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
