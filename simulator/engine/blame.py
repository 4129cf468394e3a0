"""The plugin boundary: whatever a part raises becomes a fault with a culprit."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from simulator.events.errors import InputError
from simulator.events.faults import Culprit, Fault
from simulator.log.errors import LogDamaged, LogRefused

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_LONGEST = 500


@contextmanager
def blamed(culprit: Culprit) -> Iterator[None]:
    """Turn any exception of the code inside, `sys.exit` included, into a `Fault` of this culprit.

    A `Fault` passes as it is: it knows its own culprit. So does an `InputError`: a model file
    that is missing is the user's to mend, not an answer of the model; and what the log says, for
    without it nothing can be recorded. The only broad except of the engine: a part may be
    anybody's code, and its failure must end in the log.
    """
    try:
        yield
    except (Fault, InputError, LogRefused, LogDamaged):
        raise
    except (Exception, SystemExit) as error:
        # Object addresses differ from process to process and would break replay.
        text = _ADDRESS.sub("0x…", f"{type(error).__name__}: {_said(error)}")[:_LONGEST]
        raise Fault(culprit, "crash", text) from error


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "(its text cannot be read)"
