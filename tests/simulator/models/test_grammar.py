"""Grammars from tool schemas: what they let through, tested with a matcher of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.agents.actions import Answer, Call, Clarification, parse_action, render_action
from simulator.effects.environment import Tool
from simulator.effects.registry import lookup, names
from simulator.effects.schemas import SchemaValidator
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.models.llama import gbnf
from simulator.models.llama.gbnf import GrammarError, Node, read_grammar
from simulator.models.llama.grammar import build_grammar


def ends(node: Node, text: str, at: int, rules: dict[str, Node]) -> set[int]:
    """Return where matches of `node` from `at` can end: brute force, for short texts."""
    match node:
        case gbnf.Literal(literal):
            return {at + len(literal)} if text.startswith(literal, at) else set()
        case gbnf.Chars():
            return {at + 1} if at < len(text) and is_in(ord(text[at]), node) else set()
        case gbnf.Ref(name):
            return ends(rules[name], text, at, rules)
        case gbnf.Choice(options):
            return {end for option in options for end in ends(option, text, at, rules)}
        case gbnf.Sequence(parts):
            places = {at}
            for part in parts:
                places = after(part, text, places, rules)
            return places
        case gbnf.Repeat():
            return repeat_ends(node, text, at, rules)


def after(node: Node, text: str, places: set[int], rules: dict[str, Node]) -> set[int]:
    return {end for place in places for end in ends(node, text, place, rules)}


def is_in(code: int, chars: gbnf.Chars) -> bool:
    return any(low <= code <= high for low, high in chars.ranges) != chars.negated


def repeat_ends(node: gbnf.Repeat, text: str, at: int, rules: dict[str, Node]) -> set[int]:
    places, reached, count = {at}, {at} if node.least == 0 else set(), 0
    while places and (node.most is None or count < node.most):
        places = after(node.part, text, places, rules) - reached
        count += 1
        if count >= node.least:
            reached |= places
    return reached


def accepts(grammar: str, text: str) -> bool:
    rules = read_grammar(grammar)
    return len(text) in ends(rules["root"], text, 0, rules)


def tool(properties: dict[str, Json], required: list[str], name: str = "refund") -> Tool:
    parameters = {"type": "object", "properties": properties, "required": required}
    return Tool(name=name, description="Refund.", parameters=parameters, read_only=False)


ORDER = {"type": "string", "examples": ["O-1042"]}
REFUND = tool(
    {
        "order": ORDER,
        "note": {"type": "string"},
        "how": {"type": "string", "enum": ["card", "cash"]},
        "count": {"type": "integer"},
    },
    ["order", "how"],
)


@pytest.mark.parametrize(
    "text",
    [
        'refund(order="O-1", how="card")',
        ' refund(order="O-1", how="cash")',
        'refund(order="O-1", note="late", how="card")',
        'refund(order="O-1", note="", how="card", count=-12)',
        'refund(order="a \\"b\\" \\\\ c\\n", how="card", count=0)',
        'answer("Done.")',
        'ask("Which order?")',
        'answer("é☕")',
    ],
)
def test_whole_actions_pass(text: str) -> None:
    assert accepts(build_grammar([REFUND]), text)
    parse_action(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "refund()",
        'refund(order="O-1")',  # `how` is required
        'refund(how="card", order="O-1")',  # schema order
        'refund(order="O-1", how="gold")',
        'refund(order="O-1",how="card")',
        'refund(order="O-1", how="card", )',
        'refund(, order="O-1", how="card")',
        'refund(order="O-1", how="card", count=012)',
        'refund(order="O-1", how="card", count=1.5)',
        'refund(order="O-1", how="card") ',
        'refund(order="O-1\n", how="card")',
        'refund(order="O-1\\q", how="card")',
        'refund(order="O-1\\ud800", how="card")',
        'answer("a")answer("b")',
        "answer(a)",
        'delete(order="O-1")',
        '  answer("a")',
    ],
)
def test_anything_else_does_not(text: str) -> None:
    assert not accepts(build_grammar([REFUND]), text)


OPTIONAL = tool({"a": {"type": "boolean"}, "b": {"type": "null"}, "c": {"type": "number"}}, [], "t")


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("t()", True),
        ("t(a=true)", True),
        ("t(b=null)", True),
        ("t(c=1.50)", True),
        ("t(a=false, c=-0.5)", True),
        ("t(a=true, b=null, c=7)", True),
        ("t(, b=null)", False),
        ("t(b=null, a=true)", False),
        ("t(a=true b=null)", False),
        ("t(c=.5)", False),
        ("t(c=1.)", False),
    ],
)
def test_optional_arguments_may_be_left_out_anywhere(text: str, good: bool) -> None:
    assert accepts(build_grammar([OPTIONAL]), text) is good


def test_types_arrays_and_constants() -> None:
    many = tool(
        {
            "tags": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}},
            "limit": {"type": ["integer", "null"]},
            "mode": {"const": 3},
        },
        ["tags", "limit", "mode"],
        "t",
    )
    grammar = build_grammar([many])
    assert accepts(grammar, "t(tags=[], limit=null, mode=3)")
    assert accepts(grammar, 't(tags=["x", "y"], limit=4, mode=3)')
    assert not accepts(grammar, 't(tags=["z"], limit=4, mode=3)')
    assert not accepts(grammar, "t(tags=[], limit=4, mode=4)")


REPORT = tool(
    {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "sources": {"type": "array", "items": {"type": "string"}},
                    "status": {"type": "string", "enum": ["ok", "flagged"]},
                },
                "required": ["text", "sources", "status"],
            },
        },
        "pending": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"what": {"type": "string"}, "why": {"type": "string"}},
                "required": ["what"],
            },
        },
    },
    ["claims"],
    "report",
)


@pytest.mark.parametrize(
    "text",
    [
        "report(claims=[])",
        'report(claims=[{"text": "a", "sources": [], "status": "ok"}])',
        'report(claims=[{"text": "a", "sources": ["x", "y"], "status": "flagged"}], pending=[])',
        'report(claims=[{"text": "a", "sources": ["x", "y"], "status": "ok"},'
        ' {"text": "{\\"b\\": []}", "sources": ["]"], "status": "ok"}])',
        'report(claims=[], pending=[{"what": "a"}, {"what": "b", "why": "c"}])',
    ],
)
def test_lists_of_objects_pass_and_are_read(text: str) -> None:
    assert accepts(build_grammar([REPORT]), text)
    action = parse_action(text)
    assert isinstance(action, Call) and parse_action(render_action(action)) == action


@pytest.mark.parametrize(
    "text",
    [
        "report(claims=[{}])",
        'report(claims=[{"text": "a", "sources": []}])',  # `status` is required
        'report(claims=[{"sources": [], "text": "a", "status": "ok"}])',  # schema order
        'report(claims=[{"text": "a", "sources": [], "status": "sure"}])',
        'report(claims=[{"text": "a", "sources": ["x" "y"], "status": "ok"}])',
        'report(claims=[{"text": "a", "sources": [], "status": "ok",}])',
        'report(claims=[{"text": "a", "sources": [], "status": "ok"}],pending=[])',
        'report(claims=[{"text": "a", "sources": [], "status": "ok", "more":1}])',
        'report(claims={"text": "a", "sources": [], "status": "ok"})',
        'report(claims=[], pending=[{"why": "c"}])',
        'report(claims=["a"])',
    ],
)
def test_lists_of_other_objects_do_not(text: str) -> None:
    assert not accepts(build_grammar([REPORT]), text)


@pytest.mark.parametrize("name", names("environment"))
def test_every_registered_environment_has_a_grammar_that_takes_its_examples(name: str) -> None:
    environment = lookup("environment", name)
    grammar = build_grammar(environment.tools)
    shown = "\n".join(environment.examples).split("\n")
    actions = [line.removeprefix("Action: ") for line in shown if line.startswith("Action: ")]
    assert actions or not environment.tools
    for action in actions:
        assert accepts(grammar, action)
        call = parse_action(action)
        if isinstance(call, Call):
            (one,) = [each for each in environment.tools if each.name == call.tool]
            assert SchemaValidator(one.parameters).is_valid(call.arguments)


def test_an_object_has_all_its_properties_in_order() -> None:
    item = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "at": {"type": "integer"}},
        "required": ["at", "name"],
    }
    grammar = build_grammar([tool({"rows": {"type": "array", "items": item}}, ["rows"], "t")])
    assert accepts(grammar, "t(rows=[])")
    assert accepts(grammar, 't(rows=[{"name": "a", "at": 1}, {"name": "}", "at": 20}])')
    for wrong in ('{"at": 1, "name": "a"}', '{"name": "a"}', '{"name": "a", "at": "1"}', "{}"):
        assert not accepts(grammar, f"t(rows=[{wrong}])")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
def test_llm_h22_every_storable_enum_value_reads_back(value: str) -> None:
    one = tool({"kind": {"type": "string", "enum": [value]}}, ["kind"])
    action = Call("refund", {"kind": value})
    assert accepts(build_grammar([one]), render_action(action))
    assert not accepts(build_grammar([one]), render_action(Call("refund", {"kind": value + "x"})))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_every_written_text_without_control_characters_passes(text: str) -> None:
    text = "".join(mark for mark in text if ord(mark) >= 32 and mark != "\x7f")
    for action in (Answer(text), Clarification(text)):
        assert accepts(build_grammar([REFUND]), render_action(action))


@pytest.mark.parametrize("name", ["refund", "get-order.v2", "café", "_x", "größe"])
def test_names_that_can_be_written_are_kept(name: str) -> None:
    odd = tool({name: ORDER}, [name], name)
    action = Call(name, {name: "O-1"})
    assert parse_action(render_action(action)) == action
    assert accepts(build_grammar([odd]), render_action(action))


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ([tool({}, [], 'refund("x")')], "tool 'refund"),
        ([tool({}, [], "new\nline")], "tool 'new"),
        ([tool({}, [], "")], "tool ''"),
        ([tool({}, [], "1st")], "tool '1st'"),
        ([tool({}, [], "cafe\u0301")], "tool"),  # a combining accent
        ([tool({}, [], "\ud800")], "tool"),
        ([tool({}, [], "answer")], "taken by actions"),
        ([tool({"a b": ORDER}, [])], "parameter 'a b'"),
        ([REFUND, REFUND], "same name"),
        ([tool({}, ["order"])], "'order' is not described"),
        ([tool({"a": {"type": "object"}}, [])], "parameter 'a'.*needs a type"),
        ([tool({"a": {}}, [])], "parameter 'a'.*needs a type"),
        (
            [tool({"a": {"type": "object", "properties": {"b": {}}, "required": ["b"]}}, [])],
            "parameter 'a'.b: a grammar needs a type",
        ),
        ([tool({"a": {"type": "array"}}, [])], "parameter 'a'.*needs a type"),
        (
            [tool({"a": {"type": "array", "items": {"type": "object"}}}, [])],
            "parameter 'a'.*or object with properties",
        ),
        (
            [tool({"a": {"type": "object", "properties": {"b": {}}}}, [])],
            "parameter 'a'.b: a grammar needs a type",
        ),
        (
            [tool({"a": {"type": "object", "properties": {"b": ORDER}, "required": ["c"]}}, [])],
            "parameter 'a': required parameter 'c' is not described",
        ),
        ([tool({"a": {"enum": []}}, [])], "parameter 'a': the enum is empty"),
        ([tool({"a": {"enum": ["\ud800"]}}, [])], "parameter 'a'.*lone surrogate"),
        ([tool({"a": {"enum": [float("nan")]}}, [])], "parameter 'a'"),
    ],
)
def test_llm_h22_what_no_grammar_can_hold_is_refused_by_name(bad: list[Tool], why: str) -> None:
    with pytest.raises(InputError, match=why):
        build_grammar(bad)


def test_patterns_and_examples_give_nothing_away() -> None:
    plain = tool({"order": {"type": "string"}}, ["order"])
    telling = tool(
        {"order": {"type": "string", "pattern": "^O-1042$", "examples": ["O-1042"]}}, ["order"]
    )
    assert build_grammar([plain]) == build_grammar([telling])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no rule"),
        ('root := "a"', "is no rule"),
        ('a ::= "a"', "no rule 'root'"),
        ("root ::= missing", "'missing' is not defined"),
        ('root ::= "a\n"', "malformed"),
        ('root ::= "a', "malformed"),
        ('root ::= "\\q"', "malformed"),
        ("root ::= [a", "malformed"),
        ("root ::= []", "malformed"),
        ('root ::= ("a"', "not closed"),
        ('root ::= "a")', "closes nothing"),
        ('root ::= "a" |', "is empty"),
        ("root ::= ()", "is empty"),
        ("root ::= *", "is empty"),
        ('root ::= "a" root', "reaches itself"),
        ("root ::= a\na ::= b\nb ::= a", "reaches itself"),
        ('root ::= "a"\nroot ::= "b"', "defined twice"),
    ],
)
def test_malformed_grammars_are_found_before_llama_cpp_sees_them(text: str, why: str) -> None:
    with pytest.raises(GrammarError, match=why):
        read_grammar(text)


def test_the_reader_reads_what_the_text_says() -> None:
    rules = read_grammar('root ::= ("a\\"\\\\" | [^x-z\\]\\n]+)? b*\nb ::= "\\x1F"')
    assert rules == {
        "root": gbnf.Sequence(
            (
                gbnf.Repeat(
                    gbnf.Choice(
                        (
                            gbnf.Literal('a"\\'),
                            gbnf.Repeat(
                                gbnf.Chars(((120, 122), (93, 93), (10, 10)), True), 1, None
                            ),
                        )
                    ),
                    0,
                    1,
                ),
                gbnf.Repeat(gbnf.Ref("b"), 0, None),
            )
        ),
        "b": gbnf.Literal("\x1f"),
    }
