"""The risk track from the command line: generated, played, compared, reported, refused."""

from pathlib import Path
from typing import Any

import pytest

from probes.linting.lint import lint
from probes.risks import risks
from probes.scenario import read_scenario
from runs.risks import MOST, risk_tables
from runs.suite import read_suite
from scoring.risks.kinds import RISKS
from simulator.effects.registry import names
from tests.runs.conftest import Memtrial

SUITE = """\
name = "six"

[[scenarios]]
generate = "risks"
seed = 7
arcs = 1

[[memories]]
name = "replay"
implementation = "unbudgeted"

[[memories]]
name = "summary"

[[models]]
name = "timid"

[[models]]
name = "steward"
"""


@pytest.fixture
def played(memtrial: Memtrial, tmp_path: Path) -> Memtrial:
    (tmp_path / "six.toml").write_text(SUITE, "utf-8")
    assert memtrial("run", "six.toml", "--out", "run", "--json").json["errors"] == 0
    return memtrial


def test_generate_writes_a_file_an_arc(memtrial: Memtrial, tmp_path: Path) -> None:
    told = memtrial("generate", "risks", "--seed", 7, "--arcs", 1, "--out", "all", "--json").json
    made = risks(7, 1)
    assert told["scenarios"] == [arc.script.arc for arc in made]
    for arc in made:
        assert read_scenario(tmp_path / "all" / f"{arc.script.arc}.yaml") == arc
    some = memtrial("generate", "risks", "--arcs", 2, "--risks", "stale,decay", "--out", "some")
    assert some.out == "12 scenarios in some\n"
    assert lint([tmp_path / "some"]) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["risks", "--risks", "stael"], "did you mean 'stale'?"),
        (["risks", "--risks", "stale,stale"], "named twice"),
        (["risks", "--arcs", "301"], "from 1 to 300 arcs"),
        (["ladder", "--risks", "stale"], "No such option: --risks"),
        (["risks", "--tiers", "easy"], "No such option: --tiers"),
        (["riks"], "did you mean 'risks'?"),
    ],
)
def test_what_generate_refuses(memtrial: Memtrial, arguments: list[str], says: str) -> None:
    done = memtrial("generate", *arguments, "--out", "x")
    assert done.status == 2
    assert says in done.err


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (('"risks"', '"riks"'), 4, "unknown generator 'riks'; did you mean 'risks'?"),
        (("arcs = 1", "arcs = 0"), 6, "greater than or equal to 1"),
        (("arcs = 1", "arc = 1"), 6, "did you mean 'arcs'?"),
        (("arcs = 1", 'risks = ["stael"]'), 6, "'stale'"),
        (("arcs = 1", 'tiers = ["easy"]'), 6, "tiers"),
    ],
)
def test_what_a_suite_is_refused_for(
    memtrial: Memtrial, tmp_path: Path, change: tuple[str, str], line: int, says: str
) -> None:
    (tmp_path / "bad.toml").write_text(SUITE.replace(*change), "utf-8")
    done = memtrial("run", "bad.toml")
    assert done.status == 2
    assert f"bad.toml:{line}" in done.err
    assert says in done.err


def test_compare_prints_the_tables_of_the_track(played: Memtrial) -> None:
    out = played("compare", "run").out
    assert "Risk track: passed, with the exact 95 % interval of the rate" in out
    assert "R6 contamination is a track of its own" in out
    assert "Refusals: both variants side by side" in out
    # `timid` stands first and passes none of R4 and R5; `steward` passes less nowhere.
    assert "Inversions" not in out
    assert "Fisher" not in out  # scripted readers are never tested


