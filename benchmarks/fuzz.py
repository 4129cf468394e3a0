"""Fuzzing: hostile scenario files, suites, model output and tool arguments.

`python -m benchmarks.fuzz [INPUTS [SEED]]`, 100,000 inputs by default. Nothing may end in anything
but a clear refusal or an error event: every other exception is a failure and is printed with the
input that led to it. Inputs are drawn by hypothesis from the seed, so a run can be repeated.
"""

import sys
import traceback
from collections import Counter
from time import perf_counter
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from benchmarks.fuzzing.targets import TARGETS, Target

INPUTS = 100_000
SHOWN = 300
"""Characters of an input that is printed."""


class Tally:
    """What became of the inputs of one target."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.ends: Counter[str] = Counter()
        self.failures: dict[str, Any] = {}
        self.slowest = 0.0

    def take(self, value: Any) -> None:
        """Try one input; remember the first input of each kind of failure."""
        begun = perf_counter()
        try:
            self.ends[self._target.check(value)] += 1
        except Exception as error:  # whatever comes out is what is looked for
            self.ends["FAILED"] += 1
            self.failures.setdefault(_place(error), value)
        self.slowest = max(self.slowest, perf_counter() - begun)


def _place(error: BaseException) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    told = f"{type(error).__name__}: {str(error)[:SHOWN]}"
    return f"{told} at {frame.filename}:{frame.lineno} {frame.name}"


def fuzz(target: Target, inputs: int, number: int) -> Tally:
    """Try so many inputs of a target."""
    tally = Tally(target)
    tenth = max(1, inputs // 10)

    @seed(number)
    @settings(
        max_examples=inputs,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs)
    def one(value: Any) -> None:
        tally.take(value)
        if tally.ends.total() % tenth == 0:
            print(f"{target.name}: {tally.ends.total():,} of {inputs:,}", file=sys.stderr)

    one()
    return tally


def main() -> None:
    """Fuzz every target and print what became of the inputs."""
    wanted = [int(each) for each in sys.argv[1:] if each.isdecimal()]
    inputs, number = (*wanted, INPUTS, 0)[:2] if len(wanted) < 2 else wanted[:2]
    tried = failed = 0
    for make in TARGETS:
        target = make()
        begun = perf_counter()
        tally = fuzz(target, inputs * target.share // 100, number)
        spent = perf_counter() - begun
        tried += tally.ends.total()
        failed += tally.ends["FAILED"]
        ends = ", ".join(f"{n:,} {what}" for what, n in tally.ends.most_common())
        print(f"{target.name}: {tally.ends.total():,} inputs in {spent:.0f} s: {ends}")
        print(f"  slowest {tally.slowest * 1000:.0f} ms", flush=True)
        for place, value in tally.failures.items():
            print(f"  {place}\n    {ascii(value)[:SHOWN]}")
    print(f"{tried:,} inputs, {failed} failures")


if __name__ == "__main__":
    main()
