"""The OpenAI-compatible server that ships with llama-cpp-python, on loopback, with SmolLM2.

Run as a program it is that server; imported, it starts one.
"""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket

from simulator.models.llama.back_end import find_model


@contextmanager
def llama_server() -> Iterator[str]:
    """Start a server in a process of its own and yield its base URL."""
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = subprocess.Popen(
        [sys.executable, "-P", str(Path(__file__)), str(find_model("smollm2")), str(port)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert started.stderr is not None
    said = []
    for line in started.stderr:
        said.append(line)
        if "Uvicorn running" in line:
            break
    else:
        raise RuntimeError(f"the server did not start: {''.join(said)}")
    reader = threading.Thread(target=started.stderr.read)  # a full pipe would stop the server
    reader.start()
    try:
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        started.kill()
        started.wait()
        reader.join()
        started.stderr.close()


def main() -> None:
    """Serve the GGUF `argv[1]` on port `argv[2]`."""
    import llama_cpp.llama_cpp as bindings
    from llama_cpp.server.__main__ import main as serve

    defaults = bindings.llama_model_default_params

    def plain() -> object:
        params = defaults()
        params.use_extra_bufts = False  # as in simulator.models.llama.child, and why there
        return params

    bindings.llama_model_default_params = plain
    path, port = sys.argv[1:]
    sys.argv = ["llama_cpp.server", "--model", path, "--host", "127.0.0.1", "--port", port]
    sys.argv += [
        "--chat_format",
        "chatml-function-calling",
        "--n_ctx",
        "2048",
        "--n_threads",
        "1",
        "--n_threads_batch",
        "1",
    ]
    serve()


if __name__ == "__main__":
    main()
