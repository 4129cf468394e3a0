"""The world of a personal assistant: what may stand in it, and how a faulty one is reported."""

from typing import Annotated, Literal

from pydantic import Field

from environments.records import check_known, read_typed
from simulator.events import Frozen, Json

EVENT_ID = "^EVT-[0-9]{4}$"
CONTACT_ID = "^CON-[0-9]{4}$"
BOOKING_ID = "^BKG-[0-9]{4}$"
START = "^([01][0-9]|2[0-3]):[0-5][0-9]$"
ROOM = "^Room [0-9]{1,2}-[0-9]{3}$"
EMAIL = r"^inbox-[0-9]{5}@mail\.example$"
AMOUNT = r"^\$[0-9]{1,4}\.[0-9]{2}$"
PHONE = "^[0-9]{3}-555-[0-9]{4}$"
CODE = "^CNF-[0-9]{5}$"
ACCESS_CODE = "^DIN-[0-9]{5}$"
BADGE = "^BDG-[0-9]{5}$"

EventId = Annotated[str, Field(pattern=EVENT_ID)]
ContactId = Annotated[str, Field(pattern=CONTACT_ID)]
BookingId = Annotated[str, Field(pattern=BOOKING_ID)]
Start = Annotated[str, Field(pattern=START)]
Room = Annotated[str, Field(pattern=ROOM)]
Email = Annotated[str, Field(pattern=EMAIL)]
Amount = Annotated[str, Field(pattern=AMOUNT)]
Phone = Annotated[str, Field(pattern=PHONE)]
Code = Annotated[str, Field(pattern=CODE)]
AccessCode = Annotated[str, Field(pattern=ACCESS_CODE)]
Badge = Annotated[str, Field(pattern=BADGE)]


class Event(Frozen):
    """An event in the calendar: when it starts (time of day) and how long it lasts."""

    title: str = Field(min_length=1)
    contact: ContactId
    start: Start
    minutes: int = Field(ge=1)
    state: Literal["planned", "cancelled"]


class Contact(Frozen):
    """A person that the assistant works for or with."""

    name: str = Field(min_length=1)
    phone: Phone


class Preferences(Frozen):
    """What a contact likes: seat and meal, and what may be spent at once (USD).

    The limit can never pass the card's.
    """

    seat: str = Field(min_length=1)
    meal: str = Field(min_length=1)
    limit: Amount
    card: Amount


class Booking(Frozen):
    """Something booked for a contact."""

    contact: ContactId
    what: str = Field(min_length=1)
    state: Literal["held", "lapsed"]


class Confirmation(Frozen):
    """What a booking was confirmed with: its code and its price (USD)."""

    code: Code
    amount: Amount


class DialIn(Frozen):
    """How to call in to an event."""

    phone: Phone
    access_code: AccessCode


class Visit(Frozen):
    """A visit that was arranged: where, from when on (time of day), and the visitor's badge."""

    room: Room
    start: Start
    badge: Badge


class Mail(Frozen):
    """A mail that was sent to a contact at a time (ms)."""

    to: ContactId
    text: str
    at: int


class AssistantWorld(Frozen):
    """Everything the assistant keeps. A collection that is left out is empty.

    Attributes:
        calendar: Events by event id.
        contacts: By contact id.
        preferences: By contact id.
        bookings: By booking id.
        confirmations: By booking id.
        dial_ins: By event id.
        visits: By contact id.
        forwards: Where a contact's mail goes, by contact id.
        mail: What was sent, oldest first.
    """

    calendar: dict[EventId, Event] = {}
    contacts: dict[ContactId, Contact] = {}
    preferences: dict[ContactId, Preferences] = {}
    bookings: dict[BookingId, Booking] = {}
    confirmations: dict[BookingId, Confirmation] = {}
    dial_ins: dict[EventId, DialIn] = {}
    visits: dict[ContactId, Visit] = {}
    forwards: dict[ContactId, Email] = {}
    mail: tuple[Mail, ...] = ()


_OWNERS = {
    "preferences": "contacts",
    "confirmations": "bookings",
    "dial_ins": "calendar",
    "visits": "contacts",
    "forwards": "contacts",
}
"""Collection to the one whose ids name its entries."""


def read_world(world: Json) -> AssistantWorld:
    """Return `world` as a typed value.

    Raises:
        InputError: naming the field that is wrong, for a value of the wrong form or an id that
            stands for nothing.
    """
    typed = read_typed(world, AssistantWorld)
    for collection in ("calendar", "bookings"):
        for name, entry in getattr(typed, collection).items():
            check_known(entry.contact, typed.contacts, f"world.{collection}.{name}.contact")
    for collection, owner in _OWNERS.items():
        for name in getattr(typed, collection):
            check_known(name, getattr(typed, owner), f"world.{collection}.{name}")
    for place, mail in enumerate(typed.mail):
        check_known(mail.to, typed.contacts, f"world.mail.{place}.to")
    return typed
