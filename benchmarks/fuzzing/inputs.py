"""Hostile inputs, as hypothesis strategies: broken from what is valid, at byte and at node level."""

import copy
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from hypothesis import strategies as st

from simulator.effects.environment import Tool
from simulator.effects.schemas import SchemaValidator
from simulator.models.written import write_call, write_spoken

LONGEST = 20_000
"""Characters of one input at most: what is asked of each reader is bounded by this."""

WORDS = (
    *("0012", "15E2621", "1e3", "9007199254740993", "9223372036854775808", "0.1", "-0", "1e400"),
    *(
        ".nan",
        ".inf",
        "NaN",
        "Infinity",
        "null",
        "~",
        "yes",
        "9" * 4_400,
        "2025-03-03",
        "99999-01-01",
    ),
    *(
        "a\x00b",
        "\x1b[31m",
        "\x9b31m",
        "\u202eabc",
        "\ufeff",
        "\U0001f642",
        "e\u0301",
        "\u05e9\u05dc",
    ),
    *(
        "&a",
        "*a",
        "!!python/object:os.system",
        "<<: *a",
        "%YAML 9.9\n---\n",
        "---\n",
        "...\n",
        "? ",
    ),
    *(
        '"\\UFFFFFFFF"',
        '"\\ud800"',
        "|\n ",
        ">\n ",
        "- ",
        ": ",
        "\t",
        "#",
        "'",
        '"',
        "\\",
        "{",
        "[",
        "]",
    ),
    *(
        "}",
        ",",
        "\r\n",
        "\x85",
        "\u2028",
        "[" * 5_000,
        '{"a":' * 500,
        "a" * 5_000,
        "../../etc/passwd",
    ),
    *("os:system", "evil:Part", "/etc/passwd", "CON", "<script>alert(1)</script>", "$(id)", "%s%n"),
)
"""Fragments that readers of YAML, TOML and JSON have stumbled over."""

TEXT = st.one_of(st.text(st.characters(), max_size=20), st.sampled_from(WORDS), st.just("\ud800"))
SCALAR = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(10**30), 10**30),
    st.sampled_from([2**53 + 1, 2**63, 10**4_200]),
    st.floats(),
    TEXT,
)
JSON = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
DEEP = st.integers(1, 300).map(lambda levels: _nested(levels))


def _nested(levels: int) -> Any:
    value: Any = "x"
    for level in range(levels):
        value = [value] if level % 2 else {"x": value}
    return value


@st.composite
def edited(draw: st.DrawFn, texts: tuple[str, ...]) -> str:
    """Draw a text with up to four places deleted, doubled, swapped or written over."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 60)))
        piece = text[start:end]
        put = draw(
            st.one_of(
                st.sampled_from(WORDS),
                st.sampled_from(
                    ["", piece * 2, piece[::-1], piece.upper(), piece.replace(" ", "")]
                ),
                st.characters(exclude_categories=["Cs"]),
                st.integers(0, max(0, len(text) - 80)).map(_slice(text)),
            )
        )
        text = (text[:start] + put + text[end:])[:LONGEST]
    return text


def _slice(text: str) -> Callable[[int], str]:
    return lambda at: text[at : at + 80]


@st.composite
def grafted(draw: st.DrawFn, trees: tuple[Any, ...]) -> Any:
    """Draw a tree with up to three nodes replaced, left out, renamed, doubled or moved."""
    tree = {"root": copy.deepcopy(draw(st.sampled_from(trees)))}
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(tree))
        owner, name = places[draw(st.integers(0, len(places) - 1))]
        match draw(st.sampled_from(["replace", "omit", "rename", "double", "move", "deep"])):
            case "replace":
                owner[name] = draw(JSON)
            case "deep":
                owner[name] = draw(DEEP)
            case "omit" if owner is not tree:
                del owner[name]
            case "rename" if isinstance(owner, dict) and owner is not tree:
                owner[draw(TEXT)] = owner.pop(name)
            case "double" if isinstance(owner, list):
                owner.append(copy.deepcopy(owner[name]))
            case _:
                other, there = places[draw(st.integers(0, len(places) - 1))]
                owner[name] = copy.deepcopy(other[there])
    return tree["root"]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every node as its owner and its name in there."""
    names = value if isinstance(value, dict) else range(len(value))
    for name in list(names):
        yield value, name
        if isinstance(value[name], dict | list):
            yield from _places(value[name])


