"""How fast an audit is, and whether its time grows with the number of queries.

Run with `python -m benchmarks.audit`. Audits the StateBench files where MEMTRIAL_DATA says where
they are, else made-up questions; prints seconds for growing shares of them.
"""

import os
from pathlib import Path
from time import perf_counter

from probes.audit import Item, audit_items, from_timelines
from probes.importers.statebench import read_timelines

SHARES = (0.25, 0.5, 1.0)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def items() -> list[Item]:
    """Return the questions to audit."""
    folder = os.environ.get("MEMTRIAL_DATA")
    if not folder:
        return made_up(1500)
    parts = ("train", "dev", "test")
    begun = perf_counter()
    timelines = read_timelines(Path(folder) / "statebench" / f"{part}.jsonl" for part in parts)
    print(f"{len(timelines)} timelines read in {perf_counter() - begun:.2f} s")
    return from_timelines(timelines)


def made_up(n: int) -> list[Item]:
    """Return questions of the same size as StateBench's."""
    return [
        Item(
            id=f"q{number}",
            group=f"g{number % 13}",
            cluster=f"c{number % 121}",
            prompt=f"On which day do we meet about project {number} now?",
            required=(DAYS[number % 5], f"room {number}"),
            forbidden=(DAYS[(number + 1) % 5], f"room {number + 1}"),
        )
        for number in range(n)
    ]


def main() -> None:
    """Measure and print."""
    audited = items()
    for share in SHARES:
        some = audited[: int(len(audited) * share)]
        begun = perf_counter()
        audit_items(some)
        spent = perf_counter() - begun
        print(f"{len(some):>6} queries: {spent:5.2f} s ({len(some) / spent:,.0f}/s)")


if __name__ == "__main__":
    main()
