"""`memtrial trace --at`: what stood at a position, on trials worked out by hand and on played ones."""

from pathlib import Path
from typing import Any

import pytest

from runs.moments import moment
from scoring.run import load_run
from simulator.events.recorded import MemoryChanged, Said
from tests.runs.conftest import Memtrial
from tests.runs.hand import FACT, Hand, begin, item, knows
from tests.runs.parts import Forgetful

ESCAPE = "\x1b[31m\x9b2Jred\u202e"


def changing(hand: Hand) -> None:
    """4 writes two items, 6 hides one, 8 shows it again, 11 evicts it, and a copy stands for i2."""
    hand.plant(FACT, item("i2", "code = 7", "plant/n"))
    for why, notice, hidden in (("withdrawn", "x/w", True), ("granted", "x/g", False)):
        text = f"It is {why}."
        source = "access_withdrawn" if hidden else "access_granted"
        said = Said(source=source, role="system", text=text, sources=("plant/m",))
        hand.emit(said, name=notice)
        written = ({**FACT, "hidden": hidden},)
        hand.emit(MemoryChanged(why=why, written=written, gone=(), held=2), notice)
    copy = item("i3", "the code is 7", "plant/n", "x/w")
    hand.end("#1", ("x/w", "x/g"), copy, gone=("i1", "i2"), held=1)
    hand.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = begin(tmp_path / "run")
    made.trial("knows", knows)
    made.trial("changing", changing)
    return made.done()


def told(found: Any) -> list[tuple[str, str, list[tuple[int, str, list[str]]]]]:
    return [
        (each["id"], each["state"], [(s["position"], s["what"], s["by"]) for s in each["steps"]])
        for each in found["memory"]["items"]
    ]


@pytest.mark.parametrize(
    ("at", "items", "counts"),
    [
        ("0", [], (None, 0, 0, 0)),
        ("3", [], (None, 0, 0, 0)),
        (
            "4",
            [("i1", "held", [(4, "written", [])]), ("i2", "held", [(4, "written", [])])],
            (4, 2, 0, 0),
        ),
        (
            "x/g",
            [
                ("i1", "hidden", [(4, "written", []), (6, "hidden", [])]),
                ("i2", "held", [(4, "written", [])]),
            ],
            (6, 2, 1, 0),
        ),
        (
            "10",
            [
                ("i3", "held", [(10, "written", [])]),
                (
                    "i1",
                    "gone",
                    [
                        (4, "written", []),
                        (6, "hidden", []),
                        (8, "restored", []),
                        (10, "evicted", []),
                    ],
                ),
                ("i2", "gone", [(4, "written", []), (10, "replaced", ["i3"])]),
            ],
            (10, 1, 0, 2),
        ),
    ],
)
def test_what_was_held_and_what_became_of_it(
    folder: Path, at: str, items: list[Any], counts: tuple[int | None, int, int, int]
) -> None:
    found = moment(folder, "changing", at)
    assert told(found) == items
    memory = found["memory"]
    assert (memory["as_of"], memory["held"], memory["hidden"], memory["gone"]) == counts


def test_every_step_names_what_made_it_happen_up_to_the_script(folder: Path) -> None:
    steps = moment(folder, "changing", "10")["memory"]["items"][1]["steps"]
    assert [[(cause["id"], cause["kind"]) for cause in step["causes"]] for step in steps] == [
        [("#3", "boundary"), ("#1", "session_started")],
        [("x/w", "access_withdrawn")],
        [("x/g", "access_granted")],
        [("#9", "boundary"), ("#1", "session_started")],
    ]
    assert steps[1]["causes"][0]["text"] == "It is withdrawn."


def test_items_name_their_sources_with_their_texts(folder: Path) -> None:
    [held] = moment(folder, "knows", "7")["memory"]["items"]
    assert [(each["id"], each["kind"], each["text"]) for each in held["sources"]] == [
        ("plant/m", "message", "My refund is $45.00.")
    ]


def test_a_change_under_way_is_pending(folder: Path) -> None:
    pending = {at: moment(folder, "changing", at)["memory"]["pending"] for at in ("2", "3", "4")}
    assert pending == {"2": None, "3": 4, "4": None}
    assert moment(folder, "changing", "x/w")["memory"]["pending"] == 6


