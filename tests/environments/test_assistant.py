"""The personal assistant: what each tool does, refuses and says."""

from typing import Any

import jsonpatch
import pytest

from environments.assistant import Assistant
from environments.contract import check_environment
from simulator.events import Json
from simulator.events.errors import InputError

NOW = 1_740_992_400_000


def world() -> Json:
    return {
        "contacts": {
            "CON-1042": {"name": "Ada Brandt", "phone": "212-555-0101"},
            "CON-1043": {"name": "Milo Reyes", "phone": "212-555-0102"},
        },
        "preferences": {
            "CON-1042": {
                "seat": "window",
                "meal": "vegan",
                "limit": "$250.00",
                "card": "$1200.00",
            },
        },
        "calendar": {
            "EVT-2001": {
                "title": "budget review",
                "contact": "CON-1042",
                "start": "09:30",
                "minutes": 45,
                "state": "planned",
            },
            "EVT-2002": {
                "title": "site walk",
                "contact": "CON-1043",
                "start": "11:15",
                "minutes": 60,
                "state": "cancelled",
            },
        },
        "bookings": {
            "BKG-3001": {"contact": "CON-1042", "what": "hotel stay", "state": "held"},
            "BKG-3002": {"contact": "CON-1042", "what": "rental car", "state": "lapsed"},
        },
    }


def called(state: Json, tool: str, **arguments: Any) -> tuple[bool, str, Json]:
    outcome = Assistant().call(state, tool, arguments, NOW)
    return outcome.ok, outcome.text, jsonpatch.apply_patch(state, list(outcome.changes))


def test_the_contract_holds_for_an_empty_and_a_full_world() -> None:
    check_environment(Assistant)
    check_environment(Assistant, world())


VISIT = {"room": "Room 4-071", "start": "14:35", "badge": "BDG-40712"}
DIAL_IN = {"phone": "301-555-0133", "access_code": "DIN-40712"}
CONFIRMED = {"code": "CNF-55821", "amount": "$412.50"}
INBOX = "inbox-48213@mail.example"


@pytest.mark.parametrize(
    ("tool", "arguments", "place", "value"),
    [
        (
            "move_event",
            {"event_id": "EVT-2001", "start": "14:35"},
            "calendar/EVT-2001/start",
            "14:35",
        ),
        ("forward_mail", {"contact_id": "CON-1042", "email": INBOX}, "forwards/CON-1042", INBOX),
        (
            "limit_spending",
            {"contact_id": "CON-1042", "amount": "$412.50"},
            "preferences/CON-1042/limit",
            "$412.50",
        ),
        (
            "confirm_booking",
            {"booking_id": "BKG-3001", **CONFIRMED},
            "confirmations/BKG-3001",
            CONFIRMED,
        ),
        ("add_dial_in", {"event_id": "EVT-2001", **DIAL_IN}, "dial_ins/EVT-2001", DIAL_IN),
        ("arrange_visit", {"contact_id": "CON-1042", **VISIT}, "visits/CON-1042", VISIT),
    ],
)
def test_writes_put_the_value_where_checks_look_and_mail_it(
    tool: str, arguments: dict[str, str], place: str, value: Json
) -> None:
    before = world()
    ok, text, after = called(before, tool, **arguments)
    assert ok, text
    found = after
    for name in place.split("/"):
        found = found[name]
    assert found == value
    assert after["mail"] == [{"to": "CON-1042", "text": text, "at": NOW}]
    assert all(each in text for each in arguments.values())
    assert before == world()


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        (
            "move_event",
            {"event_id": "EVT-2002", "start": "14:35"},
            "error: event EVT-2002 is cancelled",
        ),
        (
            "add_dial_in",
            {"event_id": "EVT-2002", **DIAL_IN},
            "error: event EVT-2002 is cancelled",
        ),
        (
            "limit_spending",
            {"contact_id": "CON-1042", "amount": "$1200.01"},
            "error: $1200.01 is more than the card of contact CON-1042 allows",
        ),
        (
            "limit_spending",
            {"contact_id": "CON-1043", "amount": "$12.00"},
            "error: contact CON-1043 has no preferences on file",
        ),
        (
            "confirm_booking",
            {"booking_id": "BKG-3002", **CONFIRMED},
            "error: booking BKG-3002 is lapsed already",
        ),
        (
            "arrange_visit",
            {"contact_id": "CON-9999", **VISIT},
            "error: there is no contact CON-9999",
        ),
    ],
)
def test_what_the_rules_forbid_is_an_error_and_changes_nothing(
    tool: str, arguments: dict[str, str], says: str
) -> None:
    assert called(world(), tool, **arguments) == (False, says, world())


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        (
            "forward_mail",
            {"contact_id": "CON-1042", "email": INBOX},
            "error: contact CON-1042 already has a forwarding",
        ),
        (
            "confirm_booking",
            {"booking_id": "BKG-3001", **CONFIRMED},
            "error: booking BKG-3001 is confirmed already",
        ),
        (
            "add_dial_in",
            {"event_id": "EVT-2001", **DIAL_IN},
            "error: event EVT-2001 already has a dial-in",
        ),
        (
            "arrange_visit",
            {"contact_id": "CON-1042", **VISIT},
            "error: contact CON-1042 already has a visit",
        ),
    ],
)
def test_what_is_done_is_not_done_again(tool: str, arguments: dict[str, str], says: str) -> None:
    _, _, after = called(world(), tool, **arguments)
    assert called(after, tool, **arguments) == (False, says, after)


