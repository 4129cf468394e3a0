"""The personal assistant's ladder: events, dial-ins, visits, mail, spending, bookings."""

from collections.abc import Sequence
from random import Random

from probes.ladder.domain import Domain, Task, Thread
from probes.ladder.domains import draws
from probes.ladder.values import Pool
from simulator.events import Json

_TITLES = (
    "budget review",
    "hiring panel",
    "project kickoff",
    "quarterly planning",
    "site walk",
    "supplier call",
    "team retrospective",
    "contract reading",
)
_BOOKED = (
    "airport transfer",
    "concert tickets",
    "hotel stay",
    "museum tour",
    "rental car",
    "restaurant table",
    "train ride",
    "tennis court",
)
_SEATS = ("window", "aisle", "front", "back")
_MEALS = ("vegetarian", "vegan", "kosher", "halal", "light")
_LENGTHS = (30, 45, 60, 90)

_TASKS = (
    Task("move_event", "event", {"start": "/calendar/{id}/start"}),
    Task("forward_mail", "contact", {"email": "/forwards/{id}"}),
    Task("limit_spending", "contact", {"amount": "/preferences/{id}/limit"}),
    Task(
        "confirm_booking",
        "booking",
        {"code": "/confirmations/{id}/code", "amount": "/confirmations/{id}/amount"},
    ),
    Task(
        "add_dial_in",
        "event",
        {"phone": "/dial_ins/{id}/phone", "access_code": "/dial_ins/{id}/access_code"},
    ),
    Task(
        "arrange_visit",
        "contact",
        {
            "room": "/visits/{id}/room",
            "start": "/visits/{id}/start",
            "badge": "/visits/{id}/badge",
        },
    ),
)

_FACTS = {
    ("move_event", "start"): "the new start time of event {id}",
    ("forward_mail", "email"): "the forwarding address of contact {id}",
    ("limit_spending", "amount"): "the spending limit of contact {id}",
    ("confirm_booking", "code"): "the confirmation code of booking {id}",
    ("confirm_booking", "amount"): "the agreed price of booking {id}",
    ("add_dial_in", "phone"): "the dial-in number of event {id}",
    ("add_dial_in", "access_code"): "the access code of event {id}",
    ("arrange_visit", "room"): "the room for the visit of contact {id}",
    ("arrange_visit", "start"): "the arrival time of contact {id}",
    ("arrange_visit", "badge"): "the visitor badge of contact {id}",
}

_PROBE_CLAUSES = {
    "move_event": ("move event {id} to its new start", "change when event {id} starts"),
    "forward_mail": ("forward the mail of contact {id}", "send on the mail of contact {id}"),
    "limit_spending": ("limit the spending of contact {id}", "cap what contact {id} spends"),
    "confirm_booking": ("confirm the held booking {id}", "confirm booking {id} that is held"),
    "add_dial_in": ("add the dial-in to event {id}", "add the agreed dial-in to event {id}"),
    "arrange_visit": (
        "arrange the visit of contact {id}",
        "arrange the agreed visit of contact {id}",
    ),
}

_FULL_CLAUSES = {
    "move_event": (
        "move event {id} so that it starts at {start}",
        "change the start of event {id} to {start}",
    ),
    "forward_mail": (
        "forward the mail of contact {id} to {email}",
        "send on the mail of contact {id} to {email}",
    ),
    "limit_spending": (
        "limit the spending of contact {id} to {amount}",
        "cap what contact {id} spends at {amount}",
    ),
    "confirm_booking": (
        "confirm the held booking {id} under {code} for {amount}",
        "confirm booking {id} that is held, code {code}, price {amount}",
    ),
    "add_dial_in": (
        "add the dial-in {phone} with {access_code} to event {id}",
        "add a dial-in to event {id}, number {phone}, access {access_code}",
    ),
    "arrange_visit": (
        "arrange the visit of contact {id} in {room} at {start} with badge {badge}",
        "arrange a visit of contact {id}, badge {badge}, in {room} at {start}",
    ),
}

