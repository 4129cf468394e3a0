"""A reader of the subset of GBNF that `grammar` writes: the wall before llama.cpp.

llama.cpp accepts a malformed grammar and dies of it at the first token, so a grammar is read
here first. The subset: rules `name ::= …`, one a line; literals, character classes, groups,
alternatives, references, and the repeats `?`, `*`, `+`; no rule may reach itself.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass


class GrammarError(ValueError):
    """A text is no grammar of the subset."""


@dataclass(frozen=True)
class Literal:
    """Exactly this text."""

    text: str


@dataclass(frozen=True)
class Chars:
    """One character of inclusive ranges of code points, or with `negated` of none of them."""

    ranges: tuple[tuple[int, int], ...]
    negated: bool


@dataclass(frozen=True)
class Ref:
    """What another rule says."""

    name: str


@dataclass(frozen=True)
class Repeat:
    """`part` between `least` and `most` times; None is without end."""

    part: "Node"
    least: int
    most: int | None


@dataclass(frozen=True)
class Sequence:
    """All parts, in order."""

    parts: tuple["Node", ...]


@dataclass(frozen=True)
class Choice:
    """One of the options."""

    options: tuple["Node", ...]


Node = Literal | Chars | Ref | Repeat | Sequence | Choice

ROOT = "root"
_RULE = re.compile(r"([a-z][a-z0-9-]*) ::= (.+)")
_CHARACTER = r'\\(?:["\\nrt\]]|x[0-9A-F]{2})'
_TOKEN = re.compile(
    rf'(?P<literal>"(?:[^"\\\n]|{_CHARACTER})*")'
    rf"|(?P<chars>\[\^?(?:[^\]\\\n]|{_CHARACTER})+\])"
    r"|(?P<ref>[a-z][a-z0-9-]*)|(?P<mark>[()|?*+])|(?P<space> +)"
)
_REPEATS = {"?": (0, 1), "*": (0, None), "+": (1, None)}
_SHORT = {"n": "\n", "r": "\r", "t": "\t"}
_RANGE = re.compile(rf"({_CHARACTER}|.)(?:-({_CHARACTER}|.))?", re.DOTALL)


def read_grammar(text: str) -> dict[str, Node]:
    """Return the rules of a grammar by name.

    Raises:
        GrammarError: when a rule is malformed, defined twice, undefined or reaches itself, or
            there is no `root`.
    """
    rules: dict[str, Node] = {}
    for line in text.split("\n"):
        found = _RULE.fullmatch(line)
        if found is None:
            raise GrammarError(f"{line!r} is no rule")
        if found[1] in rules:
            raise GrammarError(f"the rule {found[1]!r} is defined twice")
        rules[found[1]] = _Reader(found[2]).read()
    _check_references(rules)
    return rules


def references(node: Node) -> Iterator[str]:
    """Yield the names of the rules that a node refers to."""
    match node:
        case Ref(name):
            yield name
        case Repeat(part):
            yield from references(part)
        case Sequence(nodes) | Choice(nodes):
            for each in nodes:
                yield from references(each)
        case Literal() | Chars():
            return


def _check_references(rules: dict[str, Node]) -> None:
    if ROOT not in rules:
        raise GrammarError(f"there is no rule {ROOT!r}")
    finished: set[str] = set()
    for name in rules:
        _visit(name, rules, (), finished)


def _visit(name: str, rules: dict[str, Node], path: tuple[str, ...], finished: set[str]) -> None:
    if name in finished:
        return
    if name in path:
        raise GrammarError(f"the rule {name!r} reaches itself")
    if name not in rules:
        raise GrammarError(f"the rule {name!r} is not defined")
    for other in references(rules[name]):
        _visit(other, rules, (*path, name), finished)
    finished.add(name)


class _Reader:
    """Reads the right-hand side of one rule."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._at = 0

    def read(self) -> Node:
        node = self._choice()
        if self._at < len(self._tokens):
            raise GrammarError(f"{self._tokens[self._at][1]!r} closes nothing")
        return node

    def _take(self, mark: str) -> bool:
        here = self._at < len(self._tokens) and self._tokens[self._at] == ("mark", mark)
        self._at += here
        return here

    def _choice(self) -> Node:
        options = [self._sequence()]
        while self._take("|"):
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while (part := self._part()) is not None:
            parts.append(part)
        if not parts:
            raise GrammarError("an alternative is empty")
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _part(self) -> Node | None:
        node = self._atom()
        if node is None:
            return None
        for mark, (least, most) in _REPEATS.items():
            if self._take(mark):
                return Repeat(node, least, most)
        return node

    def _atom(self) -> Node | None:
        if self._take("("):
            node = self._choice()
            if not self._take(")"):
                raise GrammarError("a group is not closed")
            return node
        if self._at == len(self._tokens) or self._tokens[self._at][0] == "mark":
            return None
        kind, text = self._tokens[self._at]
        self._at += 1
        if kind == "ref":
            return Ref(text)
        return _chars(text) if kind == "chars" else Literal(_unescape(text[1:-1]))


def _tokens(text: str) -> list[tuple[str, str]]:
    found = []
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise GrammarError(f"{text[at : at + 20]!r} is malformed")
        if token.lastgroup != "space":
            found.append((str(token.lastgroup), token[0]))
        at = token.end()
    return found


def _chars(text: str) -> Chars:
    negated = text.startswith("[^")
    inside = text[2 if negated else 1 : -1]
    pairs = [(low, high or low) for low, high in _RANGE.findall(inside)]
    return Chars(tuple((ord(_unescape(a)), ord(_unescape(b))) for a, b in pairs), negated)


def _unescape(text: str) -> str:
    return re.sub(_CHARACTER, _plain, text)


def _plain(found: re.Match[str]) -> str:
    code = found[0][1:]
    if len(code) == 3:
        return chr(int(code[1:], 16))
    return _SHORT.get(code, code)
