"""Hosted and local models behind an endpoint that speaks the chat completions protocol.

A trial asks for one completion at a time, so as many requests are under way as there are
workers. Usage is what the endpoint bills; a request that failed is recorded with what it used.
"""

from importlib.metadata import version
from typing import ClassVar

from pydantic import BaseModel

from simulator.effects.prompts import Attempt, Completion, Service, Usage
from simulator.events import Json
from simulator.events.faults import Fault
from simulator.events.tokens import count_tokens
from simulator.models.openai.answers import HttpAnswer, give_up, storable
from simulator.models.openai.endpoint import Endpoint
from simulator.models.openai.options import OpenAIOptions
from simulator.models.openai.pace import Pace, RealWall, Wall
from simulator.models.openai.reply import Asked, read_reply
from simulator.models.openai.request import build_request, offers_tools
from simulator.models.openai.retries import wait_ms, worth_retrying
from simulator.models.openai.usage import UsageError, read_usage
from simulator.models.port import CallFault, CompletionRequest


class OpenAI:
    """A model behind an OpenAI-compatible endpoint.

    Args:
        options: Its options.
        wall: The clock that waiting is done by.

    Raises:
        InputError: when the client is not installed, or the key is missing or malformed.
    """

    Options: ClassVar[type[BaseModel]] = OpenAIOptions
    deterministic: ClassVar[bool] = False
    scripted: ClassVar[bool] = False
    renderer: ClassVar[str] = "plain"

    def __init__(self, options: OpenAIOptions, wall: Wall | None = None) -> None:
        self._options = options
        self._wall = wall or RealWall()
        self._endpoint = Endpoint(options)
        self._pace = Pace(options, self._wall)

    def identity(self) -> dict[str, Json]:
        options = self._options
        return {
            "model": options.model,
            "endpoint": options.base_url,
            "tools": options.tools,
            "tool_choice": options.tool_choice,
            "temperature": options.temperature,
            "reasoning_effort": options.reasoning_effort,
            "output_limit": options.output_limit,
            "omit": sorted(options.omit),
            "renderer": self.renderer,
            "backend": f"openai {version('openai')}",
        }

    def complete(self, request: CompletionRequest) -> Completion:
        """Complete a prompt, asking again as the retry rule says.

        Raises:
            CallFault: culprit `model`, with the requests that were made: `overflow`, `crash`
                when the endpoint failed, `truncated` by a content filter, `empty` without a
                choice, `invalid` when the answer or its usage cannot be used.
            InputError: when the user must mend something: the key, the model's name, an option,
                the quota, a tool's name.
        """
        fields = build_request(self._options, request)
        attempts: list[Attempt] = []
        longest = round(self._options.max_wait_s * 1000)
        while True:
            answer = self._ask(fields, request)
            if answer.completed:
                return self._completion(answer, request, attempts)
            retried = worth_retrying(answer)
            wait = None
            if retried and len(attempts) < self._options.max_retries:
                wait = wait_ms(answer, len(attempts), request.seed, longest)
            attempts.append(_attempt(answer, wait or 0))
            if wait is None:
                give_up(answer, _service(answer, attempts), retried)
            self._wall.sleep_ms(wait)

    def _ask(self, fields: dict[str, Json], request: CompletionRequest) -> HttpAnswer:
        ticket = self._pace.enter(count_tokens(request.rendered) + request.max_tokens)
        answer = self._endpoint.ask(fields)
        usage = _usage_or_none(answer)
        self._pace.settle(ticket, usage.input + usage.output if usage else 0)
        return answer

    def _completion(
        self, answer: HttpAnswer, request: CompletionRequest, attempts: list[Attempt]
    ) -> Completion:
        tools = offers_tools(self._options, request)
        words = tools and self._options.tool_choice == "auto"
        asked = Asked(action=bool(request.prompt.tools), tools=tools, words=words)
        try:
            usage = read_usage(answer.body.get("usage"))
            text, finish = read_reply(answer.body, asked)
        except UsageError as error:
            wrong = Fault("model", "invalid", f"the call cannot be billed: {error}")
        except Fault as fault:
            wrong = fault
        else:
            service = _service(answer, attempts)
            return Completion(text=text, finish=finish, usage=usage, service=service)
        last = Attempt(status=answer.status, message=wrong.message, usage=_usage_or_none(answer))
        service = _service(answer, [*attempts, last])
        raise CallFault(wrong.culprit, wrong.fault, wrong.message, wrong.detail, service)

    def close(self) -> None:
        """Close connections."""
        self._endpoint.close()


def _service(answer: HttpAnswer, attempts: list[Attempt]) -> Service:
    named = (answer.body.get(name) for name in ("model", "system_fingerprint"))
    model, fingerprint = (storable(each) if isinstance(each, str) else "" for each in named)
    return Service(model=model, fingerprint=fingerprint, attempts=tuple(attempts))


def _attempt(answer: HttpAnswer, wait: int) -> Attempt:
    return Attempt(
        status=answer.status, message=answer.tell(), usage=_usage_or_none(answer), waited=wait
    )


def _usage_or_none(answer: HttpAnswer) -> Usage | None:
    """Return what an answer says that it used; None where it says nothing usable."""
    try:
        return read_usage(answer.body.get("usage"))
    except UsageError:
        return None