def test_the_working_context_and_the_world_at_a_position(folder: Path) -> None:
    def stage(at: str) -> tuple[list[str], Any, int, list[Any]]:
        found = moment(folder, "knows", at)
        world = found["world"]
        patches = [(each["position"], each["call"][0]["id"]) for each in world["patches"]]
        return [each["id"] for each in found["context"]], world["state"], world["bytes"], patches

    assert stage("plant/m") == (["plant/m"], {}, 2, [])
    assert stage("4") == ([], {}, 2, [])
    assert stage("8") == (["ask/d"], {}, 2, [])
    paid = {"paid": "$45.00"}
    assert stage("11") == (["ask/d", "#9", "#10"], paid, 17, [(11, "#9")])
    assert stage("16") == ([], paid, 17, [(11, "#9")])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["knows", "--at", "17"], "trial 'a1/knows/0' has no event 17: its last one is 16"),
        (
            ["knows", "--at", "plant/n"],
            "trial 'a1/knows/0' has no event 'plant/n'; did you mean 'plant/m'?",
        ),
        (
            ["knows", "--at", "#2"],
            "trial 'a1/knows/0' has no event '#2'; a position is a bare number",
        ),
        (["knows", "--at", "-1"], "trial 'a1/knows/0' has no event '-1'; known: ask/d, plant/m"),
        (["knows", "--at", "²"], "trial 'a1/knows/0' has no event '²'; known: ask/d, plant/m"),
        (["nobody", "--at", "1"], "no trial fits 'nobody'; this run has"),
        (["knows", "--replay"], "--replay goes with --at POSITION"),
    ],
)
def test_wrong_positions_and_trials_are_refused(
    folder: Path, refused: Any, arguments: list[str], message: str
) -> None:
    assert refused("trace", folder, *arguments).startswith(message)


def test_the_text_tells_the_same(folder: Path, memtrial: Memtrial) -> None:
    assert memtrial("trace", folder, "changing", "--at", "10").out == (
        "trial a1/changing/0\n"
        "as event 10 of 11 left it: #10 memory_change 'absorb: 1 written, 2 gone, 1 held', "
        "1970-01-01 00:00\n"
        "\n"
        "memory as of event 10: 1 held, 0 hidden, 0 history, 2 gone\n"
        "  held    the code is 7   (i3)\n"
        "          written at 10: #9 boundary 'session_end, 2 surfaces' <- "
        "#1 session_started 'plant'\n"
        "          from plant/n unknown\n"
        "          from x/w access_withdrawn 'It is withdrawn.'\n"
        "  gone    refund = $45.00   (i1)\n"
        "          written at 4: #3 boundary 'session_end, 1 surfaces' <- "
        "#1 session_started 'plant'\n"
        "          hidden at 6: x/w access_withdrawn 'It is withdrawn.'\n"
        "          restored at 8: x/g access_granted 'It is granted.'\n"
        "          evicted at 10: #9 boundary 'session_end, 2 surfaces' <- "
        "#1 session_started 'plant'\n"
        "          from plant/m message 'My refund is $45.00.'\n"
        "  gone    code = 7   (i2)\n"
        "          written at 4: #3 boundary 'session_end, 1 surfaces' <- "
        "#1 session_started 'plant'\n"
        "          replaced by i3 at 10: #9 boundary 'session_end, 2 surfaces' <- "
        "#1 session_started 'plant'\n"
        "          from plant/n unknown\n"
        "\n"
        "working context: 0 surfaces\n"
        "\n"
        "world: 2 bytes, 0 changes so far\n"
        "  {}\n"
    )


def test_long_lists_are_cut_with_a_note(tmp_path: Path, memtrial: Memtrial) -> None:
    made = begin(tmp_path / "many")
    made.trial(
        "x", lambda hand: hand.plant(*(item(f"i{n}", f"n{n}", "plant/m") for n in range(99)))
    )
    done = memtrial("trace", made.done(), "x", "--at", "4")
    assert "n39   (i39)" in done.out and "(i40)" not in done.out
    assert "  and 59 more items; --json has all\n" in done.out


