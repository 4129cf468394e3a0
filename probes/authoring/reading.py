"""From YAML nodes to the form: every step typed by its verb, with the place where it stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from pydantic import ValidationError

from probes.authoring.form import VERBS, Head, SessionHead, Verb
from probes.scenario.nodes import Listing, Mapping, Node, Scalar
from probes.scenario.typing_nodes import explained, typed
from simulator.events import Frozen
from simulator.events.errors import InputError, nearest, shown

M = TypeVar("M", bound=Frozen)


@dataclass(frozen=True)
class Step:
    """One step of a session.

    Attributes:
        verb: What happens.
        name: The verb's name.
        place: Dotted place of the verb in the file, such as `sessions.0.steps.2.say`.
    """

    verb: Verb
    name: str
    place: str

    def wrong(self, message: str, field: str = "") -> InputError:
        """Return an error at the verb, or at one of its fields; its line follows from its place."""
        return InputError(message, field=self.at(field))

    def at(self, field: str) -> str:
        """Return the place of one of the verb's fields."""
        return f"{self.place}.{field}" if field else self.place


@dataclass(frozen=True)
class Session:
    """One session: its head, its steps in order, and its dotted place."""

    head: SessionHead
    steps: tuple[Step, ...]
    place: str


@dataclass(frozen=True)
class Task:
    """A task as it stands in the file."""

    head: Head
    sessions: tuple[Session, ...]


def read_task(root: Node) -> Task:
    """Return the task of a file.

    Raises:
        InputError: with line and field.
    """
    head, inner = _headed(root, Head, "", "sessions")
    sessions = [_session(each, f"sessions.{i}") for i, each in enumerate(_items(inner, "sessions"))]
    if not sessions:
        raise InputError("a task has at least one session", line=inner.line, field="sessions")
    return Task(head, tuple(sessions))


def _session(node: Node, place: str) -> Session:
    head, inner = _headed(node, SessionHead, place, "steps")
    there = f"{place}.steps"
    steps = [_step(each, f"{there}.{i}") for i, each in enumerate(_items(inner, there))]
    return Session(head, tuple(steps), place)


def _headed(node: Node, model: type[M], place: str, rest: str) -> tuple[M, Node]:
    """Return the fields above a list as a model, and the list that stands in the field `rest`."""
    if not isinstance(node, Mapping):
        raise InputError("fields are expected here (name: value)", line=node.line, field=place)
    _refuse_unknown(node, [*model.model_fields, rest], place)
    if rest not in node.entries:
        field = f"{place}.{rest}" if place else rest
        raise InputError("this field is required", line=node.line, field=field)
    entries = {name: each for name, each in node.entries.items() if name != rest}
    return _model(Mapping(node.line, entries, node.lines), model, place), node.entries[rest]


def _refuse_unknown(node: Mapping, known: Iterable[str], place: str) -> None:
    names = list(known)
    for name in node.entries:
        if name not in names:
            field = f"{place}.{name}" if place else name
            message = f"unknown field {shown(name)}{nearest(name, names)}"
            raise InputError(message, line=node.lines[name], field=field)


def _items(node: Node, place: str) -> tuple[Node, ...]:
    if not isinstance(node, Listing):
        raise InputError("a list is expected here", line=node.line, field=place)
    return node.items


def _model(node: Mapping, model: type[M], place: str) -> M:
    data = typed(node, model, place, {})
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise explained(error, node, place) from None


def _step(node: Node, place: str) -> Step:
    name, taken = _verb(node, place)
    verb, there = VERBS[name], f"{place}.{name}"
    if isinstance(taken, Scalar):
        taken = _spelled_out(taken, name, there)
    if not isinstance(taken, Mapping):
        message = f"{name!r} takes fields (name: value)"
        raise InputError(message, line=taken.line, field=there)
    return Step(_model(taken, verb, there), name, there)


def _verb(node: Node, place: str) -> tuple[str, Node]:
    """Return the verb of a step and what it takes; `compact` may stand alone."""
    if isinstance(node, Scalar) and node.text in VERBS:
        return node.text, Scalar(node.line, "", plain=True)
    if not isinstance(node, Mapping) or len(node.entries) != 1:
        message = f"a step is one verb and what it takes{_several(node)}"
        raise InputError(message, line=node.line, field=place)
    ((name, taken),) = node.entries.items()
    if name not in VERBS:
        message = f"unknown verb {shown(name)}{nearest(name, VERBS)}"
        raise InputError(message, line=node.lines[name], field=place)
    return name, taken


def _several(node: Node) -> str:
    names = list(node.entries) if isinstance(node, Mapping) else []
    return f"; this one has {' and '.join(map(shown, names))}" if names else ""


def _spelled_out(taken: Scalar, name: str, place: str) -> Mapping:
    """Return what a bare text after a verb stands for."""
    if taken.plain and not taken.text:
        if name == "compact":
            return Mapping(taken.line, {}, {})
        raise InputError("nothing stands here", line=taken.line, field=place)
    short = VERBS[name].short
    if short is None:
        message = f"{name!r} takes fields (name: value), no text alone"
        raise InputError(message, line=taken.line, field=place)
    return Mapping(taken.line, {short: taken}, {short: taken.line})
