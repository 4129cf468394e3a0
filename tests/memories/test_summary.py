from typing import Any

import pytest

from memories.sentences import LONGEST, sentences, states
from memories.summary import Summary, SummaryOptions
from simulator.effects.memory import MemorySetup
from simulator.events.errors import InputError
from simulator.events.faults import Fault
from simulator.events.tokens import count_tokens

MODEL = MemorySetup(trial="t", has_model=True)


def make(setup: MemorySetup = MODEL, **options: Any) -> Summary:
    return Summary(SummaryOptions.model_validate({"dates": False, **options}), setup)


def test_sentences_end_at_full_stops_but_not_at_abbreviations() -> None:
    text = "Mr. Berg lives at 5 Oak Ave. Apt 3. He paid $1.50; is that right?\nYes."
    assert sentences(text) == (
        "Mr. Berg lives at 5 Oak Ave. Apt 3.",
        "He paid $1.50;",
        "is that right?",
        "Yes.",
    )


def test_endless_sentences_are_cut() -> None:
    parts = sentences("word " * 500)
    assert max(map(len, parts)) <= LONGEST
    assert " ".join(parts) == ("word " * 500).strip()


@pytest.mark.parametrize(
    ("sentence", "stated"),
    [
        ("The refund is $5.", True),
        ("Is the refund $5?", False),
        ("What if we used plan B?", False),
        ("Could you change the address to 5 Oak Avenue?", True),
        ("If they refunded $5 I would stay.", False),
        ("I would like the refund to be $5.", True),
    ],
)
def test_questions_and_suppositions_state_nothing(sentence: str, stated: bool) -> None:
    assert states(sentence) is stated


def test_extractive_keeps_what_says_most_in_order(bench: Any, say: Any) -> None:
    # Header 5; "user: " 2 and a break 1 a line. "Refund O-1 is $5." has 10 tokens (Refund 1,
    # O - 1 3, is 1, $ 5 2, "." 1 make 8), so that line costs 11; of 30 tokens two fit.
    memory = make(max_tokens=30)
    bench.absorb(memory, say("u1", "Refund O-1 is $5. Hello there."), say("u2", "Code X-9 is 4."))
    assert bench.lines(memory) == ["user: Refund O-1 is $5.", "user: Code X-9 is 4."]
    assert memory.habit == "accumulates"
    bench.absorb(memory, say("u3", "Now refund O-1 is $7 instead of $5."))
    assert "user: Now refund O-1 is $7 instead of $5." in bench.lines(memory)
    held = list(memory.holdings())
    assert 5 + sum(1 + count_tokens(item.text) for item in held) <= 30


def test_an_old_value_stands_beside_the_new_one(bench: Any, say: Any) -> None:
    memory = make()
    bench.absorb(memory, say("u1", "The refund is $5."))
    bench.absorb(memory, say("u2", "The refund is now $7."))
    assert bench.lines(memory) == ["user: The refund is $5.", "user: The refund is now $7."]


def test_truncating_keeps_the_newest(bench: Any, say: Any) -> None:
    memory = make(implementation="truncating", max_tokens=16)
    bench.absorb(memory, say("u1", "Refund O-1 is $5."))
    bench.absorb(memory, say("u2", "Hello there."), say("u3", "Bye."))
    # "user: Bye." is 4 and "user: Hello there." 5 tokens; with breaks and header that is 16.
    assert bench.lines(memory) == ["user: Hello there.", "user: Bye."]
    assert memory.habit == "truncates"
    assert [item.sources for item in memory.holdings()] == [{"u2"}, {"u3"}]


def test_each_scope_has_a_digest_of_its_own(bench: Any, say: Any) -> None:
    memory = make(max_tokens=16)
    bench.absorb(
        memory, say("u1", "Alpha is $5.", scope="alpha"), say("u2", "Beta is $6.", scope="beta")
    )
    assert bench.lines(memory, scope="alpha") == ["user: Alpha is $5."]
    assert bench.lines(memory) == []


