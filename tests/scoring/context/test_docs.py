"""The page about the metrics names every column and every path."""

from pathlib import Path

from scoring.context.influence import Influence
from scoring.context.paths import ORDER
from scoring.context.rates import context_columns, price_columns, survival_columns
from scoring.context.traced import forgetting_rows
from scoring.context.traces import Distance, Example, Tally
from scoring.metrics import Group
from tests.scoring.context.test_rates import forgot, seen

PAGE = (Path(__file__).parents[3] / "docs" / "context-metrics.md").read_text()
IMPLIED = ("_ci", "_trials")


def test_every_column_is_explained() -> None:
    tally = Tally(
        "residue", "any", 1, 1, Distance(1, 0, 0), Distance(1, 0, 0), Example("", 0, "", "")
    )
    group = Group((seen("a", True, "revocation", forgot=forgot(tally)),))
    columns = {
        **context_columns(group),
        **price_columns([]),
        **survival_columns(group),
        **forgetting_rows(group, [])[0],
    }
    named = [name for name in columns if not name.endswith(IMPLIED)]
    unknown = [name for name in named if f"`{name}`" not in PAGE and not name.startswith("n_")]
    assert unknown == []


def test_every_column_of_influence_is_explained() -> None:
    columns = Influence("", ()).columns()
    named = [name for name in columns if not name.endswith(IMPLIED) and name != "examples"]
    assert [name for name in named if f"`{name}`" not in PAGE] == []


def test_every_path_is_explained() -> None:
    assert [path for path in ORDER if f"`{path}`" not in PAGE] == []
