"""The process that holds llama.cpp: `python -m simulator.models.llama.child`.

It reads JSON lines from standard input and writes one JSON line back for each. The first line
loads the model (`model`, `context`, `threads`); every other one completes a prompt (`prompt`,
`previous`, `max_tokens`, `grammar`). It ends when its input ends. Whatever kills llama.cpp
kills only this process.
"""

import codecs
import ctypes
import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

import llama_cpp

_LONGEST_PIECE = 4_096  # bytes of one token's text


def main() -> None:
    """Serve until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    replies = _private_stdout()
    lines = iter(sys.stdin)
    try:
        settings = json.loads(next(lines))
        llama = _load(settings)
    except ValueError as error:
        _send(replies, {"error": "load", "message": _first_line(error)})
        return
    _send(replies, {"ready": True})
    for line in lines:
        _send(replies, _complete(llama, settings["context"], json.loads(line)))


def _private_stdout() -> TextIO:
    """Keep standard output for replies; what a library prints goes nowhere."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return replies


def _send(replies: TextIO, message: dict[str, Any]) -> None:
    replies.write(json.dumps(message) + "\n")
    replies.flush()


def _first_line(error: ValueError) -> str:
    return str(error).partition(": ")[0].partition("\n")[0]  # what follows is a path


def _load(settings: dict[str, Any]) -> llama_cpp.Llama:
    _keep_weights_as_stored()
    return llama_cpp.Llama(
        model_path=settings["model"],
        n_ctx=settings["context"],
        n_threads=settings["threads"],
        n_threads_batch=settings["threads"],
        n_gpu_layers=0,
        verbose=False,
    )


def _keep_weights_as_stored() -> None:
    """Switch off weight layouts made for one CPU; `Llama` has no argument for it.

    Such a layout moves logits from machine to machine, and the one for AMX kills the process
    (a fault at `ldtilecfg`) on virtual machines that announce AMX without allowing it.
    """
    bindings = llama_cpp.llama_cpp
    defaults = bindings.llama_model_default_params

    def plain() -> Any:
        params = defaults()
        params.use_extra_bufts = False
        return params

    bindings.llama_model_default_params = plain


def _tokens(llama: llama_cpp.Llama, text: str) -> list[int]:
    """Tokenize; a control token's name in somebody's text stays text."""
    return list(llama.tokenize(text.encode("utf-8"), add_bos=True, special=False))


def _complete(llama: llama_cpp.Llama, context: int, request: dict[str, Any]) -> dict[str, Any]:
    prompt = _tokens(llama, request["prompt"])
    most = request["max_tokens"]
    if not prompt:
        return {"error": "invalid", "message": "the prompt has no tokens"}
    if len(prompt) + most > context:  # llama.cpp itself rounds the context up
        return {"error": "overflow", "input": len(prompt), "context": context}
    previous = _tokens(llama, request["previous"]) if request["previous"] else []
    shared = len(os.path.commonprefix([prompt, previous]))
    grammar = None
    if request["grammar"] is not None:
        grammar = llama_cpp.LlamaGrammar.from_string(request["grammar"], verbose=False)
    produced = llama.generate(prompt, temp=0.0, grammar=grammar)
    # An action is one line; a text may open with line breaks and ends at an empty line.
    text, finish, count = _text(llama, produced, most, "\n\n" if grammar is None else "\n")
    usage = {"input": len(prompt), "cached": shared, "output": count}
    return {"text": text, "finish": finish, "usage": usage}


def _text(
    llama: llama_cpp.Llama, produced: Iterable[int], most: int, end: str
) -> tuple[str, str, int]:
    """Return the produced text up to `end`, why it ended, and the tokens it took."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    text, count = "", 0
    for piece in _pieces(llama, produced):
        if piece is None:
            return text + decoder.decode(b"", final=True), "stop", count
        count += 1
        text = (text + decoder.decode(piece)).lstrip()
        whole, ended, _ = text.partition(end)
        if ended:
            return whole, "stop", count
        if count == most:
            return text + decoder.decode(b"", final=True), "length", count
    raise AssertionError("generation ended by itself")


def _pieces(llama: llama_cpp.Llama, produced: Iterable[int]) -> Iterator[bytes | None]:
    """Yield the bytes of each token, and None for an end of generation."""
    vocab = llama_cpp.llama_model_get_vocab(llama.model)
    buffer = ctypes.create_string_buffer(_LONGEST_PIECE)
    for token in produced:
        if llama_cpp.llama_vocab_is_eog(vocab, token):
            yield None
            return
        size = llama_cpp.llama_token_to_piece(vocab, token, buffer, _LONGEST_PIECE, 0, False)
        yield buffer.raw[:size]


if __name__ == "__main__":
    main()
