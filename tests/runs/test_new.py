"""What `new` writes works as it is, and nothing is ever written over."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from probes.scenario import read_scenario, read_scenarios
from runs.contracts import broken_promises
from runs.suite import read_suite
from tests.runs.conftest import Memtrial

Refused = Callable[..., str]


@pytest.fixture(autouse=True)
def no_stale_modules() -> Iterator[None]:
    """Forget the modules that a test wrote: the next one writes others of the same names."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("new_"):
            del sys.modules[name]


def follow(memtrial: Memtrial, out: str) -> int:
    """Do what a command says is next, and return its status."""
    (line,) = [line for line in out.splitlines() if line.startswith("next: memtrial ")]
    return memtrial(*line.split()[2:]).status


def test_a_new_scenario_lints_clean_and_can_be_played(memtrial: Memtrial, tmp_path: Path) -> None:
    done = memtrial("new", "scenario", "lamp-2")
    assert done.out == "scenario in lamp-2.yaml\nnext: memtrial lint lamp-2.yaml\n"
    assert follow(memtrial, done.out) == 0
    assert read_scenario("lamp-2.yaml").script.arc == "lamp-2"
    assert memtrial("graph", "lamp-2.yaml").status == 0
    (tmp_path / "own.toml").write_text(
        'name = "own"\nmemories = ["none", "facts"]\nmodels = ["last"]\n'
        '[[scenarios]]\nfiles = ["lamp-2.yaml"]\n',
        encoding="utf-8",
    )
    assert memtrial("run", "own.toml", "--out", "run", "--strict").status == 0
    rows = memtrial("compare", "run", "--json").json["rows"]
    # The fact is corrected before it is asked for: who overwrites knows it, who holds nothing not.
    assert [(row["memory"], row["tsr_dependent"]) for row in rows] == [("none", 0), ("facts", 1)]
    assert [row["tsr_independent"] for row in rows] == [1, 1]


def test_a_new_scenario_in_verbs_is_a_task_with_twins(memtrial: Memtrial) -> None:
    done = memtrial("new", "scenario", "renewal-2", "--verbs")
    assert done.out == "scenario in renewal-2.yaml\nnext: memtrial lint renewal-2.yaml\n"
    assert follow(memtrial, done.out) == 0
    arcs = [each.script.arc for each in read_scenarios("renewal-2.yaml")]
    assert arcs == ["renewal-2", "renewal-2.twin-constraint", "renewal-2.twin-revocation"]
    drawn = memtrial("graph", "renewal-2.yaml")
    assert drawn.status == 0 and "access_withdrawn" in drawn.out
    assert "memtrial review renewal-2.yaml" in Path("renewal-2.yaml").read_text("utf-8")
    assert "only a scenario is written in verbs" in memtrial("new", "suite", "x", "--verbs").err


def test_a_new_suite_runs(memtrial: Memtrial) -> None:
    done = memtrial("new", "suite", "Mine")
    assert follow(memtrial, done.out) == 0
    suite = read_suite("Mine.toml")
    assert suite.name == "Mine"
    text = Path("Mine.toml").read_text("utf-8")
    assert "memtrial run Mine.toml" in text
    assert "memtrial compare memtrial-out/Mine" in text
    assert memtrial("compare", "memtrial-out/Mine").status == 0


def test_a_new_memory_keeps_its_contract_and_can_be_compared(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    done = memtrial("new", "memory", "new-notes")
    assert done.out.startswith("memory in new_notes.py\n")
    assert follow(memtrial, done.out) == 0
    assert "memtrial check memory new_notes:NewNotes" in Path("new_notes.py").read_text("utf-8")
    (tmp_path / "own.toml").write_text(
        'name = "own"\nmodels = ["last"]\nmemories = [{name = "new_notes:NewNotes", dates = false}]\n'
        'scenarios = [{generate = "ladder", arcs = 1, tiers = ["easy"]}]\n',
        encoding="utf-8",
    )
    assert memtrial("run", "own.toml", "--out", "run", "--workers", "2").status == 0
    (row,) = memtrial("compare", "run", "--json").json["rows"]
    assert (row["memory"], row["errors"]) == ("new_notes:NewNotes", 0)


def test_the_template_itself_keeps_its_contract() -> None:
    assert broken_promises("memory", "runs.templates.memory:Example") == []


@pytest.mark.parametrize(
    ("what", "file"), [("scenario", "x.yaml"), ("suite", "x.toml"), ("memory", "x.py")]
)
def test_nothing_is_written_over(refused: Refused, tmp_path: Path, what: str, file: str) -> None:
    (tmp_path / file).write_text("mine", encoding="utf-8")
    assert refused("new", what, "x") == f"{file}: this exists and is left as it is; see --out"
    assert (tmp_path / file).read_text("utf-8") == "mine"


def test_out_is_the_file(memtrial: Memtrial, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    done = memtrial("new", "memory", "Notes", "--out", "sub/new_other.py")
    assert done.out == "memory in sub/new_other.py\nnext: memtrial check memory new_other:Notes\n"
    assert "class Notes(" in (tmp_path / "sub" / "new_other.py").read_text("utf-8")
    assert memtrial("new", "suite", "a", "--out", "sub/b.toml").status == 0
    assert follow(memtrial, "next: memtrial run sub/b.toml") == 0
    assert (tmp_path / "memtrial-out" / "a").is_dir()


def test_a_name_that_cannot_be_used_is_refused(refused: Refused, tmp_path: Path) -> None:
    for name in ("../x", "a/b", "", "1x", "a b", "x" * 51):
        assert refused("new", "suite", name).startswith("name: a name is a letter and at most 49")
    assert refused("new", "memory", "none") == "name: a class cannot be called 'None'"
    assert "another module is called 'json'" in refused("new", "memory", "json")
    assert "another module is called 'memories'" in refused("new", "memory", "memories")
    assert "a file such as my_memory.py" in refused("new", "memory", "x", "--out", "x.txt")
    assert "a file such as my_memory.py" in refused("new", "memory", "x", "--out", "a-b.py")
    assert refused("new", "suite", "x", "--out", "no/x.toml") == (
        "no/x.toml: there is no folder 'no'"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_suite_like_a_shipped_one_differs_in_its_name_only(memtrial: Memtrial) -> None:
    done = memtrial("new", "suite", "mine", "--like", "ladder-small")
    assert done.out == "suite in mine.toml\nnext: memtrial run mine.toml\n"
    copy, shipped = read_suite("mine.toml"), read_suite("ladder-small")
    assert copy.name == "mine"
    assert copy.model_copy(update={"name": shipped.name}) == shipped


def test_a_suite_like_none_is_refused_with_the_nearest_one(memtrial: Memtrial) -> None:
    done = memtrial("new", "suite", "mine", "--like", "ladder-smal")
    assert done.status == 2 and "ladder-small" in done.err
    assert not Path("mine.toml").exists()
    done = memtrial("new", "scenario", "mine", "--like", "ladder-small")
    assert done.status == 2 and "only a suite" in done.err
    assert not Path("mine.yaml").exists()
