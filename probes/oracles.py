"""Agents for testing scenarios and scorers: some see the key, the others need none to be wrong.

An agent that sees the key has `oracle` set, so that its trials are marked and never results.
"""

import itertools
import re
from collections.abc import Iterator
from typing import Any, ClassVar

from scoring.keys import Key, Probe
from scoring.matching import occurrences
from simulator.agents.actions import Answer, Clarification, Outcome, Refusal
from simulator.agents.port import Desk
from simulator.effects.environment import Tool
from simulator.effects.options import Options as NoOptions
from simulator.effects.steps import CallTool, Steps
from simulator.models.scripted.words import content_words

UNKNOWN = "I do not know."
DONE = "Done."

_MOST_CALLS = 50


class OracleAgent:
    """Plays the key's reference, whatever it is shown."""

    Options: ClassVar[type[NoOptions]] = NoOptions
    oracle: ClassVar[bool] = True

    def __init__(self, key: Key) -> None:
        self._references = {probe.decision: probe.reference for probe in key.probes}

    def act(self, desk: Desk) -> Steps[Outcome]:
        """Make the reference's calls and give its answer; without a reference, only answer."""
        reference = self._references.get(desk.decision)
        if reference is None:
            return Answer(DONE)
        for call in reference.calls:
            yield CallTool(call.tool, call.arguments)
        if reference.ends == "clarification":
            return Clarification(reference.answer)
        return Answer(reference.answer)


class PerfectReader:
    """Plays the reference exactly when the prompt holds every gold value."""

    Options: ClassVar[type[NoOptions]] = NoOptions
    oracle: ClassVar[bool] = True

    def __init__(self, key: Key) -> None:
        self._oracle = OracleAgent(key)
        self._probes = key.probes

    def act(self, desk: Desk) -> Steps[Outcome]:
        """Act as the oracle, or say that it does not know."""
        asked = [probe for probe in self._probes if probe.decision == desk.decision]
        if not all(holds_gold(probe, desk) for probe in asked):
            return Answer(UNKNOWN)
        return (yield from self._oracle.act(desk))


def holds_gold(probe: Probe, desk: Desk) -> bool:
    """Say whether block, working context and request together hold every gold value."""
    shown = shown_text(desk)
    return all(occurrences(gold.value, shown) for gold in probe.gold)


def shown_text(desk: Desk) -> str:
    """Return what the prompt shows besides instructions, tools and examples."""
    context = (surface.text for surface in desk.context())
    return "\n".join([desk.block, *context, desk.request])


class Snooper:
    """Looks up all it can with the ids it sees, then guesses values of the right form."""

    Options: ClassVar[type[NoOptions]] = NoOptions
    oracle: ClassVar[bool] = False

    def __init__(self, options: NoOptions) -> None:
        self._options = options

    def act(self, desk: Desk) -> Steps[Outcome]:
        """Read with every read-only tool, then call the likeliest writing tool once."""
        seen = shown_text(desk)
        tried: set[tuple[str, tuple[str, ...]]] = set()
        # What one look-up returns may name what the next one can look up.
        while len(tried) < _MOST_CALLS:
            new = [call for call in _look_ups(desk.tools, seen) if call not in tried]
            if not new:
                break
            tool, values = new[0]
            tried.add(new[0])
            result = yield CallTool(tool, _named(desk.tools, tool, values))
            seen += "\n" + result.text
        guess = _guess(desk, seen)
        if guess is not None:
            yield guess
        return Answer(DONE)


class DoNothing:
    """Says that it is done, and has done nothing."""

    Options: ClassVar[type[NoOptions]] = NoOptions
    oracle: ClassVar[bool] = False

    def __init__(self, options: NoOptions) -> None:
        self._options = options

    def act(self, desk: Desk) -> Steps[Outcome]:
        """Answer at once."""
        return Answer(DONE)
        yield  # a generator without an effect


class AlwaysRefuse:
    """Declines everything."""

    Options: ClassVar[type[NoOptions]] = NoOptions
    oracle: ClassVar[bool] = False

    def __init__(self, options: NoOptions) -> None:
        self._options = options

    def act(self, desk: Desk) -> Steps[Outcome]:
        """Refuse at once."""
        return Refusal("I cannot help with that.")
        yield  # a generator without an effect


def _look_ups(tools: tuple[Tool, ...], seen: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for tool in tools:
        if tool.read_only:
            choices = [_matches(_forms(tool)[name], seen) for name in _required(tool)]
            yield from ((tool.name, values) for values in itertools.product(*choices))


def _named(tools: tuple[Tool, ...], name: str, values: tuple[str, ...]) -> dict[str, str]:
    tool = next(tool for tool in tools if tool.name == name)
    return dict(zip(_required(tool), values, strict=True))


def _required(tool: Tool) -> list[str]:
    return [name for name in _forms(tool) if name in tool.parameters.get("required", ())]


def _forms(tool: Tool) -> dict[str, dict[str, Any]]:
    forms: dict[str, dict[str, Any]] = tool.parameters.get("properties", {})
    return forms


def _matches(form: dict[str, Any], text: str) -> list[str]:
    """Return the texts of a parameter's form in `text`, in order, each once."""
    if "pattern" not in form:
        return []
    pattern = form["pattern"].removeprefix("^").removesuffix("$")
    return list(dict.fromkeys(found.group() for found in re.finditer(pattern, text)))


def _guess(desk: Desk, seen: str) -> CallTool | None:
    """Return a call of the tool whose words fit the request best, with the first fitting values."""
    wanted = content_words(desk.request)
    writers = [tool for tool in desk.tools if not tool.read_only]
    if not writers:
        return None
    tool = max(writers, key=lambda each: len(wanted & _words(each)))
    arguments = {}
    for name, form in _forms(tool).items():
        found = _matches(form, desk.request) or _matches(form, seen)
        if found:
            arguments[name] = found[0]
        elif name in _required(tool):
            return None
    return CallTool(tool.name, arguments)


def _words(tool: Tool) -> frozenset[str]:
    return content_words(f"{tool.name} {tool.description}")
