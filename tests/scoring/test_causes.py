"""Causes of tiny logs that are written by hand, event by event."""

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.causes import Cause, causes
from scoring.causes.counts import count
from scoring.decisions import decisions
from scoring.keys import (
    CalledCheck,
    Corrupted,
    Forbidden,
    Gold,
    Key,
    NotCalledCheck,
    Probe,
    Revision,
)
from scoring.run import Event, Trial
from scoring.verdicts import judge_all
from simulator.events import Episode, Script
from simulator.events.canonical import sha256_text
from simulator.events.scripted import Decision

GOLD = "The code is K-7."
PAID = CalledCheck(tool="pay", arguments={"code": "K-7"})


def item(name: str, text: str, *sources: str, **more: Any) -> dict[str, Any]:
    made = {"id": name, "text": text, "sources": sorted(sources), "saw": [], "hidden": False}
    return {**made, "scope": "global", "role": "user", **more}


@dataclass
class Story:
    """A log as it grows; `plain` ids are the events' positions."""

    events: list[Event] = field(default_factory=list)
    blobs: dict[str, bytes] = field(default_factory=dict)

    def add(self, kind: str, name: str = "", scope: str = "global", **body: Any) -> str:
        place = len(self.events)
        name = name or f"#{place}"
        self.events.append(Event(place, name, kind, place, scope, body, ("cause",)))
        return name

    def say(self, name: str, text: str, source: str = "message", *about: str) -> None:
        self.add("said", name, source=source, role="user", text=text, tool=None, sources=about)

    def session(self) -> None:
        self.add("session_started", episode="e")

    def cut(
        self, *transcript: str, wrote: tuple[Any, ...] = (), gone: tuple[str, ...] = ()
    ) -> None:
        self.add("boundary", why="session_end", asked=0, transcript=list(transcript))
        self.change("absorb", *wrote, gone=gone)

    def change(self, why: str, *wrote: Any, gone: tuple[str, ...] = ()) -> None:
        self.add("memory_change", why=why, written=list(wrote), gone=list(gone), held=0)

    def embed(self, purpose: str, texts: dict[str, list[float]]) -> None:
        hashes = []
        for vector in texts.values():
            data = np.asarray(vector, "<f4").tobytes()
            hashes.append(hashlib.sha256(data).hexdigest())
            self.blobs[hashes[-1]] = data
        names = [sha256_text(text) for text in texts]
        self.add("embedding", purpose=purpose, texts=names, vectors=hashes, tokens=1)

    def decide(self, name: str, *block: dict[str, Any], **how: Any) -> None:
        """Open a decision, read the memory, call `pay` with `code`, answer."""
        how = {"code": "none", "scope": "global", "budget": None, "vector": None, **how}
        scope = how["scope"]
        self.add("decision", name, scope, request="Please pay.")
        if how["vector"]:
            self.embed("read", {"Please pay.": how["vector"]})
        text = "\n".join(each["text"] for each in block)
        key = hashlib.sha256(text.encode()).hexdigest()
        self.blobs[key] = text.encode()
        shown = [
            {"item": i["id"], "text": i["text"], "sources": i["sources"], "rank": i.get("rank")}
            for i in block
        ]
        self.add(
            "memory_read",
            scope=scope,
            query="Please pay.",
            budget=how["budget"],
            block=key,
            tokens=len(text.split()),
            items=shown,
        )
        self.call(name, "pay", {"code": how["code"]}, "paid")
        self.add("answer", decision=name, text="Done.")

    def call(self, decision: str, tool: str, arguments: dict[str, Any], back: str) -> None:
        call = f"{decision}:{len(self.events)}"
        self.add("tool_call", call=call, tool=tool, arguments=arguments, coerced=[])
        self.add("tool_return", call=call, tool=tool, ok=True, text=back)

    def why(self, memory: str = "none", **probe: Any) -> Cause:
        """Return the cause of the one failure, at the decision `e/d`."""
        told = {
            "id": "p",
            "kind": "recall",
            "decision": "e/d",
            "dependent": True,
            "gold": (Gold(name="code", value="K-7", evidence=("a",)),),
            "checks": (PAID,),
            **probe,
        }
        about = {name: told.pop(name, ()) for name in ("revisions", "corrupted")}
        names = [e.id.partition("/")[2] for e in self.events if e.kind == "decision"]
        asked = [Decision(id=name, at=n, request="Please pay.") for n, name in enumerate(names)]
        chained = [
            each.model_copy(update={"causes": (asked[n - 1].id,) if n else ()})
            for n, each in enumerate(asked)
        ]
        script = Script(
            arc="a", environment="none", episodes=(Episode(id="e", events=tuple(chained)),)
        )
        key = Key(arc="a", domain="d", cluster="a", probes=(Probe(**told),), **about)
        texts = {name: data for name, data in self.blobs.items()}
        opened, *rest = self.events
        trial = Trial(
            "a/arm/0",
            (replace(opened, body={**opened.body, "options": {"memory": memory}}), *rest),
            script,
            key,
            lambda name: texts[name].decode(),
            lambda name: texts[name],
        )
        records = decisions(trial)
        (found,) = causes(trial, records, judge_all(trial, records)).values()
        return found