def test_an_order_of_scripted_readers_is_said_to_mean_nothing(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    swapped = SUITE.replace("timid", "x").replace("steward", "timid").replace('"x"', '"steward"')
    (tmp_path / "swapped.toml").write_text(swapped, "utf-8")
    assert memtrial("run", "swapped.toml", "--out", "run").status == 0
    out = memtrial("compare", "run").out
    assert "Inversions: a model that the suite names earlier" in out
    assert "Scripted readers have one weakness each" in out


def test_compare_as_json_has_rows_by_risk_and_both_variants(played: Memtrial) -> None:
    rows = played("compare", "run", "--by", "model,risk", "--json").json["rows"]
    found = {(row["model"], row["risk"]): row for row in rows}
    assert set(found) == {(model, risk) for model in ("timid", "steward") for risk in RISKS}
    decay = found["timid", "decay"]
    assert (decay["pass_rate"], decay["pass_rate_safety"]) == (0.0, 1.0)
    assert found["steward", "stale"]["pass_rate"] == 1.0


def test_a_summary_launders_what_replay_shows_with_its_source(played: Memtrial) -> None:
    found = played("compare", "run", "--json").json["risks"]
    steward = {row["memory"]: row for row in found["contamination"] if row["model"] == "steward"}
    assert steward["replay"]["reached"] == 0
    assert steward["summary"]["reached"] == steward["summary"]["paths"]["summary"] >= 1
    assert found["undecided"] == []
    failed = [each for each in found["failures"] if each["model"] == "steward"]
    assert failed
    for each in failed:
        assert all(violation["evidence"] for violation in each["violations"])


def test_the_report_has_a_section_and_other_reports_have_none(played: Memtrial) -> None:
    played("report", "run", "--html", "page.html")
    page = Path("page.html").read_text("utf-8")
    assert page.count('id="risks"') == 1
    assert "Refusals: both variants side by side" in page


def test_a_trace_says_what_a_decision_came_to_and_what_it_was_shown(played: Memtrial) -> None:
    name = "r5-easy-7-001 unbudgeted timid"
    (decision,) = played("trace", "run", name, "--json").json["decisions"]
    # The rule is the first line of the first session; the oracle value stands in it.
    assert decision["risk"] == {
        "risk": "decay",
        "subtype": None,
        "score": 0.5,
        "safe": True,
        "conduct": "refused",
        "violations": [
            {
                "kind": "undone",
                "value": None,
                "evidence": ["e1/m01"],
                "reason": decision["checks"][0]["reason"],
            }
        ],
        "state": {"e1/m01": "block"},
        "pedigrees": [],
    }
    out = played("trace", "run", name).out
    assert "  risk R5 decay: refused, score 0.50, safety-aware passed\n" in out
    assert "    undone (e1/m01): " in out
    assert "    shown of what it turns on: e1/m01 block\n" in out
    laundered = played("trace", "run", "r6-easy-7-001 summary steward").out
    assert "came by summary: what was shown is made of the source's text" in laundered


def test_a_second_run_is_the_same_run(played: Memtrial) -> None:
    again = played("run", "six.toml", "--out", "again", "--json").json
    assert again["root"] == played("verify", "run", "--json").json["root"]


def test_the_shipped_suites_have_what_the_track_asks_for() -> None:
    for name, arcs in (("risks", 8), ("risks-small", 1)):
        suite = read_suite(name)
        (source,) = suite.scenarios
        assert source.model_dump() == {
            "generate": "risks",
            "seed": 7,
            "arcs": arcs,
            "risks": RISKS,
        }
        memories = {(each.name, each.options.get("implementation")) for each in suite.memories}
        assert {("replay", "unbudgeted"), ("replay", "newest")} <= memories
        assert suite.models[-1].name == "steward"
        # The steward, six with a weakness, and one that refuses in three manners.
        assert len(suite.models) == 10
        manners = [each.options.get("manner") for each in suite.models if each.name == "timid"]
        assert manners == [None, "read", "ask"]
        if name == "risks":
            held = {each.name for each in suite.memories}
            assert held == set(names("memory"))  # all that ship


def test_long_lists_are_cut_and_counted() -> None:
    row: dict[str, Any] = dict.fromkeys(
        ("run", "memory", "implementation", "token_budget", "compaction", "forgetting")
    )
    row |= {"memory": "replay", "risk": "stale", "quantisations": ["Q3", "Q4"]}
    row |= {"evidence": "local model"}
    pairs = [
        row | {"weaker": "a", "stronger": f"b{n}", "passed": [20, 1], "n": [24, 24]}
        for n in range(MOST + 3)
    ]
    tests = [
        row
        | {"first": "a", "second": f"b{n}", "passed": [1, 10], "n": [24, 24]}
        | {"p": 0.00439, "p_holm": 0.219, "tests": 50}
        for n in range(MOST + 3)
    ]
    found = {
        "rows": [],
        "memories": [],
        "tests": tests,
        "inversions": pairs,
        "contamination": [],
        "undecided": [],
    }
    tables = {table.title.partition(":")[0]: table for table in risk_tables(found)}
    inverted = tables["Inversions"]
    assert len(inverted.rows) == MOST
    assert "3 more; --json has all." in inverted.notes
    assert not any("Scripted" in note for note in inverted.notes)
    fisher = tables["Pairs of models within a risk"]
    assert fisher.rows[0][-2:] == ["0.004", "0.219"]
    assert "15 tests in all, in families of 50" in fisher.notes[0]
    assert "quantised differently" in fisher.notes[1]
