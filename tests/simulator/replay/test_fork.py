"""Forks: the parent's course up to a position, then one thing changed, then live."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.parts import Backends
from simulator.events.errors import InputError
from simulator.events.tokens import count_tokens
from simulator.log.errors import LogDamaged
from simulator.log.rows import Row
from simulator.log.store import EventLog
from simulator.models.rendering import RENDERERS, render_plain
from simulator.replay import (
    AskInstead,
    Change,
    ChangeBudget,
    ChangeMemory,
    ChangeModel,
    Diverged,
    Replace,
    Without,
    fork_trial,
)
from tests.simulator.replay.forking import (
    SCRIPT,
    STORY,
    TRIAL,
    Asked,
    Notes,
    base_arm,
    bodies,
    fork,
    part,
    place,
    record,
    replayed,
    shown,
    unchained,
)

PLAIN = ChangeMemory(part("Notes", title="other"))
CHANGES: dict[str, Change] = {
    "memory": PLAIN,
    "writing memory": ChangeMemory(
        part("Notes", title="other", writes=True, embeds=True),
        part("Voice", voice="w"),
        part("Points"),
    ),
    "model": ChangeModel(part("Voice", voice="b")),
    "budget": ChangeBudget(40),
    "without": Without("e2/m1"),
    "without a cut": Without("e2/c1"),
    "without a notice": Without("e2/w1"),
    "other text": Replace("e2/m1", "The gate is black now."),
}


@pytest.fixture
def log() -> Iterator[EventLog]:
    with EventLog.create(":memory:") as log:
        yield log


@pytest.fixture
def rows(log: EventLog) -> list[Row]:
    return record(log, base_arm())


def test_the_story_holds_what_the_tests_are_about(rows: list[Row]) -> None:
    kinds = {row.kind for row in rows}
    assert kinds >= {"boundary", "embedding", "completion", "memory_change", "memory_read"}
    whys = [body["why"] for body in bodies(rows, "memory_change")]
    assert whys == ["absorb", "absorb", "withdrawn", "absorb", "granted", "absorb", "absorb"]
    assert place(rows, "e1/d1") < place(rows, "e1/m4")
    assert bodies(rows, "trial_closed") == [{"complete": True}]


def test_nothing_changed_is_the_same_trial_from_every_position(
    log: EventLog, rows: list[Row]
) -> None:
    for at in range(len(rows)):
        made = fork(log, at, ChangeBudget(None))
        position = made.turn.position
        assert unchained(made.rows) == unchained(rows)
        assert (made.asked, Asked.prompts, Asked.texts) == (0, [], [])
        calls = [row for row in rows[position:] if row.kind in ("completion", "embedding")]
        assert list(made.reused) == [row.position for row in calls]
        assert position <= max(at, 1)
    assert made.rows[-1].hash != rows[-1].hash  # its genesis names its parent


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("at", ["#1", "e1/d1", "e2/w1"])
def test_a_fork_shares_all_before_and_replays_from_its_own_log(
    log: EventLog, rows: list[Row], name: str, at: str
) -> None:
    made = fork(log, at, CHANGES[name])
    position = place(rows, at)
    assert made.turn.position == position
    assert unchained(made.rows[:position]) == unchained(rows[:position])
    assert unchained(made.rows[position:]) != unchained(rows[position:])
    assert bodies(made.rows, "trial_closed") == [{"complete": True}]
    assert made.turn.parent == TRIAL
    assert made.turn.before == rows[position - 1].hash
    assert made.trial.startswith(f"garden/base+forked={position}+")
    assert replayed(made) == len(made.rows)


def test_equal_forks_have_equal_heads(log: EventLog, rows: list[Row]) -> None:
    heads = {fork(log, "e2/w1", PLAIN).rows[-1].hash for _ in range(2)}
    assert len(heads) == 1
    assert fork(log, "e2/m1", PLAIN).rows[-1].hash not in heads


def test_a_new_memory_is_given_the_past_and_takes_over(log: EventLog, rows: list[Row]) -> None:
    position = place(rows, "e2/d2")
    made = fork(log, "e2/d2", CHANGES["writing memory"])
    absorbed = [("other", "absorb", tuple(b["transcript"])) for b in bodies(rows, "boundary")]
    other = [each for each in Notes.given if each[0] == "other"]
    assert other == [
        *absorbed[:2],
        ("other", "withdrawn", ("e1/m1",)),
        absorbed[2],
        ("other", "granted", ("e1/m1",)),
        *(("other", "absorb", tuple(b["transcript"])) for b in bodies(made.rows, "boundary")[3:]),
    ]
    # Its own calls stand right before the decision, made for the old boundaries, in no time.
    caught_up = made.rows[position : place(made.rows, "e2/d2")]
    boundaries = [row.id for row in rows if row.kind == "boundary"]
    events = [(row.kind, json.loads(row.causes)[0]) for row in caught_up]
    one = ["embedding", "completion", "memory_change"]
    assert events == [
        *((kind, boundaries[0]) for kind in one),
        *((kind, boundaries[1]) for kind in one),
        ("memory_change", "e2/w1"),
        *((kind, boundaries[2]) for kind in one),
        ("memory_change", "e2/g1"),
    ]
    assert {row.time for row in caught_up} == {rows[position].time}
    purposes = {body["purpose"] for body in bodies(caught_up, "completion")}
    assert purposes == {"write"}
    # The old memory's items are gone and the new one's written.
    held = {item["id"] for item in bodies(caught_up, "memory_change")[0]["written"]}
    assert held == {"e1/m1", "e1/m2"}
    assert set(bodies(caught_up, "memory_change")[0]["gone"]) >= {"e1/m3", "e2/m1"}


def test_reads_before_come_from_the_old_memory_and_after_from_the_new(
    log: EventLog, rows: list[Row]
) -> None:
    made = fork(log, "e2/d1", PLAIN)
    reads = bodies(made.rows, "memory_read")
    before, after = made.text(reads[0]["block"]), made.text(reads[1]["block"])
    assert "notes: The gate is green." in before and "other:" not in before
    answer = bodies(rows, "answer")[0]["text"]
    # The code is withdrawn; everything else that was absorbed is there, in order.
    assert after.splitlines() == [
        "From earlier sessions:",
        "other: The gate is green.",
        "other: The shed is red.",
        "other: What is the code?",
        "other: It rains.",
        f"other: {answer}",
        "other: The code may not be used.",
        "other: The gate is blue now.",
    ]
    assert "other: The code is plum-0012 🪴." in made.text(reads[2]["block"])


def test_the_same_memory_anew_takes_the_past_in_for_nothing(log: EventLog, rows: list[Row]) -> None:
    arm = base_arm()
    made = fork(log, "e2/d1", ChangeMemory(arm.memory, arm.memory_model, arm.embedder))
    past = range(made.turn.position, place(made.rows, "e2/d1"))
    calls = [made.rows[at] for at in past if made.rows[at].kind in ("completion", "embedding")]
    assert len(calls) == 6
    assert all(row.position in made.reused for row in calls)
    held = [body["held"] for body in bodies(made.rows[: past.stop], "memory_change")]
    assert held[-1] == held[3]  # what the old one held after the same four steps
    blocks = [body["block"] for body in bodies(made.rows, "memory_read")]
    assert blocks[:3] == [body["block"] for body in bodies(rows, "memory_read")][:3]


@pytest.mark.parametrize("breaks", ["absorb", "withdrawn"])
def test_a_memory_that_cannot_take_the_past_ends_the_trial(
    log: EventLog, rows: list[Row], breaks: str
) -> None:
    made = fork(log, "e2/d1", ChangeMemory(part("Notes", breaks=breaks)))
    [error] = bodies(made.rows, "error")
    assert (error["culprit"], error["fault"], error["fatal"]) == ("memory", "crash", True)
    assert bodies(made.rows, "trial_closed") == [{"complete": False}]
    assert "e2/d1" not in {row.id for row in made.rows}
    assert replayed(made) == len(made.rows)


def test_what_a_failed_boundary_kept_is_given_once(log: EventLog) -> None:
    """The old memory failed at the cuts, so the context went on to the session's end."""
    arm = base_arm(memory=part("Notes", breaks="absorb"))
    rows = record(log, arm)
    assert [body["fatal"] for body in bodies(rows, "error")] == [False, True]
    made = fork(log, "e1/m3", PLAIN)
    other_given = [each for each in Notes.given if each[0] == "other"]
    first = next(body for body in bodies(made.rows, "boundary")[1:])
    assert other_given[0] == ("other", "absorb", tuple(first["transcript"]))
    assert {"e1/m1", "e1/m2", "e1/m3"} <= set(other_given[0][2])
    assert replayed(made, arm) == len(made.rows)