_CHATTER = {
    "user": (
        "Hello, I have a few minutes between things.",
        "My phone was on silent all morning.",
        "The taxi is stuck in traffic.",
        "I slept badly on the night train.",
        "Lunch was better than expected.",
        "The children are off school this week.",
        "I left my umbrella somewhere.",
        "The lobby smells of fresh paint.",
        "Everybody seems to be travelling.",
        "I am typing with one hand.",
        "That talk ran long.",
        "The battery is nearly empty.",
        "It is hard to hear you in here.",
        "I will go for a run later.",
        "The garden needs water again.",
        "Somebody sent flowers.",
    ),
    "assistant": (
        "Hello again.",
        "I am listening.",
        "That is good to hear.",
        "Take all the minutes you need.",
        "Very well.",
        "With pleasure.",
        "I hope it goes well.",
        "That sounds pleasant.",
        "Right away.",
        "Naturally.",
        "I see.",
        "Enjoy the day.",
    ),
    "system": (
        "Synchronisation finished.",
        "Do not disturb is off.",
        "The address book was backed up.",
        "Travel warnings: none.",
        "Notifications are on.",
        "The inbox is below its limit.",
        "A holiday is coming up.",
        "The daily overview was delivered.",
    ),
}

_FLOORS, _DOORS, _INBOXES = 40, 900, 90_000
_POOL_SIZES = {
    "start": draws.STARTS,
    "email": _INBOXES,
    "amount": draws.AMOUNTS,
    "code": draws.CODES,
    "phone": draws.PHONES,
    "access_code": draws.CODES,
    "room": _FLOORS * _DOORS,
    "badge": draws.CODES,
}


def _email(source: Random) -> str:
    return f"inbox-{10_000 + source.randrange(_INBOXES)}@mail.example"


def _room(source: Random) -> str:
    return f"Room {source.randrange(_FLOORS) + 1}-{100 + source.randrange(_DOORS)}"


_DRAWS = {
    "start": draws.start,
    "email": _email,
    "amount": draws.amount,
    "code": draws.code_draw("CNF"),
    "phone": draws.phone,
    "access_code": draws.code_draw("DIN"),
    "room": _room,
    "badge": draws.code_draw("BDG"),
    "event_id": draws.id_draw("EVT"),
    "contact_id": draws.id_draw("CON"),
    "booking_id": draws.id_draw("BKG"),
    "person": draws.person,
    "card": draws.large_amount,  # so above every limit that is ever agreed
}


def _world(threads: Sequence[Thread], pool: Pool, source: Random) -> Json:
    """Return a contact for each thread, with an event and a booking of their own."""
    world: dict[str, dict[str, Json]] = {
        name: {} for name in ("calendar", "contacts", "preferences", "bookings")
    }
    for thread in threads:
        ids = {each: pool.name(f"{each}_id") for each in ("event", "contact", "booking")}
        ids[thread.task.subject] = thread.subject
        contact = ids["contact"]
        world["contacts"][contact] = {"name": pool.name("person"), "phone": pool.other("phone")}
        world["preferences"][contact] = {
            "seat": source.choice(_SEATS),
            "meal": source.choice(_MEALS),
            "limit": pool.other("amount"),
            "card": pool.other("card"),
        }
        world["calendar"][ids["event"]] = {
            "title": source.choice(_TITLES),
            "contact": contact,
            "start": pool.other("start"),
            "minutes": source.choice(_LENGTHS),
            "state": "planned",
        }
        booked = {"what": source.choice(_BOOKED), "state": "held"}
        world["bookings"][ids["booking"]] = {"contact": contact} | booked
    return world


ASSISTANT = Domain(
    environment="assistant",
    tasks=_TASKS,
    facts=_FACTS,
    probe_clauses=_PROBE_CLAUSES,
    full_clauses=_FULL_CLAUSES,
    chatter=_CHATTER,
    draws=_DRAWS,
    pool_sizes=_POOL_SIZES,
    world=_world,
)
