"""The world of the support desk: what may stand in it, and how a faulty one is reported."""

from typing import Annotated

from pydantic import Field

from environments.records import check_known, read_typed
from simulator.events import Frozen, Json

ORDER_ID = "^O-[0-9]{4}$"
CUSTOMER_ID = "^C-[0-9]{4}$"
AMOUNT = r"^\$[0-9]{1,4}\.[0-9]{2}$"
RETURN_CODE = "^RMA-[0-9]{5}$"
ADDRESS = "^[0-9]{3} [A-Z][a-z]+ (Street|Road|Lane|Avenue)$"
PHONE = "^[0-9]{3}-555-[0-9]{4}$"

OrderId = Annotated[str, Field(pattern=ORDER_ID)]
CustomerId = Annotated[str, Field(pattern=CUSTOMER_ID)]
Amount = Annotated[str, Field(pattern=AMOUNT)]
ReturnCode = Annotated[str, Field(pattern=RETURN_CODE)]
Address = Annotated[str, Field(pattern=ADDRESS)]
Phone = Annotated[str, Field(pattern=PHONE)]


class Customer(Frozen):
    """A customer: name and the phone number on file."""

    name: str = Field(min_length=1)
    phone: Phone


class Order(Frozen):
    """An order: whose it is, what was bought for how much (USD), and where it goes."""

    customer: CustomerId
    item: str = Field(min_length=1)
    total: Amount
    status: str = Field(min_length=1)
    address: Address


class Return(Frozen):
    """An authorised return: its code and the amount to pay back (USD)."""

    code: ReturnCode
    amount: Amount


class Replacement(Frozen):
    """A replacement under way: where to, whom the courier calls, and what comes back under."""

    address: Address
    phone: Phone
    code: ReturnCode


class Pickup(Frozen):
    """A pickup under way: where, and whom the courier calls."""

    address: Address
    phone: Phone


class Sent(Frozen):
    """A message that was sent to a customer at a time (ms)."""

    to: CustomerId
    text: str
    at: int


class SupportWorld(Frozen):
    """Everything the support desk knows. A collection that is left out is empty.

    Attributes:
        customers: By customer id.
        orders: By order id.
        refunds: Amount paid back, by order id.
        returns: By order id.
        replacements: By order id.
        pickups: By order id.
        callbacks: Phone number to call back, by customer id.
        messages: Notices sent to customers, oldest first.
    """

    customers: dict[CustomerId, Customer] = {}
    orders: dict[OrderId, Order] = {}
    refunds: dict[OrderId, Amount] = {}
    returns: dict[OrderId, Return] = {}
    replacements: dict[OrderId, Replacement] = {}
    pickups: dict[OrderId, Pickup] = {}
    callbacks: dict[CustomerId, Phone] = {}
    messages: tuple[Sent, ...] = ()


def read_world(world: Json) -> SupportWorld:
    """Return `world` as a typed value.

    Raises:
        InputError: naming the field that is wrong, for a value of the wrong form or an id that
            stands for nothing.
    """
    typed = read_typed(world, SupportWorld)
    for order, entry in typed.orders.items():
        check_known(entry.customer, typed.customers, f"world.orders.{order}.customer")
    for name in ("refunds", "returns", "replacements", "pickups"):
        for order in getattr(typed, name):
            check_known(order, typed.orders, f"world.{name}.{order}")
    for customer in typed.callbacks:
        check_known(customer, typed.customers, f"world.callbacks.{customer}")
    for place, sent in enumerate(typed.messages):
        check_known(sent.to, typed.customers, f"world.messages.{place}.to")
    return typed
