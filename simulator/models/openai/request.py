"""From a neutral prompt to the fields of a chat completion request.

The rendered prompt is the one user message: what is hashed is what is sent. With `native` tools
the environment's tools, and one for each action that ends a decision, are offered beside it.
"""

from collections.abc import Sequence

from simulator.effects.environment import Tool
from simulator.events import Json
from simulator.events.errors import InputError, nearest
from simulator.models.openai.options import OpenAIOptions
from simulator.models.port import CompletionRequest
from simulator.models.written import SPOKEN

SPOKEN_ARGUMENT = "text"
_MEANT = {
    "answer": "Give the final answer and end the turn.",
    "ask": "Ask the user for something that is missing and end the turn.",
    "refuse": "Decline the request and end the turn.",
}
_ENDINGS = tuple(
    Tool(
        name=word,
        description=_MEANT[word],
        parameters={
            "type": "object",
            "properties": {SPOKEN_ARGUMENT: {"type": "string"}},
            "required": [SPOKEN_ARGUMENT],
            "additionalProperties": False,
        },
        read_only=True,
    )
    for word in SPOKEN
)
_LARGEST_SEED = 2**31  # what every known endpoint takes


def offers_tools(options: OpenAIOptions, request: CompletionRequest) -> bool:
    """Return whether a request offers the endpoint tools to call."""
    return options.tools == "native" and bool(request.prompt.tools)


def offered_tools(options: OpenAIOptions, request: CompletionRequest) -> list[Tool]:
    """Return the tools that a request offers, those that end a decision included."""
    return [*request.prompt.tools, *_ENDINGS] if offers_tools(options, request) else []


def build_request(options: OpenAIOptions, request: CompletionRequest) -> dict[str, Json]:
    """Return the fields of a request.

    Raises:
        InputError: when two tools have one name, or `tool_choice` is none of them.
    """
    fields: dict[str, Json] = {
        "model": options.model,
        "messages": [{"role": "user", "content": request.rendered}],
        "temperature": options.temperature,
        "seed": request.seed % _LARGEST_SEED,
        options.output_limit: request.max_tokens,
    }
    if options.reasoning_effort is not None:
        fields["reasoning_effort"] = options.reasoning_effort
    tools = offered_tools(options, request)
    if tools:
        fields |= _tool_fields(options.tool_choice, tools)
    return {name: value for name, value in fields.items() if name not in options.omit}


def _tool_fields(choice: str, tools: Sequence[Tool]) -> dict[str, Json]:
    names = [tool.name for tool in tools]
    if len(set(names)) < len(names):
        raise InputError(f"two tools have the same name in {names!r}")
    return {
        "tools": [_function(tool) for tool in tools],
        "tool_choice": _choice(choice, names),
        "parallel_tool_calls": False,  # one action a completion
    }


def _function(tool: Tool) -> dict[str, Json]:
    return {"type": "function", "function": tool.model_dump(exclude={"read_only"})}


def _choice(choice: str, names: list[str]) -> Json:
    if choice in ("required", "auto"):
        return choice
    if choice not in names:
        valid = ["required", "auto", *names]
        raise InputError(f"unknown tool {choice!r}{nearest(choice, valid)}", field="tool_choice")
    return {"type": "function", "function": {"name": choice}}
