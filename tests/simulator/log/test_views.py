import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.events.recorded import RECORDED, Answered, Recorded, ToolCalled, TrialOpened
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog
from simulator.log.views import KIND_VIEWS, VIEWS_1, VIEWS_2, VIEWS_4
from tests.simulator.log.story import (
    GENESIS,
    TEXTS,
    TRIALS,
    chained,
    contents,
    events,
    finished_run,
    key,
    trial_rows,
)

COMMON = ["trial", "attempt", "position", "id", "time", "scope"]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    (tmp_path / "events.db").write_bytes(finished_run())
    connection = sqlite3.connect(tmp_path / "events.db")
    yield connection
    connection.close()


def columns(db: sqlite3.Connection, view: str) -> list[str]:
    return [name for name, *_ in db.execute(f"SELECT * FROM {view}").description]


def test_every_kind_has_a_view_with_all_its_fields(db: sqlite3.Connection) -> None:
    assert sorted(KIND_VIEWS.values()) == sorted(RECORDED)
    for view, kind in KIND_VIEWS.items():
        named = columns(db, view)
        assert named[:6] == COMMON
        fields = set(RECORDED[kind].model_fields) - {"scope"}
        assert fields <= set(named[6:]), f"view {view} lacks {fields - set(named[6:])}"


def test_the_views_in_the_file_are_the_ones_declared(db: sqlite3.Connection) -> None:
    named = db.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall()
    assert {name for (name,) in named} == {*VIEWS_1, *VIEWS_2, *VIEWS_4}


@pytest.mark.parametrize("view", KIND_VIEWS)
def test_a_view_shows_each_event_of_its_kind(db: sqlite3.Connection, view: str) -> None:
    kind = KIND_VIEWS[view]
    wanted = [
        (trial, row.position)
        for trial in sorted(TRIALS)
        for row in trial_rows(trial)
        if row.kind == kind
    ] or [(RUN_STREAM, {"manifest": 0, "analysis": 1, "root": 2}[kind])]
    found = db.execute(f"SELECT trial, position FROM {view} ORDER BY trial, position").fetchall()
    assert found == wanted


def test_the_columns_hold_the_fields(db: sqlite3.Connection) -> None:
    trial = TRIALS[0]
    for event in events(trial):
        view = next(view for view, kind in KIND_VIEWS.items() if kind == event.kind)
        sql = f"SELECT * FROM {view} WHERE trial = ? ORDER BY position LIMIT 1"
        first = db.execute(sql, (trial,)).fetchone()
        if first[2] == events(trial).index(event):
            _compare(dict(zip(columns(db, view), first, strict=True)), event)


def _compare(shown: dict[str, object], event: Recorded) -> None:
    for name, value in event.model_dump(mode="json", exclude={"scope"}).items():
        if isinstance(value, list | dict):
            assert json.loads(str(shown[name])) == value, name
        else:
            assert shown[name] == value, name


def test_tokens_stand_in_columns_of_their_own(db: sqlite3.Connection) -> None:
    sql = """
        SELECT input_tokens, cached_tokens, output_tokens, reasoning_tokens, rendered
        FROM completions WHERE trial = ?
    """
    assert db.execute(sql, (TRIALS[0],)).fetchall() == [(120, 80, 7, 0, key(TEXTS["rendered"]))]


def test_block_items_are_rows(db: sqlite3.Connection) -> None:
    sql = """
        SELECT place, item, text, tokens, sources, rank, distance FROM block_items
        WHERE trial = ? ORDER BY position, place
    """
    assert db.execute(sql, (TRIALS[0],)).fetchall() == [
        (0, "m1", "tier is gold", 3, '["day1/tier"]', 1, 250_000),
        (1, "m2", "é \x00 😀", 3, '["day1/tier"]', None, None),
    ]


