"""`memtrial select` of runs and tables: what it prints, what it writes, what it refuses."""

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.plan import plan
from runs.runner import run_plan
from runs.suite import read_suite, read_toml
from runs.toml import to_toml
from scoring.run import load_run
from scoring.selection.irt import Irt, simulate
from simulator.events import content_hash
from tests.runs.conftest import Memtrial

SUITE = """
name = "choice"
description = 'Of "arms".'
token_budgets = [96]
memories = ["none", "facts", {name = "replay", implementation = "newest"}]
models = ["last"]

[prices]
as = "gpt-4.1"

[[scenarios]]
generate = "ladder"
seed = 3
arcs = 3
tiers = ["easy", "hard"]
"""


@pytest.fixture(scope="session")
def choice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a run of three arms on six arcs; tests only read it."""
    folder = tmp_path_factory.mktemp("choice")
    (folder / "choice.toml").write_text(SUITE, encoding="utf-8")
    run_plan(plan(str(folder / "choice.toml")), folder / "run", report=lambda done, of: None)
    yield folder / "run"


HEAD = ["model", "episode", "risk", "tier", "pass", "length"]
Table = Callable[..., Path]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Return a function that writes rows as CSV."""

    def write(rows: list[list[Any]], head: list[str] | None = None, name: str = "t.csv") -> Path:
        path = tmp_path / name
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([head or HEAD, *rows])
        return path

    return write


def made_up(models: int = 4, episodes: int = 20) -> list[list[Any]]:
    """Return the rows of a made-up matrix."""
    made, _ = simulate(Irt(models=models, episodes=episodes), 1)
    return [
        [m, e, made.risks[j], made.tiers[j], int(made.passed[i, j]), made.features["length"][j]]
        for i, m in enumerate(made.models)
        for j, e in enumerate(made.episodes)
    ]


QUICK = ("--draws", "20", "--bootstrap", "4")


def test_the_contract_of_the_json(memtrial: Memtrial, table: Table) -> None:
    found = memtrial("select", "--table", table(made_up()), *QUICK, "--json").json
    assert {"subset", "psi", "spearman", "coverage", "high_risk", "baselines"} <= set(found)
    assert (len(found["subset"]), found["k"], found["episodes"]) == (4, 4, 20)
    assert found["psi"] == pytest.approx(found["spearman"] + found["coverage"] + found["high_risk"])
    assert set(found["baselines"]) == {
        "random", "stratified", "difficulty", "disagreement", "k-medoids", "trace-features",
        "mid-range", "mid-range-all",
    }  # fmt: skip
    for each in found["baselines"].values():
        assert {"psi", "spearman", "coverage", "high_risk", "held_out"} <= set(each)
    assert found["evidence"] == "external"
    assert found["tests"]["pairs"] == 6 * 5


def test_options_reach_what_they_are_about(memtrial: Memtrial, table: Table) -> None:
    path = table(made_up())

    def ask(*options: str) -> Any:
        return memtrial("select", "--table", path, *QUICK, *options, "--json").json

    usual = ask()
    assert len(ask("--fraction", "0.5")["subset"]) == 10
    assert ask("--selector", "balanced")["coverage_tiers"] >= usual["coverage_tiers"]
    assert ask("--selector", "features")["subset"] != usual["subset"]
    assert ask("--weights", "0,1,0")["psi"] == 0.8  # four of five risks
    assert ask("--seed", "1")["drawn_sha256"] != usual["drawn_sha256"]
    assert ask("--draws", "30")["draws"] == 30
    assert ask("--bootstrap", "0")["bootstrap"] is None
    assert usual["bootstrap"]["resamples"] == 4
    new = ask("--new", "m03")
    assert new["models"] == ["m00", "m01", "m02"]
    assert [each["model"] for each in new["drift"]] == ["m03"]


