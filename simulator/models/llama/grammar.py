"""GBNF grammars from tool schemas: exactly one action, in the written form of `written`.

The arguments come in schema order; required ones always, optional ones may be left out, and the
members of an object likewise. Values follow `enum`, `const` and `type`, inside of lists and objects
too; `pattern` and `examples` are not enforced, so that a grammar never helps to find a value. What
cannot be expressed is refused before any model is called.
"""

import re
from collections.abc import Sequence

from simulator.effects.environment import Tool
from simulator.events import Json, canonical_json
from simulator.events.canonical import NotStorable
from simulator.events.errors import InputError
from simulator.models.llama.gbnf import GrammarError, read_grammar
from simulator.models.written import NAME, SPOKEN

_NAME = re.compile(NAME)
_TYPES = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_COMMA = '", "'
"""What stands between arguments, items and members."""

_COMMON = (
    r"""string ::= "\"" char* "\"" """.strip(),
    r"""char ::= [^"\\\x00-\x1F\x7F] | "\\" ["\\nt]""",
    r"""integer ::= "-"? ("0" | [1-9] [0-9]*)""",
    r"""number ::= integer ("." [0-9]+)?""",
    r"""boolean ::= "true" | "false" """.strip(),
    r"""null ::= "null" """.strip(),
)


def build_grammar(tools: Sequence[Tool]) -> str:
    """Return the grammar of one action: a call of one of `tools`, or one of `SPOKEN`.

    A single space may stand before the action, as completion models write it.

    Raises:
        InputError: naming the tool and the parameter that cannot be expressed.
    """
    names = [tool.name for tool in tools]
    if len(set(names)) < len(names):
        raise InputError(f"two tools have the same name in {names!r}")
    actions = [f"tool-{index}" for index in range(len(tools))]
    rules = [f'root ::= " "? ({" | ".join([*actions, *SPOKEN])})']
    for action, tool in zip(actions, tools, strict=True):
        rules.extend(_tool_rules(action, tool))
    rules.extend(f'{word} ::= "{word}(" string ")"' for word in SPOKEN)
    text = "\n".join([*rules, *_COMMON])
    _check(text)
    return text


def _check(text: str) -> None:
    try:
        read_grammar(text)
    except GrammarError as error:
        raise InputError(f"the tools' grammar is malformed: {error}") from error


def _tool_rules(rule: str, tool: Tool) -> list[str]:
    """Return the rules of one tool."""
    where = f"tool {tool.name!r}"
    _check_name(tool.name, where)
    names = tool.parameters.get("properties", {})
    places = {name: f"{where}: parameter {name!r}" for name in names}
    for name, place in places.items():
        _check_name(name, place)
    written = {name: _quote(f"{name}=") for name in names}
    call = f'{rule} ::= {_quote(tool.name + "(")} {rule}-first-0 ")"'
    return [call, *_member_rules(rule, tool.parameters, written, places, where)]


def _member_rules(
    rule: str,
    schema: dict[str, Json],
    written: dict[str, str],
    places: dict[str, str],
    where: str,
) -> list[str]:
    """Return the rules of arguments, or of an object's members.

    `written` has what stands before each member's value, and `places` what a message calls it.
    Rule `…-first-i` is what may follow when nothing was written before member i, `…-rest-i` when
    something was, so that commas stand between members only.
    """
    required = schema.get("required", [])
    for name in required:
        if name not in written:
            raise InputError(f"{where}: required parameter {name!r} is not described")
    rules = []
    for index, (name, form) in enumerate(schema.get("properties", {}).items()):
        argument = f"{rule}-arg-{index}"
        first, rest = f"{rule}-first-{index + 1}", f"{rule}-rest-{index + 1}"
        value, inner = _value(form, places[name], argument)
        rules += [f"{argument} ::= {written[name]} {value}", *inner]
        if name in required:
            rules.append(f"{rule}-first-{index} ::= {argument} {rest}")
            rules.append(f"{rule}-rest-{index} ::= {_COMMA} {argument} {rest}")
        else:
            rules.append(f"{rule}-first-{index} ::= {argument} {rest} | {first}")
            rules.append(f"{rule}-rest-{index} ::= ({_COMMA} {argument})? {rest}")
    end = len(written)
    return [*rules, f'{rule}-first-{end} ::= ""', f'{rule}-rest-{end} ::= ""']


def _check_name(name: str, where: str) -> None:
    if not _NAME.fullmatch(name):
        raise InputError(f"{where}: the name must be a letter or `_`, then letters, digits, `_.-`")
    if name in SPOKEN:
        raise InputError(f"{where}: {', '.join(SPOKEN)} are taken by actions that end a decision")


def _value(schema: Json, where: str, rule: str) -> tuple[str, list[str]]:
    """Return the right-hand side of a value, and the rules that it refers to.

    Args:
        schema: The value's schema.
        where: The place of the schema, for messages.
        rule: What the names of its rules begin with.
    """
    if "enum" in schema or "const" in schema:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        if not values:
            raise InputError(f"{where}: the enum is empty")
        return f"({' | '.join(_constant(value, where) for value in values)})", []
    kinds = schema.get("type")
    if kinds == "array":
        item, inner = _value(schema.get("items", {}), where, rule)
        return f'"[" ({item} ({_COMMA} {item})*)? "]"', inner
    if kinds == "object" and schema.get("properties"):
        names = {name: _json(name, where) for name in schema["properties"]}
        written = {name: _quote(f"{text}: ") for name, text in names.items()}
        places = {name: f"{where}.{name}" for name in names}
        inner = _member_rules(rule, schema, written, places, where)
        return f'"{{" {rule}-first-0 "}}"', inner
    if isinstance(kinds, str):
        kinds = [kinds]
    if not kinds or any(kind not in _TYPES for kind in kinds):
        raise InputError(
            f"{where}: a grammar needs a type of {', '.join(_TYPES)}, array, or object with properties"
        )
    return f"({' | '.join(_TYPES[kind] for kind in kinds)})", []


def _constant(value: Json, where: str) -> str:
    return _quote(_json(value, where))


def _json(value: Json, where: str) -> str:
    try:
        return canonical_json(value)
    except NotStorable as error:
        raise InputError(f"{where}: {error}") from None


def _quote(text: str) -> str:
    """Return a GBNF literal."""
    return '"' + re.sub(r'["\\\x00-\x1f\x7f]', _escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    mark = found[0]
    return f"\\{mark}" if mark in '"\\' else f"\\x{ord(mark):02X}"
