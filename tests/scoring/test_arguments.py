"""Arguments are equal as the tool's schema means them; a wrong type is a fault of its own."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.arguments import TypeFaults, same_arguments, tool_schemas, type_faults
from scoring.checks import evaluate
from scoring.compare import compare
from scoring.decisions import CallRecord, DecisionRecord
from scoring.keys import CalledCheck, NotCalledCheck, Probe
from simulator.effects.environment import Tool
from simulator.effects.registry import ALLOWED_VARIABLE
from simulator.events.errors import InputError

HERE = "tests.scoring.test_arguments:Bank"


@pytest.fixture(scope="module", autouse=True)
def allowed() -> Iterator[None]:
    """Let `HERE` be loaded, as a user would."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ALLOWED_VARIABLE, HERE)
        yield
    tool_schemas.cache_clear()


class Bank:
    """An environment whose tools have every kind of argument."""

    tools = (
        Tool(
            name="pay",
            description="Pay an invoice.",
            read_only=False,
            parameters={
                "type": "object",
                "properties": {
                    "amount": {"type": "number", "format": "money"},
                    "invoice": {"type": "string"},
                    "copies": {"type": "integer"},
                    "express": {"type": "boolean", "default": False},
                    "to": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
                    "steps": {"type": "array", "items": {"type": "string"}},
                    "on": {"type": "string", "format": "date"},
                    "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                },
                "required": ["amount"],
                "additionalProperties": False,
            },
        ),
    )


def one(schema: dict[str, Any], expected: Any, got: Any) -> bool:
    """Compare a single required argument."""
    tool = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    return same_arguments(tool, {"a": expected}, {"a": got})


NUMBER, TEXT = {"type": "number"}, {"type": "string"}
MONEY = {"type": "number", "format": "money"}
PRICE = {"type": "string", "format": "money"}
DATE, MOMENT = {"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}
LIST = {"type": "array", "items": NUMBER}
SET = {**LIST, "uniqueItems": True}
BAG = {**LIST, "x-unordered": True}
PAIR = {"type": "array", "prefixItems": [NUMBER, DATE], "uniqueItems": True}
BOX = {
    "type": "object",
    "properties": {"n": NUMBER, "flag": {"type": "boolean", "default": False}},
    "required": ["n"],
}
OPTIONAL = {"anyOf": [DATE, {"type": "integer"}, {"type": "null"}]}


@pytest.mark.parametrize(
    ("schema", "expected", "got", "same"),
    [
        # Numbers by value.
        (NUMBER, 45, 45.0, True),
        (NUMBER, 45, 45.01, False),
        (NUMBER, 0.3, 0.1 + 0.2, False),
        (NUMBER, 2**63, 2**63 + 1, False),
        (NUMBER, 2**53, float(2**53), True),
        (NUMBER, 0, -0.0, True),
        (NUMBER, 45, "45", False),
        (TEXT, "45", 45, False),
        # Money to the cent.
        (MONEY, 45, 45.004, True),
        (MONEY, 45, 45.01, False),
        (MONEY, 0.3, 0.1 + 0.2, True),
        (MONEY, 45, 44.994, False),
        (MONEY, 1e300, 1e300, True),
        (PRICE, "$45.00", "$45", True),
        (PRICE, "$45.00", "$ 45.0", True),
        (PRICE, "45.00 EUR", "45 EUR", True),
        (PRICE, "$45.00", "€45.00", False),
        (PRICE, "$45.00", "$45.01", False),
        (PRICE, "$45.00", "$-45.00", False),
        (PRICE, "$1,250.00", "$1,250.00", True),
        (PRICE, "$1,250.00", "$1250.00", False),
        (TEXT, "$45.00", "$45", False),
        # Booleans are no numbers.
        ({"type": "boolean"}, True, True, True),
        ({"type": "boolean"}, True, 1, False),
        (NUMBER, 0, False, False),
        ({}, 1.0, True, False),
        # Order counts unless the schema says that it does not.
        (LIST, [1, 2], [1.0, 2], True),
        (LIST, [1, 2], [2, 1], False),
        (SET, [1, 2], [2.0, 1], True),
        (SET, [1, 2], [2, 3], False),
        (BAG, [1, 1, 2], [1, 2, 1], True),
        (BAG, [1, 1, 2], [1, 2, 2], False),
        (BAG, [1, 2], [1, 2, 2], False),
        ({**LIST, "uniqueItems": False}, [1, 2], [2, 1], False),
        (PAIR, [1, "2026-03-05"], [1.0, "2026-03-05"], True),
        (PAIR, [1, 2], [2, 1], False),
        # Dates in the schema's form only.
        (DATE, "2026-03-05", "2026-03-05", True),
        (DATE, "2026-03-05", "20260305", False),
        (DATE, "2026-03-05", "5 March 2026", False),
        (DATE, "5 March 2026", "5 March 2026", False),
        (DATE, "2026-02-30", "2026-02-30", False),
        (TEXT, "5 March 2026", "5 March 2026", True),
        (MOMENT, "2026-03-05T10:00:00Z", "2026-03-05t11:00:00.000+01:00", True),
        (MOMENT, "2026-03-05T10:00:00Z", "2026-03-05T10:00:01Z", False),
        (MOMENT, "2026-03-05T10:00:00Z", "2026-03-05T10:00:00", False),
        (MOMENT, "2026-03-05T25:00:00Z", "2026-03-05T25:00:00Z", False),
        # Texts exactly, after NFC.
        (TEXT, "caf\u00e9", "cafe\u0301", True),
        (TEXT, "Raven Lane", "raven lane", False),
        (TEXT, "Raven Lane", "Raven Lane ", False),
        (TEXT, "0012", "12", False),
        # Objects whole, with defaults.
        (BOX, {"n": 1}, {"n": 1.0, "flag": False}, True),
        (BOX, {"n": 1, "flag": False}, {"n": 1}, True),
        (BOX, {"n": 1}, {"n": 1, "flag": True}, False),
        (BOX, {"n": 1}, {"n": 1, "more": 2}, False),
        # Several forms: both values must be of the same one.
        (OPTIONAL, None, None, True),
        (OPTIONAL, 5, 5.0, True),
        (OPTIONAL, 5, None, False),
        (OPTIONAL, "2026-03-05", "2026-03-05", True),
        (OPTIONAL, "2026-03-05", "2026-03-06", False),
        ({"allOf": [MONEY]}, 45, 45.001, True),
    ],
)
def test_values_are_equal_as_the_schema_means_them(
    schema: dict[str, Any], expected: Any, got: Any, same: bool
) -> None:
    assert one(schema, expected, got) is same
    assert one(schema, got, expected) is same


PAY = Bank.tools[0].parameters


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        ({}, {"amount": 1}, True),
        ({"amount": 1}, {"amount": 1, "copies": 9}, True),
        ({"amount": 1, "copies": 9}, {"amount": 1}, False),
        ({"express": False}, {"amount": 1}, True),
        ({"express": True}, {"amount": 1}, False),
        ({"express": False}, {"amount": 1, "express": False}, True),
        ({"limit": None}, {"amount": 1}, False),  # it has no default
    ],
)
def test_at_least_the_expected_and_a_default_may_be_left_out(
    expected: Any, got: Any, same: bool
) -> None:
    assert same_arguments(PAY, expected, got) is same


