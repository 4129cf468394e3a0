"""Reading: strict about what is used, tolerant about what is not, and clear about the rest."""

import json
from pathlib import Path
from typing import Any

import pytest

from probes.importers.statebench import read_timelines
from probes.importers.statebench.timelines import MAX_BYTES
from simulator.events.errors import InputError


def good(kit: Any, **fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = kit.raw(kit.turn(1, "We take Acme."), kit.query(5, "Who?"), **fields)
    return made


def test_fields_that_are_not_used_are_let_by(kit: Any, tmp_path: Path) -> None:
    path = kit.file(tmp_path / "dev.jsonl", good(kit))
    (timeline,) = read_timelines([path])
    assert (timeline.id, timeline.track, timeline.file) == ("T-1", "supersession", "dev.jsonl")
    # 2025-12-01T09:01Z is 20,423 days and 541 minutes after the epoch.
    assert timeline.events[0].ts == (20_423 * 1440 + 541) * 60_000


def test_blank_lines_and_windows_line_ends_are_no_timelines(kit: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\r\n" + json.dumps(good(kit)).encode() + b"\r\n\n")
    assert len(read_timelines([path])) == 1


def test_an_identical_repetition_is_read_once_also_from_another_file(
    kit: Any, tmp_path: Path
) -> None:
    one = kit.file(tmp_path / "a.jsonl", good(kit), good(kit, id="T-2"))
    two = kit.file(tmp_path / "b.jsonl", good(kit))
    found = read_timelines([one, two])
    assert [(t.id, t.file) for t in found] == [("T-1", "a.jsonl"), ("T-2", "a.jsonl")]


def test_two_different_timelines_of_one_id_are_refused(kit: Any, tmp_path: Path) -> None:
    path = kit.file(tmp_path / "a.jsonl", good(kit), good(kit, track="causality"))
    with pytest.raises(InputError) as refused:
        read_timelines([path])
    assert (refused.value.line, refused.value.field) == (2, "id")


def _without(kit: Any, *path: str | int) -> dict[str, Any]:
    made = good(kit)
    part: Any = made
    for step in path[:-1]:
        part = part[step]
    del part[path[-1]]
    return made


def _with(kit: Any, value: object, *path: str | int) -> dict[str, Any]:
    made = good(kit)
    part: Any = made
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return made


@pytest.mark.parametrize(
    ("value", "path", "field"),
    [
        (7, ("track",), "track"),
        ("../x", ("id",), "id"),
        ("x" * 81, ("id",), "id"),
        ("tomorrow", ("events", 0, "ts"), "events.0.conversation_turn.ts"),
        (1764579660, ("events", 0, "ts"), "events.0.conversation_turn.ts"),
        ("1969-12-31T23:59:59", ("events", 0, "ts"), "events.0.conversation_turn.ts"),
        ("robot", ("events", 0, "speaker"), "events.0.conversation_turn.speaker"),
        (" ", ("events", 0, "text"), "events.0.conversation_turn.text"),
        ("spoken", ("events", 0, "type"), "events.0"),
        (
            ["a", ""],
            ("events", 1, "ground_truth", "must_mention"),
            "events.1.query.ground_truth.must_mention.1",
        ),
        (
            "not a list",
            ("events", 1, "ground_truth", "must_not_mention"),
            "events.1.query.ground_truth.must_not_mention",
        ),
        (5, ("initial_state", "environment", "alert"), "initial_state.environment.alert"),
    ],
)
def test_a_wrong_value_names_file_line_and_field(
    kit: Any, tmp_path: Path, value: object, path: tuple[str | int, ...], field: str
) -> None:
    file = kit.file(tmp_path / "a.jsonl", good(kit, id="T-0"), _with(kit, value, *path))
    with pytest.raises(InputError) as refused:
        read_timelines([file])
    assert (refused.value.file, refused.value.line, refused.value.field) == (str(file), 2, field)


@pytest.mark.parametrize(
    ("path", "field"),
    [
        (("id",), "id"),
        (("initial_state", "environment", "now"), "initial_state.environment.now"),
        (("events", 1, "prompt"), "events.1.query.prompt"),
        (("events", 1, "ground_truth"), "events.1.query.ground_truth"),
    ],
)
def test_a_missing_field_is_named(
    kit: Any, tmp_path: Path, path: tuple[str | int, ...], field: str
) -> None:
    file = kit.file(tmp_path / "a.jsonl", _without(kit, *path))
    with pytest.raises(InputError) as refused:
        read_timelines([file])
    assert (refused.value.line, refused.value.field) == (1, field)


@pytest.mark.parametrize(
    "line", [b"{", b"[]", b"null", b'"x"', b"\xff", b'{"id": "\\ud800"}', b"not json"]
)
def test_a_broken_line_is_named(kit: Any, tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(json.dumps(good(kit)).encode() + b"\n" + line + b"\n")
    with pytest.raises(InputError) as refused:
        read_timelines([file])
    assert (refused.value.file, refused.value.line) == (str(file), 2)


def test_a_timeline_without_a_question_is_refused(kit: Any, tmp_path: Path) -> None:
    file = kit.file(tmp_path / "a.jsonl", kit.raw(kit.turn(1, "Hello.")))
    with pytest.raises(InputError, match="at least one query"):
        read_timelines([file])


def test_a_missing_file_a_folder_and_a_giant_are_refused(tmp_path: Path) -> None:
    giant = tmp_path / "giant.jsonl"
    with giant.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    for path in (tmp_path / "none.jsonl", tmp_path, giant):
        with pytest.raises(InputError) as refused:
            read_timelines([path])
        assert refused.value.file == str(path)