def as_yaml(tree: Any) -> str:
    """Return a tree as YAML: JSON is YAML."""
    return json.dumps(tree, ensure_ascii=False)[: LONGEST * 4]


def as_toml(tree: Any) -> str:
    """Return a tree as TOML, its tables inline; what TOML cannot say is left to the parser."""
    if not isinstance(tree, dict):
        return _toml(tree)
    return "".join(f"{_quoted(name)} = {_toml(value)}\n" for name, value in tree.items())


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        inside = ", ".join(f"{_quoted(name)} = {_toml(each)}" for name, each in value.items())
        return f"{{{inside}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        return _quoted(value)
    return {None: "null", True: "true", False: "false"}.get(value) or _number(value)


def _number(value: float) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


ACTIONS = (
    'issue_refund(order_id="O-2210", amount="$18.40")',
    'redirect_order(order_id="O-2210", address="118 Tulip Road")',
    'get_order(order_id="O-2210")',
    'list_orders(customer_id="C-2207")',
    'answer("The refund was issued.")',
    'ask("Which order?")',
    'refuse("I may not.")',
    'get_order(order_id="O-2210") get_order(order_id="O-3307")',
    'issue_refund(order_id="O-2210", order_id="O-3307", amount="$1.00")',
    'get_order(order_id="C:\\new',
    "order O-2210 | amount | $18.40",
    "",
)


def replies() -> st.SearchStrategy[str]:
    """Return what a model may say: actions, broken actions, calls with any arguments, anything."""
    calls = st.builds(
        _call, st.sampled_from([action.partition("(")[0] for action in ACTIONS]), JSON
    )
    return st.one_of(
        st.sampled_from(ACTIONS),
        edited(ACTIONS),
        edited(ACTIONS),
        calls,
        st.text(max_size=200),
        st.sampled_from(WORDS),
        TEXT.map(lambda text: f'answer("{text}")'),
    )


def _call(tool: str, value: Any) -> str:
    arguments = value if isinstance(value, dict) else {"order_id": value}
    try:
        return write_call(tool, arguments)
    except ValueError:
        return write_spoken("answer", ascii(value))


def arguments(tool: Tool, texts: Iterable[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Return arguments for a tool: fitting, nearly fitting, of the wrong type, too many, too few.

    `texts` stand in the world, such as ids; where one fits a parameter, it is taken for it.
    """
    properties = tool.parameters.get("properties", {})
    fitting = {name: _fitting(form, texts) for name, form in properties.items()}
    known = {name: fitting[name] | _value(form) for name, form in properties.items()}
    some = st.fixed_dictionaries({}, optional=known)
    return st.one_of(
        st.fixed_dictionaries(fitting),
        st.fixed_dictionaries(known),
        some,
        st.builds(lambda one, more: {**one, **more}, some, st.dictionaries(TEXT, JSON, max_size=3)),
    )


def _fitting(form: dict[str, Any], texts: Iterable[str]) -> st.SearchStrategy[Any]:
    if form.get("type") == "array":
        return st.lists(_fitting(form["items"], texts), max_size=3)
    if form.get("type") == "object":
        members = {name: _fitting(each, texts) for name, each in form["properties"].items()}
        needed = {name: members.pop(name) for name in form.get("required", [])}
        return st.fixed_dictionaries(needed, optional=members)
    validator = SchemaValidator(form)
    held = [text for text in texts if validator.is_valid(text)]
    known = [*form.get("examples", []), *form.get("enum", []), *held, *held]
    return st.sampled_from(known) if known else JSON


def _value(form: dict[str, Any]) -> st.SearchStrategy[Any]:
    examples = [*form.get("examples", []), *form.get("enum", [])]
    fitting = [st.from_regex(form["pattern"])] if "pattern" in form else []
    spoilt = [edited(tuple(map(str, examples)))] if examples else []
    return st.one_of(*spoilt, *fitting, JSON, DEEP)