def test_the_model_overwrites(bench: Any, say: Any) -> None:
    memory = make(implementation="model")
    assert memory.habit == "overwrites"
    bench.reply("- Refund for O-1: $5\n- Code for O-2: X-9")
    bench.absorb(memory, say("u1", "O-1 gets $5 back."), say("u2", "O-2 has code X-9."))
    bench.reply("Refund for O-1: $7")
    bench.absorb(memory, say("u3", "O-1 gets $7 back."))
    assert bench.lines(memory) == ["Refund for O-1: $7"]
    first, second = bench.prompts
    assert (first.block, [each.id for each in first.context]) == ("", ["u1", "u2"])
    assert second.block == "Old notes:\nRefund for O-1: $5\nCode for O-2: X-9"
    assert (first.tools, [each.id for each in second.context]) == ((), ["u3"])
    [item] = memory.holdings()
    assert item.sources == {"u1", "u3"}  # both name O-1
    assert item.saw == {"u1", "u2", "u3"}


def test_a_line_that_shares_nothing_is_charged_to_all_that_was_seen(bench: Any, say: Any) -> None:
    memory = make(implementation="model")
    bench.reply("Everything went well.")
    bench.absorb(memory, say("u1", "O-1 gets $5."), say("u2", "Beta."))
    assert [item.sources for item in memory.holdings()] == [{"u1", "u2"}]


@pytest.mark.parametrize(
    ("text", "finish", "fault"),
    [("", "stop", "empty"), (" \n- \n", "stop", "empty"), ("Refund for O", "length", "truncated")],
)
def test_cmp_an_empty_summary_is_a_fault_and_the_old_one_stands(
    bench: Any, say: Any, text: str, finish: str, fault: str
) -> None:
    memory = make(implementation="model")
    bench.reply("Refund for O-1: $5")
    bench.absorb(memory, say("u1", "O-1 gets $5 back."))
    bench.reply(text, finish)
    with pytest.raises(Fault) as caught:
        bench.absorb(memory, say("u2", "O-1 gets $7 back."))
    assert (caught.value.culprit, caught.value.fault) == ("model", fault)
    assert bench.lines(memory) == ["Refund for O-1: $5"]


def test_of_a_cut_off_summary_whole_lines_stay(bench: Any, say: Any) -> None:
    memory = make(implementation="model")
    bench.reply("Refund for O-1: $5\nCode for O-2: X-", "length")
    bench.absorb(memory, say("u1", "O-1 gets $5 back, and O-2 has the code X-9, please."))
    assert bench.lines(memory) == ["Refund for O-1: $5"]


def test_a_written_line_that_cannot_fit_is_no_silent_loss(bench: Any, say: Any) -> None:
    memory = make(implementation="model", max_tokens=16)
    bench.reply("word " * 40)
    with pytest.raises(Fault, match="size limit"):
        bench.absorb(memory, say("u1", "hello " * 40))


@pytest.mark.parametrize("finish", ["stop", "length"])
def test_cmp_a_summary_longer_than_what_it_sums_up_is_a_fault_and_the_old_one_stands(
    bench: Any, say: Any, finish: str
) -> None:
    memory = make(implementation="model")
    bench.reply("one two three")  # 3 tokens of 3
    bench.absorb(memory, say("u1", "one two three"))
    bench.reply("one two three\none two three four", finish)  # 3, a break and 4 of 3, a break and 3
    with pytest.raises(Fault, match="of 8 tokens of 7 tokens") as caught:
        bench.absorb(memory, say("u2", "four five six"))
    assert (caught.value.culprit, caught.value.fault) == ("model", "longer")
    assert bench.lines(memory) == ["one two three"]
    bench.reply("- one two three\n- four five six")  # bullets are no part of it
    bench.absorb(memory, say("u2", "four five six"))
    assert bench.lines(memory) == ["one two three", "four five six"]


def test_del_a_withdrawn_event_leaves_the_digest_and_its_next_prompt(bench: Any, say: Any) -> None:
    memory = make(implementation="model")
    bench.reply("Secret is X-9\nRefund for O-1: $5")
    bench.absorb(memory, say("u1", "The secret is X-9."), say("u2", "O-1 gets $5."))
    bench.forget(memory, "withdrawn", "u1")
    assert bench.lines(memory) == ["Refund for O-1: $5"]
    bench.reply("Refund for O-1: $5")
    bench.absorb(memory, say("u3", "Hello."))
    assert "X-9" not in bench.prompts[-1].block
    bench.regrant(memory, "u1")
    assert sorted(bench.lines(memory)) == ["Refund for O-1: $5", "Secret is X-9"]


def test_a_model_summary_needs_a_memory_model(setup: MemorySetup) -> None:
    with pytest.raises(InputError, match="needs a memory model"):
        make(setup, implementation="model")