def test_reads_say_what_is_on_file() -> None:
    assert called(world(), "get_event", event_id="EVT-2001")[1] == (
        "event EVT-2001 with contact CON-1042: budget review; starts 09:30 for 45 minutes; "
        "planned; dial-in none"
    )
    assert called(world(), "get_contact", contact_id="CON-1042")[1] == (
        "contact CON-1042 is Ada Brandt; phone 212-555-0101; prefers a seat at the window and a "
        "vegan meal; spends up to $250.00 at once; visit none; forwarding none; 0 mails sent"
    )
    assert called(world(), "get_contact", contact_id="CON-1043")[1] == (
        "contact CON-1043 is Milo Reyes; phone 212-555-0102; visit none; forwarding none; "
        "0 mails sent"
    )
    assert called(world(), "list_bookings", contact_id="CON-1042")[1] == (
        "bookings of contact CON-1042: BKG-3001 (hotel stay, held), BKG-3002 (rental car, lapsed)"
    )
    assert called(world(), "list_bookings", contact_id="CON-1043")[1] == (
        "bookings of contact CON-1043: none"
    )


def test_reads_tell_that_something_was_done_but_not_with_what() -> None:
    state = world()
    for tool, arguments in (
        ("arrange_visit", {"contact_id": "CON-1042", **VISIT}),
        ("forward_mail", {"contact_id": "CON-1042", "email": INBOX}),
        ("add_dial_in", {"event_id": "EVT-2001", **DIAL_IN}),
        ("confirm_booking", {"booking_id": "BKG-3001", **CONFIRMED}),
    ):
        _, _, state = called(state, tool, **arguments)
    contact = called(state, "get_contact", contact_id="CON-1042")[1]
    assert contact.endswith("visit set up; forwarding set up; 4 mails sent")
    event = called(state, "get_event", event_id="EVT-2001")[1]
    assert event.endswith("planned; dial-in set up")
    bookings = called(state, "list_bookings", contact_id="CON-1042")[1]
    assert "BKG-3001 (hotel stay, confirmed)" in bookings
    said = f"{contact} {event} {bookings}"
    planted = [*VISIT.values(), *DIAL_IN.values(), *CONFIRMED.values(), INBOX]
    assert not any(value in said for value in planted)


@pytest.mark.parametrize(
    ("path", "value", "field", "says"),
    [
        ("calendar/EVT-2001/contact", "CON-1049", "world.calendar.EVT-2001.contact", "CON-1049"),
        ("bookings/BKG-3001/contact", "CON-1049", "world.bookings.BKG-3001.contact", "CON-1049"),
        ("calendar/EVT-2001/start", "25:00", "world.calendar.EVT-2001.start", "25:00"),
        ("calendar/EVT-2001/minutes", 0, "world.calendar.EVT-2001.minutes", "0"),
        ("calender", {}, "world.calender", "'calendar'"),
        ("visits", {"CON-7777": VISIT}, "world.visits.CON-7777", "CON-7777"),
        ("dial_ins", {"EVT-7777": DIAL_IN}, "world.dial_ins.EVT-7777", "EVT-7777"),
        ("confirmations", {"BKG-7777": CONFIRMED}, "world.confirmations.BKG-7777", "BKG-7777"),
        ("mail", [{"to": "CON-7777", "text": "x", "at": 1}], "world.mail.0.to", "CON-7777"),
    ],
)
def test_a_faulty_world_is_refused_with_its_field(
    path: str, value: Json, field: str, says: str
) -> None:
    faulty = world()
    *places, last = path.split("/")
    place = faulty
    for name in places:
        place = place[name]
    place[last] = value
    with pytest.raises(InputError) as caught:
        Assistant().check_world(faulty)
    assert caught.value.field == field
    assert says in caught.value.message