def test_causes_and_contents_are_rows(db: sqlite3.Connection) -> None:
    sql = "SELECT id, cause FROM causes WHERE trial = ? AND position < 3"
    assert db.execute(sql, (TRIALS[0],)).fetchall() == [("#1", "#0"), ("#2", "#1")]
    sql = "SELECT position, blob, size FROM contents WHERE trial = ? AND kind = 'memory_read'"
    only = f"only in {TRIALS[0]}"
    assert db.execute(sql, (TRIALS[0],)).fetchall() == [
        (7, key(TEXTS["block"]), len(TEXTS["block"])),
        (17, key(only), len(only)),
    ]


def test_trials_and_measurements(db: sqlite3.Connection) -> None:
    found = db.execute("SELECT trial, attempt, sealed, events FROM trials ORDER BY 1").fetchall()
    assert found == [(RUN_STREAM, 1, 1, 3)] + [(t, 1, 1, len(events(t))) for t in sorted(TRIALS)]
    found = db.execute("SELECT DISTINCT position, name, value FROM measured").fetchall()
    assert found == [(8, "completion_us", 1234)]


def test_the_views_of_another_connection_need_nothing_of_python(db: sqlite3.Connection) -> None:
    for view in (*VIEWS_1, *VIEWS_2, *VIEWS_4):
        assert db.execute(f"SELECT count(*) FROM {view}").fetchone()[0] > 0


# The stand-in for U+0000 is the one code point that a view may change.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufdd0"))
HARD = ["0012", "15E2621", "1e3", "a\x00b", "\\\x00", "\\u0000", "\\\\u0000\x00", "é", "é", "שלום"]


def _shown(event: Recorded, sql: str) -> tuple[object, ...]:
    with EventLog.create(":memory:") as log:
        log.append("a", chained(log.begin("a", GENESIS), [event]), {})
        row: tuple[object, ...] = log._db.execute(sql).fetchone()
        return row


@settings(deadline=None, max_examples=60)
@given(st.one_of(TEXT, st.sampled_from(HARD), st.lists(st.sampled_from('\\u0"\x00n'), min_size=1)))
def test_texts_are_shown_exactly(parts: str | list[str]) -> None:
    text = "".join(parts)
    event = Answered(decision=text, text=text)
    assert _shown(event, "SELECT text, decision FROM answers") == (text, text)


@settings(deadline=None, max_examples=40)
@given(st.one_of(st.integers(), st.sampled_from([2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1])))
def test_whole_numbers_are_shown_exactly(number: int) -> None:
    event = TrialOpened(
        arc="a", arm="m", seed=number, script="s", options=number, identities={}, oracle=True
    )
    seed, options, oracle = _shown(event, "SELECT seed, options, oracle FROM openings")
    assert seed == (number if -(2**63) <= number < 2**63 else str(number))
    assert (options, oracle) == (str(number), 1)


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=8,
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(VALUES)
def test_nested_values_survive_the_log_and_the_views(value: object) -> None:
    event = ToolCalled(call="t", tool="look", arguments={"value": value})
    (arguments,) = _shown(event, "SELECT arguments FROM tool_calls")
    assert _exact(json.loads(str(arguments))["value"]) == _exact(value)


def _exact(value: object) -> str:
    """Tell 1 from 1.0 and from True, and -0.0 from 0.0; the order of keys is no matter."""
    if isinstance(value, dict):
        return repr(sorted((name, _exact(inner)) for name, inner in value.items()))
    return repr([_exact(inner) for inner in value] if isinstance(value, list) else value)


def test_a_content_that_was_deleted_shows_no_size(tmp_path: Path) -> None:
    with EventLog.create(":memory:") as log:
        trial = TRIALS[0]
        log.write_trial(trial, GENESIS, trial_rows(trial), contents(trial))
        log._db.execute("DROP TRIGGER blobs_no_delete")
        log._db.execute("DELETE FROM blobs")
        found = log._db.execute("SELECT DISTINCT size FROM contents").fetchall()
    assert found == [(None,)]