def test_the_order_of_rows_and_the_kind_of_file_say_nothing(
    memtrial: Memtrial, table: Table, tmp_path: Path
) -> None:
    rows = made_up()
    lines = [json.dumps(dict(zip(HEAD, row, strict=True))) for row in rows]
    as_json = tmp_path / "t.jsonl"
    as_json.write_text("\n".join(lines), encoding="utf-8")
    halves = [table(rows[:33], name="a.csv"), table(rows[33:], name="b.csv")]
    sources: list[list[Path]] = [
        [table(rows)],
        [table(rows[::-1], name="r.csv")],
        [as_json],
        halves,
    ]
    found = [memtrial("select", "--table", *each, *QUICK, "--json").json for each in sources]
    for each in found:
        assert each | {"files": []} == found[0] | {"files": []}


def test_columns_can_be_mapped_and_unused_ones_are_told(memtrial: Memtrial, table: Table) -> None:
    rows = [[*row, "x"] for row in made_up()]
    path = table(rows, ["system", "task", "risk", "tier", "ok", "length", "note"])
    mapped = "model=system,episode=task,pass=ok"
    found = memtrial("select", "--table", path, "--columns", mapped, *QUICK, "--json").json
    assert found["features"]["used"] == ["tier", "length", "spread", "failures"]
    assert "columns that say nothing here: note" in found["warnings"]


def test_columns_are_joined_and_a_file_has_a_name(memtrial: Memtrial, table: Table) -> None:
    rows = [[row[0], row[1], "s", *row[2:]] for row in made_up()]
    head = ["model", "task", "part", *HEAD[2:]]
    paths = [
        table([row for row in rows if row[3] == risk], head, f"{risk}.csv") for risk in ("R1", "R2")
    ]
    mapped = "episode=@file+task+part,risk=@file"
    found = memtrial("select", "--table", *paths, "--columns", mapped, *QUICK, "--json").json
    assert found["episodes"] == 8
    assert all(
        each.startswith(("R1/e0", "R2/e0")) and each.endswith("/s") for each in found["subset"]
    )
    assert {row["risk"] for row in found["composition"]} == {"R1", "R2"}


def test_a_table_without_tiers_and_features_leaves_out_what_needs_them(
    memtrial: Memtrial, table: Table
) -> None:
    rows = [[row[0], row[1], row[2], row[4]] for row in made_up()]
    path = table(rows, ["model", "episode", "risk", "pass"])
    found = memtrial("select", "--table", path, *QUICK, "--json").json
    missing = {name: each["missing"] for name, each in found["baselines"].items()}
    assert missing["difficulty"] == "neither tier nor length of the episodes is known"
    assert missing["trace-features"] == "no static feature differs between episodes"
    assert found["baselines"]["difficulty"]["spearman"] is None
    assert found["discrimination"]["why"] == "no static feature differs between episodes"
    text = memtrial("select", "--table", path, *QUICK).out
    assert "difficulty is left out: neither tier nor length" in text
    assert "Discrimination is not predicted: no static feature differs" in text


def test_the_printed_page_has_every_table(memtrial: Memtrial, table: Table) -> None:
    done = memtrial("select", "--table", table(made_up()), *QUICK, "--new", "m03")
    titles = (
        "In the subset",
        "Kept by the models looked at, and by a model held out",
        "Each model held out in turn",
        "At 10, 20 and 30 %",
        "The feature selector without a group",
        "New models against the reference set",
    )
    lines = done.out.splitlines()
    assert [line for line in lines if line in titles] == list(titles)
    for name in ("psi *", "features", "balanced", "random", "mid-range-all"):
        assert any(line.startswith(name) for line in lines)
    assert "nan" not in done.out.lower().split()
    assert "4 of 20 episodes, chosen by psi:" in lines
    assert "steps: " in done.err


def test_hostile_names_do_not_steer_the_terminal(memtrial: Memtrial, table: Table) -> None:
    rows = [[f"\x1b[2J{row[0]}", f"{row[1]}\x07", *row[2:]] for row in made_up()]
    done = memtrial("select", "--table", table(rows), *QUICK)
    assert done.status == 0
    assert not {"\x1b", "\x07"} & set(done.out)
    assert "\\u001b[2Jm00" in done.out