@pytest.fixture
def story() -> Story:
    """A session in which the code is told."""
    made = Story()
    made.session()
    made.say("a", GOLD)
    return made


def held(story: Story, *more: Any, text: str = GOLD, **how: Any) -> None:
    story.cut("a", wrote=(item("i", text, "a", **how), *more))
    story.session()


def test_a_written_digest_that_says_less_replaces_the_line_that_held_it(story: Story) -> None:
    held(story)
    story.cut("b", wrote=(item("j", "They have a code.", "a"),), gone=("i",))
    story.decide("e/d", item("j", "They have a code.", "a"))
    found = story.why()
    assert (found.name, found.compaction, found.how) == ("lost at compaction", 2, ("replaced",))
    assert (found.items, found.by) == (("i",), ("j",))
    assert found.reason == "'K-7' was held by i and replaced at compaction 2 (j)"


def test_the_last_loss_counts_where_a_value_came_back_once(story: Story) -> None:
    held(story)
    story.cut("b", gone=("i",))
    story.cut("c", wrote=(item("k", GOLD, "c"),))
    story.cut("d", wrote=(item("k", "nothing", "c"),))
    story.decide("e/d")
    found = story.why()
    assert (found.compaction, found.how, found.items) == (4, ("rewritten",), ("k",))


def test_what_takes_over_in_the_same_change_loses_nothing(story: Story) -> None:
    held(story)
    story.cut("b", wrote=(item("j", f"Noted: {GOLD}", "a"),), gone=("i",))
    story.decide("e/d")
    assert (story.why().name, story.why().items) == ("not retrieved", ("j",))


def test_a_fact_kept_as_mere_history_is_lost(story: Story) -> None:
    held(story)
    old, new = item("i", GOLD, "a", replaced_by="j"), item("j", "The code is K-9.", "b")
    story.cut("b", wrote=(old, new))
    story.decide("e/d", new)
    found = story.why()
    assert (found.name, found.compaction, found.by) == ("lost at compaction", 2, ("j",))


@pytest.mark.parametrize(
    ("why", "source", "written", "gone", "how"),
    [
        ("withdrawn", "access_withdrawn", (item("i", GOLD, "a", hidden=True),), (), "hidden"),
        ("deleted", "document_deleted", (), ("i",), "erased"),
    ],
)
def test_a_notice_that_takes_a_permitted_value_along_is_a_loss_at_that_notice(
    story: Story, why: str, source: str, written: Any, gone: Any, how: str
) -> None:
    held(story)
    story.say("cause", "Gone.", source, "other")
    story.change(why, *written, gone=gone)
    story.decide("e/d")
    found = story.why()
    assert (found.name, found.compaction, found.how) == ("lost at compaction", None, (how,))
    assert found.by == ("cause",)
    assert "at a notice (cause)" in found.reason


def test_an_item_of_another_scope_is_held_and_not_open_to_this_request(story: Story) -> None:
    held(story, scope="ann")
    story.decide("e/d", scope="bob")
    found = story.why()
    assert (found.name, found.left_out, found.items) == ("not retrieved", "scope", ("i",))


def test_rank_and_distance_go_over_what_was_open_to_the_read(story: Story) -> None:
    """By hand: distances 1−0.6, 1−0.8, 1−1 and, hidden or of another scope, not ranked at all."""
    near = item("n", "near", "n")
    others = [
        near,
        item("m", "middle", "m"),
        item("h", "hidden", "h", hidden=True),
        item("s", "scope", "s", scope="ann"),
        item("v", "no vector", "v"),
    ]
    vectors: dict[str, list[float]] = {
        GOLD: [0.6, 0.8],
        "near": [1, 0],
        "middle": [0.8, 0.6],
        "hidden": [1, 0],
    }
    both: dict[str, list[float]] = {**vectors, "scope": [1, 0]}
    story.embed("write", both)
    held(story, *others)
    story.decide("e/d", near, vector=[1, 0])
    found = story.why()
    assert (found.name, found.rank, found.of) == ("not retrieved", 3, 3)
    assert (found.distance, found.left_out) == (400_000, "order")
    assert "rank 3 of 3, distance 0.400000" in found.reason


