"""What docs/openai.md says."""

import re
from pathlib import Path

import pytest

from runs.plan import plan
from simulator.models.openai.options import OpenAIOptions

TEXT = (Path(__file__).parents[4] / "docs" / "openai.md").read_text("utf-8")
SUITES = re.findall(r"^```toml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_every_option_is_documented_with_its_default() -> None:
    shown = dict(re.findall(r"^\| `([a-z_]+)` \| ([^|]+) \|", TEXT, re.MULTILINE))
    for name, field in OpenAIOptions.model_fields.items():
        default = field.get_default(call_default_factory=True)
        if field.is_required():
            assert shown[name] == "required"
        elif default is None:
            assert shown[name] in ("left out", "no limit")
        else:
            assert shown[name].strip("`") == f"{default}"


@pytest.mark.parametrize("suite", SUITES)
def test_the_suites_can_be_played(suite: str, tmp_path: Path) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(suite, encoding="utf-8")
    assert plan(str(path)).trials
