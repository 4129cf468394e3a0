"""How the families draw their values.

Withdrawn figures are so long that no sum, product or share of the other figures of a task comes
out at them by chance; where one does, another one is drawn.
"""

from random import Random

from probes.ladder.domain import Draw


def sum_to_the_cent(source: Random) -> str:
    """Return a sum of six digits before the point, such as `$412,836.57`."""
    return f"${source.randrange(100_000, 1_000_000):,}.{source.randrange(100):02d}"


def number_of_records(source: Random) -> str:
    """Return a number of seven digits, such as `4,128,365`."""
    return f"{source.randrange(1_000_000, 10_000_000):,}"


def hundreds(source: Random) -> str:
    """Return a round sum, such as `$248,300`."""
    return f"${source.randrange(1_000, 10_000) * 100:,}"


def small_sum(source: Random) -> str:
    """Return a sum with cents, such as `$61.25`."""
    return f"${source.randrange(20, 100)}.{source.randrange(1, 100):02d}"


def share(source: Random) -> str:
    """Return a share with one decimal, such as `12.4 percent`."""
    return f"{source.randrange(11, 90)}.{source.randrange(1, 10)} percent"


def points(source: Random) -> str:
    """Return a score with one decimal, such as `71.4 points`."""
    return f"{source.randrange(11, 90)}.{source.randrange(1, 10)} points"


def count_of(what: str) -> Draw:
    """Return the draw of a count of three digits, such as `318 tickets`."""
    return lambda source: f"{source.randrange(101, 1000)} {what}"