def test_the_nearest_of_several_items_that_hold_it_is_told(story: Story) -> None:
    story.embed("write", {GOLD: [0.6, 0.8], "Again K-7.": [0.8, 0.6], "near": [1, 0]})
    held(story, item("j", "Again K-7.", "b"), item("n", "near", "n"))
    story.decide("e/d", vector=[1, 0])
    assert (story.why().rank, story.why().items) == (2, ("j", "i"))


@pytest.mark.parametrize(("budget", "left_out"), [(40, "order"), (12, "budget"), (None, "order")])
def test_why_a_held_line_was_left_out(story: Story, budget: int | None, left_out: str) -> None:
    held(story)
    story.decide("e/d", item("n", "six words and not one more", "n"), budget=budget)
    found = story.why()
    assert (found.left_out, found.rank, found.distance) == (left_out, None, None)
    assert "does not rank by vectors" in found.reason


def test_a_value_that_nobody_said_was_never_written(story: Story) -> None:
    held(story)
    story.decide("e/d")
    found = story.why(gold=(Gold(name="code", value="Z-1"),))
    assert (found.name, found.events, found.compaction) == ("never written", (), None)
    assert found.reason == "no item ever held 'Z-1': nothing said it before this decision"


def test_without_evidence_in_the_key_whatever_states_the_value_is_its_source(story: Story) -> None:
    held(story, text="something")
    story.decide("e/d")
    found = story.why(gold=(Gold(name="code", value="K-7"),))
    assert (found.name, found.events, found.items) == ("never written", ("a",), ("i",))


def test_what_is_said_while_the_memory_is_being_read_was_never_handed_over(story: Story) -> None:
    held(story, text="something")
    story.decide("e/d")
    late = story.events.pop(next(n for n, e in enumerate(story.events) if e.kind == "memory_read"))
    opened = next(n for n, e in enumerate(story.events) if e.kind == "decision")
    said = Event(0, "late", "said", 9, "global", {**story.events[1].body, "text": "It is Q-4."})
    story.events[opened + 1 : opened + 1] = [said, late]
    story.events = [
        Event(n, e.id, e.kind, n, e.scope, e.body, e.causes) for n, e in enumerate(story.events)
    ]
    found = story.why(gold=(Gold(name="code", value="Q-4", evidence=("late",)),))
    assert (found.name, found.compaction) == ("never written", None)
    assert "late was never handed to the memory" in found.reason


def test_of_several_missing_values_the_earliest_break_counts(story: Story) -> None:
    story.say("b", "The pin is P-2.")
    story.cut("a", "b", wrote=(item("i", GOLD, "a"),))
    story.session()
    story.decide("e/d")
    golds = [
        Gold(name="code", value="K-7", evidence=("a",)),
        Gold(name="pin", value="P-2", evidence=("b",)),
    ]
    found = story.why(gold=tuple(golds))
    assert (found.name, found.value) == ("never written", "P-2")


def test_a_value_that_was_used_without_being_shown_is_not_missing(story: Story) -> None:
    held(story)
    story.decide("e/d", code="K-7")
    both = (PAID, CalledCheck(tool="call", arguments={}))
    found = story.why(checks=both)
    assert (found.name, found.place) == ("retrieved and ignored", None)
    assert found.reason == (
        "'K-7' is shown nowhere, and the agent used it, and failed another check"
    )


def test_a_superseded_value_needs_no_mention_among_the_forbidden(story: Story) -> None:
    story.say("b", "Now it is K-8.")
    story.say("c", "Now it is K-9.")
    lines = (item("i", GOLD, "a"), item("j", "Now it is K-9.", "c"))
    story.cut("a", "b", "c", wrote=lines)
    story.session()
    story.decide("e/d", *lines, code="K-7")
    found = story.why(
        gold=(Gold(name="code", value="K-9", evidence=("c",)),),
        checks=(CalledCheck(tool="pay", arguments={"code": "K-9"}),),
        revisions=(
            Revision(event="b", was="K-7", now="K-8"),
            Revision(event="c", was="K-8", now="K-9"),
        ),
    )
    assert (found.name, found.value, found.items) == ("stale copy used", "K-7", ("i",))


