"""Hand-made timelines, and the real files where MEMTRIAL_DATA says where they are."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from probes.importers.statebench import Timeline, read_timelines

Make = Callable[..., Timeline]


def raw(
    *events: dict[str, Any],
    id: str = "T-1",
    track: str = "supersession",
    facts: tuple[dict[str, Any], ...] = (),
    notes: tuple[dict[str, Any], ...] = (),
    **environment: str,
) -> dict[str, Any]:
    """Return a timeline as the data writes it, with fields that the importer does not use."""
    return {
        "id": id,
        "version": "1.0",
        "domain": "sales",
        "track": track,
        "actors": {"user": {"id": "u1"}},
        "initial_state": {
            "identity_role": {
                "user_name": "Ada",
                "authority": "Buyer",
                "department": "Purchasing",
                "organization": "Northwind",
                "communication_style": None,
            },
            "persistent_facts": list(facts),
            "working_set": list(notes),
            "environment": {"now": "2025-12-01T09:00:00", **environment},
        },
        "events": list(events),
        "metadata": None,
    }


def turn(minute: int, text: str, speaker: str = "user") -> dict[str, Any]:
    return {"ts": clock(minute), "type": "conversation_turn", "speaker": speaker, "text": text}


def write(minute: int, key: str, value: str, supersedes: str | None = None) -> dict[str, Any]:
    entry = {"id": "W", "layer": "persistent_facts", "key": key, "value": value}
    kind = "supersession" if supersedes else "state_write"
    return {
        "ts": clock(minute),
        "type": kind,
        "writes": [{**entry, "supersedes": supersedes, "scope": "global"}],
    }


def query(
    minute: int,
    prompt: str,
    must: tuple[str, ...] = (),
    never: tuple[str, ...] = (),
    decision: str = "see above",
) -> dict[str, Any]:
    truth = {
        "decision": decision,
        "decision_type": "binary",
        "must_mention": list(must),
        "must_not_mention": list(never),
    }
    return {"ts": clock(minute), "type": "query", "prompt": prompt, "ground_truth": truth}


def clock(minute: int) -> str:
    return f"2025-12-01T{9 + minute // 60:02d}:{minute % 60:02d}:00"


class Kit:
    """The builders above, for tests."""

    raw = staticmethod(raw)
    turn = staticmethod(turn)
    write = staticmethod(write)
    query = staticmethod(query)
    clock = staticmethod(clock)

    @staticmethod
    def timeline(*events: dict[str, Any], **fields: Any) -> Timeline:
        return Timeline.model_validate_json(json.dumps(raw(*events, **fields)))

    @staticmethod
    def file(path: Path, *timelines: dict[str, Any]) -> Path:
        path.write_text("".join(json.dumps(one) + "\n" for one in timelines), encoding="utf-8")
        return path


@pytest.fixture
def kit() -> Kit:
    return Kit()


@pytest.fixture(scope="session")
def files() -> list[Path]:
    folder = os.environ.get("MEMTRIAL_DATA")
    if not folder:
        pytest.skip("MEMTRIAL_DATA does not say where StateBench is")
    return [Path(folder) / "statebench" / f"{part}.jsonl" for part in ("train", "dev", "test")]


@pytest.fixture(scope="session")
def timelines(files: list[Path]) -> list[Timeline]:
    return read_timelines(files)
