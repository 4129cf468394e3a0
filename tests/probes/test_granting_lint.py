"""What is given back is told in full, and what a probe tests stays withdrawn until it is tested."""

from pathlib import Path

import pytest

from probes.linting.lint import lint
from tests.probes.tasks import TASK

WITHDRAWN = "        - {id: w1,"
DECISION = "        - {id: d1, kind: decision"


def problems(folder: Path, *edits: tuple[str, str]) -> list[tuple[int | None, str | None, str]]:
    """Return line, field and message of what lint says of the task with some texts replaced."""
    text = TASK
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    (folder / "task.yaml").write_text(text)
    return [(each.line, each.field, each.message) for each in lint([folder / "task.yaml"])]


def grant(sources: str) -> str:
    return f"        - {{id: g1, kind: access_granted, sources: [{sources}], text: It is open again.}}\n"


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_a_withdrawn_value_stands_in_events_that_are_withdrawn(tmp_path: Path) -> None:
    # No number, so nothing else would tell.
    found = problems(
        tmp_path,
        ("versions: [A unit is $4.10.]", "versions: [A unit is dirt-cheap.]"),
        ("DOC-1003: A unit is $4.10.", "DOC-1003: A unit is dirt-cheap."),
        ("value: $4.10", "value: dirt-cheap"),
        ("phrase: $4.10", "phrase: dirt-cheap"),
        ("sources: [DOC-1003, monday/r1], text", "sources: [DOC-1003], text"),
        ("sources: [DOC-1003, monday/r1]}", "sources: [DOC-1003]}"),
    )
    message = (
        "probe 'price': event 'monday/r1' states 'dirt-cheap', and no source of its planting names "
        "it, so it is not forgotten"
    )
    line = line_of(TASK, "forbidden:")
    assert found == [(line, "key.probes.1.forbidden.0.evidence.0", message)]


@pytest.mark.parametrize(
    ("sources", "some"), [("DOC-1003, monday/r1", ""), ("monday/r1", "a part of ")]
)
def test_what_is_given_back_tests_nothing(tmp_path: Path, sources: str, some: str) -> None:
    found = problems(tmp_path, (DECISION, grant(sources) + DECISION))
    message = (
        f"probe 'price': event 'monday/g1' gives {some}it back before its decision, so it tests "
        "nothing"
    )
    line = line_of(TASK, "planting: {events: [monday/w1]") + 1
    assert found == [(line, "key.probes.1.planting.events", message)]


def test_a_grant_before_the_withdrawal_or_behind_the_decision_gives_nothing_back(
    tmp_path: Path,
) -> None:
    assert problems(tmp_path, (WITHDRAWN, grant("DOC-1003, monday/r1") + WITHDRAWN)) == []
    behind = "wrap up the renewal.}\n"
    assert problems(tmp_path, (behind, behind + grant("DOC-1003, monday/r1"))) == []


def test_a_read_that_is_not_named_stays_withdrawn(tmp_path: Path) -> None:
    behind = "wrap up the renewal.}\n"
    found = problems(tmp_path, (behind, behind + grant("DOC-1003")))
    message = (
        "event 'monday/g1' gives back what 'monday/w1' withdrew, but not 'monday/r1', which stays "
        "withdrawn"
    )
    line = line_of(TASK, DECISION) + 1
    assert found == [(line, "script.episodes.0.events.4.sources", message)]


def test_a_grant_of_the_whole_gives_back_its_parts(tmp_path: Path) -> None:
    part = (
        "DOC-1003: {title: Prices, owner: P-2009",
        "DOC-1003: {title: Prices, within: DOC-1002, owner: P-2009",
    )
    found = problems(tmp_path, part, (DECISION, grant("DOC-1002, monday/r1") + DECISION))
    assert [message for _, _, message in found] == [
        "probe 'price': event 'monday/g1' gives it back before its decision, so it tests nothing"
    ]
