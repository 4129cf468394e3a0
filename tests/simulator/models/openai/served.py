"""A small endpoint on loopback that answers by a script, and what the tests ask it."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from simulator.effects.environment import Tool
from simulator.effects.prompts import Prompt
from simulator.events import Json
from simulator.models.openai.back_end import OpenAI
from simulator.models.openai.options import OpenAIOptions
from simulator.models.port import CompletionRequest
from simulator.models.rendering import render_plain

REFUND = Tool(
    name="refund_order",
    description="Refund an amount of an order.",
    parameters={
        "type": "object",
        "properties": {"order": {"type": "string"}, "amount": {"type": "string"}},
        "required": ["order", "amount"],
        "additionalProperties": False,
    },
    read_only=False,
)
ACT = Prompt(instructions="Act.", tools=(REFUND,), request="Refund order O-1.")
TELL = Prompt(instructions="Answer.", request="What is the budget?")
USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


@dataclass(frozen=True)
class Reply:
    """One answer of the script.

    Attributes:
        body: JSON, or the bytes themselves.
        status: HTTP status.
        headers: More headers.
        cut: The connection is reset after so many bytes of the body.
        silent: Nothing is sent until the server is closed.
    """

    body: Json | bytes = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    silent: bool = False


def said(content: str | None = "Hi", finish: str | None = "stop", **message: Json) -> Reply:
    """A completion with this message and `USAGE`."""
    return Reply(completion({"content": content, **message}, finish))


def called(*calls: tuple[str, str], finish: str = "tool_calls", usage: Json = None) -> Reply:
    """A completion of tool calls: name and arguments as text."""
    made = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for n, (name, arguments) in enumerate(calls)
    ]
    return Reply(completion({"content": None, "tool_calls": made}, finish, usage or USAGE))


def completion(message: Json, finish: str | None = "stop", usage: Json = USAGE) -> Json:
    return {
        "id": "x",
        "object": "chat.completion",
        "model": "m-2026-01-01",
        "system_fingerprint": "fp_7",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage,
    }


def failed(status: int, message: str = "no", usage: Json = None, **error: Json) -> Reply:
    headers = error.pop("headers", {})
    body = {"error": {"message": message, **error}}
    return Reply(body if usage is None else {**body, "usage": usage}, status, headers)


Script = Callable[[dict[str, Any], int], Reply]
"""From a request's JSON and its number to the answer."""


class Server:
    """The endpoint.

    Attributes:
        url: Its base URL.
        requests: The JSON of each request, in order of arrival.
        keys: The `Authorization` header of each.
    """

    def __init__(self, script: Script | list[Reply]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self._script = script if callable(script) else lambda _, number: script[number]
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = False
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    def __enter__(self) -> "Server":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def _take(self, request: dict[str, Any], key: str | None) -> Reply:
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
            self.keys.append(key)
        return self._script(request, number)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/chat/completions"
                sent = self.rfile.read(int(self.headers["Content-Length"]))
                reply = server._take(json.loads(sent), self.headers["Authorization"])
                if reply.silent:
                    server._over.wait()
                    return
                self._send(reply)

            def _send(self, reply: Reply) -> None:
                body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body)
                data = body if isinstance(body, bytes) else body.encode()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: reply.cut])
                if reply.cut is not None:
                    self.wfile.flush()
                    linger = struct.pack("ii", 1, 0)  # closing sends a reset
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self.connection.close()

            def log_message(self, *_: object) -> None:
                return

        return Handler


class FakeWall:
    """A clock that waits by being told to.

    Attributes:
        slept: Every wait, ms.
    """

    def __init__(self) -> None:
        self.now = 1_000_000
        self.slept: list[int] = []

    def now_ms(self) -> int:
        return self.now

    def sleep_ms(self, ms: int) -> None:
        self.slept.append(ms)
        self.now += ms


@contextmanager
def opened(server: Server, wall: FakeWall | None = None, **options: Json) -> Iterator[OpenAI]:
    """A back end for a server, without a key."""
    given = {"model": "m", "base_url": server.url, "api_key_env": "", **options}
    model = OpenAI(OpenAIOptions.model_validate(given), wall or FakeWall())
    try:
        yield model
    finally:
        model.close()


def ask(prompt: Prompt, max_tokens: int = 48, seed: int = 7) -> CompletionRequest:
    return CompletionRequest(prompt, render_plain(prompt), "", max_tokens, seed)
