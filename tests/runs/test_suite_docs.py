"""What can be set is documented: every key of a suite, every command and option; examples run."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from runs import suite
from runs.cli import app
from runs.plan import check_hosted, plan
from simulator.agents.scaffold import ScaffoldOptions
from simulator.effects.options import Options
from simulator.effects.registry import _GROUPS
from tests.runs.conftest import SMALL, Memtrial

DOCS = Path(__file__).parents[2] / "docs"
TEXT = {path.stem: path.read_text("utf-8") for path in DOCS.glob("*.md")}
MODELS = (
    suite.Suite,
    suite.Ladder,
    suite.Context,
    suite.Risks,
    suite.Files,
    suite.StateBench,
    suite.Part,
    suite.Judge,
    suite.Prices,
    ScaffoldOptions,
)


def fences(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT[page], re.MULTILINE | re.DOTALL)


def commands(group: Any, path: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


COMMANDS = dict(commands(typer.main.get_group(app), "memtrial"))
SECTIONS = dict(
    re.findall(r"^### (memtrial(?: [a-z]+)+)[^\n]*\n(.*?)(?=^##|\Z)", TEXT["commands"], re.M | re.S)
)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_key_of_a_suite_is_documented(model: type[Options]) -> None:
    for name, field in model.model_fields.items():
        assert f"`{field.alias or name}`" in TEXT["suites"], name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_every_command_is_documented(name: str) -> None:
    options = {
        each
        for parameter in COMMANDS[name].params
        if parameter.param_type_name == "option"
        for each in parameter.opts
    }
    assert set(re.findall(r"^- `(--[a-z-]+)`:", SECTIONS[name], re.MULTILINE)) == options


def test_no_command_is_documented_that_is_not_there() -> None:
    assert len(COMMANDS) > 15
    assert SECTIONS.keys() == COMMANDS.keys()


def test_the_example_suite_makes_the_arms_that_the_page_says(tmp_path: Path) -> None:
    (example,), (arms,) = fences("suites", "toml"), fences("suites", "text")
    (tmp_path / "pocket.toml").write_text(example, encoding="utf-8")
    made = plan(str(tmp_path / "pocket.toml"))
    assert [arm.id for arm in made.arms] == arms.splitlines()
    assert len(made.trials) == 20
    named = set(re.findall(r"^(?:# )?(?:\[+)?([a-z_]+)", example, re.MULTILINE))
    assert named >= suite.Suite.model_fields.keys()


def test_every_shipped_suite_is_in_the_table() -> None:
    found = re.findall(r"^\| `([a-z-]+)`", TEXT["suites"].partition("## Shipped")[2], re.M)
    assert sorted(found) == suite.shipped()


def test_the_example_agent_keeps_its_contract_and_plays(
    memtrial: Memtrial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "one_shot", raising=False)
    (code,), (said,) = fences("parts", "python"), fences("parts", "console")
    (tmp_path / "one_shot.py").write_text(code, encoding="utf-8")
    lines = said.splitlines()
    for command, printed in zip(lines[::2], lines[1::2], strict=True):
        done = memtrial(*command.removeprefix("$ memtrial ").split())
        assert (done.status, done.out) == (0, f"{printed}\n")
    own = 'agent = {name = "one_shot:OneShot", max_tokens = 64}'
    assert own in TEXT["parts"]
    (tmp_path / "own.toml").write_text(f"{own}\n{SMALL}", encoding="utf-8")
    played = memtrial("run", "own.toml", "--out", "run", "--json").json
    assert (played["trials"], played["errors"]) == (4, 0)


@pytest.mark.parametrize("port", _GROUPS)
def test_every_port_stands_beside_its_entry_point_group(port: str) -> None:
    assert f"| `{port}` | `{_GROUPS[port]}` |" in TEXT["parts"]


def test_the_default_of_prices_is_known_and_so_not_looked_up_at_every_start() -> None:
    check_hosted(suite.Prices().as_model)
