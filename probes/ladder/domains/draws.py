"""Values that several domains draw alike: people, phone numbers, sums of money, times, codes."""

from random import Random

from probes.ladder.domain import Draw

_GIVEN = (
    "Ada Amir Anya Bela Bruno Carla Chidi Dara Dmitri Edda Elif Farah Felix Goran Greta Hana Hugo "
    "Ines Ivo Jonas Jun Karim Kira Leif Lucia Mara Milo Nadia Noor Olga Otto Petra Priya Quinn "
    "Rafael Rosa Samir Selma Tariq Thea Uma Viktor Wanda Yara Yusuf Zelda"
).split()
_FAMILY = (
    "Abbott Almeida Bauer Brandt Castro Chen Dahl Diaz Eklund Farkas Fischer Garcia Haddad Hansen "
    "Ibrahim Jansen Kaya Keller Kowalski Laine Lopez Marino Mensah Moreau Nakamura Novak Okafor "
    "Olsen Petrov Quist Reyes Rossi Sato Silva Tanaka Urban Varga Weber Yilmaz Zhang"
).split()
_DAWN, _MIDNIGHT = 4, 24

AMOUNTS = 90_000
PHONES = 699 * 100
STARTS = (_MIDNIGHT - _DAWN) * 60
CODES = 90_000
"""How many values each of the draws below can give."""


def person(source: Random) -> str:
    """Return somebody's name."""
    return f"{source.choice(_GIVEN)} {source.choice(_FAMILY)}"


def amount(source: Random) -> str:
    """Return a sum of three digits before the point, USD."""
    return f"${source.randrange(100, 1000)}.{source.randrange(100):02d}"


def large_amount(source: Random) -> str:
    """Return a sum of four digits before the point, USD: above every `amount`."""
    return f"${source.randrange(1000, 10000)}.{source.randrange(100):02d}"


def phone(source: Random) -> str:
    """Return a phone number of the kind that is reserved for stories."""
    return f"{source.randrange(201, 900)}-555-01{source.randrange(100):02d}"


def start(source: Random) -> str:
    """Return a time of day, from four in the morning on."""
    return f"{source.randrange(_DAWN, _MIDNIGHT):02d}:{source.randrange(60):02d}"


def code_draw(prefix: str) -> Draw:
    """Return the draw of a code of five digits, such as `RMA-48213`."""
    return lambda source: f"{prefix}-{source.randrange(10_000, 100_000)}"


def id_draw(prefix: str) -> Draw:
    """Return the draw of an id of four digits, such as `O-1042`."""
    return lambda source: f"{prefix}-{source.randrange(1000, 9000)}"
