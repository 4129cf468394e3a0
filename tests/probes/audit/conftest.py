"""One small run, and the real files where MEMTRIAL_DATA says where they are."""

import os
from pathlib import Path

import pytest

from probes.audit import audit_statebench
from simulator.events import Json
from tests.acceptance import stage


@pytest.fixture(scope="session")
def files() -> list[Path]:
    folder = os.environ.get("MEMTRIAL_DATA")
    if not folder:
        pytest.skip("MEMTRIAL_DATA does not say where StateBench is")
    return [Path(folder) / "statebench" / f"{part}.jsonl" for part in ("train", "dev", "test")]


@pytest.fixture(scope="session")
def audited(files: list[Path]) -> dict[str, Json]:
    """The audit of all three files."""
    return audit_statebench(files)


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run whose readers also take outdated values, or only repeat what they are shown."""
    folder = tmp_path_factory.mktemp("audited")
    whole: stage.Memory = {"name": "replay", "implementation": "unbudgeted"}
    models = ("first", "last", "parrot")
    suite = stage.suite(folder, arcs=2, models=models, memories=[{"name": "none"}, whole])
    stage.play(suite, folder / "run")
    return folder / "run"