def test_the_terminal_never_obeys_what_was_logged(tmp_path: Path, memtrial: Memtrial) -> None:
    def nasty(hand: Hand) -> None:
        hand.plant(item(ESCAPE, ESCAPE, "plant/m"))
        hand.open({"item": "i", "text": ESCAPE, "sources": ["plant/m"]}, block=ESCAPE)
        hand.pay(ESCAPE)
        hand.answer(f"{ESCAPE}\nVERDICT: PASSED")
        hand.close()

    made = begin(tmp_path / "nasty")
    made.trial("x", nasty)
    folder = made.done()
    for arguments in (["--at", "4"], ["--at", "11"], []):
        out = memtrial("trace", folder, "x", *arguments).out
        assert r"\u001b[31m\u009b2Jred\u202e" in out
        assert not {"\x1b", "\x9b", "\u202e"} & set(out)
        assert "\nVERDICT: PASSED" not in out
    done = memtrial("trace", folder, "x", "--at", "4", "--json")
    assert done.json["memory"]["items"][0]["text"] == ESCAPE
    assert not {"\x1b", "\x9b", "\u202e"} & set(done.out)


def test_asked_again_the_memory_holds_what_the_log_says(
    small_run: Path, memtrial: Memtrial
) -> None:
    with load_run(small_run) as run:
        names = run.sealed
    for name in names:
        for at in ("2", "40"):
            found = memtrial("trace", small_run, name, "--at", at, "--replay", "--json")
            assert (found.status, found.json["replayed"]["agrees"]) == (0, True), (name, at)
            text = memtrial("trace", small_run, name, "--at", at, "--replay").out
            holds = "nothing" if found.json["memory"]["as_of"] is None else "exactly this"
            assert text.endswith(f"re-executed up to there: the memory holds {holds}\n")


def test_a_memory_that_behaves_otherwise_now_is_told_and_fails(
    tmp_path: Path, memtrial: Memtrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = tmp_path / "forgetful.toml"
    suite.write_text(
        'name = "forgetful"\nmemories = ["tests.runs.parts:Forgetful"]\nmodels = ["last"]\n'
        '[[scenarios]]\ngenerate = "ladder"\nseed = 3\narcs = 1\ntiers = ["easy"]\n',
        encoding="utf-8",
    )
    assert memtrial("run", suite, "--out", "run").status == 0
    assert memtrial("trace", "run", "easy", "--at", "9", "--replay").status == 0

    def absorb(memory: Forgetful, transcript: Any) -> Any:
        yield from ()

    monkeypatch.setattr(Forgetful, "absorb", absorb)
    found = memtrial("trace", "run", "easy", "--at", "30", "--replay", "--json")
    [difference] = found.json["replayed"]["differences"]
    assert difference.startswith("the replay differs from the record at event ")
    assert (found.status, found.json["replayed"]["agrees"]) == (1, False)
    text = memtrial("trace", "run", "easy", "--at", "30", "--replay")
    assert text.status == 1 and difference in text.out


def test_det_a_fork_of_a_fork_is_travelled_through_all_its_turns(
    small_run: Path, memtrial: Memtrial
) -> None:
    def fork(parent: Path | str, out: str, *change: str) -> int:
        done = memtrial("fork", parent, "hard facts", *change, "--out", out, "--json")
        assert done.status == 0, done.err
        return int(done.json["position"])

    first = fork(small_run, "one", "--at", "e3/m01", "--memory", "replay,implementation=newest")
    second = fork("one", "two", "--at", "e4/d1", "--token-budget", "40")
    assert 0 < first < second
    told = []
    for at in (first - 1, first, second - 1, second):
        found = memtrial("trace", "two", "hard", "--at", str(at), "--replay", "--json")
        assert (found.status, found.json["replayed"]["agrees"]) == (0, True), at
        told.append((found.json["arm"]["memory"], found.json["arm"]["token_budget"]))
    assert told == [("facts", 96), ("replay", 96), ("replay", 96), ("replay", 40)]
