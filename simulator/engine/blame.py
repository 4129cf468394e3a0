"""The plugin boundary: whatever a part raises becomes a fault with a culprit."""

import re

from simulator.events.errors import InputError
from simulator.events.faults import Culprit, Fault
from simulator.log.errors import LogDamaged, LogRefused

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_LONGEST = 500


class blamed:
    """Turn any exception of the code inside, `sys.exit` included, into a `Fault` of this culprit.

    A `Fault` passes as it is: it knows its own culprit. So does an `InputError`: a model file
    that is missing is the user's to mend, not an answer of the model; and what the log says, for
    without it nothing can be recorded. The only place of the engine that catches everything: a
    part may be anybody's code, and its failure must end in the log.

    A class, for every step of a trial passes here and a generator costs four times as much.
    """

    __slots__ = ("_culprit",)

    def __init__(self, culprit: Culprit) -> None:
        self._culprit = culprit

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        """Raise a fault in the place of what a part raised."""
        if error is None or isinstance(error, _KNOWN):
            return
        if isinstance(error, (Exception, SystemExit)):
            # Object addresses differ from process to process and would break replay.
            text = _ADDRESS.sub("0x…", f"{type(error).__name__}: {_said(error)}")[:_LONGEST]
            raise Fault(self._culprit, "crash", text) from error


_KNOWN = (Fault, InputError, LogRefused, LogDamaged)


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "(its text cannot be read)"