def test_a_value_that_was_put_in_to_mislead_is_a_stale_copy(story: Story) -> None:
    lines = (item("i", GOLD, "a"), item("j", "The code is K-2.", "b"))
    story.say("b", "The code is K-2.")
    story.cut("a", "b", wrote=lines)
    story.session()
    story.decide("e/d", *lines, code="K-2")
    put_in = tuple(
        Corrupted(event=event, kind="stale", name="code", value=value)
        for event, value in (("a", "K-7"), ("b", "K-2"))
    )
    found = story.why(corrupted=put_in)
    assert (found.name, found.value, found.items) == ("stale copy used", "K-2", ("j",))


def test_a_forbidden_value_that_nothing_showed_is_no_copy(story: Story) -> None:
    held(story)
    story.decide("e/d", code="X-5")
    found = story.why(forbidden=(Forbidden(value="X-5", failure="fabrication"),))
    assert found.name == "not retrieved"


def test_what_a_tool_only_echoes_showed_nothing(story: Story) -> None:
    held(story)
    story.decide("e/d", code="X-5")
    story.events[-2].body["text"] = "paid X-5"
    found = story.why(forbidden=(Forbidden(value="X-5", failure="fabrication"),))
    assert found.name == "not retrieved"


OVER: dict[str, Any] = {
    "gold": (),
    "forbidden": (Forbidden(value="K-7", failure="leakage", evidence=("a",)),),
    "checks": (NotCalledCheck(tool="pay", arguments={"code": "K-7"}),),
}


def withdrawn(story: Story, *wrote: Any, gone: tuple[str, ...] = ()) -> None:
    story.say("w", "That is over.", "access_withdrawn", "a")
    story.change("withdrawn", *wrote, gone=gone)


def test_a_digest_that_only_saw_the_source_is_a_derived_item(story: Story) -> None:
    digest = item("j", "They pay with K-7.", "b", saw=["a", "b"])
    story.cut("a", wrote=(digest,))
    story.session()
    withdrawn(story)
    story.decide("e/d", digest, code="K-7")
    found = story.why(**OVER)
    assert (found.name, found.path, found.items) == (
        "forgotten but a derived copy used",
        "derived item",
        ("j",),
    )
    assert (found.events, found.by) == (("a",), ("w",))


def test_what_the_agent_said_in_this_session_outlives_the_source_in_the_session(
    story: Story,
) -> None:
    held(story)
    line = item("i", GOLD, "a")
    story.decide("e/c", line, code="K-7")
    withdrawn(story, item("i", GOLD, "a", hidden=True))
    story.decide("e/d", code="K-7")
    found = story.why(**OVER)
    assert (found.name, found.path, found.place) == (
        "forgotten but a derived copy used",
        "session",
        "session",
    )


def test_what_the_agent_wrote_into_the_world_comes_back_from_there(story: Story) -> None:
    held(story)
    story.decide("e/c", item("i", GOLD, "a"), code="K-7")
    story.session()
    withdrawn(story, gone=("i",))
    story.decide("e/d", code="other")
    at = next(n for n, e in enumerate(story.events) if e.kind == "memory_read" and n > 9)
    tail, story.events = story.events[at + 1 :], story.events[: at + 1]
    story.call("e/d", "look", {}, "last paid with K-7")
    story.call("e/d", "pay", {"code": "K-7"}, "paid")
    story.add("answer", **tail[-1].body)
    found = story.why(**OVER)
    assert (found.name, found.path, found.place) == (
        "forgotten but a derived copy used",
        "world",
        "tool result",
    )


def test_after_access_is_granted_again_nothing_is_forgotten(story: Story) -> None:
    digest = item("j", "They pay with K-7.", "a")
    story.cut("a", wrote=(digest,))
    story.session()
    withdrawn(story)
    story.say("g", "It may be used again.", "access_granted", "a")
    story.decide("e/d", digest, code="K-7")
    assert story.why(**OVER).name == "stale copy used"


def test_what_was_deleted_cannot_be_granted_again(story: Story) -> None:
    digest = item("j", "They pay with K-7.", "a")
    story.cut("a", wrote=(digest,))
    story.session()
    story.say("x", "It is deleted.", "document_deleted", "a")
    story.say("w", "It is over.", "access_withdrawn", "a")
    story.say("g", "It may be used again.", "access_granted", "a")
    story.decide("e/d", digest, code="K-7")
    found = story.why(**OVER)
    assert (found.name, found.by) == ("forgotten but a derived copy used", ("x",))


