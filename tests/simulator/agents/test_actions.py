"""The written form of actions, and every way in which a text can fail to be one."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.agents.actions import (
    Answer,
    Call,
    Clarification,
    Outcome,
    Refusal,
    parse_action,
    render_action,
)
from simulator.events import Json
from simulator.events.faults import Fault

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
NAMES = st.text(string.ascii_letters + "_", min_size=1, max_size=12).filter(
    lambda name: name not in {"answer", "ask", "refuse"}
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
)
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(TEXT, v, max_size=3), max_leaves=8
)
ACTIONS: st.SearchStrategy[Call | Outcome] = st.one_of(
    st.builds(Call, NAMES, st.dictionaries(NAMES, VALUES, max_size=4)),
    st.builds(Answer, TEXT),
    st.builds(Clarification, TEXT),
    st.builds(Refusal, TEXT),
)


def fault_of(text: str) -> Fault:
    with pytest.raises(Fault) as caught:
        parse_action(text)
    return caught.value


@given(ACTIONS, st.sampled_from(["", " ", "\n", "\t \r\n", "\u2003"]))
def test_what_is_rendered_reads_back(action: Call | Outcome, around: str) -> None:
    assert parse_action(around + render_action(action) + around) == action


@given(st.text(max_size=200))
def test_any_text_is_an_action_or_an_unparsable_fault(text: str) -> None:
    try:
        parse_action(text)
    except Fault as fault:
        assert (fault.culprit, fault.fault) == ("model", "unparsable")


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (
            'refund(order="O-1042", amount="$137.25")',
            Call("refund", {"order": "O-1042", "amount": "$137.25"}),
        ),
        ("ping()", Call("ping", {})),
        ("ping( )", Call("ping", {})),
        ("t ( a = 1 ,\n b = [true, null] )", Call("t", {"a": 1, "b": [True, None]})),
        ('find(name="café ☕ \\"x\\"")', Call("find", {"name": 'café ☕ "x"'})),
        ("get-order.v2(n=-1.5e2)", Call("get-order.v2", {"n": -150.0})),
        ("überweisen(größe=3)", Call("überweisen", {"größe": 3})),
        ('answer("a) b(c")', Answer("a) b(c")),
        ('answer( "" )', Answer("")),
        ('ask("Which order?")', Clarification("Which order?")),
        ('refuse("No.")', Refusal("No.")),
    ],
)
def test_actions_that_can_be_read(text: str, action: Call | Outcome) -> None:
    assert parse_action(text) == action


def test_numbers_keep_their_type() -> None:
    read = parse_action("t(a=3, b=3.0)")
    assert isinstance(read, Call)
    assert [type(value) for value in read.arguments.values()] == [int, float]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "does not start"),
        ("Sure! ping()", "does not start"),
        ('"ping"()', "does not start"),
        ("1ping()", "does not start"),
        ("ping() ok", "after the closing bracket"),
        ("ping()\nping()", "after the closing bracket"),
        ('answer("a") answer("b")', "after the closing bracket"),
        ("ping(", "missing at character 5"),
        ("ping(a", "missing at character 5"),
        ("ping(a=", "is no JSON"),
        ('ping(path="C:\\new', "is no JSON"),
        ('ping(a="x"', "cut off"),
        ('ping(a="x",', "missing at character 11"),
        ('ping(a="x",)', "missing at character 11"),
        ("ping(a=1 b=2)", "no `,` or `)`"),
        ('ping("x")', "missing at character 5"),
        ("ping(a=1, a=2)", "'a' is given twice"),
        ('ping(a={"k":1,"k":2})', "given twice"),
        ("ping(a=NaN)", "NaN is no JSON"),
        ("ping(a=-Infinity)", "-Infinity is no JSON"),
        ("ping(a=1e999)", "too large"),
        ("ping(a='x')", "is no JSON"),
        ("ping(a=yes)", "is no JSON"),
        ("ping(a=01)", "no `,` or `)`"),
        ('ping(a="\n")', "is no JSON"),
        ('ping(a="\\ud800")', "lone surrogate"),
        ('ping(a="\ud800")', "lone surrogate"),
        ("ping(a=" + "9" * 5000 + ")", "is no JSON"),
        ("answer()", "is no JSON"),
        ("answer(3)", "one text in quotes"),
        ('answer("a", "b")', "one text"),
        ('answer(text="a")', "is no JSON"),
        ('answer("a"', "cut off"),
    ],
)
def test_what_is_not_exactly_one_action_is_the_models_fault(text: str, why: str) -> None:
    fault = fault_of(text)
    assert (fault.culprit, fault.fault) == ("model", "unparsable")
    assert why in fault.message


def nested(depth: int) -> str:
    return f"t(a={'[' * depth}{']' * depth})"


def test_nesting_stops_at_twenty() -> None:
    assert isinstance(parse_action(nested(20)), Call)
    assert "deeper than 20" in fault_of(nested(21)).message
    brackets_in_a_text = f't(a="{"[" * 100}")'
    assert isinstance(parse_action(brackets_in_a_text), Call)


def test_size_stops_at_65536_bytes() -> None:
    room = 65_536 - len('answer("")')
    assert parse_action(f'answer("{"x" * room}")') == Answer("x" * room)
    assert "65536 bytes" in fault_of(f'answer("{"x" * (room + 1)}")').message
    assert "65536 bytes" in fault_of(f'answer("{"é" * (room // 2 + 1)}")').message


@pytest.mark.parametrize(
    "text",
    [
        nested(10_000),
        "t(a=" + '{"a":' * 10_000,
        "x" * 1_000_000,
        " " * 1_000_000,
        'answer("' + '\\"' * 30_000,  # each of these made a naive pattern quadratic
        '"' * 60_000,
        "t(a=" + '"" ' * 20_000,
        "t(" + "a" * 60_000,
        "t(" + " " * 60_000,
        "t(" + ",".join(f"a{i}=1" for i in range(7_000)),
        "t" + "-." * 30_000,
    ],
    ids=range(11),
)
def test_hostile_texts_are_refused_in_linear_time(text: str) -> None:
    assert fault_of(text).fault == "unparsable"


def test_cut_off_arguments_do_not_become_an_empty_call_h23() -> None:
    assert fault_of('write({"path": "C:\\new').fault == "unparsable"
    assert fault_of('Here you are: write(path="a")').fault == "unparsable"
    assert fault_of('write(path="a") write(path="b")').fault == "unparsable"
    # A text where a number belongs stays a text: the engine's type rule decides, not the parser.
    assert parse_action('refund(amount="100")') == Call("refund", {"amount": "100"})


@given(NAMES, st.dictionaries(NAMES, VALUES, min_size=1, max_size=3), st.data())
def test_every_true_prefix_of_an_action_is_refused(
    tool: str, arguments: dict[str, Json], data: st.DataObject
) -> None:
    whole = render_action(Call(tool, arguments))
    cut = data.draw(st.integers(0, len(whole) - 1))
    assert fault_of(whole[:cut]).fault == "unparsable"


@pytest.mark.parametrize(
    "action",
    [
        Call('refund("x")', {}),
        Call("a b", {}),
        Call("", {}),
        Call("answer", {}),
        Call("t", {"a b": 1}),
        Call("t", {"a": float("nan")}),
        Call("t", {"a": "\ud800"}),
        Answer("\ud800"),
    ],
)
def test_what_could_not_be_read_back_is_not_written(action: Call | Outcome) -> None:
    with pytest.raises(ValueError):
        render_action(action)