def test_another_model_is_asked_what_differs_and_nothing_else(
    log: EventLog, rows: list[Row]
) -> None:
    """The cut before the first decision asks the memory's model what the parent's had asked."""
    position = place(rows, "e2/w1")
    made = fork(log, "e2/w1", CHANGES["model"])
    calls = [row for row in made.rows[position:] if row.kind == "completion"]
    roles = [json.loads(row.body)["role"] for row in calls]
    assert roles == ["memory_model", "agent_model", "agent_model"] + [
        "memory_model",
        "agent_model",
        "memory_model",
    ]
    reused = [row.position in made.reused for row in calls]
    assert reused == [True] + 5 * [False]
    assert [voice for voice, _ in Asked.prompts] == ["b", "b", "m", "b", "m"]
    said = [body["text"] for body in bodies(made.rows, "answer")]
    assert [text[0] for text in said] == ["a", "b", "b", "b"]


def test_h16_an_equal_prompt_of_another_model_is_no_equal_call(
    log: EventLog, rows: list[Row]
) -> None:
    made = fork(log, "e2/d1", CHANGES["model"])
    first = bodies(made.rows[made.turn.position :], "completion")[0]
    old = bodies(rows[made.turn.position :], "completion")[0]
    assert [first[key] for key in ("rendered", "seed", "max_tokens")] == [
        old[key] for key in ("rendered", "seed", "max_tokens")
    ]
    assert first["text"] != old["text"] and Asked.prompts[0][0] == "b"


