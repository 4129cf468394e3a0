"""The clerk with a memory that it works itself: found in the archive, obeyed, forgotten, replayed."""

from pathlib import Path
from typing import Any

import pytest

from runs.forking import Wanted, fork_run
from runs.replaying import recorded_arm, replay_run
from scoring.acting import writing_calls
from scoring.decisions import DecisionRecord, decisions, stage_at
from scoring.holdings import held_at
from scoring.reports import last_report
from scoring.run import Run, Trial, load_run
from simulator.events.errors import InputError
from simulator.replay import travel
from tests.acceptance import stage
from tests.acceptance.test_travel import at_rest, recorded

OFFICE = Path(__file__).with_name("office.yaml")
SUITE = f"""
name = "office"
token_budgets = [300]
forgetting = ["off", "index"]
agent = {{name = "scaffold", max_steps = 6}}
[[scenarios]]
files = ["{OFFICE.as_posix()}"]
[[memories]]
name = "paging"
core_tokens = 40
[[memories]]
name = "paging"
implementation = "agent"
core_tokens = 80
[[memories]]
name = "none"
[[models]]
name = "clerk"
[[models]]
name = "parrot"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("office")
    (here / "suite.toml").write_text(SUITE, encoding="utf-8")
    stage.play(here / "suite.toml", here / "run")
    return here / "run"


@pytest.fixture
def run(folder: Path) -> Any:
    with load_run(folder) as opened:
        yield opened


def trial(run: Run, memory: str, forgetting: str = "off", model: str = "clerk") -> Trial:
    def fits(each: Trial) -> bool:
        options = each.opened["options"]
        found = (options["memory"], options["implementation"], options["forgetting"])
        name, _, implementation = memory.partition("/")
        wanted = (name, implementation or found[1], forgetting)
        return found == wanted and options["model"] == model

    (found,) = filter(fits, run.trials())
    return found


def final(of: Trial) -> DecisionRecord:
    return next(each for each in decisions(of) if each.id == "tuesday/d1")


def claims(record: DecisionRecord) -> list[str]:
    report = last_report(record)
    assert report is not None
    return [claim.text for claim in report.claims]


def test_what_left_the_core_is_found_in_the_archive_and_obeyed(run: Run) -> None:
    record = final(trial(run, "paging/fifo"))
    assert "P-2009" not in record.block  # the core had room for the newest line alone
    assert [call.tool for call in record.calls] == [
        "search_archive",
        "keep_in_core",
        "draft_mail",
        "submit_report",
    ]
    assert "This contract renews for 24 months." in claims(record)
    # Without a memory the same agent sends, and has nothing to report.
    bare = final(trial(run, "none"))
    assert [call.tool for call in bare.calls] == ["draft_mail", "send_draft", "submit_report"]
    assert claims(bare) == []


def test_what_the_agent_keeps_stands_in_its_next_block(run: Run) -> None:
    last = decisions(trial(run, "paging/agent"))[-1]
    assert "Hold the mail to P-2009" in last.block and "24 months" in last.block


def test_what_was_withdrawn_is_in_no_result_of_a_search(run: Run) -> None:
    for memory in ("paging/fifo", "paging/agent"):
        kept = [call.text for call in final(trial(run, memory)).calls]
        gone = [call.text for call in final(trial(run, memory, "index")).calls]
        assert any("24 months" in text for text in gone)
        assert not any("$4.10" in text for text in gone)
        assert any("$4.10" in text for text in kept)


def test_a_result_leaves_with_the_context_and_is_stored_nowhere(run: Run) -> None:
    of = trial(run, "paging/fifo")
    found = next(event for event in of.events if event.kind == "tool_return")
    assert found.body["text"].startswith("found:")
    cut = [event for event in of.events if event.kind == "boundary"][-2]
    during = stage_at(of, cut.position - 1).context
    after = stage_at(of, of.by_id["tuesday/d2"].position).context
    assert found.id in {surface.id for surface in during}
    assert {surface.id for surface in after} == {"tuesday/d2"}
    assert found.id not in cut.body["transcript"]
    sources = {s for held in held_at(of.events, len(of.events)).values() for s in held.sources}
    assert found.id not in sources and "monday/m1" in sources


def test_calls_to_the_memory_are_no_acts_in_the_world(run: Run) -> None:
    record = final(trial(run, "paging/fifo"))
    assert [call.tool for call in record.executed] == ["draft_mail", "submit_report"]
    assert [call.tool for call in writing_calls(record)] == ["draft_mail", "submit_report"]


def test_block_and_results_of_a_decision_keep_one_budget(run: Run) -> None:
    for of in run.trials():
        for record in decisions(of):
            within = of.events[record.first : record.last + 1]
            reads = [event for event in within if event.kind == "memory_read"]
            shown = [each.body["tokens"] for each in reads]
            assert sum(shown) <= 300
            left = [each.body["budget"] for each in reads]
            assert left == [300 - sum(shown[:place]) for place in range(len(shown))]


def test_the_parrot_repeats_its_block_and_looks_for_nothing(run: Run) -> None:
    record = final(trial(run, "paging/fifo", model="parrot"))
    assert record.calls == ()
    assert "You have no access to DOC-1001" in record.text


def test_it_replays_and_time_travel_sees_what_the_agent_moved(folder: Path, run: Run) -> None:
    replayed = replay_run(folder, lambda done, of: None)
    assert replayed.divergence is None
    of = trial(run, "paging/agent", "index")
    assert any(e.kind == "memory_change" and e.body["why"] == "tool" for e in of.events)
    arm = recorded_arm(run.log, of.name)
    places = list(at_rest(of))
    truth = travel(run.log, of.name, run.script(of.arc), arm, of.seed, places)
    for place in places:
        held = held_at(of.events, place)
        assert held == {item.id: recorded(item, held.get(item.id)) for item in truth[place]}, place


def test_a_fork_to_a_memory_without_tools_takes_them_from_the_desk(
    folder: Path, run: Run, tmp_path: Path
) -> None:
    parent = trial(run, "paging/fifo").name
    out = tmp_path / "fork"
    made = fork_run(folder, parent, "tuesday/d1", Wanted(memory="replay"), out, lambda d, n: None)
    with load_run(out) as forked:
        record = final(forked.trial(made.trial))
    assert "search_archive" not in [call.tool for call in record.calls]
    assert "Hold the mail to P-2009" in record.block
    assert replay_run(out, lambda done, of: None).divergence is None


def test_a_tool_with_a_name_that_is_taken_is_refused_before_anything_is_played(
    tmp_path: Path,
) -> None:
    memory: list[stage.Memory] = [{"name": "tests.acceptance.parts:Squatter"}]
    taken = stage.suite(
        tmp_path, arcs=1, models=["clerk"], memories=memory, environments={}, desk=True
    )
    with pytest.raises(InputError, match="cannot have a tool 'read_document'") as caught:
        stage.play(taken, tmp_path / "run")
    assert "in environment 'workspace'" in caught.value.message
    assert not (tmp_path / "run" / "events.db").exists()
    # Where no environment has that name it may stand.
    stage.play(stage.suite(tmp_path, arcs=1, models=["last"], memories=memory), tmp_path / "free")
