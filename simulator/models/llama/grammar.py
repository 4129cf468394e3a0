"""GBNF grammars from tool schemas: exactly one action, in the written form of `written`.

The arguments come in schema order; required ones always, optional ones may be left out. An object
within a value has all its properties, in that order. Values
follow `enum`, `const` and `type`; `pattern` and `examples` are not enforced, so that a grammar
never helps to find a value. What cannot be expressed is refused before any model is called.
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
    """Return the rules of one tool.

    Rule `…-first-i` is what may follow when nothing was written before parameter i, `…-rest-i`
    when something was, so that commas stand between arguments only.
    """
    _check_name(tool.name, f"tool {tool.name!r}")
    properties: dict[str, Json] = tool.parameters.get("properties", {})
    required = tool.parameters.get("required", [])
    for name in required:
        if name not in properties:
            raise InputError(f"tool {tool.name!r}: required parameter {name!r} is not described")
    rules = [f'{rule} ::= {_quote(tool.name + "(")} {rule}-first-0 ")"']
    for index, (name, schema) in enumerate(properties.items()):
        where = f"tool {tool.name!r}: parameter {name!r}"
        _check_name(name, where)
        argument = f"{rule}-arg-{index}"
        first, rest = f"{rule}-first-{index + 1}", f"{rule}-rest-{index + 1}"
        rules.append(f"{argument} ::= {_quote(name + '=')} {_value(schema, where)}")
        if name in required:
            rules.append(f"{rule}-first-{index} ::= {argument} {rest}")
            rules.append(f'{rule}-rest-{index} ::= ", " {argument} {rest}')
        else:
            rules.append(f"{rule}-first-{index} ::= {argument} {rest} | {first}")
            rules.append(f'{rule}-rest-{index} ::= (", " {argument})? {rest}')
    end = len(properties)
    return [*rules, f'{rule}-first-{end} ::= ""', f'{rule}-rest-{end} ::= ""']


def _check_name(name: str, where: str) -> None:
    if not _NAME.fullmatch(name):
        raise InputError(f"{where}: the name must be a letter or `_`, then letters, digits, `_.-`")
    if name in SPOKEN:
        raise InputError(f"{where}: {', '.join(SPOKEN)} are taken by actions that end a decision")


def _value(schema: Json, where: str) -> str:
    """Return the right-hand side of a value."""
    if "enum" in schema or "const" in schema:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        if not values:
            raise InputError(f"{where}: the enum is empty")
        return f"({' | '.join(_constant(value, where) for value in values)})"
    kinds = schema.get("type")
    if kinds == "array":
        item = _value(schema.get("items", {}), where)
        return f'"[" ({item} (", " {item})*)? "]"'
    if kinds == "object" and schema.get("properties"):
        return _object(schema, where)
    if isinstance(kinds, str):
        kinds = [kinds]
    if not kinds or any(kind not in _TYPES for kind in kinds):
        raise InputError(f"{where}: a grammar needs a type of {', '.join(_TYPES)}, array or object")
    return f"({' | '.join(_TYPES[kind] for kind in kinds)})"


def _object(schema: Json, where: str) -> str:
    """Return the right-hand side of an object: all its properties, in schema order."""
    properties = schema["properties"]
    if set(schema.get("required", ())) != set(properties):
        raise InputError(f"{where}: a grammar needs all properties of an object to be required")
    parts = [
        f"{_quote(f'{canonical_json(name)}: ')} {_value(inner, f'{where}.{name}')}"
        for name, inner in properties.items()
    ]
    inside = ' ", " '.join(parts)
    return f'"{{" {inside} "}}"'


def _constant(value: Json, where: str) -> str:
    try:
        return _quote(canonical_json(value))
    except NotStorable as error:
        raise InputError(f"{where}: {error}") from None


def _quote(text: str) -> str:
    """Return a GBNF literal."""
    return '"' + re.sub(r'["\\\x00-\x1f\x7f]', _escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    mark = found[0]
    return f"\\{mark}" if mark in '"\\' else f"\\x{ord(mark):02X}"
