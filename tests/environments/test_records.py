"""What the worlds of records share: errors that name their place, and patches that apply."""

import jsonpatch
import pytest

from environments.assistant_world import AssistantWorld
from environments.records import append, check_known, put, read_typed, replace, tool, unknown_id
from simulator.events import Json
from simulator.events.errors import InputError

FORMS = {"lamp_id": ("^L-[0-9]$", "L-9"), "colour": ("^[a-z]+$", "red")}


def test_a_tool_has_a_closed_schema_with_one_example_a_parameter() -> None:
    made = tool(FORMS, "paint", "Paint a lamp.", "lamp_id", "colour")
    assert made.parameters == {
        "type": "object",
        "properties": {
            "lamp_id": {"type": "string", "pattern": "^L-[0-9]$", "examples": ["L-9"]},
            "colour": {"type": "string", "pattern": "^[a-z]+$", "examples": ["red"]},
        },
        "required": ["lamp_id", "colour"],
        "additionalProperties": False,
    }
    assert not made.read_only
    assert tool(FORMS, "see", "See.", "lamp_id", read_only=True).read_only


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"lamps": {"L-1": "red"}, "notes": ["painted"]}),
        (
            {"lamps": {"L-2": "blue"}, "notes": ["bought"]},
            {"lamps": {"L-1": "red", "L-2": "blue"}, "notes": ["bought", "painted"]},
        ),
        ({"lamps": {"L-1": "grey"}}, {"lamps": {"L-1": "red"}, "notes": ["painted"]}),
    ],
)
def test_an_entry_makes_the_collection_that_is_missing(before: Json, after: Json) -> None:
    changes = [*put(before, "lamps", "L-1", "red"), *append(before, "notes", "painted")]
    assert jsonpatch.apply_patch(before, changes) == after


def test_a_value_that_is_there_is_replaced() -> None:
    world = {"lamps": {"L-1": {"colour": "red"}}}
    changes = replace("/lamps/L-1/colour", "blue")
    assert jsonpatch.apply_patch(world, changes) == {"lamps": {"L-1": {"colour": "blue"}}}


def test_an_unknown_id_is_an_error_for_the_agent() -> None:
    world = {"lamps": {"L-1": "red"}}
    outcome = unknown_id(world, {"lamp_id": "L-2"}, {"lamp": "lamps"})
    assert outcome is not None
    assert (outcome.ok, outcome.text) == (False, "error: there is no lamp L-2")
    assert unknown_id(world, {"lamp_id": "L-1"}, {"lamp": "lamps"}) is None
    assert unknown_id({}, {"colour": "red"}, {"lamp": "lamps"}) is None


def test_an_id_that_stands_for_nothing_is_named_with_the_nearest() -> None:
    with pytest.raises(InputError) as caught:
        check_known("O-1043", {"O-1042": 1, "Q-7777": 2}, "world.refunds.O-1043")
    assert caught.value.field == "world.refunds.O-1043"
    assert caught.value.message == ("there is no 'O-1043' in this world; did you mean 'O-1042'?")


@pytest.mark.parametrize(
    ("world", "field", "says"),
    [
        ({"contact": {}}, "world.contact", "'contacts'"),
        ({"contacts": {"CON-1": {}}}, "world.contacts.CON-1", "pattern"),
        (
            {"contacts": {"CON-1001": {"name": "Ada", "fone": "1"}}},
            "world.contacts.CON-1001.phone",
            "required",
        ),
        (
            {"contacts": {"CON-1001": {"name": "A", "phone": "201-555-0101", "nam": "B"}}},
            "world.contacts.CON-1001.nam",
            "'name'",
        ),
        (
            {"mail": [{"to": "CON-1001", "text": "hello", "at": 1, "txt": "hello"}]},
            "world.mail.0.txt",
            "'text'",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_field_and_the_nearest_name(
    world: Json, field: str, says: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_typed(world, AssistantWorld)
    assert caught.value.field == field
    assert says in caught.value.message
