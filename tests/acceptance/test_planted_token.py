"""A token that only one document holds: where it still is in prompts once that may not be used."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from probes.scenario import Scenario
from runs.arms import arms
from runs.plan import Plan, TrialPlan
from runs.replaying import replay_run
from runs.runner import run_plan
from runs.suite import Suite
from scoring.decisions import decisions
from scoring.holdings import held_at
from scoring.keys import Key, Probe
from scoring.run import Event, Trial, load_run
from simulator.effects.registry import names
from simulator.events import Script
from simulator.events.residues import TOMBSTONE
from tests.acceptance import stage

TOKEN = "KX-20815"
SECRET = f"The access code for order O-1042 is {TOKEN} alone."
PUBLIC = "The refund for order O-1043 is $36.20 in all."
VALUE = "$36.20"
MODES = ("off", "index", "lineage")
ROOM: dict[str, stage.Memory] = {
    "retrieval": {"top_k": 40},
    "hybrid": {"top_k": 40},
    "summary": {"max_tokens": 2000},
}
"""So that nothing is lost for want of room."""

MEMORIES = [{**each, **ROOM.get(str(each["name"]), {})} for each in stage.memories()]


def read(name: str, document: str, text: str) -> dict[str, Any]:
    """A scripted read of a document, in the words of the environment."""
    said = (
        f'document {document} "Sheet", version v1 of v1, owner P-2009, approval not needed: {text}'
    )
    return {"id": name, "kind": "tool_result", "tool": "read_document", "text": said}


def ask(name: str, request: str) -> dict[str, Any]:
    return {"id": name, "kind": "decision", "request": request}


def story(kind: str) -> Scenario:
    """It is read, cut off, read again, talked of, taken away, cut off again; and perhaps granted."""
    sources = ["DOC-1000", "first/r1", "second/r1"]
    first = [
        read("r1", "DOC-1001", SECRET),
        read("r2", "DOC-1002", PUBLIC),
        ask("d1", "Please read document DOC-1001."),
        ask("d2", "What was said so far?"),
        {"id": "c1", "kind": "compaction"},
        {"id": "m1", "kind": "message", "text": "It rains in the north today."},
        ask("d3", "What was said so far?"),
    ]
    second = [
        read("r1", "DOC-1001", SECRET),
        ask("d1", "What was said so far?"),
        {"id": "x", "kind": kind, "sources": sources, "text": "The sheets are closed to you."},
        ask("d2", "What was said so far?"),
        {"id": "c1", "kind": "compaction"},
        ask("d3", "What was said so far?"),
    ]
    third = [ask("d1", "What was said so far?")]
    fourth = [
        {"id": "g", "kind": "access_granted", "sources": sources, "text": "They are open again."},
        ask("d1", "What was said so far?"),
    ]
    world = {
        "me": "P-2001",
        "people": {
            "P-2001": {"name": "Selma Novak", "role": "buyer"},
            "P-2009": {"name": "Ida Berg", "role": "sales"},
        },
        "documents": {
            "DOC-1000": _document("All sheets."),
            "DOC-1001": {**_document(SECRET), "within": "DOC-1000"},
            "DOC-1002": _document(PUBLIC),
        },
    }
    sessions = {"first": first, "second": second, "third": third, "fourth": fourth}
    episodes = [
        {"id": name, "events": _timed(number, events)}
        for number, (name, events) in enumerate(sessions.items(), 1)
    ]
    script = Script.model_validate(
        {"arc": "a", "environment": "workspace", "world": world, "episodes": episodes}
    )
    probe = {"id": "p", "kind": "recall", "decision": "third/d1", "dependent": False}
    checks = [{"check": "not_called", "tool": "delete_document"}]
    key = Key(
        arc="a",
        domain="workspace",
        cluster="a",
        probes=(Probe.model_validate({**probe, "checks": checks}),),
    )
    return Scenario(script=script, key=key)


def _document(text: str) -> dict[str, Any]:
    return {"title": "Sheet", "owner": "P-2009", "rights": {"P-2001": "read"}, "versions": [text]}


def _timed(number: int, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    start = number * 1_000_000_000
    return [
        {
            **event,
            "at": start + place * 60_000,
            "causes": [events[place - 1]["id"]] if place else [],
        }
        for place, event in enumerate(events)
    ]


@cache
def folder(root: Path, kind: str) -> Path:
    """A run of the story with every memory, the readers `parrot` and `last`, in every mode."""
    suite = Suite.model_validate(
        {
            "name": "planted",
            "scenarios": [{"files": ["-"]}],
            "memories": [
                {"name": each.pop("name"), "options": each} for each in map(dict, MEMORIES)
            ],
            "models": ["parrot", "last"],
            "memory_model": "tests.acceptance.parts:Scribe",
            "token_budgets": [1000],
            "forgetting": MODES,
        }
    )
    made = tuple(arms(suite))
    trials = tuple(TrialPlan("a", arm, 0) for arm in made)
    run_plan(
        Plan(suite, {"a": story(kind)}, made, trials), root / kind, report=lambda done, of: None
    )
    return root / kind


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("planted")


KINDS = ("access_withdrawn", "document_deleted")


@pytest.fixture(params=KINDS)
def trials(request: pytest.FixtureRequest, root: Path) -> Iterator[list[Trial]]:
    with load_run(folder(root, request.param)) as run:
        yield list(run.trials())


def mode(trial: Trial) -> str:
    return str(trial.opened["options"]["forgetting"])


def memory(trial: Trial) -> str:
    return str(trial.opened["options"]["memory"])


def after(trial: Trial, name: str) -> Iterator[Event]:
    """Yield the events behind one, up to the grant."""
    start = trial.by_id[name].position
    end = trial.by_id["fourth/g"].position if name != "fourth/g" else len(trial.events)
    return (event for event in trial.events if start < event.position < end)


def prompts(trial: Trial, name: str) -> list[str]:
    return [
        trial.text(event.body["rendered"])
        for event in after(trial, name)
        if event.kind == "completion"
    ]


def test_every_registered_memory_plays_to_its_end(trials: list[Trial]) -> None:
    assert {memory(trial) for trial in trials} == set(names("memory"))
    assert len(trials) == len(MEMORIES) * 2 * len(MODES)
    for trial in trials:
        assert [event.body for event in trial.events if event.kind == "error"] == []


def test_del_h11_through_lineage_it_is_in_no_later_prompt_at_all(trials: list[Trial]) -> None:
    for trial in trials:
        if mode(trial) != "lineage":
            continue
        assert any(TOKEN in each for each in _before(trial)), trial.name
        for event in after(trial, "second/x"):
            for content in _texts(trial, event):
                assert TOKEN not in content, (trial.name, event.position, event.kind)


def _before(trial: Trial) -> list[str]:
    end = trial.by_id["second/x"].position
    return [
        trial.text(event.body["rendered"])
        for event in trial.events[:end]
        if event.kind == "completion"
    ]


def _texts(trial: Trial, event: Event) -> list[str]:
    """Return every text that an event holds or refers to that somebody was then shown."""
    if event.kind == "completion":
        sections = ("instructions", "tools", "examples", "block", "context", "request", "steps")
        return [
            event.body["text"],
            *(trial.text(event.body[name]) for name in (*sections, "rendered")),
        ]
    if event.kind == "memory_read":
        return [trial.text(event.body["block"]), json.dumps(event.body["items"])]
    return [event.body["text"]] if event.kind in ("answer", "tool_return") else []


def test_del_h11_in_the_other_modes_it_is_still_shown(trials: list[Trial]) -> None:
    """By the working context at once; after the next cut by what the memory has of it."""
    for trial in trials:
        if mode(trial) == "lineage":
            continue
        assert TOKEN in prompts(trial, "second/x")[0], trial.name
        if mode(trial) == "off" and memory(trial) in ("replay", "retrieval", "hybrid"):
            assert TOKEN in decisions(trial)[-2].block, trial.name


def test_in_the_index_it_outlives_the_cut_in_digests_alone(trials: list[Trial]) -> None:
    """With the reader `last`, which never says it; what the parrot said is a record of its own."""
    for trial in trials:
        if mode(trial) == "index" and trial.opened["options"]["model"] == "last":
            block = decisions(trial)[-2].block
            assert (TOKEN in block) is (memory(trial) == "summary"), trial.name


def test_the_audit_counts_it_by_path(trials: list[Trial]) -> None:
    for trial in trials:
        (audit,) = [e.body for e in after(trial, "second/x") if e.kind == "residue_audit"]
        paths = {each["path"] for each in audit["residues"]}
        if mode(trial) == "lineage":
            assert paths == set(), trial.name
            assert audit["lost"] == [], trial.name
            continue
        assert {"working_context", "prompt_cache"} <= paths
        direct = {"replay_window", "chunks", "facts"}
        if mode(trial) == "index" and trial.opened["options"]["model"] == "last":
            assert not paths & direct, trial.name
        stores = {"replay": "replay_window", "retrieval": "chunks", "summary": "summaries"}
        wanted = stores.get(memory(trial))
        if wanted == "summaries" or (wanted and mode(trial) == "off"):
            assert wanted in paths, trial.name


def test_a_grant_brings_it_back_and_a_deletion_does_not(trials: list[Trial]) -> None:
    for trial in trials:
        if mode(trial) != "lineage" or memory(trial) not in ("replay", "retrieval", "hybrid"):
            continue
        deleted = trial.by_id["second/x"].body["source"] == "document_deleted"
        assert (TOKEN in prompts(trial, "fourth/g")[0]) is not deleted, trial.name


def test_what_is_permitted_stays_in_every_mode(trials: list[Trial]) -> None:
    for trial in trials:
        if memory(trial) == "paging":  # its core is small; the rest is in the archive
            held = held_at(trial.events, trial.events[-1].position).values()
            assert any(VALUE in item.text and not item.hidden for item in held), trial.name
        elif memory(trial) != "none":
            assert VALUE in decisions(trial)[-2].block, trial.name


def test_del_h11_a_parent_covers_its_part_and_no_other_document(trials: list[Trial]) -> None:
    for trial in trials:
        sources = trial.by_id["second/x"].body["sources"]
        assert {"DOC-1000", "DOC-1001", "first/r1", "second/r1"} <= set(sources)
        assert not {"DOC-1002", "first/r2"} & set(sources)
        read = [e.id for e in trial.events if e.kind == "tool_return" and TOKEN in e.body["text"]]
        assert set(read) <= set(sources)  # what the agent read itself


def test_decision_records_have_the_context_that_the_prompt_had(trials: list[Trial]) -> None:
    """Tombstones included. A record writes a call's arguments as JSON, so of calls only that counts."""
    for trial in trials:
        calls = {event.id for event in trial.events if event.kind == "tool_call"}

        def told(name: str, text: str, calls: set[str] = calls) -> tuple[str, str | bool]:
            return name, text == TOMBSTONE if name in calls else text

        prompted = {
            event.causes[0]: json.loads(trial.text(event.body["context"]))
            for event in reversed(trial.events)
            if event.kind == "completion" and event.body["role"] == "agent_model"
        }
        for record in decisions(trial):
            shown = [told(each["id"], each["text"]) for each in prompted[record.id]]
            assert [told(each.id, each.text) for each in record.context] == shown, trial.name


@pytest.mark.parametrize("kind", KINDS)
def test_a_replay_is_the_same(root: Path, kind: str) -> None:
    done = replay_run(folder(root, kind), lambda done, of: None)
    assert done.divergence is None and done.trials == len(MEMORIES) * 2 * len(MODES)


def test_the_same_root_again(root: Path, tmp_path: Path) -> None:
    again = folder(tmp_path, KINDS[0])
    with load_run(again) as one, load_run(folder(root, KINDS[0])) as other:
        assert one.log.root() == other.log.root()
