"""The personal assistant: calendar, contacts, mail, preferences, bookings.

Nothing that a read-only tool, an error or a schema says depends on what a scenario plants: a
spending limit is held against the card's, which the planted limits are drawn without regard to,
and neither a room nor a code has to be on file to be named.
"""

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any, ClassVar

from environments.assistant_world import (
    ACCESS_CODE,
    AMOUNT,
    BADGE,
    BOOKING_ID,
    CODE,
    CONTACT_ID,
    EMAIL,
    EVENT_ID,
    PHONE,
    ROOM,
    START,
    read_world,
)
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
from simulator.effects.environment import Tool, ToolOutcome
from simulator.events import Json

_FORMS: Forms = {
    "event_id": (EVENT_ID, "EVT-9041"),
    "contact_id": (CONTACT_ID, "CON-9041"),
    "booking_id": (BOOKING_ID, "BKG-9041"),
    "start": (START, "03:41"),
    "room": (ROOM, "Room 90-041"),
    "email": (EMAIL, "inbox-09041@mail.example"),
    "amount": (AMOUNT, "$87.40"),
    "phone": (PHONE, "900-555-0907"),
    "code": (CODE, "CNF-09041"),
    "access_code": (ACCESS_CODE, "DIN-09041"),
    "badge": (BADGE, "BDG-09041"),
}
_tool = partial(tool, _FORMS)


