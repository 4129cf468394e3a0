"""Items from any JSONL file: what a map says is found, and what is wrong is said."""

import json
from pathlib import Path

import pytest

from probes.audit import from_jsonl, read_map
from simulator.events.errors import InputError

MAP = "prompt=q,required=truth.must,forbidden=truth.never"


def write(folder: Path, *entries: object) -> Path:
    path = folder / "set.jsonl"
    path.write_text("\n".join(json.dumps(entry) for entry in entries), "utf-8")
    return path


def test_a_map_names_where_each_field_is(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {"q": "When?", "truth": {"must": ["Thursday"], "never": ["Friday", "Monday"]}, "kind": "a"},
        {"q": "Where?", "truth": {"must": [], "never": "Oslo"}, "kind": "b"},
    )
    one, other = from_jsonl(path, read_map(MAP + ", group = kind"))
    assert (one.id, one.group, one.prompt) == ("set.jsonl:1", "a", "When?")
    assert (one.required, one.forbidden) == (("Thursday",), ("Friday", "Monday"))
    assert (other.id, other.group, other.required) == ("set.jsonl:2", "b", ())
    assert other.forbidden == ("Oslo",)
    assert {each.group for each in from_jsonl(path, read_map(MAP))} == {"all"}


def test_blank_lines_are_let_by_and_still_counted(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text('\n{"q": "?", "truth": {"must": "a", "never": "b"}}\n\n', "utf-8")
    assert [each.id for each in from_jsonl(path, read_map(MAP))] == ["set.jsonl:2"]


def test_questions_that_differ_in_names_share_a_cluster(tmp_path: Path) -> None:
    truth = {"must": "a", "never": "b"}
    path = write(tmp_path, {"q": "Ask Ann?", "truth": truth}, {"q": "Ask Bob?", "truth": truth})
    one, other = from_jsonl(path, read_map(MAP))
    assert one.cluster == other.cluster


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prompt", "no `field=path`"),
        ("prompt=", "no `field=path`"),
        ("prompts=q", "did you mean 'prompt'"),
        ("prompt=q,prompt=r", "named twice"),
        ("prompt=q,required=r", "'forbidden'"),
    ],
)
def test_a_wrong_map_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_map(text)


@pytest.mark.parametrize(
    ("entry", "field", "said"),
    [
        ({"q": "?", "truth": {"must": [], "nevr": []}}, "truth.never", "did you mean 'nevr'"),
        ({"q": "?", "truth": []}, "truth.must", "no 'must' here"),
        ({"q": ["a", "b"], "truth": {"must": [], "never": []}}, "q", "not one text"),
        ({"q": "?", "truth": {"must": [1], "never": []}}, "truth.must", "no list of texts"),
        (["q"], "q", "no 'q' here"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, entry: object, field: str, said: str) -> None:
    path = write(tmp_path, {"q": "?", "truth": {"must": [], "never": []}}, entry)
    with pytest.raises(InputError, match=said) as caught:
        from_jsonl(path, read_map(MAP))
    assert (caught.value.file, caught.value.line) == (str(path), 2)
    assert caught.value.field == field


@pytest.mark.parametrize(("content", "said"), [(b"", "no items"), (b"{", "JSON"), (b"\xff", "UTF")])
def test_a_file_that_holds_nothing_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=said):
        from_jsonl(path, read_map(MAP))
    with pytest.raises(InputError, match="cannot be read"):
        from_jsonl(tmp_path / "missing.jsonl", read_map(MAP))