def test_a_subset_of_a_run_is_a_suite_that_plays_the_same(
    memtrial: Memtrial, choice: Path, tmp_path: Path
) -> None:
    found = memtrial("select", choice, "--fraction", "0.5", *QUICK, "--out", "sub", "--json").json
    assert (found["written"], found["k"]) == (["sub/suite.toml"], 3)
    assert found["evidence"] == "scripted"
    assert found["tests"] is None
    assert sorted(path.stem for path in (tmp_path / "sub/scenarios").iterdir()) == found["subset"]

    played = memtrial("run", "sub/suite.toml", "--out", "again", "--json").json
    assert (played["trials"], played["errors"]) == (9, 0)
    with load_run(choice) as whole, load_run(Path("again")) as part:
        assert found["roots"] == {"run": whole.log.root()}
        assert set(part.manifest.arms) == set(whole.manifest.arms)
        for arc, entry in part.manifest.arcs.items():
            assert entry == whole.manifest.arcs[arc]
        heads, again = whole.log.heads(), part.log.heads()
        trials = part.sealed
        assert len(trials) == 9
        assert [again[trial] for trial in trials] == [heads[trial] for trial in trials]


def test_the_evidence_lies_beside_the_suite(memtrial: Memtrial, choice: Path) -> None:
    found = memtrial("select", choice, *QUICK, "--seed", "4", "--out", "sub", "--json").json
    evidence = json.loads(Path("sub/evidence.json").read_text(encoding="utf-8"))
    assert evidence == {k: v for k, v in found.items() if k != "written"}
    assert (evidence["selector"], evidence["seed"]) == ("psi", 4)
    assert list(evidence["roots"]) == ["run"]
    drawn = json.loads(Path("sub/drawn.json").read_text(encoding="utf-8"))
    with load_run(choice) as run:
        assert drawn["episodes"] == sorted(run.manifest.arcs)
    # Six arcs: 20 % and 10 % are one, 30 % are two.
    assert set(drawn["subsets"]) == {"1", "2"}
    for k, of_size in drawn["subsets"].items():
        assert set(of_size) == {"random", "stratified", "mid-range"}
        for name, rows in of_size.items():
            assert len(rows) == 20
            assert {len(set(row)) for row in rows} == {int(k)}
            assert {place for row in rows for place in row} <= set(range(6))
            assert found["drawn_sha256"][k][name] == content_hash(rows)
    assert read_suite("sub/suite.toml").prices.as_model == "gpt-4.1"


def test_each_tabled_fraction_has_the_spread_over_its_draws(
    memtrial: Memtrial, table: Table
) -> None:
    found = memtrial("select", "--table", table(made_up()), *QUICK, "--json").json
    rows = {(row["fraction"], row["selector"]): row for row in found["fractions"]}
    assert {(share, row["k"]) for (share, _), row in rows.items()} == {(0.1, 2), (0.2, 4), (0.3, 6)}
    for row in rows.values():
        low, high = row["spearman_ci"]
        # What does not draw is one subset, whose figures are a point.
        assert row["draws"] or low == high == row["spearman"]
    asked = found["baselines"]["random"]
    assert asked["spearman_ci"] == rows[0.2, "random"]["spearman_ci"]
    assert asked["spearman_ci"][0] < asked["spearman_ci"][1]


def test_a_table_gives_evidence_and_no_suite(memtrial: Memtrial, table: Table) -> None:
    done = memtrial("select", "--table", table(made_up()), *QUICK, "--out", "sub", "--json").json
    assert done["written"] == ["sub"]
    assert sorted(path.name for path in Path("sub").iterdir()) == ["drawn.json", "evidence.json"]