def test_a_required_argument_has_no_default() -> None:
    schema = {"type": "object", "properties": {"a": {"default": 1}}, "required": ["a"]}
    assert not same_arguments(schema, {"a": 1}, {})


def test_references_inside_the_schema_are_followed_and_others_refused() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/price"}, "b": {"anyOf": [{"$ref": "#/$defs/price"}]}},
        "$defs": {"price": MONEY},
    }
    assert same_arguments(schema, {"a": 45, "b": 45}, {"a": 45.001, "b": 45.001})
    assert not same_arguments(schema, {"a": 45}, {"a": 45.01})
    outside = {"type": "object", "properties": {"a": {"$ref": "https://example.com/a.json"}}}
    with pytest.raises(InputError, match="outside"):
        same_arguments(outside, {"a": 1}, {"a": 1})


def test_a_reference_to_itself_ends() -> None:
    loop = {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert same_arguments(loop, {"a": 1}, {"a": 1.0})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)  # fmt: skip


@given(JSON, st.sampled_from([{}, {"x-unordered": True}, {"format": "money"}]))
def test_every_value_equals_itself(value: Any, schema: dict[str, Any]) -> None:
    assert one(schema, value, value)


@given(
    st.lists(st.integers(), max_size=5).flatmap(lambda x: st.tuples(st.just(x), st.permutations(x)))
)
def test_a_set_is_its_permutations(lists: tuple[list[int], list[int]]) -> None:
    given_, permuted = lists
    assert one(BAG, given_, permuted)
    assert one(LIST, given_, permuted) is (given_ == permuted)


def record(*calls: CallRecord, environment: str = HERE) -> DecisionRecord:
    return DecisionRecord(
        trial="t", id="e/d", request="Pay.", calls=calls, outcome="answer", environment=environment
    )