class Assistant:
    """A personal assistant with three tools to look things up and six that change the world."""

    tools: ClassVar[tuple[Tool, ...]] = (
        _tool("get_event", "Look up an event.", "event_id", read_only=True),
        _tool("get_contact", "Look up a contact.", "contact_id", read_only=True),
        _tool("list_bookings", "List the bookings of a contact.", "contact_id", read_only=True),
        _tool("move_event", "Change when an event starts.", "event_id", "start"),
        _tool("forward_mail", "Send on the mail of a contact.", "contact_id", "email"),
        _tool("limit_spending", "Cap what a contact spends.", "contact_id", "amount"),
        _tool("confirm_booking", "Confirm a held booking.", "booking_id", "code", "amount"),
        _tool("add_dial_in", "Add a dial-in to an event.", "event_id", "phone", "access_code"),
        _tool(
            "arrange_visit", "Arrange a contact's visit.", "contact_id", "room", "start", "badge"
        ),
    )
    instructions: ClassVar[str] = (
        "You are a personal assistant. Use one action a turn: a tool call, answer, ask or refuse.\n"
        'When the request is carried out, say answer("…") with what you did.\n'
        'When something you need is neither shown nor to be looked up, say ask("…").'
    )
    examples: ClassVar[tuple[str, ...]] = (
        "Memory: [2024-11-04] user: The forwarding address of contact CON-9312 is "
        "inbox-06415@mail.example.\n"
        "Request: Please forward the mail of contact CON-9312.\n"
        'Action: forward_mail(contact_id="CON-9312", email="inbox-06415@mail.example")\n'
        "Result: the mail of contact CON-9312 now goes to inbox-06415@mail.example\n"
        'Action: answer("The mail is forwarded.")',
        "Request: Move event EVT-9120 to 02:50.\n"
        'Action: move_event(event_id="EVT-9120", start="02:50")\n'
        "Result: event EVT-9120 now starts at 02:50\n"
        'Action: answer("The event was moved.")',
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
        fault = unknown_id(world, arguments, _COLLECTIONS)
        return fault or _RULES[tool](world, arguments, now)


_COLLECTIONS = {"event": "calendar", "contact": "contacts", "booking": "bookings"}


def _get_event(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["event_id"]
    event = world["calendar"][name]
    parts = [
        f"event {name} with contact {event['contact']}: {event['title']}",
        f"starts {event['start']} for {event['minutes']} minutes",
        event["state"],
        f"dial-in {'set up' if has(world, 'dial_ins', name) else 'none'}",
    ]
    return told("; ".join(parts))


def _get_contact(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["contact_id"]
    contact = world["contacts"][name]
    likes = world.get("preferences", {}).get(name)
    sent = sum(mail["to"] == name for mail in world.get("mail", []))
    parts = [f"contact {name} is {contact['name']}", f"phone {contact['phone']}"]
    if likes:
        parts.append(f"prefers a seat at the {likes['seat']} and a {likes['meal']} meal")
        parts.append(f"spends up to {likes['limit']} at once")
    for title, collection in (("visit", "visits"), ("forwarding", "forwards")):
        parts.append(f"{title} {'set up' if has(world, collection, name) else 'none'}")
    return told("; ".join([*parts, f"{sent} mails sent"]))


def _list_bookings(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name = arguments["contact_id"]
    bookings = sorted(
        f"{booking} ({entry['what']}, {_state(world, booking)})"
        for booking, entry in world.get("bookings", {}).items()
        if entry["contact"] == name
    )
    return told(f"bookings of contact {name}: {', '.join(bookings) or 'none'}")


def _move_event(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, start = arguments["event_id"], arguments["start"]
    text = f"event {name} now starts at {start}"
    changes = replace(f"/calendar/{name}/start", start)
    return _cancelled(world, name) or done(text, changes, _mailed(world, name, text, now))


def _forward_mail(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, email = arguments["contact_id"], arguments["email"]
    fault = _set_up(world, "forwards", "forwarding", f"contact {name}")
    text = f"the mail of contact {name} now goes to {email}"
    return fault or done(text, put(world, "forwards", name, email), _mailed(world, name, text, now))


def _limit_spending(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, amount = arguments["contact_id"], arguments["amount"]
    if not has(world, "preferences", name):
        return refused(f"contact {name} has no preferences on file")
    if _usd(amount) > _usd(world["preferences"][name]["card"]):
        return refused(f"{amount} is more than the card of contact {name} allows")
    text = f"contact {name} now spends up to {amount} at once"
    changes = replace(f"/preferences/{name}/limit", amount)
    return done(text, changes, _mailed(world, name, text, now))


def _confirm_booking(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, code, amount = (arguments[each] for each in ("booking_id", "code", "amount"))
    if _state(world, name) != "held":
        return refused(f"booking {name} is {_state(world, name)} already")
    text = f"booking {name} was confirmed under {code} for {amount}"
    changes = put(world, "confirmations", name, {"code": code, "amount": amount})
    return done(text, changes, _mailed(world, name, text, now))


def _add_dial_in(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, phone, code = (arguments[each] for each in ("event_id", "phone", "access_code"))
    fault = _cancelled(world, name) or _set_up(world, "dial_ins", "dial-in", f"event {name}")
    text = f"event {name} can be joined at {phone} with {code}"
    changes = put(world, "dial_ins", name, {"phone": phone, "access_code": code})
    return fault or done(text, changes, _mailed(world, name, text, now))


def _arrange_visit(world: Json, arguments: dict[str, Any], now: int) -> ToolOutcome:
    name, room, start = (arguments[each] for each in ("contact_id", "room", "start"))
    badge = arguments["badge"]
    fault = _set_up(world, "visits", "visit", f"contact {name}")
    text = f"contact {name} is expected in {room} at {start} with badge {badge}"
    changes = put(world, "visits", name, {"room": room, "start": start, "badge": badge})
    return fault or done(text, changes, _mailed(world, name, text, now))


def _cancelled(world: Json, event: str) -> ToolOutcome | None:
    if world["calendar"][event]["state"] != "cancelled":
        return None
    return refused(f"event {event} is cancelled")


def _set_up(world: Json, collection: str, title: str, of: str) -> ToolOutcome | None:
    if not has(world, collection, of.rpartition(" ")[2]):
        return None
    return refused(f"{of} already has a {title}")


def _state(world: Json, booking: str) -> str:
    confirmed = has(world, "confirmations", booking)
    return "confirmed" if confirmed else str(world["bookings"][booking]["state"])


def _usd(amount: str) -> Decimal:
    return Decimal(amount.removeprefix("$"))


def _mailed(world: Json, name: str, text: str, now: int) -> list[Json]:
    """Return the change that mails what was done to the contact concerned."""
    entry = world.get("calendar", {}).get(name) or world.get("bookings", {}).get(name)
    to = entry["contact"] if entry else name
    return append(world, "mail", {"to": to, "text": text, "at": now})


_RULES: dict[str, Callable[[Json, dict[str, Any], int], ToolOutcome]] = {
    "get_event": _get_event,
    "get_contact": _get_contact,
    "list_bookings": _list_bookings,
    "move_event": _move_event,
    "forward_mail": _forward_mail,
    "limit_spending": _limit_spending,
    "confirm_booking": _confirm_booking,
    "add_dial_in": _add_dial_in,
    "arrange_visit": _arrange_visit,
}
