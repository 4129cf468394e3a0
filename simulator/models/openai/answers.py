"""What an endpoint answered, and whose fault it is when that is no completion."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from simulator.effects.prompts import Service
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.models.port import CallFault

NO_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_USERS = frozenset({"invalid_api_key", "model_not_found", *NO_MONEY})
_USERS_STATUSES = frozenset({401, 402, 404})
_OPTIONS = {
    "max_completion_tokens": "output_limit",
    "max_tokens": "output_limit",
    "model": "model",
    "parallel_tool_calls": "omit",
    "reasoning_effort": "reasoning_effort",
    "seed": "omit",
    "temperature": "temperature",
    "tool_choice": "tool_choice",
    "tools": "tools",
}
"""Field of a request to the option that decides about it."""

_OVERFLOWS = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_TOO_LONG = ("context length", "context window", "context size", "prompt is too long")
_LONGEST = 300


@dataclass(frozen=True)
class HttpAnswer:
    """One answer, or the lack of it.

    Attributes:
        status: HTTP status; None where no whole answer came.
        body: The decoded JSON object; empty where the answer is none.
        headers: Header to value, names in lower case.
        problem: Why there was no answer or no JSON; ``""`` when there was.
    """

    status: int | None
    body: dict[str, Json] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""

    @property
    def error(self) -> dict[str, Json]:
        """The error object of the body, or an empty one."""
        found = self.body.get("error")
        if isinstance(found, str):
            return {"message": found}
        return found if isinstance(found, dict) else {}

    @property
    def code(self) -> str:
        """The error's code, or its type where it has no code."""
        return str(self.error.get("code") or self.error.get("type") or "")

    @property
    def completed(self) -> bool:
        """True when this is the answer of a call that succeeded."""
        return self.status is not None and self.status < 300 and not self.problem

    def tell(self) -> str:
        """Say in a sentence what came instead of a completion."""
        said = self.problem or self._message()
        text = storable(" ".join(said.split())[:_LONGEST])
        return text if self.status is None else f"HTTP {self.status}: {text}"

    def _message(self) -> str:
        # Not everybody puts it into an error object.
        places = (self.error.get("message"), self.body.get("message"), self.body.get("detail"))
        return next((each for each in places if isinstance(each, str) and each), "no reason given")


def decode(
    status: int, headers: Mapping[str, str], content: bytes, redact: Callable[[bytes], bytes]
) -> HttpAnswer:
    """Read the body of an answer, without what `redact` takes out of it.

    Some gateways report an error with status 200; its own status is then taken.
    """
    lowered = {name.lower(): value for name, value in headers.items()}
    try:
        body = json.loads(redact(content))
    except (ValueError, RecursionError):
        return HttpAnswer(status, {}, lowered, "the answer is no JSON")
    if not isinstance(body, dict):
        return HttpAnswer(status, {}, lowered, "the answer is no JSON object")
    answer = HttpAnswer(status, body, lowered)
    if status < 300 and answer.error and not body.get("choices"):
        own = answer.error.get("code")
        told = own if isinstance(own, int) and 400 <= own < 600 else status
        return HttpAnswer(told, body, lowered, str(answer.error.get("message", "an error")))
    return answer


def give_up(answer: HttpAnswer, service: Service, retried: bool) -> NoReturn:
    """Raise what an answer without a completion means.

    Args:
        answer: The last answer.
        service: All requests of the call.
        retried: True when the answer was worth another request but none is left.

    Raises:
        InputError: when the user must mend something: the key, the model's name, an option, the
            quota.
        CallFault: `model` `overflow`, `truncated` (a content filter), `crash` (the endpoint was
            not to be reached or failed) or `invalid` (it refused the request).
    """
    if retried:
        made = f"no completion after {len(service.attempts)} requests"
        raise CallFault("model", "crash", f"{made}: {answer.tell()}", service=service)
    param = str(answer.error.get("param") or "").partition("[")[0].partition(".")[0]
    if answer.code in _OVERFLOWS or _says_too_long(answer):
        raise CallFault("model", "overflow", answer.tell(), service=service)
    if "content_filter" in answer.code or "content_policy" in answer.code:
        raise CallFault("model", "truncated", answer.tell(), service=service)
    if answer.code in _USERS or answer.status in _USERS_STATUSES or param in _OPTIONS:
        message = f"the endpoint refuses every call: {answer.tell()}"
        raise InputError(message, field=_OPTIONS.get(param))
    raise CallFault("model", "invalid", answer.tell(), service=service)


def storable(text: str) -> str:
    """Return a text that the log can hold: a lone surrogate is written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _says_too_long(answer: HttpAnswer) -> bool:
    said = answer.tell().lower()
    return answer.status in (400, 413, 422) and any(words in said for words in _TOO_LONG)
