"""What the document says of the environments is what they are; its example keeps the contract."""

import re
from pathlib import Path

import pytest

from environments.contract import check_environment
from runs.contracts import broken_promises
from simulator.effects.environment import Environment
from simulator.effects.registry import lookup, names

DOCUMENT = (Path(__file__).parents[2] / "docs" / "environments.md").read_text(encoding="utf-8")


def test_the_table_of_tools_is_the_tools() -> None:
    listed = [line for line in DOCUMENT.splitlines() if re.match(r"\| `\w+` \| `\w+` \|", line)]
    rows = [
        row(name, tool.name, list(tool.parameters["properties"]), tool.read_only)
        for name in names("environment")
        for tool in lookup("environment", name).tools
    ]
    assert sorted(listed) == sorted(rows)


def row(environment: str, tool: str, parameters: list[str], read_only: bool) -> str:
    subject, *facts = (f"`{name}`" for name in parameters)
    needs = (
        f"looks up {subject}" if read_only else "; ".join(filter(None, (subject, ", ".join(facts))))
    )
    return f"| `{environment}` | `{tool}` | {needs} |"


def test_the_examples_environment_keeps_the_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", DOCUMENT, flags=re.DOTALL)
    (tmp_path / "shelf.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert broken_promises("environment", "shelf:Library") == []
    library: type[Environment] = lookup("environment", "shelf:Library")
    check_environment(library, {"books": {"B-1042": "a novel"}, "shelved": {"B-1042": "S-00001"}})
