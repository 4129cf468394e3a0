"""Names of trials: `ARC/ARM/SEED`, as the log has them."""

import re
from typing import NamedTuple

from simulator.events.errors import shown
from simulator.log.errors import LogDamaged

_NAME = re.compile(r"(?P<arc>[^/]+)/(?P<arm>.+)/(?P<seed>-?\d{1,40})", re.ASCII | re.DOTALL)


class Named(NamedTuple):
    """What the name of a trial says: which arc, under which arm, with which seed."""

    arc: str
    arm: str
    seed: int


def named(trial: str) -> Named:
    """Return the parts of a trial's name.

    Raises:
        LogDamaged: when it is no name of a trial, which no run gives one.
    """
    found = _NAME.fullmatch(trial)
    if found is None:
        raise LogDamaged(f"{shown(trial)} is no name of a trial")
    return Named(found["arc"], found["arm"], int(found["seed"]))
