"""Values of the same form as a given one.

Where the ladder knows how a parameter's values are drawn, another one is drawn; else the digits are
drawn anew and everything else stays.
"""

import re
from random import Random

from probes.ladder.domains import DOMAINS

_DIGITS = re.compile(r"\d+")
_TRIES = 1_000


def like(value: str, environment: str, parameter: str, taken: str, source: Random) -> str | None:
    """Return another value of a parameter that is not in `taken`, or None where there is none."""
    domain = DOMAINS.get(environment)
    draw = domain.draws.get(parameter) if domain else None
    if draw is None:
        return _scrambled(value, taken, source)
    made = (draw(source) for _ in range(_TRIES))
    return next((each for each in made if each not in taken), None)


def _scrambled(value: str, taken: str, source: Random) -> str | None:
    """Return a value of the form of `value` that is not in `taken`, or None where there is none.

    A run of digits keeps its length, and its first digit stays 0 or other than 0.
    """
    for _ in range(_TRIES if _DIGITS.search(value) else 0):
        made = _DIGITS.sub(lambda found: _digits(found[0], source), value)
        if made != value and made not in taken:
            return made
    return None


def _digits(old: str, source: Random) -> str:
    first = "0" if old[0] == "0" else source.choice("123456789")
    return first + "".join(source.choice("0123456789") for _ in old[1:])
