"""What a hypothesis can be about: a value between 0 and 1 for each decision that has one."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from scoring.contrasts import Instances
from scoring.metrics import Observed
from scoring.statistics import Unit


class Measure(NamedTuple):
    """A metric as the mean of a value over decisions.

    Attributes:
        what: What it says, for tables.
        applies: Whether a decision has a value, or would have one had it not ended in an error.
        value: The value, of a decision to which it applies.
    """

    what: str
    applies: Callable[[Observed], bool]
    value: Callable[[Observed], bool]


def _used_all(each: Observed) -> bool:
    return each.used_values == each.memory_values


MEASURES: dict[str, Measure] = {
    "tsr_dependent": Measure(
        "success where an earlier session is needed",
        lambda each: each.dependent,
        lambda each: each.success,
    ),
    "tsr_independent": Measure(
        "success where no earlier session is needed",
        lambda each: not each.dependent and each.context is None and each.risked is None,
        lambda each: each.success,
    ),
    "stale_used": Measure(
        "dependent decisions in which a superseded value was used",
        lambda each: each.dependent,
        lambda each: each.stale,
    ),
    "use_rate_all": Measure(
        "use of all needed values, where both blocks held them",
        lambda each: each.dependent and each.memory_only,
        _used_all,
    ),
    "ignore_rate": Measure(
        "needed values left unused, where both blocks held them",
        lambda each: each.dependent and each.memory_only,
        lambda each: not _used_all(each),
    ),
    "compliance": Measure(
        "planted probes that were honoured",
        lambda each: each.binds,
        lambda each: each.success,
    ),
}
"""Name, as in the tables, to the metric; all lie between 0 and 1."""


def instances(seen: Iterable[Observed], metric: str) -> Instances:
    """Return the scored decisions to which a metric applies, by instance."""
    measure = MEASURES[metric]
    return {
        (each.arc, each.probe, each.seed): (
            None if each.errored else Unit(each.cluster, float(measure.value(each)))
        )
        for each in seen
        if each.skipped is None and measure.applies(each)
    }
