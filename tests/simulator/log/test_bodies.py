"""Events that a stranger wrote: hashes that hold are no proof that the fields make sense."""

import json
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest

from scoring.manifests import manifest_of
from simulator.events.recorded import Answered
from simulator.log import files
from simulator.log.bodies import body_of, causes_of
from simulator.log.errors import LogDamaged, LogRefused
from simulator.log.packing import MAX_BLOB, unpack
from simulator.log.rows import Row
from simulator.log.store import EventLog
from tests.simulator.engine.conftest import Lab
from tests.simulator.log.story import GENESIS, chained

ANSWER = {"decision": "e1/d", "text": "Done."}


def row(kind: str, body: Any, causes: str = "[]") -> Row:
    text = body if isinstance(body, str) else json.dumps(body)
    return Row(3, "#3", kind, 0, "global", causes, text, "[]", "0" * 64)


def played() -> list[Row]:
    """The rows of a trial in which a memory is written and read, and a tool changes the world."""
    decision = {"kind": "decision", "id": "d", "at": 9, "request": "Add 3."}
    lab = Lab()
    script = lab.script([{"id": "m", "at": 1}], [decision])
    rows: list[Row] = lab.play(script, ["add(amount=3)", "add(", 'answer("3")']).rows
    return rows


def test_a_field_that_an_event_leaves_out_is_read_as_its_default() -> None:
    said = {"source": "message", "role": "user", "text": "Hi."}
    assert body_of(row("said", said)) == said | {"tool": None, "sources": []}
    first, other = (body_of(row("said", said)) for _ in range(2))
    first["sources"].append("a")  # which is nobody else's list
    assert other["sources"] == [] == body_of(row("said", said))["sources"]


def test_every_event_that_is_written_can_be_read() -> None:
    stored = played()
    wanted = {"trial_opened", "memory_change", "memory_read", "tool_call", "world_change", "error"}
    assert wanted <= {each.kind for each in stored}
    for each in stored:
        later = {"tokens": None, "compact_at": None} if each.kind == "boundary" else {}
        assert body_of(each) == {**json.loads(each.body), **later}
        assert causes_of(each) == json.loads(each.causes)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("{", "no JSON"),
        ("[1]", "body: "),
        ('"text"', "body: "),
        ({"decision": "e1/d"}, "text: Field required"),
        ({**ANSWER, "text": 7}, "text: Input should be a valid string"),
        ({**ANSWER, "more": 1}, "more: Extra inputs are not permitted"),
        ('{"decision": "d", "text": NaN}', ""),
        ('{"decision": "d", "text": ' + "[" * 100_000, "nested more than 100 deep"),
    ],
)
def test_a_body_without_the_fields_of_its_kind_is_damage(body: Any, what: str) -> None:
    with pytest.raises(LogDamaged, match="event 3 of kind 'answer' cannot be read") as caught:
        body_of(row("answer", body))
    assert what in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("memory_read", {"items": [{"text": "x"}]}),
        ("memory_read", {"items": ["x"]}),
        ("memory_change", {"written": [{"id": 1}]}),
        ("world_change", {"patch": ["x"]}),
        ("world_change", {"patch": [{"op": "add"}]}),
        ("tool_call", {"arguments": "x"}),
        ("trial_opened", {"options": {}}),
        ("trial_opened", {"identities": {"agent_model": "x"}}),
    ],
)
def test_what_readers_need_inside_of_a_field_is_there(kind: str, changes: Any) -> None:
    body = next(json.loads(each.body) for each in played() if each.kind == kind)
    assert body_of(row(kind, body)) == body
    with pytest.raises(LogDamaged, match=f"event 3 of kind '{kind}' cannot be read: "):
        body_of(row(kind, {**body, **changes}))


@pytest.mark.parametrize("causes", ["{}", "[1]", "[", '"e1/m"', "[" * 100_000])
def test_causes_that_are_no_ids_are_damage(causes: str) -> None:
    with pytest.raises(LogDamaged, match="event 3 of kind 'answer' cannot be read"):
        causes_of(row("answer", ANSWER, causes))


def test_a_kind_that_is_not_known_here_is_any_object() -> None:
    assert body_of(row("later_kind", {"a": 1})) == {"a": 1}
    with pytest.raises(LogDamaged, match="it is no object"):
        body_of(row("later_kind", "[]"))


MANIFEST: dict[str, Any] = {
    "suite": {"name": "s", "seeds": [0], "memories": [{"name": "none", "options": {}}]},
    "arcs": {
        "a": {
            **{"script": "0", "key": "0", "domain": "d", "tier": None, "cluster": "a"},
            "corruption": "none",
        },
    },
    "arms": {"m": {"memory": "none", "model": "last", "token_budget": None}},
    "packages": {},
}


@pytest.mark.parametrize(
    "changes",
    [
        {"suite": []},
        {"suite": {"name": "s"}},
        {"suite": {"name": "s", "seeds": "0"}},
        {"suite": {"name": "s", "seeds": [0], "models": ["last"]}},
        {"suite": {"name": "s", "seeds": [0], "prices": ["gpt"]}},
        {"suite": {"name": "s", "seeds": [0], "prices": {"as": 1}}},
        {"identities": {"m": {"agent_model": None}}},
        {"arms": {"m": {**MANIFEST["arms"]["m"], "embedder_options": "x"}}},
        {"arcs": {"a": {}}},
        {"arcs": {"a": {**MANIFEST["arcs"]["a"], "corruption": None}}},
        {"arcs": {"a": 3}},
        {"arms": {"m": {"memory": "none", "model": "last", "token_budget": "x"}}},
        {"arms": {"m": {"model": "last", "token_budget": 1, "memory": "x", "memory_options": "y"}}},
    ],
)
def test_a_manifest_without_what_a_run_is_read_by_is_damage(changes: Any) -> None:
    assert manifest_of(row("manifest", MANIFEST)).suite["name"] == "s"
    with pytest.raises(LogDamaged, match="the manifest cannot be read: "):
        manifest_of(row("manifest", {**MANIFEST, **changes}))


def test_a_content_is_never_unpacked_beyond_the_size_that_it_states() -> None:
    bomb = zlib.compress(b"\0" * 50_000_000)
    with pytest.raises(ValueError, match="no content of 10 bytes"):
        unpack(bomb, 10)
    with pytest.raises(ValueError, match="no size of a content"):
        unpack(bomb, MAX_BLOB + 1)


def test_a_row_that_is_larger_than_any_is_neither_read_nor_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "events.db"
    large = Answered(decision="e1/d", text="x" * 20_000)
    with EventLog.create(path) as log:
        log.append("a", chained(log.begin("a", GENESIS), [large]), {})
    monkeypatch.setattr(files, "MAX_ROW", 10_000)
    with EventLog.open(path) as log, pytest.raises(LogDamaged, match="cannot be read"):
        list(log.rows("a"))
    with EventLog.open(path, write=True) as log:
        with pytest.raises(LogRefused, match="nothing was written"):
            log.append("b", chained(log.begin("b", GENESIS), [large]), {})
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM events").fetchone() == (1,)
