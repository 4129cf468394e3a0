"""The support desk: what each tool does, and that nothing it says can give a planted value away."""

import copy
from typing import Any

import jsonpatch
import pytest

from environments.contract import check_environment
from environments.conversation import Conversation
from environments.support import Support
from simulator.events import Json
from simulator.events.errors import InputError

NOW = 1_740_992_400_000


def world() -> Json:
    return {
        "customers": {
            "C-0007": {"name": "Ada Brandt", "phone": "212-555-0101"},
            "C-0008": {"name": "Milo Reyes", "phone": "212-555-0102"},
        },
        "orders": {
            "O-1042": {
                "customer": "C-0007",
                "item": "desk lamp",
                "total": "$1200.00",
                "status": "packed",
                "address": "101 Alder Road",
            },
            "O-1043": {
                "customer": "C-0008",
                "item": "kettle",
                "total": "$90.00",
                "status": "delivered",
                "address": "102 Birch Lane",
            },
        },
        "messages": [],
    }


def called(state: Json, tool: str, **arguments: Any) -> tuple[bool, str, Json]:
    outcome = Support().call(state, tool, arguments, NOW)
    return outcome.ok, outcome.text, jsonpatch.apply_patch(state, list(outcome.changes))


def test_the_contract_holds_for_an_empty_and_a_full_world() -> None:
    check_environment(Support)
    check_environment(Support, world())
    check_environment(Conversation)


@pytest.mark.parametrize(
    ("tool", "arguments", "place", "value"),
    [
        (
            "issue_refund",
            {"order_id": "O-1042", "amount": "$137.25"},
            ("refunds", "O-1042"),
            "$137.25",
        ),
        (
            "authorise_return",
            {"order_id": "O-1042", "return_code": "RMA-12345", "amount": "$5.00"},
            ("returns", "O-1042"),
            {"code": "RMA-12345", "amount": "$5.00"},
        ),
        (
            "arrange_pickup",
            {"order_id": "O-1042", "address": "333 Cedar Lane", "phone": "301-555-0133"},
            ("pickups", "O-1042"),
            {"address": "333 Cedar Lane", "phone": "301-555-0133"},
        ),
        (
            "send_replacement",
            {
                "order_id": "O-1042",
                "address": "333 Cedar Lane",
                "phone": "301-555-0133",
                "return_code": "RMA-12345",
            },
            ("replacements", "O-1042"),
            {"address": "333 Cedar Lane", "phone": "301-555-0133", "code": "RMA-12345"},
        ),
        (
            "schedule_callback",
            {"customer_id": "C-0007", "phone": "301-555-0133"},
            ("callbacks", "C-0007"),
            "301-555-0133",
        ),
    ],
)
def test_writes_put_the_value_where_checks_look(
    tool: str, arguments: dict[str, str], place: tuple[str, str], value: Json
) -> None:
    before = world()
    ok, text, after = called(before, tool, **arguments)
    assert ok
    collection, name = place
    assert after[collection] == {name: value}
    assert after["messages"] == [{"to": "C-0007", "text": text, "at": NOW}]
    assert before == world()


def test_redirect_changes_the_address_of_what_is_not_delivered() -> None:
    ok, _, after = called(world(), "redirect_order", order_id="O-1042", address="333 Cedar Lane")
    assert ok and after["orders"]["O-1042"]["address"] == "333 Cedar Lane"
    ok, text, after = called(world(), "redirect_order", order_id="O-1043", address="333 Cedar Lane")
    assert (ok, text) == (False, "error: order O-1043 is delivered already")
    assert after == world()


def test_a_second_refund_and_one_above_the_total_are_refused() -> None:
    _, _, refunded = called(world(), "issue_refund", order_id="O-1042", amount="$10.00")
    again = called(refunded, "issue_refund", order_id="O-1042", amount="$10.00")
    assert again[:2] == (False, "error: order O-1042 already has a refund")
    over = called(world(), "issue_refund", order_id="O-1043", amount="$90.01")
    assert over[:2] == (False, "error: $90.01 is more than the total of order O-1043")
    assert called(world(), "issue_refund", order_id="O-1043", amount="$90.00")[0]


def test_reads_say_what_is_on_file() -> None:
    assert called(world(), "get_order", order_id="O-1042")[1] == (
        "order O-1042 of customer C-0007; item desk lamp; total $1200.00; status packed; "
        "address 101 Alder Road; refund none; return none"
    )
    assert called(world(), "get_customer", customer_id="C-0008")[1] == (
        "customer C-0008 is Milo Reyes; phone 212-555-0102; 0 messages sent"
    )
    assert called(world(), "list_orders", customer_id="C-0007")[1] == (
        "orders of customer C-0007: O-1042 (desk lamp)"
    )


@pytest.mark.parametrize(
    ("path", "value", "field", "says"),
    [
        (("orders", "O-1042", "customer"), "C-0009", "world.orders.O-1042.customer", "C-0009"),
        (("orders", "O-1042", "totl"), "$1.00", "world.orders.O-1042.totl", "'total'"),
        (("refund",), {}, "world.refund", "'refunds'"),
        (("orders", "O-1042", "total"), 12, "world.orders.O-1042.total", "12"),
        (("refunds",), {"O-7777": "$1.00"}, "world.refunds.O-7777", "O-7777"),
        (("callbacks",), {"C-7777": "301-555-0133"}, "world.callbacks.C-7777", "C-7777"),
    ],
)
def test_a_faulty_world_is_refused_with_its_field(
    path: tuple[str, ...], value: Json, field: str, says: str
) -> None:
    faulty = world()
    place = faulty
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with pytest.raises(InputError) as caught:
        Support().check_world(faulty)
    assert caught.value.field == field
    assert says in caught.value.message


def test_a_conversation_has_no_world() -> None:
    with pytest.raises(InputError, match="no world"):
        Conversation().check_world({"orders": {}})
    assert not Conversation().call({}, "get_order", {}, NOW).ok


def test_calls_leave_the_world_alone() -> None:
    state = world()
    kept = copy.deepcopy(state)
    Support().call(state, "issue_refund", {"order_id": "O-1042", "amount": "$1.00"}, NOW)
    assert state == kept
