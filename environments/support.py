"""The support desk: customers, orders, refunds, returns, pickups, replacements, callbacks, messages.

Nothing that a read-only tool, an error or a schema says depends on what a scenario plants: a
refund is limited by the order's total, which the planted amounts are drawn without regard to.
"""

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any, ClassVar

from environments.records import (
    Forms,
    append,
    done,
    has,
    put,
    refused,
    replace,
    told,
    tool,
    unknown_id,
)
from environments.support_world import (
    ADDRESS,
    AMOUNT,
    CUSTOMER_ID,
    ORDER_ID,
    PHONE,
    RETURN_CODE,
    read_world,
)
from simulator.effects.environment import Tool, ToolOutcome
from simulator.events import Json

_FORMS: Forms = {
    "order_id": (ORDER_ID, "O-9041"),
    "customer_id": (CUSTOMER_ID, "C-9007"),
    "amount": (AMOUNT, "$87.40"),
    "return_code": (RETURN_CODE, "RMA-09041"),
    "address": (ADDRESS, "907 Test Road"),
    "phone": (PHONE, "900-555-0907"),
}
_tool = partial(tool, _FORMS)


class Support:
    """A support desk with three tools to look things up and six that change the world."""

    tools: ClassVar[tuple[Tool, ...]] = (
        _tool("get_order", "Look up an order.", "order_id", read_only=True),
        _tool("get_customer", "Look up a customer.", "customer_id", read_only=True),
        _tool("list_orders", "List what a customer bought.", "customer_id", read_only=True),
        _tool("issue_refund", "Pay a refund for an order.", "order_id", "amount"),
        _tool(
            "authorise_return",
            "Authorise the return of an order.",
            "order_id",
            "return_code",
            "amount",
        ),
        _tool("arrange_pickup", "Arrange the pickup of an order.", "order_id", "address", "phone"),
        _tool("redirect_order", "Change where an order is delivered.", "order_id", "address"),
        _tool(
            "send_replacement",
            "Ship a replacement of an order.",
            "order_id",
            "address",
            "phone",
            "return_code",
        ),
        _tool("schedule_callback", "Book a callback for a customer.", "customer_id", "phone"),
    )
    instructions: ClassVar[str] = (
        "You work at a support desk. Use one action a turn: a tool call, answer, ask or refuse.\n"
        'When the request is carried out, say answer("…") with what you did.\n'
        'When something you need is neither shown nor to be looked up, say ask("…").'
    )
    examples: ClassVar[tuple[str, ...]] = (
        "Memory: [2024-11-04] user: The refund agreed for order O-9312 is $64.15.\n"
        "Request: Please issue the refund for order O-9312.\n"
        'Action: issue_refund(order_id="O-9312", amount="$64.15")\n'
        "Result: $64.15 was refunded for order O-9312.\n"
        'Action: answer("The refund was issued.")',
        "Request: Book the callback for customer C-9120 at 901-555-0912.\n"
        'Action: schedule_callback(customer_id="C-9120", phone="901-555-0912")\n'
        "Result: customer C-9120 will be called back at 901-555-0912\n"
        'Action: answer("The callback is booked.")',
    )

    def check_world(self, world: Json) -> None:
        """Check an initial world; a collection that is left out is empty.

        Raises:
            InputError: naming the field that is wrong.
        """
        read_world(world)

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        """Return what a call would do; an unknown id or a broken rule is an error for the agent.

        Raises:
            KeyError: when there is no such tool; the engine never asks for one.
        """
        fault = unknown_id(world, arguments, {"order": "orders", "customer": "customers"})
        return fault or _RULES[tool](world, arguments, now)