def test_another_budget_asks_only_where_the_block_is_another(
    log: EventLog, rows: list[Row]
) -> None:
    wide = fork(log, "e1/d1", ChangeBudget(100_000))
    assert (wide.asked, Asked.prompts) == (0, [])
    assert {body["budget"] for body in bodies(wide.rows, "memory_read")} == {100_000}
    narrow = fork(log, "e2/d1", ChangeBudget(1))
    faults = {(error["culprit"], error["fault"]) for error in bodies(narrow.rows, "error")}
    assert faults == {("memory", "invalid")}  # these notes do not fit themselves into a budget
    assert replayed(narrow) == len(narrow.rows)


@pytest.mark.parametrize(
    ("event", "text"),
    [("e2/m1", "The gate is blue now."), ("e1/m1", "plum-0012"), ("e2/w1", "may not be used")],
)
def test_what_is_left_out_is_in_no_later_prompt(
    log: EventLog, rows: list[Row], event: str, text: str
) -> None:
    same = fork(log, event, ChangeBudget(None))
    assert text in shown(same, same.turn.position)
    made = fork(log, event, Without(event))
    position = place(rows, event)
    assert made.turn.position == position
    assert text not in shown(made, position)
    assert event not in {row.id for row in made.rows}
    held = [item for body in bodies(made.rows, "memory_change") for item in body["written"]]
    assert not any(text in item["text"] for item in held)
    # All else happens as it did; who waited for the event names what the event waited for.
    others = {row.id for row in rows if not row.id.startswith("#")} - {event}
    assert {row.id for row in made.rows if not row.id.startswith("#")} == others
    named = {cause for row in made.rows for cause in json.loads(row.causes)}
    assert event not in named
    times = {row.id: row.time for row in rows if row.kind == "said"}
    assert all(times[row.id] == row.time for row in made.rows if row.kind == "said")


