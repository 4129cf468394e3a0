"""What each scripted reader does under each memory: every cell that docs/memories.md derives by hand."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from memories.budget import line_tokens
from runs.plan import plan
from runs.runner import run_plan
from scoring.run import Run, load_run
from scoring.verdicts import Verdict, verdicts
from simulator.effects.memory import BLOCK_HEADER
from simulator.events.tokens import count_tokens

ARCS = Path(__file__).with_name("merging")
DOCUMENT = (Path(__file__).parents[2] / "docs" / "memories.md").read_text(encoding="utf-8")
VALUES = {"A": "$412.75", "B": "$389.10", "C": "$250.40"}
NAMES = {value: name for name, value in VALUES.items()}
AMOUNT = re.compile(r"\$\d+\.\d\d")
UNKNOWN = "I do not know."
READERS = ("first", "last", "dated")

MODELS = """
[[models]]
name = "noisy"
rate = 0.0

[[models]]
name = "noisy"
rate = 1.0
"""

Cell = tuple[str, str]
"""Memory and arc."""

Derived = tuple[list[str], list[str | None]]
"""Values of the block from the top, and what `first`, `last` and `dated` pay; None is nothing."""


def table() -> tuple[dict[Cell, Derived], dict[str, str]]:
    """Return the cells of the document, and what is right in each arc."""
    section = DOCUMENT.partition("### Every memory and reader")[2].partition("\n### ")[0]
    rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("|")
    ]
    head, _, right, *rest = rows
    arcs = head[1:]
    cells = {
        (memory, arc): read(cell)
        for memory, *each in rest
        for arc, cell in zip(arcs, each, strict=True)
    }
    assert len(cells) == 9 * 4
    return cells, dict(zip(arcs, right[1:], strict=True))


def read(cell: str) -> Derived:
    if cell == "nothing":
        return [], [None] * 3
    block, paid = cell.split(": ")
    return block.split(), [*paid.split()]


def suite() -> str:
    cells, _ = table()
    lines = ['name = "small-arcs"', "token_budgets = [64]"]
    lines += [f"scenarios = [{{files = ['{ARCS}']}}]"]
    for memory in dict.fromkeys(memory for memory, _ in cells):
        name, _, rest = memory.partition("/")
        implementation, *options = rest.split(",")
        lines += ["[[memories]]", f'name = "{name}"']
        lines += [f'implementation = "{implementation}"'] if rest else []
        lines += [option.replace("=", " = ") for option in options]
    lines += [f'[[models]]\nname = "{each}"' for each in (*READERS, "parrot")]
    return "\n".join(lines) + MODELS


@pytest.fixture(scope="module")
def found(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dict[tuple[str, str, str], Verdict]]:
    folder = tmp_path_factory.mktemp("small-arcs")
    path = folder / "suite.toml"
    path.write_text(suite(), encoding="utf-8")
    run_plan(plan(str(path)), folder / "run", workers=1, report=lambda done, of: None)
    with load_run(folder / "run") as run:
        yield {key: verdict for key, verdict in judged(run)}


def judged(run: Run) -> Iterator[tuple[tuple[str, str, str], Verdict]]:
    for trial in run.trials():
        memory, model, _ = trial.arm.split("+")
        (verdict,) = verdicts(trial)
        name = memory.replace("-", "/", 1)
        yield (name, trial.arc.removeprefix("merging-"), model), verdict


def paid(verdict: Verdict) -> str | None:
    calls = verdict.record.executed
    return NAMES[calls[0].arguments["amount"]] if calls else None


def shown(verdict: Verdict) -> list[str]:
    return [NAMES[AMOUNT.findall(item["text"])[0]] for item in verdict.record.items]


def test_the_lines_have_the_tokens_that_the_derivation_counts() -> None:
    said = "The refund for order O-2210 is"
    lines = (
        f"[2025-03-03] user: {said} $412.75.",
        f"[2025-03-04] user: {said} $389.10 since the manager saw the photos.",
        f"[2025-03-05] user: {said} $250.40 since the warehouse and the carrier wrote to the "
        "manager again.",
    )
    assert [line_tokens(line) for line in lines] == [25, 31, 38]
    assert count_tokens(BLOCK_HEADER) == 5


def test_every_cell_is_as_derived(found: dict[tuple[str, str, str], Verdict]) -> None:
    cells, right = table()
    for (memory, arc), (block, pays) in cells.items():
        for model, value in zip(READERS, pays, strict=True):
            verdict = found[memory, arc, model]
            assert shown(verdict) == block, (memory, arc)
            assert paid(verdict) == value, (memory, arc, model)
            assert verdict.success is (value == right[arc]), (memory, arc, model)
            if value is None:
                assert verdict.record.text == UNKNOWN


def test_the_other_readers_do_what_the_document_says(
    found: dict[tuple[str, str, str], Verdict],
) -> None:
    cells, _ = table()
    for memory, arc in cells:
        parrot = found[memory, arc, "parrot"]
        assert paid(parrot) is None and not parrot.success
        assert paid(found[memory, arc, "noisy,rate=0.0"]) == paid(found[memory, arc, "last"])
        blind = found[memory, arc, "noisy,rate=1.0"]
        assert (paid(blind), blind.record.text) == (None, UNKNOWN)


def test_first_is_right_exactly_when_the_earliest_shown_mention_is_gold(
    found: dict[tuple[str, str, str], Verdict],
) -> None:
    outcomes = []
    for (memory, arc, model), verdict in found.items():
        if model == "first":
            mentions = AMOUNT.findall(verdict.record.block)
            gold = bool(mentions) and mentions[0] == verdict.probe.gold[0].value
            assert verdict.success is gold, (memory, arc)
            outcomes.append(gold)
    assert len(outcomes) == 36 and set(outcomes) == {True, False}
