"""Renderers: pure functions from the neutral prompt to text, by name.

A replay renders with these too, in a process without any model library, so a changed template
shows as the first differing event.
"""

from collections.abc import Callable

from simulator.effects.prompts import Prompt
from simulator.events import Surface
from simulator.events.times import show_time

MEMORY = "## Memory"
SESSION = "## This session"
REQUEST = "## Request"
TOOLS = "## Tools"
EXAMPLES = "## Examples"
ACTION_CUE = "Action:"
RESULT_CUE = "Result:"
TEXT_CUE = "Answer:"


def render_plain(prompt: Prompt) -> str:
    """Render as plain text for a completion model; empty sections are left out."""
    parts = [prompt.instructions]
    if prompt.tools:
        parts.append("\n".join([TOOLS, *(tool.signature for tool in prompt.tools)]))
    if prompt.examples:
        parts.append("\n".join([EXAMPLES, *prompt.examples]))
    if prompt.block:
        parts.append(f"{MEMORY}\n{prompt.block}")
    if prompt.context:
        parts.append("\n".join([SESSION, *(render_surface(each) for each in prompt.context)]))
    steps = [_render_step(each) for each in prompt.steps]
    cue = ACTION_CUE if prompt.tools else TEXT_CUE
    parts.append("\n".join([REQUEST, one_line(prompt.request), *steps, cue]))
    return "\n\n".join(parts)


def render_surface(surface: Surface) -> str:
    """Render one surface as a line: time, who, text."""
    who = surface.role if surface.tool is None else f"{surface.role} {surface.tool}"
    return f"[{show_time(surface.time)}] {who}: {one_line(surface.text)}"


def _render_step(surface: Surface) -> str:
    cue = RESULT_CUE if surface.role == "tool" else ACTION_CUE
    return f"{cue} {one_line(surface.text)}"


def one_line(text: str) -> str:
    """Join the lines of a text, so that nobody's text can start a section of the prompt."""
    return " ".join(text.split())


RENDERERS: dict[str, Callable[[Prompt], str]] = {"plain": render_plain}
