"""Small arcs whose every decision docs/memories.md derives by hand, for each order of merging."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from runs.plan import plan
from runs.runner import run_plan
from scoring.compare import compare
from scoring.run import Run, load_run
from scoring.verdicts import Verdict, verdicts
from simulator.events import canonical_json

ARCS = Path(__file__).with_name("merging")
DOCUMENT = (Path(__file__).parents[2] / "docs" / "memories.md").read_text(encoding="utf-8")
VALUES = {"A": "$412.75", "B": "$389.10", "C": "$250.40"}
AMOUNT = re.compile(r"\$\d+\.\d\d")

Row = tuple[str, str, str, str, str]
"""Arc, memory, the block's values, what `first` pays, what `last` pays."""


def derived() -> list[Row]:
    """Return the table of the document: `fact B, line A` and the two payments."""
    rows = re.findall(
        r"^\| `(\S+)` \| `(\S+)` \| ([^|]+) \| ([ABC]) (?:right|wrong) \| ([ABC]) (?:right|wrong) \|$",
        DOCUMENT,
        re.MULTILINE,
    )
    assert len(rows) == 12, "four arcs under three orders of merging"
    return rows


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("merging")
    lines = ['name = "merging"', "token_budgets = [256]", 'models = ["first", "last", "dated"]']
    files = [str(path) for path in sorted(ARCS.glob("*.yaml"))]
    lines += ["[[scenarios]]", f"files = {canonical_json(files)}"]
    for order in ("facts_first", "interleaved", "deduplicated"):
        lines += ["[[memories]]", 'name = "hybrid"', f'implementation = "{order}"']
    lines += ["[[memories]]", 'name = "retrieval"', "[[memories]]", 'name = "replay"']
    path = folder / "suite.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    run_plan(plan(str(path)), folder / "run", workers=1, report=lambda done, of: None)
    with load_run(folder / "run") as found:
        yield found


def judged(run: Run) -> Iterator[tuple[str, str, str, Verdict]]:
    for trial in run.trials():
        options = trial.opened["options"]
        (verdict,) = verdicts(trial)
        name = trial.arc.removeprefix("merging-")
        yield name, str(options["implementation"]), str(options["model"]), verdict


def paid(verdict: Verdict) -> str:
    (call,) = verdict.record.executed
    return next(name for name, value in VALUES.items() if value == call.arguments["amount"])


def shown(verdict: Verdict) -> str:
    """Return the block as the document writes it: lines have a rank, facts have none."""
    names = {value: name for name, value in VALUES.items()}
    return ", ".join(
        f"{'line' if item['rank'] else 'fact'} {names[AMOUNT.findall(item['text'])[0]]}"
        for item in verdict.record.items
    )


def test_every_decision_is_as_derived(run: Run) -> None:
    found = {(arc, memory, model): verdict for arc, memory, model, verdict in judged(run)}
    for arc, memory, block, first, last in derived():
        for model, value in (("first", first), ("last", last)):
            verdict = found[arc, memory, model]
            assert shown(verdict) == block, (arc, memory)
            assert paid(verdict) == value, (arc, memory, model)


def test_dated_takes_the_fact_in_every_row(run: Run) -> None:
    orders = ("facts_first", "interleaved", "deduplicated")
    found = [
        each.success
        for _, memory, model, each in judged(run)
        if model == "dated" and memory in orders
    ]
    assert found == [True] * 12


def test_the_document_calls_right_what_the_scorer_does(run: Run) -> None:
    found = {(arc, memory, model): verdict for arc, memory, model, verdict in judged(run)}
    for line in DOCUMENT.splitlines():
        cells = re.fullmatch(r"\| `(\S+)` \| `(\S+)` \| [^|]+ \| . (\w+) \| . (\w+) \|", line)
        if cells:
            arc, memory, *said = cells.groups()
            for model, word in zip(("first", "last"), said, strict=True):
                assert found[arc, memory, model].success is (word == "right"), (arc, memory, model)


def test_a_first_reader_is_right_exactly_when_the_earliest_shown_mention_is_gold(run: Run) -> None:
    """And a last reader when the latest is: over every memory of the run."""
    ends = {"first": 0, "last": -1}
    outcomes = []
    for arc, memory, model, verdict in judged(run):
        if model == "dated":
            continue
        mention = AMOUNT.findall(verdict.record.block)[ends[model]]
        outcomes.append(verdict.success)
        assert verdict.success is (mention == verdict.probe.gold[0].value), (arc, memory, model)
    assert len(outcomes) == 4 * 5 * 2 and set(outcomes) == {True, False}


def test_the_half_that_brought_the_stale_value_back_is_counted(run: Run) -> None:
    """By the table: of the wrong decisions every stale value stands in a line and in no fact."""
    rows = {row["arm"]: row for row in compare([run])["causes"]}
    wrong = {
        (order, model): sum(
            1
            for line in DOCUMENT.splitlines()
            if f"| `{order}` |" in line and line.split(" | ")[at].strip(" |").endswith("wrong")
        )
        for order in ("facts_first", "interleaved", "deduplicated")
        for model, at in (("first", 3), ("last", 4))
    }
    assert wrong["facts_first", "last"] == 3 and wrong["deduplicated", "last"] == 0
    for (order, model), count in wrong.items():
        row = rows[f"hybrid-{order}+{model}+256"]
        told = (row["failed_dependent"], row["stale_from_lines"], row["n_stale_from_lines"])
        assert told == (count, count, count), (order, model)
    assert rows["retrieval-lexical+last+256"]["n_stale_from_lines"] == 0


def test_success_by_implementation_and_use_by_embedder(run: Run) -> None:
    by = {
        (row["memory"], row["implementation"]): row["tsr_dependent"]
        for row in compare([run], ["memory", "implementation", "model"])["rows"]
        if row["model"] == "last"
    }
    # By the table, of four arcs: facts first 1, interleaved 2, deduplicated 4.
    assert by["hybrid", "facts_first"] == 0.25
    assert by["hybrid", "interleaved"] == 0.5
    assert by["hybrid", "deduplicated"] == 1.0
    rows = compare([run], ["embedder"])["rows"]
    assert [row["embedder"] for row in rows] == ["lexical", None]
    lexical = rows[0]
    # Every block of the four memories that embed held its one gold value: 4 arcs × 4 × 3 readers.
    assert lexical["n_use_values"] == 48
    assert lexical["use_rate_values"] == lexical["tsr_dependent"]
