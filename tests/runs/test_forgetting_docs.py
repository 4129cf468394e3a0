"""The example of docs/forgetting.md runs and prints what the page says; its tables are whole."""

import re
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path

from simulator.events.residues import TOMBSTONE, ResidueAudited
from tests.runs.conftest import Memtrial

PAGE = (Path(__file__).parents[2] / "docs" / "forgetting.md").read_text("utf-8")


def fence(language: str, place: int = 0) -> str:
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)
    return found[place]


def test_the_example_prints_what_the_page_says(memtrial: Memtrial, tmp_path: Path) -> None:
    (tmp_path / "story.yaml").write_text(fence("yaml"), encoding="utf-8")
    (tmp_path / "suite.toml").write_text(fence("toml", 1), encoding="utf-8")
    assert memtrial("lint", "story.yaml").status == 0
    assert memtrial("run", "suite.toml", "--out", "run").status == 0
    printed = StringIO()
    with chdir(tmp_path), redirect_stdout(printed):
        exec(compile(fence("python"), "forgetting.md", "exec"), {})
    assert printed.getvalue() == fence("text")


def test_every_field_of_an_audit_is_in_the_table() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE.partition("## The audit")[2].partition("| path |")[0]))
    assert set(ResidueAudited.model_fields) - {"scope"} <= named
    assert f"`{TOMBSTONE}`" in PAGE