def test_an_arm_can_be_the_new_model(memtrial: Memtrial, choice: Path) -> None:
    arms = memtrial("select", choice, *QUICK, "--json").json["models"]
    message = memtrial("select", choice, *QUICK, "--new", arms[0]).err
    assert "three reference models are needed to see drift" in message


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda rows: rows[:-1], "t.csv:21: episode: 'm03' has no verdict on 1 of 20 episodes, such as 'e0019', which 'm00' has here"),
        (lambda rows: [*rows, ["m03", "other", "R1", "easy", 1, 2]], "t.csv:82: episode: 'm00' has no verdict on 1 of 21 episodes, such as 'other'"),
        (lambda rows: rows[:20], "t.csv: model: a ranking needs at least two reference models; here is 1: 'm00'"),
        (lambda rows: [*rows, rows[0]], ":82: 'm00' has the episode 'e0000' twice; the first is on line 2"),
        (lambda rows: [*rows, ["m04", "e0000", "R9", *rows[0][3:]]], ":82: risk: 'm04' and 'm00' disagree"),
        (lambda rows: [*rows, ["m04", "e0000", "R1", "huge", *rows[0][4:]]], ":82: tier: 'm04' and 'm00'"),
        (lambda rows: [[*rows[0][:4], "yes", 1], *rows[1:]], ":2: pass: 'yes' is neither yes nor no; write 1 or 0"),
        (lambda rows: [[*rows[0][:5], "long"], *rows[1:]], ":2: length: 'long' is no number"),
        (lambda rows: [["", *rows[0][1:]], *rows[1:]], ":2: model: this cell is empty"),
    ],
)  # fmt: skip
def test_wrong_tables_are_refused_with_their_line(
    refused: Callable[..., str], table: Table, change: Any, says: str
) -> None:
    assert says in refused("select", "--table", table(change(made_up())))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--fraction", "1.5"), "fraction: a subset is a fraction above 0 and at most 1"),
        (("--fraction", "0"), "above 0 and at most 1"),
        (("--fraction", "nan"), "above 0 and at most 1"),
        (("--selector", "psy"), "selector: unknown selector 'psy'; did you mean 'psi'?"),
        (("--weights", "1,1"), "weights: give three numbers"),
        (("--weights", "1,x,1"), "weights: give three numbers"),
        (("--weights", "0,0,0"), "not all 0"),
        (("--weights", "1,-1,1"), "weights: give three numbers"),
        (("--weights", "1,nan,1"), "weights: give three numbers"),
        (("--draws", "0"), "draws: give a number from 1 to 100,000"),
        (("--bootstrap", "200000"), "bootstrap: give a number from 0"),
        (("--new", "m03", "--new", "m03"), "new: 'm03' is named twice"),
        (("--new", "m9"), "new: there is no model 'm9'; known: m00, m01, m02, m03"),
        (("--columns", "modell=x"), "columns: unknown field 'modell'; did you mean 'model'?"),
        (("--columns", "model"), "columns: 'model' is not FIELD=COLUMN"),
        (("--columns", "model=a,model=b"), "columns: 'model' is mapped twice"),
        (("--columns", "pass=a+b"), "columns: 'pass' has one column of its own"),
        (("--columns", "length=@file"), "columns: 'length' has one column of its own"),
        (("--columns", "model=a+"), "is not FIELD=COLUMN"),
        (("--columns", "model=modal"), "there is no column 'modal'; did you mean 'model'?"),
    ],
)
def test_wrong_options_are_refused(
    refused: Callable[..., str], table: Table, options: tuple[str, ...], says: str
) -> None:
    assert says in refused("select", "--table", table(made_up()), *options)


def test_a_missing_column_is_refused_with_how_to_map_it(
    refused: Callable[..., str], table: Table
) -> None:
    path = table([["a", "x", "1"]], ["model", "episode", "pass"])
    assert "map it with --columns risk=COLUMN" in refused("select", "--table", path)


def test_what_is_no_run_and_what_is_no_table_are_refused(
    refused: Callable[..., str], small_run: Path, table: Table, tmp_path: Path
) -> None:
    assert "no events.db" in refused("select", tmp_path)
    assert "--columns is about tables; add --table" in refused(
        "select", small_run, "--columns", "a=b"
    )
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "file").touch()
    message = refused("select", "--table", table(made_up()), "--out", "used")
    assert "this is no empty folder" in message


def test_the_same_run_twice_is_refused(refused: Callable[..., str], small_run: Path) -> None:
    assert "the same run is named twice" in refused("select", small_run, small_run)


VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), VALUES, max_size=4))
def test_toml_reads_back_equal(values: dict[str, Any]) -> None:
    import tomllib

    assert tomllib.loads(to_toml(values)) == values


def test_toml_leaves_out_what_is_none(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(to_toml({"a": None, "b": {"c": None, "d": 1}}), encoding="utf-8")
    assert read_toml(path)[1] == {"b": {"d": 1}}