def _get_order(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["order_id"]
    order = world["orders"][name]
    parts = [
        f"order {name} of customer {order['customer']}",
        f"item {order['item']}",
        f"total {order['total']}",
        f"status {order['status']}",
        f"address {order['address']}",
    ]
    for title, collection in (("refund", "refunds"), ("return", "returns")):
        parts.append(f"{title} {'done' if has(world, collection, name) else 'none'}")
    return told("; ".join(parts))


def _get_customer(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["customer_id"]
    customer = world["customers"][name]
    sent = sum(message["to"] == name for message in world.get("messages", []))
    phone = customer["phone"]
    return told(f"customer {name} is {customer['name']}; phone {phone}; {sent} messages sent")


def _list_orders(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["customer_id"]
    owned = sorted(
        f"{order} ({entry['item']})"
        for order, entry in world.get("orders", {}).items()
        if entry["customer"] == name
    )
    return told(f"orders of customer {name}: {', '.join(owned) or 'none'}")


def _issue_refund(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    order, amount = arguments["order_id"], arguments["amount"]
    fault = _over_total(world, order, amount) or _done_before(world, "refunds", "refund", order)
    text = f"{amount} was refunded for order {order}"
    return fault or _entered(world, text, now, ("refunds", order, amount))


def _authorise_return(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    order, code, amount = (arguments[name] for name in ("order_id", "return_code", "amount"))
    fault = _over_total(world, order, amount) or _done_before(world, "returns", "return", order)
    text = f"the return of order {order} was authorised under {code} with {amount} to pay back"
    return fault or _entered(world, text, now, ("returns", order, {"code": code, "amount": amount}))


def _arrange_pickup(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    order, address, phone = (arguments[name] for name in ("order_id", "address", "phone"))
    fault = _done_before(world, "pickups", "pickup", order)
    text = f"order {order} is picked up at {address}, the courier calls {phone}"
    entry = {"address": address, "phone": phone}
    return fault or _entered(world, text, now, ("pickups", order, entry))


def _redirect_order(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    order, address = arguments["order_id"], arguments["address"]
    if world["orders"][order]["status"] == "delivered":
        return refused(f"order {order} is delivered already")
    text = f"order {order} now goes to {address}"
    moved = replace(f"/orders/{order}/address", address)
    return done(text, moved, _notice(world, order, text, now))


def _send_replacement(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    order, address, phone = (arguments[name] for name in ("order_id", "address", "phone"))
    code = arguments["return_code"]
    fault = _done_before(world, "replacements", "replacement", order)
    text = (
        f"a replacement of order {order} goes to {address}, the courier calls {phone} "
        f"and takes the old one back under {code}"
    )
    entry = {"address": address, "phone": phone, "code": code}
    return fault or _entered(world, text, now, ("replacements", order, entry))


def _schedule_callback(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    customer, phone = arguments["customer_id"], arguments["phone"]
    text = f"customer {customer} will be called back at {phone}"
    return _entered(world, text, now, ("callbacks", customer, phone))


def _over_total(world: Json, order: str, amount: str) -> ToolOutcome | None:
    if _usd(amount) <= _usd(world["orders"][order]["total"]):
        return None
    return refused(f"{amount} is more than the total of order {order}")


def _usd(amount: str) -> Decimal:
    return Decimal(amount.removeprefix("$"))


def _done_before(world: Json, collection: str, title: str, order: str) -> ToolOutcome | None:
    if not has(world, collection, order):
        return None
    return refused(f"order {order} already has a {title}")


def _entered(world: Json, text: str, now: int, entry: tuple[str, str, Json]) -> ToolOutcome:
    """Return that an entry (collection, name, value) was added and the customer told."""
    return done(text, put(world, *entry), _notice(world, entry[1], text, now))


def _notice(world: Json, name: str, text: str, now: int) -> list[Json]:
    """Return the change that sends the customer concerned a notice of what was done."""
    customer = name if name in world["customers"] else world["orders"][name]["customer"]
    return append(world, "messages", {"to": customer, "text": text, "at": now})


_RULES: dict[str, Callable[[Json, dict[str, Any], int], ToolOutcome]] = {
    "get_order": _get_order,
    "get_customer": _get_customer,
    "list_orders": _list_orders,
    "issue_refund": _issue_refund,
    "authorise_return": _authorise_return,
    "arrange_pickup": _arrange_pickup,
    "redirect_order": _redirect_order,
    "send_replacement": _send_replacement,
    "schedule_callback": _schedule_callback,
}
