"""For every failed dependent decision one cause, from the log alone; `docs/causes.md` says how."""

from scoring.causes.contract import CAUSES, ERRORS, Cause
from scoring.causes.order import causes, failed

__all__ = ["CAUSES", "ERRORS", "Cause", "causes", "failed"]
