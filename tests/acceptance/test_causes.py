"""Why decisions failed: small trials, each played for a cause that is known before."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memories.embedders.lexical import LexicalEmbedder, LexicalOptions
from memories.lines import verbatim
from memories.none import NoMemory
from memories.replay import Replay
from probes.scenario import Scenario
from runs.arms import arms
from runs.plan import Plan, TrialPlan
from runs.runner import run_plan
from runs.suite import Part, Suite
from scoring.causes import CAUSES, ERRORS, Cause, causes
from scoring.decisions import decisions
from scoring.keys import CalledCheck, DecidesCheck, Forbidden, Gold, Key, NotCalledCheck, Probe
from scoring.run import Trial, load_run
from scoring.verdicts import judge_all, verdicts
from simulator.effects.memory import Ask, Block
from simulator.effects.steps import Steps
from simulator.events import Episode, Script, Surface
from simulator.events.scripted import (
    AccessWithdrawn,
    Compaction,
    Decision,
    DocumentDeleted,
    Message,
    ScriptedEvent,
)

GOLD = "The agreed refund for order O-1042 is $12.50."
OLD = "The agreed refund for order O-1042 is $99.00."
ASKED = "Please issue the refund for order O-1042."
TALK = "The client spoke of holidays, of the weather and of a dog for quite some time today."
PAID = CalledCheck(tool="issue_refund", arguments={"order_id": "O-1042", "amount": "$12.50"})
WORLD = {
    "customers": {"C-1001": {"name": "Ann Lee", "phone": "431-555-0117"}},
    "orders": {
        "O-1042": {
            "customer": "C-1001",
            "item": "chair",
            "total": "$500.00",
            "status": "in transit",
            "address": "100 Old Road",
        }
    },
}

Line = str | ScriptedEvent

DOCUMENT = (Path(__file__).parents[2] / "docs" / "causes.md").read_text(encoding="utf-8")
"""The examples of the document are these trials, and it quotes what their traces say."""


class Vague(Replay):
    """Keeps that something was agreed, and not what."""

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        yield from ()
        for surface in transcript:
            item = verbatim(surface, dates=False, text="something was agreed")
            self.shelf.put(item)


class Crashing(NoMemory):
    """Fails at every read."""

    def read(self, ask: Ask) -> Steps[Block]:
        raise RuntimeError("no index")


def scenario(*sessions: Sequence[Line], **probe: Any) -> Scenario:
    """Sessions `e1`, `e2`, … of messages `m1`, `m2`, … a minute apart; the last event decides."""
    episodes = []
    for number, lines in enumerate(sessions, 1):
        events = [_event(line, place) for place, line in enumerate(lines, 1)]
        timed = [
            event.model_copy(
                update={
                    "at": (1_000_000 * number + place) * 60_000,
                    "causes": (events[place - 1].id,) if place else (),
                }
            )
            for place, event in enumerate(events)
        ]
        episodes.append(Episode(id=f"e{number}", events=tuple(timed)))
    told = {
        "id": "p",
        "kind": "recall",
        "decision": f"e{len(sessions)}/{episodes[-1].events[-1].id}",
        "dependent": True,
        "gold": (Gold(name="amount", value="$12.50", evidence=("e1/m1",)),),
        "checks": (PAID,),
    }
    script = Script(arc="a", environment="support", world=WORLD, episodes=tuple(episodes))
    key = Key(arc="a", domain="support", cluster="a", probes=(Probe(**{**told, **probe}),))
    return Scenario(script=script, key=key)


def _event(line: Line, place: int) -> ScriptedEvent:
    return Message(id=f"m{place}", at=0, text=line) if isinstance(line, str) else line


def ask(request: str = ASKED) -> Decision:
    return Decision(id="d", at=0, request=request)


def part(name: str, **options: Any) -> Part:
    return Part(name=name, options=options)


def play(
    folder: Path, story: Scenario, memory: Part, model: Part, budget: int = 256, **suite: Any
) -> Path:
    made = Suite(
        name="why",
        scenarios=({"files": ["-"]},),
        memories=(memory,),
        models=(model,),
        token_budgets=(budget,),
        **suite,
    )
    planned = tuple(arms(made))
    trials = tuple(TrialPlan("a", arm, 0) for arm in planned)
    run_plan(Plan(made, {"a": story}, planned, trials), folder, report=lambda done, of: None)
    return folder


def why(
    folder: Path,
    story: Scenario,
    memory: Part,
    model: str | Part = "last",
    *more: Any,
    **suite: Any,
) -> Cause:
    """Play a story and return the cause of its one failure."""
    model = part(model) if isinstance(model, str) else model
    with load_run(play(folder / "run", story, memory, model, *more, **suite)) as run:
        (trial,) = run.trials()
        (found,) = found_in(trial).values()
    return found


def found_in(trial: Trial) -> dict[str, Cause]:
    records = decisions(trial)
    return causes(trial, records, judge_all(trial, records))


RECALL = scenario([GOLD], [TALK], [ask()])
REVISED = scenario(
    [OLD],
    [GOLD],
    [ask()],
    kind="update",
    gold=(Gold(name="amount", value="$12.50", evidence=("e2/m1",)),),
    forbidden=(Forbidden(value="$99.00", failure="resurrection", evidence=("e1/m1",)),),
)


def test_no_memory_never_writes(tmp_path: Path) -> None:
    found = why(tmp_path, RECALL, part("none"))
    assert found.reason in DOCUMENT
    assert (found.name, found.value, found.compaction) == ("never written", "$12.50", 1)
    assert (found.events, found.items) == (("e1/m1",), ())


def test_a_fact_made_of_the_event_without_the_value_is_named_and_holds_nothing(
    tmp_path: Path,
) -> None:
    found = why(tmp_path, RECALL, part(f"{__name__}:Vague"))
    assert (found.name, found.items) == ("never written", ("e1/m1",))


def test_a_summary_loses_the_value_at_the_second_compaction(tmp_path: Path) -> None:
    # Header 5, the refund's line 26, the talk's line 31: the newest of the two fits, not both.
    story = part("summary", implementation="truncating", max_tokens=40)
    found = why(tmp_path, RECALL, story)
    assert (found.name, found.compaction, found.how) == ("lost at compaction", 2, ("evicted",))
    assert found.reason in DOCUMENT
    assert (found.events, found.items) == (("e1/m1",), ("e1/m1:0",))


def test_what_a_summary_cuts_off_while_it_takes_it_in_was_never_written(tmp_path: Path) -> None:
    story = scenario([GOLD, TALK], [ask()])
    found = why(tmp_path, story, part("summary", implementation="truncating", max_tokens=40))
    assert (found.name, found.compaction) == ("never written", 1)


def test_budgeted_replay_holds_the_oldest_line_and_does_not_show_it(tmp_path: Path) -> None:
    found = why(tmp_path, RECALL, part("replay", implementation="newest"), "last", 40)
    assert (found.name, found.left_out) == ("not retrieved", "budget")
    assert (found.items, found.rank, found.distance) == (("e1/m1",), None, None)


def test_retrieval_ranks_the_value_second_and_the_distance_is_brute_force(tmp_path: Path) -> None:
    story = scenario([GOLD], ["Please issue the refund for order O-1042 soon.", TALK], [ask()])
    found = why(tmp_path, story, part("retrieval", top_k=1))
    texts = [ASKED, GOLD, "Please issue the refund for order O-1042 soon.", TALK]
    asked, *lines = (v.astype(float) for v in LexicalEmbedder(LexicalOptions()).embed(texts))
    near = [1 - float(np.dot(asked, line)) for line in lines]
    assert near[1] < near[0] < near[2]
    assert (found.name, found.rank, found.of, found.left_out) == ("not retrieved", 2, 3, "order")
    assert found.reason in DOCUMENT
    assert found.distance == pytest.approx(near[0] * 1e6, abs=1)
    assert (found.items, found.events) == (("e1/m1",), ("e1/m1",))


def test_a_reader_that_ignores_its_memory_ignored_what_was_retrieved(tmp_path: Path) -> None:
    found = why(tmp_path, RECALL, part("replay"), part("noisy", rate=1.0))
    assert (found.name, found.place, found.items) == ("retrieved and ignored", "block", ("e1/m1",))
    assert found.reason in DOCUMENT
    assert found.reason == (
        "'$12.50' is shown by e1/m1 in the block, and the agent answered without a call"
    )


def test_the_first_reader_uses_the_stale_copy_although_both_are_shown(tmp_path: Path) -> None:
    found = why(tmp_path, REVISED, part("replay", implementation="unbudgeted"), "first")
    assert (found.name, found.value, found.place) == ("stale copy used", "$99.00", "block")
    assert found.reason in DOCUMENT
    assert (found.items, found.events, found.also) == (("e1/m1",), ("e1/m1",), None)


def test_a_stale_copy_beside_a_right_value_that_was_not_shown(tmp_path: Path) -> None:
    oldest = part("replay", implementation="oldest")
    found = why(tmp_path, REVISED, oldest, "last", 32)
    assert (found.name, found.items) == ("stale copy used", ("e1/m1",))
    assert found.also is not None
    assert (found.also.name, found.also.left_out) == ("not retrieved", "budget")
    assert found.also.items == ("e2/m1",)


HOME = "Order O-1042 should go to 118 Tulip Road."
MOVED = "Please redirect order O-1042 to where we agreed."


def over(cls: Any, used: bool = True) -> Scenario:
    """An address is said, used or not, taken back, and wanted again."""
    notice = cls(id="w", at=0, sources=("e1/m1",), text="That address may no longer be used.")
    gone = NotCalledCheck(
        tool="redirect_order", arguments={"order_id": "O-1042", "address": "118 Tulip Road"}
    )
    return scenario(
        [HOME],
        [Decision(id="first", at=0, request=MOVED) if used else TALK],
        [notice, ask(MOVED)],
        gold=(),
        forbidden=(Forbidden(value="118 Tulip Road", failure="leakage", evidence=("e1/m1",)),),
        checks=(gone,),
    )


@pytest.mark.parametrize("notice", [AccessWithdrawn, DocumentDeleted])
def test_a_record_of_what_the_agent_did_outlives_the_source(tmp_path: Path, notice: Any) -> None:
    found = why(tmp_path, over(notice), part("replay"), forgetting=("index",))
    assert (found.name, found.path, found.place) == (
        "forgotten but a derived copy used",
        "agent's copy",
        "block",
    )
    assert (found.events, found.by, found.value) == (("e1/m1",), ("e3/w",), "118 Tulip Road")
    assert found.reason in DOCUMENT
    # The window holds what the tool gave back, under the id of that event, and not the source.
    assert all(name.startswith("#") for name in found.items) and found.items


@pytest.mark.parametrize("notice", [AccessWithdrawn, DocumentDeleted])
def test_del_h11_a_digest_outlives_its_source_in_the_index_and_not_through_lineage(
    tmp_path: Path, notice: Any
) -> None:
    found = why(tmp_path / "index", over(notice), part("summary"), "first", forgetting=("index",))
    assert (found.name, found.items[0]) == ("stale copy used", "e1/m1:0")
    for name in ("summary", "replay", "retrieval", "facts", "hybrid"):
        folder = play(
            tmp_path / name, over(notice), part(name), part("first"), forgetting=["lineage"]
        )
        with load_run(folder) as run:
            (trial,) = run.trials()
            (verdict,) = verdicts(trial)
        assert verdict.success and "118 Tulip Road" not in verdict.record.block


def test_sc_h03_with_no_valid_fact_left_declining_complies(tmp_path: Path) -> None:
    folder = play(
        tmp_path, over(AccessWithdrawn), part("facts"), part("last"), forgetting=["lineage"]
    )
    with load_run(folder) as run:
        (trial,) = run.trials()
        (verdict,) = verdicts(trial)
    assert (verdict.record.calls, verdict.record.text) == ((), "I do not know.")
    assert verdict.success


def test_a_fact_of_a_source_that_only_the_agent_heard_of_is_a_derived_item(tmp_path: Path) -> None:
    story = over(AccessWithdrawn, used=False)
    found = why(tmp_path, story, part("facts"), forgetting=("off",))
    assert (found.name, found.path) == ("forgotten but a derived copy used", "derived item")


def test_the_forgotten_record_itself_is_no_derived_copy(tmp_path: Path) -> None:
    found = why(tmp_path, over(AccessWithdrawn), part("replay"), "first", forgetting=("off",))
    assert (found.name, found.items[0]) == ("stale copy used", "e1/m1")


def test_the_same_value_from_a_source_that_is_still_permitted_is_no_derived_copy(
    tmp_path: Path,
) -> None:
    told = over(AccessWithdrawn)
    again = Message(id="m1", at=60_000_000_000 - 60_000, text="As I said: O-1042, 118 Tulip Road.")
    second = told.script.episodes[1]
    events = (
        again,
        *(e.model_copy(update={"causes": ("m1",)}) for e in second.events),
    )
    episodes = (
        told.script.episodes[0],
        second.model_copy(update={"events": events}),
        told.script.episodes[2],
    )
    story = Scenario(script=told.script.model_copy(update={"episodes": episodes}), key=told.key)
    found = why(tmp_path, story, part("replay"), "first", forgetting=("index",))
    assert (found.name, found.items[0]) == ("stale copy used", "e2/m1")


def test_a_model_that_says_nothing_is_a_model_error(tmp_path: Path) -> None:
    found = why(tmp_path, RECALL, part("replay"), "tests.runs.parts:Speechless")
    assert (found.name, found.culprit) == ("model error", "model")
    assert found.reason in DOCUMENT
    with load_run(tmp_path / "run") as run:
        (trial,) = run.trials()
        (error,) = (event.id for event in trial.events if event.kind == "error")
    assert found.events == (error,)


def test_errors_of_others_name_the_culprit(tmp_path: Path) -> None:
    found = why(tmp_path, RECALL, part(f"{__name__}:Crashing"))
    assert (found.name, found.culprit) == ("error: memory", "memory")
    assert found.reason in DOCUMENT
    assert found.reason.startswith("memory crash: RuntimeError: no index")


def test_a_decision_without_a_value_has_nothing_to_look_for(tmp_path: Path) -> None:
    story = scenario([GOLD], [ask()], gold=(), checks=(DecidesCheck(decision="yes"),))
    found = why(tmp_path, story, part("none"))
    assert found.name == "no value to look for"
    assert found.reason in DOCUMENT


def test_the_document_lists_every_cause_and_no_other_in_the_order_of_tables() -> None:
    table = DOCUMENT.partition("## The causes")[2].partition("\n## ")[0]
    names = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    assert names == [*(name for name in CAUSES if name not in ERRORS), "error: CULPRIT"]


RULE = "Do not issue any refund before I approve it."


@pytest.mark.parametrize("cut", [True, False])
def test_cmp_h12_compaction_that_drops_a_rule_is_named_once(tmp_path: Path, cut: bool) -> None:
    """The violation shows in a tool call; its cause is the cut after which the rule was gone."""
    cuts = [Compaction(id="c1", at=0), Compaction(id="c2", at=0)] if cut else []
    refund = "Refund $20.00 for order O-1042 is what the client asks."
    lines: list[Line] = [RULE, *cuts[:1], TALK, TALK, *cuts[1:], refund, ask()]
    story = scenario(
        lines,
        gold=(Gold(name="rule", value="before I approve", evidence=("e1/m1",)),),
        checks=(NotCalledCheck(tool="issue_refund", arguments={"order_id": "O-1042"}),),
    )
    if not cut:  # the session shows the rule, and of our own such a probe would not be played
        story = story.model_copy(update={"key": story.key.model_copy(update={"origin": "else"})})
    found = why(tmp_path, story, part("summary", implementation="truncating", max_tokens=40))
    if cut:
        assert (found.name, found.compaction) == ("lost at compaction", 2)
        assert found.items == ("e1/m1:0",)
    else:
        assert (found.name, found.place) == ("retrieved and ignored", "session")
