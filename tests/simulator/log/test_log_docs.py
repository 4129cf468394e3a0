"""docs/log.md says what is there, and its queries run."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.log.views import KIND_VIEWS
from tests.simulator.log.story import finished_run

PAGE = (Path(__file__).parents[3] / "docs" / "log.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
COMMON = ["trial", "attempt", "position", "id", "time", "scope"]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    (tmp_path / "events.db").write_bytes(finished_run())
    connection = sqlite3.connect(tmp_path / "events.db")
    yield connection
    connection.close()


def documented() -> dict[str, list[str]]:
    """Return table or view to its columns, as the page lists them."""
    found = {}
    for line in PAGE.splitlines():
        cells = [re.findall(r"`([^`]+)`", cell) for cell in line.strip("|").split("|")]
        if not line.startswith("| `"):
            continue
        name = cells[0][0]
        found[name] = [*COMMON, *cells[2]] if name in KIND_VIEWS else cells[1]
        if name in KIND_VIEWS:
            assert cells[1] == [KIND_VIEWS[name]]
    return found


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_runs(db: sqlite3.Connection, query: str) -> None:
    rows = db.execute(query).fetchall()
    assert rows or "NOT tool_returns.ok" in query  # the sample's tools do not fail


def test_every_table_and_view_is_documented_with_its_columns(db: sqlite3.Connection) -> None:
    names = db.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    there = {
        name: [column for column, *_ in db.execute(f"SELECT * FROM {name}").description]
        for (name,) in names
    }
    assert documented() == there
