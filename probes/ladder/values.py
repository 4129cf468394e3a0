"""Where ids and values come from: pools so large that nobody guesses, and no value twice."""

from collections.abc import Callable
from random import Random

from simulator.events.seeds import stream

_STREETS = (
    "Acorn Alder Amber Anchor Apple Arbor Aspen Baker Barley Beacon Birch Bishop Bramble Bridge "
    "Brook Canal Castle Cedar Chapel Cherry Clover Copper Coral Cotton Cypress Dover Eagle Elder "
    "Falcon Fern Forest Garden Granite Grove Harbor Hazel Heron Holly Ivy Jasmine Juniper Kestrel "
    "Laurel Lilac Linden Magnolia Maple Meadow Mill Myrtle Orchard Otter Palm Pepper Pine Plum "
    "Poplar Quarry Raven River Rowan Saffron Sage Station Stone Sumac Thistle Tulip Valley Walnut "
    "Willow Winter"
).split()
_KINDS = ("Street", "Road", "Lane", "Avenue")
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
_ITEMS = (
    "desk lamp,kettle,office chair,bookshelf,blender,tent,bicycle pump,keyboard,headphones,"
    "rain jacket,coffee grinder,suitcase,camera bag,garden hose,toaster,yoga mat"
).split(",")

POOL_SIZES = {
    "amount": 90_000,
    "return_code": 90_000,
    "address": 900 * len(_STREETS) * len(_KINDS),
    "phone": 699 * 100,
}
"""Kind of gold value to the number of values it is drawn from, each as likely as any other."""


def _amount(source: Random) -> str:
    return f"${source.randrange(100, 1000)}.{source.randrange(100):02d}"


def _total(source: Random) -> str:
    """Return an order's total: four digits, so above every amount that is ever agreed."""
    return f"${source.randrange(1000, 10000)}.{source.randrange(100):02d}"


def _return_code(source: Random) -> str:
    return f"RMA-{source.randrange(10_000, 100_000)}"


def _address(source: Random) -> str:
    return f"{source.randrange(100, 1000)} {source.choice(_STREETS)} {source.choice(_KINDS)}"


def _phone(source: Random) -> str:
    return f"{source.randrange(201, 900)}-555-01{source.randrange(100):02d}"


def _order_id(source: Random) -> str:
    return f"O-{source.randrange(1000, 9000)}"


def _customer_id(source: Random) -> str:
    return f"C-{source.randrange(1000, 9000)}"


def _name(source: Random) -> str:
    return f"{source.choice(_GIVEN)} {source.choice(_FAMILY)}"


class Pool:
    """Draws what one arc needs; nothing is drawn twice, from independent streams by purpose."""

    def __init__(self, arc: str, seed: int) -> None:
        self._names = stream(arc, seed, "names")
        self._values = stream(arc, seed, "values")
        self._used: set[str] = set()

    def value(self, parameter: str) -> str:
        """Return an unused value for a tool's parameter (`amount`, `address`, …)."""
        return self._unused(_MAKERS[parameter], self._values)

    def total(self) -> str:
        """Return an unused order total."""
        return self._unused(_total, self._values)

    def person(self) -> str:
        """Return an unused customer name."""
        return self._unused(_name, self._names)

    def item(self) -> str:
        """Return something to buy; items may repeat."""
        return self._names.choice(_ITEMS)

    def _unused(self, make: Callable[[Random], str], source: Random) -> str:
        value = make(source)
        while value in self._used:
            value = make(source)
        self._used.add(value)
        return value


_MAKERS: dict[str, Callable[[Random], str]] = {
    "amount": _amount,
    "return_code": _return_code,
    "address": _address,
    "phone": _phone,
    "order_id": _order_id,
    "customer_id": _customer_id,
}
