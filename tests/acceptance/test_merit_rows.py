"""The 900 public rows of MERIT: every published figure of these cells comes out of `--table`."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runs.external import compare_tables
from runs.external.columns import parse_columns
from tests.runs.conftest import Memtrial, memtrial

__all__ = ["memtrial"]

pytestmark = pytest.mark.data

COLUMNS = "arm=condition,cluster=@file+arc,instance=ep,dependent=dep,domain=@file,tokens=ptok+ctok"
FILES = [f"d{number}-hard.csv" for number in (1, 2, 3)]
DOMAINS = ["d1-hard", "d2-hard", "d3-hard"]

PUBLISHED_TSR = {
    "C0": [0, 0, 0],
    "C1": [1.00, 0.95, 1.00],
    "C2": [0.70, 0.35, 0.45],
    "C3": [1.00, 0.70, 1.00],
    "C4": [0.95, 0.75, 1.00],
    "C5": [0.80, 0.60, 0.50],
}
CAMU = {
    "C1": [758, 693, 861],
    "C2": [1915, 541, 1074],
    "C3": [1591, 1221, 1659],
    "C4": [4812, 5854, 3438],
    "C5": [965, 524, 556],
}


@pytest.fixture(scope="module")
def folder() -> Path:
    data = os.environ.get("MEMTRIAL_DATA")
    if not data:
        pytest.skip("MEMTRIAL_DATA is not set")
    return Path(data) / "merit"


@pytest.fixture(scope="module")
def merit(folder: Path) -> Iterator[dict[str, Any]]:
    columns = parse_columns(COLUMNS).with_arms(None, "C1")
    yield compare_tables([folder / name for name in FILES], columns)


def by_cell(rows: list[dict[str, Any]], **only: str) -> dict[tuple[str, str], dict[str, Any]]:
    chosen = (row for row in rows if all(row[name] == value for name, value in only.items()))
    return {(row["arm"], row["domain"]): row for row in chosen}


def test_all_18_published_success_rates(merit: dict[str, Any]) -> None:
    cells = by_cell(merit["rows"])
    assert len(cells) == 18
    found = {arm: [cells[arm, d]["tsr_dependent"] for d in DOMAINS] for arm in PUBLISHED_TSR}
    assert found == PUBLISHED_TSR
    assert {row["n_dependent"] for row in cells.values()} == {20}
    assert {row["clusters"] for row in cells.values()} == {10}
    for row in cells.values():
        low, high = row["tsr_dependent_ci"]
        assert low <= row["tsr_dependent"] <= high


def test_c2_had_55_values_used_30_and_ignored_45_percent(folder: Path) -> None:
    columns = parse_columns(COLUMNS)
    rows = compare_tables([folder / name for name in FILES], columns, ["arm"])["rows"]
    c2 = next(row for row in rows if row["arm"] == "C2")
    assert c2["n_use_all"] == 55
    assert c2["use_rate_all"] * 55 == pytest.approx(30)
    assert round(c2["ignore_rate"], 2) == 0.45
    assert c2["gold_in_block"] == 55 / 60


def test_the_table_of_utilities(merit: dict[str, Any]) -> None:
    cells = by_cell(merit["worth"])
    found = {arm: [round(cells[arm, d]["camu"]) for d in DOMAINS] for arm in CAMU}
    assert found == CAMU
    for arm in CAMU:
        for domain in DOMAINS:
            row = cells[arm, domain]
            low, high = row["camu_ci"]
            assert low < row["camu"] < high
            assert row["camu_undefined"] == 0
            assert row["break_even"] == pytest.approx(1 / row["camu"])
    assert {cells["C0", domain]["camu"] for domain in DOMAINS} == {None}


def test_sign_flip_tests_by_hand(merit: dict[str, Any]) -> None:
    against_none = by_cell(merit["pairs"], baseline="none")
    assert len(against_none) == 15
    # All ten arcs moved the same way: 2 of 2^10 patterns. The family has 15 members.
    whole = against_none["C1", "d1-hard"]
    assert (whole["p"], whole["p_holm"]) == (2 / 2**10, 15 * 2 / 2**10)
    assert whole["verdict"] == "higher"
    # C2 on D2 moved five arcs, all upwards: 2 of 2^5.
    weak = against_none["C2", "d2-hard"]
    assert (weak["difference"], weak["p"], weak["verdict"]) == (0.35, 2 / 2**5, "tie")
    against_replay = by_cell(merit["pairs"], baseline="replay")
    assert {row["against"] for row in against_replay.values()} == {"C1"}
    assert against_replay["C2", "d3-hard"]["difference"] == pytest.approx(-0.55)


def test_the_best_memory_of_each_domain_beside_replay(merit: dict[str, Any]) -> None:
    best = {row["domain"]: row for row in merit["best"]}
    assert [best[domain]["best"] for domain in DOMAINS] == [["C4"]] * 3
    times = [round(best[domain]["times_camu"], 2) for domain in DOMAINS]
    assert times == [6.35, 8.45, 3.99]
    # Summed from the rows: ptok + ctok of C1 and C4 on D1, 50 episodes each.
    first = best["d1-hard"]
    assert (first["replay_episode_tokens"], first["episode_tokens"]) == (224_120 / 50, 59_553 / 50)


def test_the_docs_show_the_real_output(
    folder: Path, memtrial: Memtrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs = Path(__file__).parents[2] / "docs" / "external-results.md"
    block = docs.read_text(encoding="utf-8").split("```console\n")[1].split("```")[0]
    command, _, shown = block.partition("\n")
    monkeypatch.chdir(folder)
    done = memtrial(*shlex.split(command)[2:])
    assert done.out == shown
