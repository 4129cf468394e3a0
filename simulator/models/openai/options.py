"""Options of the `openai` back end; nothing that could be a secret is accepted or shown."""

import re
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from simulator.effects.options import UNSHOWN, Options

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

Omitted = Literal["temperature", "seed", "parallel_tool_calls"]
"""Fields of a request that some endpoints refuse."""


class OpenAIOptions(Options):
    """Options of `openai`.

    Attributes:
        model: The model's name at the endpoint.
        base_url: Where the endpoint is, without credentials, query and fragment.
        api_key_env: Name of the environment variable that holds the key; ``""`` sends none.
        tools: `native` (the endpoint's own tool calls) or `text` (the written form).
        tool_choice: With `native`: `required`, `auto`, or the one tool that must be called.
        temperature: Sampling temperature.
        reasoning_effort: How much a reasoning model should think; None leaves it to the endpoint.
        output_limit: The field that carries the output limit.
        omit: Fields that are not sent.
        timeout_s: Longest silence of the endpoint, seconds.
        max_retries: Most requests of one call after the first.
        max_wait_s: Longest wait before a retry, seconds.
        requests_per_minute: Most requests in any minute; None sets no limit.
        tokens_per_minute: Most tokens in any minute; None sets no limit.
    """

    model: str = Field(min_length=1)
    base_url: str = "https://api.openai.com/v1"
    api_key_env: str = "OPENAI_API_KEY"
    tools: Literal["native", "text"] = "native"
    tool_choice: str = Field(default="required", min_length=1)
    temperature: float = Field(default=0, ge=0, le=2)
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None = None
    output_limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    omit: list[Omitted] = Field(default_factory=list)
    timeout_s: float = Field(default=120, gt=0, le=86_400)
    max_retries: int = Field(default=5, ge=0, le=20)
    max_wait_s: float = Field(default=60, ge=0, le=86_400)
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)

    @field_validator("base_url")
    @classmethod
    def _without_secrets(cls, url: str) -> str:
        _check_url(url)
        return url.rstrip("/")

    @field_validator("api_key_env")
    @classmethod
    def _a_name(cls, name: str) -> str:
        # What is no name is likely to be the key itself.
        if name and not _VARIABLE.fullmatch(name):
            _refuse("the name of an environment variable is needed, never the key itself")
        return name


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        port_is_known = parts.port is None or parts.port > 0
    except ValueError:
        port_is_known = False
    if not port_is_known or parts.scheme not in ("http", "https") or not parts.hostname:
        _refuse("an address such as https://api.openai.com/v1 is needed")
    if "@" in parts.netloc or parts.query or parts.fragment:
        _refuse(
            "options are recorded in the log, so the address may hold no user, password, query "
            "or fragment; a key is read from the variable that api_key_env names"
        )


def _refuse(message: str) -> None:
    raise PydanticCustomError(UNSHOWN, message)
