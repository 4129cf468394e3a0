"""What the checks of a report come to on the command line."""

import json
from pathlib import Path

from tests.runs.conftest import Memtrial

EXAMPLE = Path(__file__).parents[2] / "probes" / "examples" / "workspace-renewal.yaml"


def test_a_trace_shows_each_check_and_of_quotations_the_second_column(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    """The reader reports the line that shares most words with the request, and quotes nothing."""
    suite = tmp_path / "suite.toml"
    suite.write_text(
        f'name = "report"\n[[scenarios]]\nfiles = [{json.dumps(str(EXAMPLE))}]\n'
        '[[memories]]\nname = "none"\n[[models]]\nname = "last"\n',
        encoding="utf-8",
    )
    assert memtrial("run", suite, "--out", tmp_path / "run").status == 0
    done = memtrial("trace", tmp_path / "run", "workspace-renewal/none+last+256/0", "--json")
    assert done.status == 0, done.err
    checks = {each["check"]: each for each in done.json["decisions"][-1]["checks"]}
    assert {name: each["passed"] for name, each in checks.items()} == {
        "cites": False,
        "never_cites": True,
        "never_says": True,
        "flags": True,
        "quotes": False,
        "defers": False,
    }
    assert checks["quotes"]["typographic"] is False
    assert [name for name, each in checks.items() if "typographic" in each] == ["quotes"]
