"""What a GGUF file says about itself, read without any model library."""

import hashlib
import struct
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from simulator.events import Json
from simulator.events.errors import InputError

_MAGIC = b"GGUF"
_SCALARS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
_STRING, _ARRAY = 8, 9
_LONGEST = 1 << 24  # bytes of one string; chat templates have some thousands

# `general.file_type` as llama.cpp numbers it.
_QUANTIZATIONS = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    7: "Q8_0",
    8: "Q5_0",
    9: "Q5_1",
    10: "Q2_K",
    11: "Q3_K_S",
    12: "Q3_K_M",
    13: "Q3_K_L",
    14: "Q4_K_S",
    15: "Q4_K_M",
    16: "Q5_K_S",
    17: "Q5_K_M",
    18: "Q6_K",
    32: "BF16",
}


def check_gguf(path: Path) -> None:
    """Check that a path is a readable GGUF file.

    Raises:
        InputError: when it is missing, a folder, unreadable or no GGUF.
    """
    if path.is_dir():
        raise InputError("the model is a folder; a GGUF file is needed", file=str(path))
    if not path.exists():
        raise InputError("the model's GGUF file does not exist", file=str(path))
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise InputError(f"the model cannot be read: {error.strerror}", file=str(path)) from None
    if magic != _MAGIC:
        raise InputError("the model is no GGUF file", file=str(path))


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, remembered in this process by path, size and mtime."""
    state = path.stat()
    return _hash(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=16)
def _hash(path: Path, size: int, mtime: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_metadata(path: Path) -> dict[str, Json]:
    """Return the scalar and text metadata of a GGUF file; arrays are skipped.

    Raises:
        InputError: when the header is cut off or malformed.
    """
    try:
        with path.open("rb") as file:
            return _read_header(file)
    except (struct.error, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"the GGUF header is malformed: {error}", file=str(path)) from None


def quantization(metadata: dict[str, Json]) -> str:
    """Return the name of the quantization, such as `Q4_1`, or `file_type N` for others."""
    kind = metadata.get("general.file_type")
    return _QUANTIZATIONS.get(kind, f"file_type {kind}") if isinstance(kind, int) else "unknown"


def _read_header(file: BinaryIO) -> dict[str, Json]:
    magic, version = file.read(4), _read(file, "<I")
    if magic != _MAGIC or version not in (2, 3):
        raise ValueError(f"version {version} is not known")
    _read(file, "<Q")  # number of tensors
    found = {}
    for _ in range(_read(file, "<Q")):
        name = _read_string(file)
        value = _read_value(file, _read(file, "<I"))
        if value is not None:
            found[name] = value
    return found


def _read(file: BinaryIO, form: str) -> Json:
    return struct.unpack(form, file.read(struct.calcsize(form)))[0]


def _read_string(file: BinaryIO) -> str:
    return _read_bytes(file).decode("utf-8")


def _read_bytes(file: BinaryIO) -> bytes:
    size = _read(file, "<Q")
    if size > _LONGEST:
        raise ValueError(f"a text of {size} bytes")
    data = file.read(size)
    if len(data) < size:
        raise ValueError("cut off")
    return data


def _read_value(file: BinaryIO, kind: int) -> Json:
    """Return a scalar or a text; read past an array and return None."""
    if kind == _STRING:
        return _read_string(file)
    if kind in _SCALARS:
        return _read(file, _SCALARS[kind])
    if kind != _ARRAY:
        raise ValueError(f"value type {kind} is not known")
    element, count = _read(file, "<I"), _read(file, "<Q")
    if element in _SCALARS:
        file.seek(count * struct.calcsize(_SCALARS[element]), 1)
        return None
    if element != _STRING:
        raise ValueError(f"arrays of type {element} are not known")
    for _ in range(count):
        _read_bytes(file)
    return None
