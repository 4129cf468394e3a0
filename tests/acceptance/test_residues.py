"""What every memory still holds after a forgetting, in every mode, worked out by hand."""

from typing import Any

import pytest

from memories.embedders.lexical import LexicalEmbedder, LexicalOptions
from memories.extraction.dictation import written_facts
from simulator.effects.memory import MemorySetup
from simulator.effects.registry import lookup, names
from tests.simulator.engine.conftest import Lab

TOLD = "The access code of account A-4410 is KX-20815."
OTHER = "Order O-2210 goes to 118 Tulip Road."
DIGEST = "Account A-4410 has KX-20815 and order O-2210 goes to 118 Tulip Road."
AGAIN = "Order O-2210 goes to 118 Tulip Road."

HELD: dict[str, set[tuple[str, str]]] = {
    "none": set(),
    "replay": {("replay_window", "e1/m")},
    "retrieval": {("chunks", "e1/m")},
    "summary": {("summaries", "e1/m:0")},
    "summary model": {("summaries", "digest-1")},
    "facts": {("facts", "e1/m#0")},
    "facts model": {("facts", "e1/m#0")},
    "hybrid": {("facts", "e1/m#0"), ("chunks", "e1/m")},
    "ledger": {("facts", "e1/m#0")},
    "paging": {("archive", "L1"), ("core", "core:L1")},  # the core has a copy of the newest lines
    "paging agent": {("archive", "L1")},  # and here what the agent puts there, which is nothing
}
"""Path and holder of what a memory keeps of `e1/m`, which says TOLD."""

SHOWING = sorted(set(HELD) - {"none", "paging agent"})
"""Those that show something of it without being asked by one of their tools."""

REPLIES = {
    # At the end of session 1, when OTHER is made anew, and at the end of session 2.
    "summary model": [DIGEST, AGAIN, "Both.", "Both."],
    "facts model": [
        written_facts([("A-4410", "access code", "KX-20815")]),
        *["write_facts(facts=[])"] * 3,
    ],
}


def made(name: str) -> Any:
    name, _, implementation = name.partition(" ")
    cls = lookup("memory", name)
    options = cls.Options(**({"implementation": implementation} if implementation else {}))
    return cls(options, MemorySetup(trial="residues", has_model=True))


def play(name: str, mode: str, kind: str, *more: dict[str, Any]) -> Any:
    lab, embedder = Lab(), LexicalEmbedder(LexicalOptions())
    notice = {"kind": kind, "id": "x", "at": 5000, "sources": ["e1/m"], "text": "Hear this."}
    script = lab.script(
        [{"id": "m", "at": 1, "text": TOLD}, {"id": "n", "at": 2, "text": OTHER}],
        [notice, *more, {"kind": "decision", "id": "d", "at": 9000, "request": "Go on."}],
    )
    memory = made(name)
    played = lab.play(
        script,
        ['answer("ok")'],
        memory=memory,
        memory_replies=REPLIES.get(name, []),
        embed=embedder.embed,
        forgetting=mode,
    )
    memory.close()
    return played


def test_every_registered_memory_is_in_the_table() -> None:
    assert {name.partition(" ")[0] for name in HELD} == set(names("memory"))


@pytest.mark.parametrize("kind", ["access_withdrawn", "document_deleted"])
@pytest.mark.parametrize("mode", ["off", "index", "lineage"])
@pytest.mark.parametrize("name", HELD)
def test_what_is_left(name: str, mode: str, kind: str) -> None:
    audit = play(name, mode, kind).one("residue_audit").body
    digests = {each for each in HELD[name] if each[0] == "summaries"}
    left = {"off": HELD[name], "index": digests, "lineage": set()}[mode]
    found = {(each["path"], each["holder"]) for each in audit["residues"]}
    # The memory model was shown the session; its last prompt has it, and still counts as cached.
    asked = name in REPLIES and mode != "lineage"
    assert found == left | ({("prompt_cache", "memory_model")} if asked else set())
    assert {tuple(each["sources"]) for each in audit["residues"]} <= {("e1/m",)}
    assert {each["by"] for each in audit["residues"]} <= {"pedigree"}
    hidden = {(each["path"], each["holder"]) for each in audit["hidden"]}
    assert hidden == (HELD[name] - left if kind == "access_withdrawn" else set())
    rebuilt = ["e1/n"] if (name, mode) == ("summary model", "lineage") else []
    assert (audit["rebuilt"], audit["lost"]) == (rebuilt, [])


@pytest.mark.parametrize("kind", ["access_withdrawn", "document_deleted"])
@pytest.mark.parametrize("mode", ["off", "index", "lineage"])
@pytest.mark.parametrize("name", SHOWING)
def test_what_is_shown_afterwards(name: str, mode: str, kind: str) -> None:
    block = play(name, mode, kind).model.requests[0].prompt.block
    digested = mode == "index" and name.startswith("summary")
    assert ("KX-20815" in block) is (mode == "off" or digested)
    if name != "facts model":  # which was told of no other fact
        assert "118 Tulip Road" in block  # what is permitted is there in every mode


@pytest.mark.parametrize("mode", ["index", "lineage"])
@pytest.mark.parametrize("name", SHOWING)
def test_del_h11_a_grant_gives_back_the_very_bytes(name: str, mode: str) -> None:
    """Also of a written digest, which was made anew without it in the meantime."""
    granted = {
        "kind": "access_granted",
        "id": "g",
        "at": 6000,
        "sources": ["e1/m"],
        "text": "Back.",
    }
    back = play(name, mode, "access_withdrawn", granted)
    never = play(name, "off", "access_withdrawn", granted)
    assert back.model.requests[0].prompt.block == never.model.requests[0].prompt.block != ""
    assert "KX-20815" in back.model.requests[0].prompt.block