def test_the_causes_of_what_is_left_out_stand_in_for_it(log: EventLog, rows: list[Row]) -> None:
    made = fork(log, "e2/w1", Without("e2/m1"))
    [cut] = [row for row in made.rows[made.turn.position :] if row.kind == "boundary"][:1]
    assert json.loads(cut.causes) == ["e2/c1"]
    made = fork(log, "e2/w1", Without("e2/c1"))
    decision = next(row for row in made.rows if row.id == "e2/d1")
    assert json.loads(decision.causes) == ["e2/m1"]
    assert [body["why"] for body in bodies(made.rows[made.turn.position :], "boundary")] == [
        "session_end",
        "session_end",
    ]


def test_another_text_is_all_that_is_seen_of_an_event(log: EventLog, rows: list[Row]) -> None:
    made = fork(log, "e2/m1", Replace("e2/m1", "The gate is 0012."))
    seen = shown(made, made.turn.position)
    assert "The gate is 0012." in seen and "The gate is blue now." not in seen
    said = next(row for row in made.rows if row.id == "e2/m1")
    was = next(row for row in rows if row.id == "e2/m1")
    assert (said.time, said.causes, said.scope) == (was.time, was.causes, was.scope)
    assert [row.id for row in made.rows] == [row.id for row in rows]
    # Of the vectors only the new text's was asked for.
    assert [text for text in Asked.texts if "colour" not in text][0] == "The gate is 0012."
    assert "The code may not be used." not in Asked.texts


def test_an_embedding_that_is_half_known_says_how_much_it_reused(
    log: EventLog, rows: list[Row]
) -> None:
    made = fork(log, "e2/m1", Replace("e2/m1", "The gate is 0012."))
    [embedding] = [row for row in made.rows[made.turn.position :] if row.kind == "embedding"][:1]
    # "The code may not be used." is six words and a full stop.
    assert made.reused[embedding.position] == 7
    new = count_tokens("The gate is 0012.")
    assert json.loads(embedding.body)["tokens"] == 7 + new


VALUES = ["0012", "15E2621", "1e3", "9007199254740993", "9223372036854775808", "a\x00b", "🪴é"]
VALUES += ["e\u0301", "שלום", "</script>", " x "]


@pytest.mark.parametrize("value", VALUES)
def test_values_survive_a_fork(log: EventLog, rows: list[Row], value: str) -> None:
    assert_survives(log, value)


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_survives_a_fork(value: str) -> None:
    with EventLog.create(":memory:") as log:
        record(log, base_arm())
        assert_survives(log, value)


def assert_survives(log: EventLog, value: str) -> None:
    made = fork(log, "e3/m1", Replace("e3/m1", value))
    with EventLog.create(":memory:") as child:
        made.write(child)
        read = {row.id: json.loads(row.body) for row in child.rows(made.trial)}
        assert read["e3/m1"]["text"] == value
    assert replayed(made) == len(made.rows)


QUESTIONS = ("Which code did I name?", "What must wait?")


