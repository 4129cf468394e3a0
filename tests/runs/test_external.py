"""Tables of scored rows: what they come to, and what is wrong with them, by file and line."""

import csv
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.external import compare_tables
from runs.external.columns import Columns, parse_columns, read_mapping
from runs.external.reading import read_table
from tests.runs.conftest import Memtrial

HEAD = "arm,cluster,instance,dependent,success,had,used,cost,tokens"
ROWS = [
    "none,a,1,1,0,0,0,0.001,10",
    "none,a,2,0,1,0,0,0.001,10",
    "none,b,1,1,0,0,0,0.003,10",
    "none,b,2,0,1,0,0,0.001,10",
    "facts,a,1,1,1,1,1,0.002,30",
    "facts,a,2,0,0,0,0,0.002,30",
    "facts,b,1,1,0,1,0,0.004,30",
    "facts,b,2,0,1,0,0,0.002,30",
]


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a CSV file."""

    def write(*lines: str, head: str = HEAD, name: str = "t.csv") -> Path:
        path = tmp_path / name
        path.write_text("\n".join([head, *(lines or ROWS)]) + "\n", encoding="utf-8")
        return path

    return write


Write = Callable[..., Path]


def test_a_table_by_hand(table: Write) -> None:
    found = compare_tables([table()])
    none, facts = found["rows"]
    assert (facts["n_dependent"], facts["tsr_dependent"], facts["tsr_independent"]) == (2, 0.5, 0.5)
    assert (facts["n_use_all"], facts["ignore_rate"], facts["gold_in_block"]) == (2, 0.5, 1.0)
    assert (facts["usd"], facts["tokens"], facts["episodes"]) == ("0.01", 120, 4)
    # Half a success more for $0.001 an episode more.
    assert facts["camu"] == pytest.approx(500)
    assert facts["break_even"] == pytest.approx(0.002)
    assert facts["cost_per_success"] == pytest.approx(0.0025 / 0.5)
    assert facts["distraction"] == 0.5
    assert none["camu"] is None
    (pair,) = found["pairs"]
    assert (pair["against"], pair["difference"], pair["pairs"]) == ("none", 0.5, 2)
    # One cluster differs: both of its signs are as large.
    assert (pair["p"], pair["verdict"]) == (1.0, "tie")
    assert {row["evidence"] for row in found["rows"]} == {"external"}


def test_what_rows_cannot_tell_is_null_and_never_zero(table: Write) -> None:
    head = "arm,cluster,instance,dependent,success"
    found = compare_tables([table(*(",".join(r.split(",")[:5]) for r in ROWS), head=head)])
    facts = found["rows"][1]
    unknown = (
        "outcomes use_rate_values use_rate_all n_use_all ignore_rate gold_in_block block_tokens "
        "tokens spend usd usd_as_if camu failed_dependent causes failures stale_used calls domain "
        "corrupted_used reverified_rate quoted_not_acted scorer keys smh"
    ).split()
    assert {name: facts[name] for name in unknown} == dict.fromkeys(unknown)
    assert facts["tsr_dependent"] == 0.5


def test_errors_are_in_the_denominator_and_out_of_the_pairs(table: Write) -> None:
    lines = [f"{line},{int(line.startswith('facts,a,1'))}" for line in ROWS]
    found = compare_tables([table(*lines, head=f"{HEAD},error")])
    facts = found["rows"][1]
    assert (facts["errors"], facts["tsr_dependent"], facts["n_use_all"]) == (1, 0.0, 1)
    assert (found["pairs"][0]["pairs"], found["pairs"][0]["dropped"]) == (1, 1)


def test_json_lines_and_csv_give_the_same(table: Write, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    kinds: dict[str, Callable[[str], Any]] = {
        "dependent": lambda text: text == "1",
        "success": int,
        "cost": float,
        "tokens": int,
    }
    with path.open("w", encoding="utf-8") as file:
        for row in csv.DictReader([HEAD, *ROWS]):
            told = {name: kinds.get(name, str)(text) for name, text in row.items()}
            file.write(json.dumps(told) + "\n\n")
    one, other = compare_tables([table()]), compare_tables([path])
    for name in ("rows", "pairs", "worth"):
        assert other[name] == one[name]


def test_columns_are_mapped_joined_and_added(table: Write) -> None:
    head = "who,a b,i,dep,ok,dollars,more,in,out"
    lines = [
        "C0,x,1,1,0,0.1,0.1,1,2",
        "C0,y,1,1,0,0.1,0.1,1,2",
        "C9,x,1,1,1,0.2,0.3,5,6",
        "C9,y,1,1,1,0.2,0.3,5,6",
    ]
    named = "arm=who,cluster=@file+a b,instance=i,dependent=dep,success=ok,cost=dollars+more"
    files = [
        table(*lines, head=head, name="one.csv"),
        table(*lines, head=head, name="two.csv"),
    ]
    columns = parse_columns(f"{named},tokens=in+out,domain=@file")
    found = compare_tables(files, columns, ["arm"])
    none, other = found["rows"]
    assert (none["clusters"], other["tokens"], other["usd"]) == (4, 44, "2")
    assert other["camu"] == pytest.approx(1 / 0.3)
    assert found["external"]["unused"] == []
    by_domain = compare_tables(files, columns)["rows"]
    assert [(row["domain"], row["arm"]) for row in by_domain] == [
        (domain, arm) for domain in ("one", "two") for arm in ("C0", "C9")
    ]


def test_a_mapping_file_says_the_same(table: Write, tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text(
        'baseline = "C0"\ncontrol = "C1"\n[columns]\narm = "a+b"\ncluster = ["@file", "arc"]\n'
        'instance = "ep"\ndependent = "dep"\nsuccess = "ok"\ncost = ""\n',
        encoding="utf-8",
    )
    head = "a+b,arc,ep,dep,ok,cost"
    lines = [f"C{c},{arc},1,1,{int(c > 0)},0.1" for c in range(3) for arc in "xyz"]
    found = compare_tables([table(*lines, head=head)], read_mapping(path))
    assert [row["memory"] for row in found["rows"]] == ["none", "replay", "C2"]
    assert [row["implementation"] for row in found["rows"]] == ["C0", "C1", "standard"]
    assert found["rows"][2]["usd"] is None
    assert {(pair["arm"], pair["against"]) for pair in found["pairs"]} == {
        ("C1", "C0"),
        ("C2", "C0"),
        ("C0", "C1"),
        ("C2", "C1"),
    }


def test_corrupted_rows_are_paired_with_clean_ones(table: Write) -> None:
    head = "arm,cluster,instance,dependent,success,corruption"
    lines = [f"none,{c},1,1,0,{kind}" for c in "abc" for kind in ("none", "stale:0.3")]
    lines += [f"facts,{c},1,1,1,none" for c in "abc"]
    lines += [f"facts,{c},1,1,{int(c == 'a')},stale:0.3" for c in "abc"]
    found = compare_tables([table(*lines, head=head)])["rows"]
    smh = {(row["arm"], row["corruption"]): row["smh"] for row in found}
    assert smh == {
        ("none", "none"): None,
        ("none", "stale:0.3"): 0.0,
        ("facts", "none"): None,
        ("facts", "stale:0.3"): pytest.approx(2 / 3),
    }


def test_several_models_are_several_arms(table: Write) -> None:
    lines = [f"{line},{model}" for line in ROWS for model in ("m1", "m2")]
    found = compare_tables([table(*lines, head=f"{HEAD},model")])
    assert [(row["model"], row["memory"]) for row in found["rows"]] == [
        ("m1", "none"), ("m2", "none"), ("m1", "facts"), ("m2", "facts"),
    ]  # fmt: skip
    assert [(pair["arm"], pair["against"]) for pair in found["pairs"]] == [
        ("facts/m1", "none/m1"),
        ("facts/m2", "none/m2"),
    ]


def test_tiers_stand_in_their_own_order(table: Write) -> None:
    lines = [f"{line},{tier}" for tier in ("medium", "hard", "easy") for line in ROWS]
    found = compare_tables([table(*lines, head=f"{HEAD},tier")])
    tiers = list(dict.fromkeys(row["tier"] for row in found["rows"]))
    assert tiers == ["easy", "medium", "hard"]


WRONG: list[tuple[str, int | None, str, list[str], str]] = [
    ("success", 1, "no column 'success'; did you mean 'succes'?", [], HEAD.replace("success", "succes")),
    ("dependent", 3, "'yes' is neither yes nor no; write 1 or 0",
     [ROWS[0], "none,a,2,yes,1,0,0,0.001,10"], HEAD),
    ("success", 2, "'' is neither", ["none,a,2,1,,0,0,0.001,10"], HEAD),
    ("cost", 2, "-0.001 is negative", ["none,a,2,1,1,0,0,-0.001,10"], HEAD),
    ("cost", 2, "'nan' is no number", ["none,a,2,1,1,0,0,nan,10"], HEAD),
    ("cost", 2, "'$1' is no number", ["none,a,2,1,1,0,0,$1,10"], HEAD),
    ("cost", 2, "this cell is empty", ["none,a,2,1,1,0,0,,10"], HEAD),
    ("cost", 2, "at most 10^9", ["none,a,2,1,1,0,0,1e300,10"], HEAD),
    ("tokens", 2, "1.5 is no whole number", ["none,a,2,1,1,0,0,0.1,1.5"], HEAD),
    ("arm", 2, "this cell is empty", [",a,2,1,1,0,0,0.1,1"], HEAD),
    ("instance", 3, "'none' has the instance '1' twice; the first is on line 2",
     [ROWS[0], ROWS[0]], HEAD),
    ("dependent", 3, "'facts' and 'none' disagree on whether it depends; the first is on line 2",
     [ROWS[0], "facts,a,1,0,1,0,0,0.1,1"], HEAD),
    ("arm", 2, "no arm is called none or C0", [ROWS[4], ROWS[5]], HEAD),
    ("used", 1, "'had' means nothing without 'used'", [], HEAD.replace("used", "u")),
    ("", 2, "8 cells where the heading has 9", ["none,a,2,1,1,0,0,0.1"], HEAD),
    ("", 1, "two columns are called 'arm'", [], HEAD.replace("cluster", "arm")),
    ("", 2, "this is no CSV", ['none,"a"b,2,1,1,0,0,0.1,1'], HEAD),
]  # fmt: skip


@pytest.mark.parametrize(("field", "line", "message", "lines", "head"), WRONG)
def test_wrong_tables_are_refused_by_file_line_and_field(
    table: Write,
    refused: Callable[..., str],
    field: str,
    line: int,
    message: str,
    lines: list[str],
    head: str,
) -> None:
    path = table(*lines, head=head)
    said = refused("compare", "--table", path)
    where = f"{path}:{line}: " + (f"{field}: " if field else "")
    assert said.startswith(where)
    assert message in said


def test_a_missing_baseline_names_the_arms_and_what_to_do(
    table: Write, refused: Callable[..., str]
) -> None:
    said = refused("compare", "--table", table(*ROWS[4:]))
    assert "name it with --baseline (arms: facts)" in said
    assert "did you mean 'facts'?" in refused("compare", "--table", table(), "--baseline", "fact")
    assert compare_tables([table(*ROWS[4:])], parse_columns("cost="))["rows"][0]["camu"] is None


JSON_LINES = [
    ('{"arm": "none"', 1, "this is no JSON"),
    ('{"arm": NaN}', 1, "NaN is no value"),
    ('{"arm": "none"}\n[1]', 2, "each line is one JSON object"),
]


@pytest.mark.parametrize(("text", "line", "message"), JSON_LINES)
def test_wrong_json_lines_are_refused(
    tmp_path: Path, refused: Callable[..., str], text: str, line: int, message: str
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(text, encoding="utf-8")
    said = refused("compare", "--table", path)
    assert said.startswith(f"{path}:{line}: ")
    assert message in said


def test_a_row_that_lacks_a_cell_is_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    whole = dict(zip(HEAD.split(","), ROWS[0].split(","), strict=True))
    path = tmp_path / "t.jsonl"
    lines = [whole, {name: text for name, text in whole.items() if name != "cost"}]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert refused("compare", "--table", path) == f"{path}:2: cost: this row has no 'cost'"


FILES = [(b"", "this table has no rows"), (b"arm,cluster\n", "this table has no rows"),
         (b"\xff\xfe\x00", "this is no UTF-8 text (byte 0)")]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), FILES)
def test_files_that_are_no_tables_are_refused(
    tmp_path: Path, refused: Callable[..., str], data: bytes, message: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    assert refused("compare", "--table", path) == f"{path}: {message}"
    assert "no-such.csv" in refused("compare", "--table", "no-such.csv")


MAPPINGS = [
    ("arm", "'arm' is not FIELD=COLUMN"),
    ("amr=who", "unknown field 'amr'; did you mean 'arm'?"),
    ("arm=a,arm=b", "'arm' is mapped twice"),
    ("success=a+b", "success is yes or no, so it has one column"),
    ("arm=", "arm is needed and cannot be left out"),
    ("cost=@file", "cost is a number, and @file is none"),
    ("arm=a++b", "a column of 'arm' has no name"),
]


@pytest.mark.parametrize(("named", "message"), MAPPINGS)
def test_wrong_mappings_are_refused(
    table: Write, refused: Callable[..., str], named: str, message: str
) -> None:
    assert refused("compare", "--table", table(), "--columns", named) == f"columns: {message}"


def test_a_mapped_column_that_is_not_there_is_refused_with_the_nearest(
    table: Write, refused: Callable[..., str]
) -> None:
    said = refused("compare", "--table", table(), "--columns", "arm=arms")
    assert said.endswith(":1: arm: there is no column 'arms'; did you mean 'arm'?")


TOML = [
    ("columns = 3", 1, "columns", "columns is a table of names"),
    ('\n[columns]\namr = "x"', 3, "columns.amr", "unknown field 'amr'; did you mean 'arm'?"),
    ("base = 1", 1, "base", "unknown key 'base'; did you mean 'baseline'?"),
    ("baseline = 1", 1, "baseline", "name an arm, as a text"),
    ("[columns]\narm = [1]", 2, "columns.arm", "name a column, or list several"),
]


@pytest.mark.parametrize(("text", "line", "field", "message"), TOML)
def test_wrong_mapping_files_are_refused_by_line(
    table: Write,
    tmp_path: Path,
    refused: Callable[..., str],
    text: str,
    line: int,
    field: str,
    message: str,
) -> None:
    path = tmp_path / "map.toml"
    path.write_text(text, encoding="utf-8")
    said = refused("compare", "--table", table(), "--mapping", path)
    assert said == f"{path}:{line}: {field}: {message}"


def test_options_that_do_not_go_together_are_refused(
    table: Write, refused: Callable[..., str], small_run: Path
) -> None:
    both = ("--columns", "arm=arm", "--mapping", "m.toml")
    assert "not with both" in refused("compare", "--table", table(), *both)
    assert "add --table" in refused("compare", small_run, "--baseline", "none")
    same = ("--baseline", "none", "--control", "none")
    assert "cannot be baseline and control" in refused("compare", "--table", table(), *same)
    said = refused("compare", "--table", table(), "--baseline", "facts")
    assert "an arm is called 'none', so 'facts' cannot stand for it" in said


def test_no_shared_instance_is_warned_of(table: Write) -> None:
    lines = [*ROWS[:4], *(line.replace(",a,", ",c,").replace(",b,", ",d,") for line in ROWS[4:])]
    (warning,) = compare_tables([table(*lines)])["warnings"]
    assert warning.startswith("no two arms share an instance")


def test_the_command_marks_what_it_prints_as_external(table: Write, memtrial: Memtrial) -> None:
    done = memtrial("compare", "--table", table())
    assert done.status == 0
    assert done.out.startswith("External results. Comparison: run t\n")
    assert "MemTrial has no log of them and cannot check them" in done.out
    for title in (
        "Held against a baseline, instance by instance",
        "What blocks held, and what was used",
        "What a success costs and is worth",
    ):
        assert title in done.out
    assert "Held against: none (no memory), nothing (replay)." in done.out
    told = memtrial("compare", "--table", table(), "--json").json
    assert told["external"]["baseline"] == "none"
    assert told["rows"][1]["camu"] == pytest.approx(500)


def test_the_report_of_a_table_escapes_what_it_holds(
    table: Write, memtrial: Memtrial, tmp_path: Path
) -> None:
    evil = "<script>alert(1)</script>"
    lines = [line.replace("facts", evil) for line in ROWS]
    out = tmp_path / "out.html"
    done = memtrial("compare", "--table", table(*lines), "--html", out)
    assert f"report: {out}" in done.out
    page = out.read_text(encoding="utf-8")
    assert evil not in page
    assert page.count("<svg") == 2
    assert "scored by somebody else" in page
    again = tmp_path / "again.html"
    memtrial("compare", "--table", table(*lines), "--html", again)
    assert again.read_bytes() == out.read_bytes()


CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6)


@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6))
def test_cells_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("t") / "t.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([("one", "two"), *rows])
    read = [tuple(line.cells.values()) for line in read_table(path).lines]
    assert read == rows


def test_a_cell_of_several_lines_counts_them(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b'\xef\xbb\xbfa,b\r\n"x\r\ny",1\r\n\r\nz,2\r\n')
    found = read_table(path)
    assert [(line.number, line.cells) for line in found.lines] == [
        (2, {"a": "x\r\ny", "b": "1"}),
        (5, {"a": "z", "b": "2"}),
    ]


@given(st.lists(st.decimals(0, 1000, allow_nan=False, places=12), min_size=1, max_size=8))
def test_costs_add_up_exactly(
    tmp_path_factory: pytest.TempPathFactory, amounts: list[Decimal]
) -> None:
    path = tmp_path_factory.mktemp("t") / "t.csv"
    lines = [f"none,a,{n},1,0,0,0,{amount},1" for n, amount in enumerate(amounts)]
    path.write_text("\n".join([HEAD, *lines]), encoding="utf-8")
    (row,) = compare_tables([path], Columns())["rows"]
    assert Decimal(row["usd"]) == sum(amounts)