def call(arguments: dict[str, Any], ok: bool = True, coerced: tuple[str, ...] = ()) -> CallRecord:
    return CallRecord("pay", arguments, coerced, ok, "", 1)


def test_checks_compare_by_the_schema_of_the_environment() -> None:
    done = record(call({"amount": 45.0, "to": ["b", "a"]}))
    wanted = {"amount": 45, "to": ["a", "b"], "express": False}
    assert evaluate(CalledCheck(tool="pay", arguments=wanted), done) == (
        True,
        'called pay with {"amount":45,"express":false,"to":["a","b"]}',
    )
    assert not evaluate(NotCalledCheck(tool="pay", arguments=wanted), done).passed


@pytest.mark.parametrize(
    ("environment", "tool", "why"),
    [
        ("gone", "pay", "the environment 'gone' is not installed here"),
        ("support", "pay", "the environment 'support' as installed here has no such tool"),
    ],
)
def test_without_a_schema_arguments_are_compared_as_plain_json_and_the_reason_says_so(
    environment: str, tool: str, why: str
) -> None:
    done = record(call({"amount": 45.0}), environment=environment)
    loose, exact = ({"amount": 45}, {"amount": 45.0})
    result = evaluate(CalledCheck(tool=tool, arguments=loose), done)
    assert (result.passed, why in result.reason) == (False, True)
    result = evaluate(CalledCheck(tool=tool, arguments=exact), done)
    assert (result.passed, why in result.reason) == (True, True)
    # Where no argument was compared there is nothing to say.
    assert "plain" not in evaluate(CalledCheck(tool=tool), done).reason


RAN = call({"amount": 45, "copies": 2}, coerced=("copies",))
REFUSED = call({"amount": "many"}, ok=False)
MISSING = call({"copies": 2}, ok=False)


@pytest.mark.parametrize(
    ("calls", "faults"),
    [
        ([], (0, 0, 0)),
        ([call({"amount": 45})], (1, 0, 0)),
        ([RAN], (1, 1, 0)),
        ([REFUSED], (1, 0, 1)),
        ([RAN, REFUSED, RAN], (3, 2, 1)),
        ([MISSING], (1, 0, 0)),  # refused, but for no type
        ([call({"amount": 1, "on": 5, "copies": "x"}, ok=False)], (1, 0, 1)),  # once a call
        ([call({"copies": 2}, ok=False, coerced=("copies",))], (1, 0, 1)),  # did not run
        ([call({"amount": 1, "copies": 2}, ok=False, coerced=("copies",))], (1, 1, 0)),  # ran
        ([call({"amount": 1, "limit": "x"}, ok=False)], (1, 0, 1)),  # of none of its types
        ([call({"amount": 1, "steps": ["a", 5]}, ok=False)], (1, 0, 1)),  # deep inside
        ([CallRecord("fly", {"a": 1}, (), False, "error: unknown tool", 1)], (1, 0, 0)),
    ],
)
def test_prs_h23_type_faults_are_counted_apart(
    calls: list[CallRecord], faults: tuple[int, int, int]
) -> None:
    assert type_faults(HERE, calls) == TypeFaults(*faults)


def test_without_the_environment_nobody_knows_why_a_call_was_refused() -> None:
    assert type_faults("gone", [RAN]) == TypeFaults(1, 1, 0)
    assert type_faults("gone", [RAN, REFUSED]) == TypeFaults(2, 1, None)


def test_a_row_has_the_type_faults_of_its_arm(maker: Callable[..., Any], play: Any) -> None:
    made = maker()
    checks = (CalledCheck(tool="get_order"),)
    probes = [
        Probe(id=f"p{n}", kind="recall", decision="ask/d", dependent=True, checks=checks)
        for n in range(2)
    ]
    made.arc("a1", probes, world={"orders": {}, "customers": {}})
    made.arm("none")
    calls: tuple[Any, ...] = (
        ("get_order", {"order_id": 9041}, False, []),
        ("get_order", {"order_id": "O-9041"}, True, []),
    )
    made.play("a1", "none", 0, play(calls=calls))
    with made.write() as run:
        (row,) = compare([run])["rows"]
    # Two probes look at one decision; its calls count once.
    names = ("calls", "type_faults", "type_faults_coerced", "type_faults_refused")
    assert [row[name] for name in names] == [2, 1, 0, 1]
    # A fault of the model is none of the memory.
    assert (row["n"], row["errors"], row["tsr_dependent"], row["stale_used"]) == (2, 0, 1.0, 0)