def test_retention_questions_are_asked_aside_and_end_their_trial(
    log: EventLog, rows: list[Row]
) -> None:
    made = fork(log, "e2/d1", AskInstead(QUESTIONS))
    assert made.turn.until == "e2/d1"
    asked = [(row.id, json.loads(row.body)["request"]) for row in made.rows if "?" in row.id]
    assert asked == [("e2/d1?1", QUESTIONS[0]), ("e2/d1?2", QUESTIONS[1])]
    assert "e2/d1" not in {row.id for row in made.rows}
    assert [read["query"] for read in bodies(made.rows, "memory_read")[-2:]] == list(QUESTIONS)
    assert made.asked == 2
    answers = bodies(made.rows, "answer")[-2:]
    assert [answer["decision"] for answer in answers] == ["e2/d1?1", "e2/d1?2"]
    assert [row.kind for row in made.rows[-2:]] == ["answer", "trial_closed"]
    assert bodies(made.rows, "trial_closed") == [{"complete": False}]
    assert bodies(made.rows, "error") == []
    assert replayed(made) == len(made.rows)
    assert list(log.rows(TRIAL)) == rows


def test_no_question_hears_of_another_or_has_a_tool(log: EventLog, rows: list[Row]) -> None:
    fork(log, "e2/d1", AskInstead(QUESTIONS))
    [(_, first), (_, second)] = Asked.prompts
    assert QUESTIONS[0] in first and QUESTIONS[0] not in second
    assert first.replace(QUESTIONS[0], QUESTIONS[1]) == second
    assert "## Tools" not in first


def test_a_question_may_name_any_event_of_its_decision(log: EventLog, rows: list[Row]) -> None:
    answer = next(row.position for row in rows if row.kind == "answer")
    for at in (place(rows, "e1/d1"), place(rows, "e1/m4"), answer):
        made = fork(log, at, AskInstead(("Well?",)))
        assert (made.turn.until, made.turn.position) == ("e1/d1", place(rows, "e1/d1"))


def test_a_fork_can_be_forked(log: EventLog, rows: list[Row]) -> None:
    first = fork(log, "e2/w1", CHANGES["writing memory"])
    with EventLog.create(":memory:") as child:
        first.write(child)
        same = fork(child, "e3/d1", ChangeBudget(None), first.trial)
        assert unchained(same.rows) == unchained(first.rows)
        assert same.asked == 0
        assert [turn["position"] for turn in same.genesis["forked"]] == [
            first.turn.position,
            same.turn.position,
        ]
        assert same.trial.startswith(f"{first.trial.removesuffix('/0')}+forked=")
        assert replayed(same) == len(same.rows)
        second = fork(child, "e3/m1", Without("e3/m1"), first.trial)
        assert "The shed is white now." not in shown(second, second.turn.position)
        assert replayed(second) == len(second.rows)
        # Before the first turning point there is only the common parent.
        early = fork(child, "e1/d1", ChangeBudget(None), first.trial)
        assert unchained(early.rows) == unchained(rows)
        assert len(early.genesis["forked"]) == 1


def test_what_was_left_out_stays_out_of_a_fork_of_the_fork(log: EventLog, rows: list[Row]) -> None:
    first = fork(log, "e1/d1", Without("e2/m1"))
    with EventLog.create(":memory:") as child:
        first.write(child)
        second = fork(child, "e2/w1", CHANGES["model"], first.trial)
    assert "e2/m1" not in {row.id for row in second.rows}
    assert replayed(second) == len(second.rows)


def test_a_failed_call_is_asked_again(log: EventLog) -> None:
    arm = base_arm(model=part("Voice", fails=True))
    rows = record(log, arm)
    made = fork(log, "e2/d1", ChangeBudget(None))
    assert unchained(made.rows) == unchained(rows)
    assert made.asked == 3 and len(Asked.prompts) == 3


