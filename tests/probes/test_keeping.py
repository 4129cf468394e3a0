"""A review is kept in its scenario file as one entry; no other byte of the file changes."""

import difflib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probes.scenario import load, read_scenario, read_scenarios
from probes.scenario.keeping import keep_review, with_review
from scoring.planting import Review
from simulator.events.errors import InputError

EXAMPLES = sorted((Path(__file__).parents[2] / "probes" / "examples").glob("*.yaml"))
SOUND = Review(verdict="sound", note="clear")
UNSOUND = Review(
    verdict="unsound", note='it says "now": {not} # why \x7f \u2028 Prüfung \U0001f642\nand more'
)


def changed(before: str, after: str) -> list[str]:
    """Return the lines that are in one of two texts only, with a sign."""
    lines = difflib.ndiff(before.splitlines(keepends=True), after.splitlines(keepends=True))
    return [line for line in lines if line[0] in "+-"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_one_line_is_added_and_then_replaced(tmp_path: Path, example: Path, ending: str) -> None:
    text = example.read_text(encoding="utf-8").replace("\n", ending)
    path = tmp_path / "scenario.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    path.chmod(0o640)
    bare = read_scenario(path)
    for review in (UNSOUND, SOUND):
        keep_review(path, review)
        data = path.read_bytes()
        assert data.startswith(b"\xef\xbb\xbf")
        (line,) = changed(text, data.decode("utf-8-sig"))
        assert line.startswith("+ ") and line.lstrip("+ ").startswith("review: {verdict: ")
        assert line.endswith(ending) and line.rstrip() == line.removesuffix(ending)
        scenarios = read_scenarios(path)
        assert {scenario.key.review for scenario in scenarios} == {review}
        assert scenarios[0].script == bare.script
        assert scenarios[0].key.model_copy(update={"review": None}) == bare.key
    assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["scenario.yaml"]


HEAD = "script: {arc: a, environment: conversation, episodes: [{id: e, at: 0, events: [{id: m, kind: message, text: x}]}]}\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("key: {probes: []}", "key: {review: {verdict: sound, note: \"clear\"}, probes: []}"),
        ("key: { probes: [] }", "key: {review: {verdict: sound, note: \"clear\"},  probes: [] }"),
        ("key:\n  probes: []", "key:\n  review: {verdict: sound, note: \"clear\"}\n  probes: []"),
        ("key:  # what\n\n    # why\n    probes: []", "key:  # what\n    review: {verdict: sound, note: \"clear\"}\n\n    # why\n    probes: []"),
        ("key:\n  review: null\n  probes: []", "key:\n  review: {verdict: sound, note: \"clear\"}\n  probes: []"),
        ("key:\n  probes: []\n  review: {verdict: unsound} # x\n", "key:\n  probes: []\n  review: {verdict: sound, note: \"clear\"} # x\n"),
        ("key:\n  review:\n    verdict: unsound\n    note: |\n      a\n\n      b\n\n  # next\n  probes: []\n", "key:\n  review:\n    {verdict: sound, note: \"clear\"}\n\n  # next\n  probes: []\n"),
        ("'key':\n  'review': {'verdict': 'unsound', 'note': 'key: x'}\n  'probes': []", "'key':\n  'review': {verdict: sound, note: \"clear\"}\n  'probes': []"),
    ],
)  # fmt: skip
def test_every_form_of_a_key(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "scenario.yaml"
    path.write_text(HEAD + old, encoding="utf-8")
    keep_review(path, SOUND)
    assert path.read_text(encoding="utf-8") == HEAD + new
    assert load(path).scenario.key.review == SOUND


def test_a_form_without_a_place_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "scenario.yaml"
    text = f"? key\n: probes: []\n{HEAD}"
    path.write_text(text, encoding="utf-8")
    read_scenario(path)
    with pytest.raises(
        InputError, match='write it by hand: review: {verdict: sound, note: "clear"}'
    ):
        keep_review(path, SOUND)
    assert path.read_text(encoding="utf-8") == text


def test_what_is_no_scenario_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "scenario.yaml"
    path.write_text("key: {probes: []}\n", encoding="utf-8")
    with pytest.raises(InputError):
        keep_review(path, SOUND)
    assert path.read_text(encoding="utf-8") == "key: {probes: []}\n"
    assert with_review("a: 1\n", SOUND) is None


NOTES = st.text(st.characters(exclude_categories=["Cs"]))


@settings(max_examples=80, deadline=None)
@given(notes=st.lists(NOTES, min_size=1, max_size=3))
def test_any_note_reads_back(notes: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "noted.yaml"
    text = f"{HEAD}key:\n  # why\n  probes: []\n"
    path.write_text(text, encoding="utf-8")
    for note in notes:
        keep_review(path, Review(verdict="unsound", note=note))
    assert load(path).scenario.key.review == Review(verdict="unsound", note=notes[-1])
    assert len(changed(text, path.read_text("utf-8"))) == 1
