"""The recorder: positions, ids, and a chain that anybody can recompute."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from simulator.engine.recorder import Recorder
from simulator.engine.sinks import ListSink
from simulator.engine.trial import genesis, trial_id
from simulator.events.canonical import NotStorable
from simulator.events.recorded import Said, TrialClosed

STORY = [
    {"id": "m", "at": 1, "text": "Ünïcode — “quoted”."},
    {"kind": "decision", "id": "d", "at": 1000},
]
REPLIES = ["add(amount=3)", 'answer("done")']


def recomputed(trial: str, start: Any, rows: list[Any]) -> list[str]:
    """The documented encoding, written without the code under test."""
    text = json.dumps(
        [trial, start], sort_keys=True, ensure_ascii=False, separators=(",", ":")
    ).encode()
    link = hashlib.sha256(text).hexdigest()
    links = []
    for row in rows:
        fields = (row.position, row.id, row.kind, row.time, row.scope, row.causes, row.body)
        data = link.encode()
        for field in (*fields, row.blobs):
            raw = str(field).encode()
            data += len(raw).to_bytes(8, "big") + raw
        link = hashlib.sha256(data).hexdigest()
        links.append(link)
    return links


def test_the_chain_is_what_the_documentation_says(lab: Any) -> None:
    script = lab.script(STORY)
    played = lab.play(script, REPLIES, seed=5)
    start = {"script": script.hash, "options": lab.arm().describe()}
    assert genesis(script, lab.arm()) == start
    assert trial_id("arc", "arm", 5) == "arc/arm/5"
    assert [row.hash for row in played.rows] == recomputed("arc/arm/5", start, played.rows)


def test_positions_have_no_gap_and_ids_are_authored_or_positions(lab: Any) -> None:
    rows = lab.play(lab.script(STORY), REPLIES).rows
    assert [row.position for row in rows] == list(range(len(rows)))
    authored = {"e1/m", "e1/d"}
    assert {row.id for row in rows if not row.id.startswith("#")} == authored
    assert all(row.id == f"#{row.position}" for row in rows if row.id not in authored)


def test_every_blob_that_an_event_refers_to_is_kept_under_its_hash(lab: Any) -> None:
    played = lab.play(lab.script(STORY), REPLIES)
    named = {key for row in played.rows for key in json.loads(row.blobs)}
    assert named == set(played.blobs)
    assert all(hashlib.sha256(data).hexdigest() == key for key, data in played.blobs.items())


def test_h17_the_same_trial_twice_gives_the_same_rows(lab: Any) -> None:
    first, second = (lab.play(lab.script(STORY), REPLIES) for _ in range(2))
    assert (first.rows, first.blobs) == (second.rows, second.blobs)


@pytest.mark.parametrize(
    "change",
    [
        lambda story: [{**story[0], "text": "Ünïcode — “quoted”!"}, story[1]],
        lambda story: [{**story[0], "at": 2}, story[1]],
        lambda story: [story[1], story[0]],  # played alike, and yet another script
    ],
)
def test_h17_one_changed_value_of_the_script_changes_every_hash(lab: Any, change: Any) -> None:
    first, second = (lab.play(lab.script(story), REPLIES) for story in (STORY, change(STORY)))
    assert not {row.hash for row in first.rows} & {row.hash for row in second.rows}


@pytest.mark.parametrize("change", [{"seed": 1}, {"token_budget": 255}, {"id": "b"}])
def test_another_trial_shares_no_hash(lab: Any, change: dict[str, Any]) -> None:
    first, second = (lab.play(lab.script(STORY), REPLIES, **each) for each in ({}, change))
    assert not {row.hash for row in first.rows} & {row.hash for row in second.rows}


def test_going_on_after_the_last_row_gives_the_same_chain() -> None:
    whole, first, second = ListSink(), ListSink(), ListSink()
    said = [Said(source="message", role="user", text=text) for text in "abc"]
    recorder = Recorder("t", {}, whole)
    for event in said:
        recorder.emit(event, 7)
    recorder = Recorder("t", {}, first)
    recorder.emit(said[0], 7)
    recorder = Recorder("t", {}, second)
    recorder.resume_after(first.rows[-1])
    assert [recorder.emit(event, 7) for event in said[1:]] == ["#1", "#2"]
    assert whole.rows == first.rows + second.rows


def test_an_event_that_cannot_be_stored_leaves_no_trace() -> None:
    sink, clean = ListSink(), ListSink()
    recorder = Recorder("t", {}, sink)
    with pytest.raises(NotStorable):
        recorder.emit(Said(source="message", role="user", text="\ud800"), 0)
    recorder.emit(TrialClosed(complete=True), 0)
    Recorder("t", {}, clean).emit(TrialClosed(complete=True), 0)
    assert sink.rows == clean.rows


def test_the_scope_is_a_column_and_not_in_the_body() -> None:
    sink = ListSink()
    event = Said(source="message", role="user", text="x", scope="ann")
    assert Recorder("t", {}, sink).emit(event, 3, ["a", "b"], "e1/m") == "e1/m"
    (row,) = sink.rows
    assert (row.id, row.kind, row.time, row.scope, row.causes, row.blobs) == (
        "e1/m",
        "said",
        3,
        "ann",
        '["a","b"]',
        "[]",
    )
    assert row.body == '{"role":"user","source":"message","sources":[],"text":"x","tool":null}'


PROGRAM = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("parts", sys.argv[1])
parts = importlib.util.module_from_spec(spec)
sys.modules["parts"] = parts
spec.loader.exec_module(parts)
lab = parts.Lab()
events = [{"id": n, "at": 5, "scope": s} for n, s in zip("bca", ("ann", "bob", "global"))]
story = [*events, {"kind": "decision", "id": "d", "at": 1000}]
bad = {"kind": "decision", "id": "x", "at": 9000, "causes": ["d"]}
played = lab.play(lab.script([*story, bad], story), ["add(amount=3)", 'answer("ä")', "smash()"])
print(played.rows[-1].hash, len(played.rows), played.errors)
"""


def test_the_head_is_the_same_under_any_hash_seed_time_zone_locale_and_folder(
    tmp_path: Path,
) -> None:
    parts = Path(__file__).with_name("conftest.py")
    checkout = Path(__file__).parents[3]

    def head(folder: Path, **settings: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(checkout), **settings}
        command = [sys.executable, "-c", PROGRAM, str(parts)]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, check=True, text=True
        )
        return done.stdout

    first = head(checkout, PYTHONHASHSEED="0", TZ="UTC", LC_ALL="C.UTF-8")
    other = head(tmp_path, PYTHONHASHSEED="4242", TZ="Asia/Kathmandu", LC_ALL="C")
    assert first == other
    assert len(first.split()[0]) == 64 and "environment" in first