def test_a_part_that_is_another_one_by_now_is_refused(
    log: EventLog, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.simulator.replay import forking

    monkeypatch.setattr(
        forking.Voice, "identity", lambda self: {"name": "voice", "voice": "a", "version": 2}
    )
    with pytest.raises(InputError, match="is not the agent model .* version is 2, was None"):
        fork(log, "e2/d1", ChangeBudget(None))


def test_a_parent_that_plays_otherwise_here_is_refused(
    log: EventLog, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RENDERERS, "plain", lambda prompt: render_plain(prompt) + " ")
    with pytest.raises(Diverged) as caught:
        fork(log, "e2/d1", ChangeBudget(None))
    first = next(row for row in rows if row.kind == "completion")
    assert (caught.value.trial, caught.value.position) == (TRIAL, first.position)
    assert caught.value.recorded == first


def test_a_parent_that_was_changed_after_the_run_is_refused(log: EventLog, rows: list[Row]) -> None:
    log._db.execute("DROP TRIGGER events_no_update")
    log._db.execute("UPDATE events SET body = replace(body, 'green', 'black') WHERE kind = 'said'")
    with pytest.raises(LogDamaged):
        fork(log, "e2/d1", ChangeBudget(None))


@pytest.mark.parametrize(
    ("at", "change", "says"),
    [
        ("e2/d11", ChangeBudget(9), "at: the trial has no event 'e2/d11'; did you mean 'e2/d1'?"),
        ("#777", ChangeBudget(9), "at: the trial has no position 777; the nearest is"),
        ("-3", ChangeBudget(9), "at: the trial has no position -3; the nearest is 0"),
        ("e2/w1", Without("e2/m7"), "event: the arc has no event 'e2/m7'; did you mean 'e2/m1'?"),
        ("e2/w1", Without("e2/d1"), "event: 'e2/d1' is a decision"),
        ("e2/w1", Without("e3/end"), "event: 'e3/end' only ends its session"),
        ("e3/d1", Without("e2/m1"), "'e2/m1' happened at {e2/m1}, before the fork at {e3/d1}"),
        ("e3/d1", Without("e1/m4"), "fork at {e1/d1} or earlier"),
        ("e2/d1", Without("e2/c1"), "'e2/c1' happened at"),
        ("e2/w1", Replace("e2/d1", "x"), "event: 'e2/d1' is a decision; fork at it with questions"),
        ("e2/w1", Replace("e2/c1", "x"), "event: 'e2/c1' has no text"),
        ("e2/w1", Replace("e2/m1", ""), "text: a text must not be empty"),
        ("e2/w1", Replace("e2/m1", "a\ud800"), "text: a lone surrogate at 1 cannot be stored"),
        ("e2/d1", AskInstead(("",)), "questions: a text must not be empty"),
        ("e2/d1", AskInstead(()), "questions: at least one question is needed"),
        ("e2/m1", AskInstead(("x",)), "no decision is at {e2/m1}; the trial's are e1/d1, e2/d1, "),
    ],
)
def test_what_makes_no_sense_is_refused(
    log: EventLog, rows: list[Row], at: str, change: ChangeBudget, says: str
) -> None:
    places = {row.id: row.position for row in rows}
    for name, position in places.items():
        says = says.replace(f"{{{name}}}", str(position))
    with pytest.raises(InputError) as caught:
        fork(log, at, change)
    assert says in str(caught.value)
    assert Asked.prompts == []


def test_an_event_that_never_came_cannot_be_left_out(log: EventLog) -> None:
    record(log, base_arm(memory=part("Notes", breaks="absorb")))
    with pytest.raises(InputError, match="'e3/m1' did not happen in this trial"):
        fork(log, "e1/d1", Without("e3/m1"))


def test_a_scripted_cut_is_found_by_its_own_id(log: EventLog, rows: list[Row]) -> None:
    cut = next(row for row in rows if row.kind == "boundary")
    assert fork(log, "e1/c1", ChangeBudget(None)).turn.position == cut.position


def test_progress_counts_decisions(log: EventLog, rows: list[Row]) -> None:
    told: list[tuple[int, int]] = []
    fork_trial(
        log,
        TRIAL,
        SCRIPT,
        1,
        ChangeBudget(None),
        sources=Backends().sources,
        report=lambda done, of: told.append((done, of)),
    )
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert len(STORY["episodes"]) == 3
