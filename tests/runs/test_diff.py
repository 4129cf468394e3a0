"""`memtrial diff`: trials written by hand, whose differences and causes are known."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.run import load_run
from simulator.events.recorded import DecisionOpened, Said, SessionStarted
from tests.runs.conftest import Memtrial
from tests.runs.hand import FACT, RECALLED, Hand, begin, item, knows, knows_nothing, shown

ESCAPE = "\x1b]0;owned\x07\x9b2J"


def misled(hand: Hand) -> None:
    """Pay as `knows` does, but another sum, which a line of its own in the block names."""
    wrong = item("i2", "refund = $54.00", "plant/m")
    hand.plant(FACT, wrong)
    recalled = shown("i2", "refund = $54.00", "plant/m")
    hand.open(recalled, RECALLED, block="refund = $54.00\nrefund = $45.00", tokens=6)
    hand.complete("Memory:\nrefund = $54.00\nrefund = $45.00\nRequest: pay", "pay")
    hand.pay("$54.00")
    hand.answer("Done.")
    hand.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = begin(tmp_path / "run")
    made.trial("knows", knows, memory="facts")
    made.trial("twin", knows, memory="facts")
    made.trial("nothing", knows_nothing)
    made.trial("misled", misled, memory="summary")
    return made.done()


@pytest.fixture
def compared(folder: Path, memtrial: Memtrial) -> Callable[..., Any]:
    """Compare trials and return the one comparison."""

    def compare(*names: str) -> Any:
        done = memtrial("diff", folder, *names, "--json")
        assert done.status == 0
        [comparison] = done.json["comparisons"]
        return comparison

    return compare


def chain(links: list[Any]) -> list[tuple[int, str, str, bool]]:
    return [(each["depth"], each["relation"], each["id"], each["again"]) for each in links]


def test_equal_trials(compared: Callable[..., Any], memtrial: Memtrial, folder: Path) -> None:
    found = compared("knows", "twin")
    assert (found["same"], found["first"], found["decision"], found["acted"]) == (
        True,
        None,
        None,
        None,
    )
    assert found["events"] == {
        "same": 16,
        "changed": 0,
        "only_a": 0,
        "only_b": 0,
        "at_another_time": 0,
    }
    assert found["given"] == []
    assert "no event differs" in memtrial("diff", folder, "knows", "twin").out


def test_the_first_event_and_the_decision_in_which_one_knows_nothing(
    compared: Callable[..., Any],
) -> None:
    found = compared("knows", "nothing")
    first = found["first"]
    assert (first["what"], first["a"], first["b"]["id"]) == ("only_b", None, "#4")
    assert first["b"]["key"] == "session plant > boundary > write embedding"
    assert chain(first["causes"]["b"]) == [
        (0, "", "#4", False),
        (1, "because of", "#3", False),
        (2, "because of", "#1", False),
    ]
    assert first["causes"]["a"] == []
    assert found["given"] == [{"setting": "memory", "a": "facts", "b": "none"}]
    # Same: two sessions, message, first boundary, decision, end. Changed: both changes of the
    # memory, read, completion, answer, second boundary (calls are in its transcript). Only A: call,
    # return, world change, second completion. Only B: two embeddings.
    counts = {"same": 6, "changed": 6, "only_a": 4, "only_b": 2, "at_another_time": 0}
    assert found["events"] == counts
    decision = found["decision"]
    assert (decision["id"], decision["parts"]) == (
        "ask/d",
        ["block", "prompt", "action", "outcome"],
    )
    assert [(pair["what"], pair["places"]) for pair in decision["items"]] == [("only_a", [1, None])]
    assert decision["prompt"] == [
        "--- a",
        "+++ b",
        "@@ -1,3 +1 @@",
        "-Memory:",
        "-refund = $45.00",
        " Request: pay",
    ]
    assert found["acted"]["id"] == "ask/d"


def test_what_led_to_a_call_goes_back_to_the_scripted_message(
    compared: Callable[..., Any],
) -> None:
    causes = compared("knows", "nothing")["decision"]["causes"]
    assert chain(causes["a"]) == [
        (0, "", "#9", False),  # the call that the other never made
        (1, "written in", "#8", False),
        (2, "was shown", "#7", False),
        (3, "gave back", "i1", False),
        (4, "contains", "plant/m", False),
        (4, "written by", "#4", False),
        (5, "because of", "#3", False),
        (6, "because of", "#1", False),
        (3, "because of", "ask/d", False),
    ]
    texts = {each["id"]: each["text"] for each in causes["a"]}
    assert texts["plant/m"] == "My refund is $45.00."
    assert texts["i1"] == "refund = $45.00"
    assert chain(causes["b"]) == [
        (0, "", "#10", False),
        (1, "written in", "#9", False),
        (2, "because of", "ask/d", False),
    ]


def test_only_what_the_trials_do_not_share_is_followed(compared: Callable[..., Any]) -> None:
    found = compared("knows", "misled")
    first = found["first"]
    assert (first["what"], first["a"]["id"], first["b"]["id"]) == ("changed", "#4", "#4")
    assert [(pair["what"], pair["places"]) for pair in first["items"]] == [("only_b", [None, 2])]
    assert [each["field"] for each in first["fields"]] == ["held", "written"]
    decision = found["decision"]
    assert decision["parts"] == ["block", "prompt", "action"]
    assert [(pair["what"], pair["places"]) for pair in decision["items"]] == [
        ("same", [1, 2]),
        ("only_b", [None, 1]),
    ]
    assert [each["id"] for each in decision["causes"]["a"]] == ["#9", "#8", "ask/d"]
    assert "i2" in [each["id"] for each in decision["causes"]["b"]]
    assert decision["a"]["calls"] == [
        {"tool": "pay", "arguments": {"amount": "$45.00"}, "ok": True}
    ]
    assert decision["b"]["calls"][0]["arguments"] == {"amount": "$54.00"}


def test_a_message_of_the_session_that_one_never_heard(tmp_path: Path, memtrial: Memtrial) -> None:
    def play(heard: bool) -> Callable[[Hand], None]:
        def write(hand: Hand) -> None:
            hand.emit(SessionStarted(episode="ask"))
            if heard:
                hand.emit(Said(source="message", role="user", text="Stop."), name="ask/s")
            hand.emit(DecisionOpened(request="Pay."), name="ask/d")
            hand.complete("Stop.\nPay." if heard else "Pay.", "x")
            hand.answer("No." if heard else "Done.")
            hand.close()

        return write

    made = begin(tmp_path / "run")
    made.trial("heard", play(True))
    made.trial("deaf", play(False))
    done = memtrial("diff", made.done(), "heard", "deaf", "--json")
    [found] = done.json["comparisons"]
    assert (found["first"]["what"], found["first"]["a"]["id"]) == ("only_a", "ask/s")
    assert [each["id"] for each in found["decision"]["context"]["only_a"]] == ["ask/s"]
    assert found["decision"]["context"]["only_b"] == []
    assert chain(found["decision"]["causes"]["a"]) == [
        (0, "", "#5", False),
        (1, "written in", "#4", False),
        (2, "was shown", "ask/s", False),
        (2, "because of", "ask/d", False),
    ]


def test_each_of_many_is_compared_with_the_first(folder: Path, memtrial: Memtrial) -> None:
    found = memtrial("diff", folder, "knows", "twin", "nothing", "misled", "--json").json
    assert [each["trial"] for each in found["trials"]] == [
        f"a1/{arm}/0" for arm in ("knows", "twin", "nothing", "misled")
    ]
    assert [each["same"] for each in found["comparisons"]] == [True, False, False]
    rows = [each["decisions"][0] for each in found["comparisons"]]
    parts = ("block", "prompt", "action", "outcome")
    assert [[row[part] for part in parts] for row in rows] == [
        ["same"] * 4,
        ["differs"] * 4,
        ["differs", "differs", "differs", "same"],
    ]
    out = memtrial("diff", folder, "knows", "twin", "nothing", "misled").out
    table = out[out.index("what differs from the first trial") :].splitlines()
    assert [line.split() for line in table[1:3]] == [
        ["decision", "B", "C", "D"],
        ["ask/d", "same", *"block prompt action outcome block prompt action".split()],
    ]
    assert table[3:] == ["B is a1/twin/0", "C is a1/nothing/0", "D is a1/misled/0"]


def test_a_trial_of_another_folder(folder: Path, tmp_path: Path, memtrial: Memtrial) -> None:
    made = begin(tmp_path / "child")
    made.trial("knows", lambda hand: knows(hand, amount="$1.00"), memory="facts")
    child = made.done()
    done = memtrial("diff", folder, "knows", f"{child}::knows", "--json")
    assert [each["run"] for each in done.json["trials"]] == [str(folder), str(child)]
    [found] = done.json["comparisons"]
    assert found["first"]["a"]["key"] == "ask/d > act completion"
    assert found["decision"]["parts"] == ["action"]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["knows"], "name two trials or more; one of another folder is named PATH::TRIAL"),
        (["knows", "a1/twins/0"], "no trial fits 'a1/twins/0'; this run has\n  a1/twin/0"),
        (["knows", "a1"], "4 trials fit 'a1', such as"),
        (["knows", "no-such-folder::knows"], "no-such-folder: this folder is no run"),
    ],
)
def test_wrong_trials_are_refused(
    folder: Path, refused: Any, names: list[str], message: str
) -> None:
    assert refused("diff", folder, *names).startswith(message)


def test_the_text_tells_the_same(folder: Path, memtrial: Memtrial) -> None:
    out = memtrial("diff", folder, "knows", "misled").out
    assert out.replace(str(folder), "RUN") == (
        "A  a1/knows/0   (RUN)\n"
        "B  a1/misled/0   (RUN)\n"
        "   given: memory: facts -> summary\n"
        "   7 events the same, 6 changed, 3 only in A, 0 only in B; 0 at another time\n"
        "\n"
        "first difference: the same event, with other content\n"
        "  A event 4, session plant > boundary > memory_change: memory_change "
        "'absorb: 1 written, 0 gone, 1 held'\n"
        "  B event 4, session plant > boundary > memory_change: memory_change "
        "'absorb: 2 written, 0 gone, 2 held'\n"
        "    only B  2: refund = $54.00   <- plant/m\n"
        "  what led there in A:\n"
        "    #4 memory_change 'absorb: 1 written, 0 gone, 1 held'\n"
        "      because of #3 boundary 'session_end, 1 surfaces'\n"
        "        because of #1 session_started 'plant'\n"
        "  what led there in B:\n"
        "    #4 memory_change 'absorb: 2 written, 0 gone, 2 held'\n"
        "      wrote i2 'refund = $54.00'\n"
        "        contains plant/m message 'My refund is $45.00.'\n"
        "        written by #4, as above\n"
        "      because of #3 boundary 'session_end, 1 surfaces'\n"
        "        because of #1 session_started 'plant'\n"
        "\n"
        "first decision that differs: ask/d (block, prompt, action)\n"
        '  A called pay({"amount":"$45.00"})\n'
        "  A answer: Done.\n"
        '  B called pay({"amount":"$54.00"})\n'
        "  B answer: Done.\n"
        "  memory block, 1 items the same:\n"
        "    only B  1: refund = $54.00   <- plant/m\n"
        "  prompt:\n"
        "    --- a\n"
        "    +++ b\n"
        "    @@ -1,3 +1,4 @@\n"
        "     Memory:\n"
        "    +refund = $54.00\n"
        "     refund = $45.00\n"
        "     Request: pay\n"
        "  what led there in A:\n"
        '    #9 tool_call \'pay({"amount":"$45.00"})\'\n'
        "      written in #8 completion 'act: pay(amount=\"$45.00\")'\n"
        "        because of ask/d decision 'Please pay it.'\n"
        "  what led there in B:\n"
        '    #9 tool_call \'pay({"amount":"$54.00"})\'\n'
        "      written in #8 completion 'act: pay'\n"
        "        was shown #7 memory_read '2 items, 6 tokens'\n"
        "          gave back i2 'refund = $54.00'\n"
        "            contains plant/m message 'My refund is $45.00.'\n"
        "            written by #4 memory_change 'absorb: 2 written, 0 gone, 2 held'\n"
        "              because of #3 boundary 'session_end, 1 surfaces'\n"
        "                because of #1 session_started 'plant'\n"
        "          because of ask/d decision 'Please pay it.'\n"
        "\n"
        "decisions\n"
        "decision  block    prompt   action   outcome  A                    B\n"
        "ask/d     differs  differs  differs  same     pay; answer 'Done.'  pay; answer 'Done.'\n"
        "\n"
    )


def test_the_terminal_never_obeys_what_was_logged(tmp_path: Path, memtrial: Memtrial) -> None:
    def nasty(hand: Hand) -> None:
        hand.plant(item(ESCAPE, ESCAPE, "plant/m"))
        hand.open(shown(ESCAPE, ESCAPE, "plant/m"), block=ESCAPE)
        hand.complete(f"Memory:\n{ESCAPE}\nRequest", ESCAPE)
        hand.pay(ESCAPE)
        hand.answer(ESCAPE)
        hand.close()

    made = begin(tmp_path / "nasty")
    made.trial("nasty", nasty)
    made.trial("plain", knows)
    folder = made.done()
    for names in (("nasty", "plain"), ("plain", "nasty", "nasty")):
        out = memtrial("diff", folder, *names).out
        assert r"\u001b]0;owned\u0007\u009b2J" in out
        assert not {"\x1b", "\x07", "\x9b"} & set(out)


def test_arms_of_a_played_run(small_run: Path, memtrial: Memtrial) -> None:
    with load_run(small_run) as run:
        names = [name for name in run.sealed if "hard" in name]
    assert len(names) == 2
    found = memtrial("diff", small_run, *names, "--json").json
    [comparison] = found["comparisons"]
    assert {each["setting"] for each in comparison["given"]} >= {"memory"}
    assert comparison["first"]["a"]["kind"] == "memory_change"
    facts, none = (name.split("/")[1].split("-")[0].split("+")[0] for name in names)
    assert (facts, none) == ("facts", "none")
    # The agent without a memory cannot know what was said before; the other one does.
    acted = comparison["acted"]
    assert {"action", "outcome"} & set(acted["parts"])
    assert all(pair["what"] == "only_a" for pair in acted["items"]) and acted["items"]
    kinds = {link["kind"] for link in acted["causes"]["a"]}
    assert {"tool_call", "completion", "memory_read", "item", "message"} <= kinds
    assert memtrial("diff", small_run, *names).status == 0