def test_a_request_that_names_the_value_permits_it(story: Story) -> None:
    held(story)
    withdrawn(story, gone=("i",))
    story.decide("e/d", item("j", "They pay with K-7.", "a"), code="K-7")
    opened = next(e for e in story.events if e.kind == "decision")
    opened.body["request"] = "Please pay with K-7."
    assert story.why(**OVER).name == "stale copy used"


def test_a_decision_that_the_log_never_reaches_is_the_harness_s(story: Story) -> None:
    held(story)
    story.decide("e/d")
    story.events = [e for e in story.events if e.kind != "answer"]
    assert story.why().name == "error: harness"


def test_counts_and_shares() -> None:
    late = Cause("lost at compaction", "", compaction=10)
    found = [
        Cause("lost at compaction", "", compaction=2),
        late,
        Cause("lost at compaction", ""),
        Cause("stale copy used", "", also=late),
    ]
    counted = count(found)
    assert counted["failed_dependent"] == 4
    assert counted["causes"]["lost at compaction"] == {"n": 3, "share": 0.75}
    assert counted["causes"]["stale copy used"] == {"n": 1, "share": 0.25}
    assert list(counted["lost_at"].items()) == [("2", 1), ("10", 1), ("notice", 1)]
    assert counted["copies_without_right_value"] == {"lost at compaction": 1}
    assert {each["share"] for each in count([])["causes"].values()} == {None}


TEXTS = (GOLD, "They pay with K-7.", "nothing", "The code is K-70.")
changes = st.lists(
    st.dictionaries(
        st.sampled_from("ijk"),
        st.one_of(st.none(), st.tuples(st.sampled_from(TEXTS), st.booleans())),
        min_size=1,
    ),
    min_size=1,
    max_size=5,
)


@given(changes)
def test_whatever_a_memory_does_the_cause_is_what_brute_force_says(done: list[Any]) -> None:
    """Every state is written down whole here; the cause is worked out from the differences."""
    story = Story()
    story.session()
    story.say("a", GOLD)
    held: dict[str, tuple[str, bool]] = {}
    holding: list[set[str]] = []
    withheld: list[set[str]] = []
    for wanted in done:
        gone = tuple(name for name, what in wanted.items() if what is None and name in held)
        wrote = {name: what for name, what in wanted.items() if what not in (None, held.get(name))}
        lines = [item(name, text, "a", hidden=hidden) for name, (text, hidden) in wrote.items()]
        story.cut("a", wrote=tuple(lines), gone=gone)
        held = {name: what for name, what in {**held, **wrote}.items() if name not in gone}
        right = {name: hidden for name, (text, hidden) in held.items() if "K-7." in text}
        holding.append({name for name, hidden in right.items() if not hidden})
        withheld.append({name for name, hidden in right.items() if hidden})
    story.session()
    story.decide("e/d")
    found = story.why()
    if holding[-1]:
        assert (found.name, set(found.items)) == ("not retrieved", holding[-1])
    elif any(holding):
        last = max(n for n, names in enumerate(holding, 1) if names) + 1
        assert (found.name, found.compaction) == ("lost at compaction", last)
        assert set(found.items) == holding[last - 2]
    elif any(withheld):
        first = next(n for n, names in enumerate(withheld, 1) if names)
        assert (found.name, found.compaction) == ("lost at compaction", first)
        assert (set(found.items), found.how) == (withheld[first - 1], ("hidden",))
    else:
        assert (found.name, found.compaction) == ("never written", 1)


@pytest.mark.parametrize(
    ("ranks", "half"),
    [((1,), "lines"), ((None,), "facts"), ((None, 2), "both")],
)
@pytest.mark.parametrize("memory", ["hybrid", "retrieval"])
def test_the_half_of_a_hybrid_that_showed_a_stale_value(
    story: Story, memory: str, ranks: tuple[int | None, ...], half: str
) -> None:
    """Lines of the retrieval half have a rank, facts have none."""
    stale = Forbidden(value="K-3", failure="resurrection")
    held(story)
    shown = [item(f"i{at}", "The code was K-3.", "b") | {"rank": r} for at, r in enumerate(ranks)]
    story.decide("e/d", *shown, code="K-3")
    found = story.why(memory, forbidden=(stale,))
    assert found.name == "stale copy used"
    assert found.half == (half if memory == "hybrid" else None)
    counted = count([found])
    expected = (int(half == "lines"), 1) if memory == "hybrid" else (0, 0)
    assert (counted["stale_from_lines"], counted["n_stale_from_lines"]) == expected
