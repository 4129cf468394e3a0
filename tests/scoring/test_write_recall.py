"""Write recall on a log written by hand, on phrasings that the patterns know, and on others."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memories.extraction.domains import VOCABULARIES
from memories.extraction.factbook import Factbook
from memories.extraction.noting import Reader, note_all
from memories.extraction.patterns import read_sentence
from memories.shelf import Shelf
from runs.plan import plan
from runs.runner import run_plan
from scoring.compare import compare
from scoring.keys import Gold, Probe, Reference, ReferenceCall, SaysCheck
from scoring.run import Run, load_run
from scoring.verdicts import verdicts
from scoring.write_recall import Fact, Planted, carries, planted, recall_columns, words
from simulator.events.recorded import Boundary, MemoryChanged, TrialClosed
from tests.memories.test_quality import phrasings

DOCUMENT = (Path(__file__).parents[2] / "docs" / "memories.md").read_text(encoding="utf-8")
REFUND = Fact("$45.00", "O-7", words("amount issue_refund The refund for O-7 is $45.00."), 3)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("[2025-03-03] order O-7: refund amount = $45.00", True),
        ("user: The refund for O-7 is $45.00.", True),  # no attribute is named: none is wrong
        ("order O-7: deadline = $45.00", False),  # the wrong attribute
        ("order O-8: refund amount = $45.00", False),  # another order
        ("order O-70: refund amount = $45.00", False),  # which only begins alike
        ("order O-7: refund amount = $145.00", False),
        ("The refund is $45.00.", False),  # whose?
        ("", False),
    ],
)
def test_an_item_holds_a_fact_by_entity_attribute_and_value(text: str, held: bool) -> None:
    assert carries(text, REFUND) is held


def test_a_key_that_names_no_entity_asks_for_none() -> None:
    assert carries("The refund is $45.00.", Fact("$45.00", None, frozenset(), 0))


def item(name: str, text: str, **more: Any) -> dict[str, Any]:
    made = {"id": name, "text": text, "sources": ["plant/m"], "saw": [], "hidden": False}
    return {**made, "scope": "global", "role": "user", **more}


GOLD = "user: My refund for O-7 is $45.00."


def followed(maker: Any, play: Any, changes: Any) -> tuple[Planted, ...]:
    """Plant a refund, let each change end a session, then ask; return what became of it."""
    made = maker()
    call = ReferenceCall(tool="issue_refund", arguments={"order_id": "O-7", "amount": "$45.00"})
    probe = Probe(
        id="p",
        kind="recall",
        decision="ask/d",
        dependent=True,
        gold=(Gold(name="amount", value="$45.00", evidence=("plant/m",)),),
        checks=(SaysCheck(phrase="$45.00"),),
        reference=Reference(calls=(call,)),
    )
    made.arc("a1", [probe])
    made.arm("m")
    tape = made.tape("a1", "m")
    for number, (written, gone) in enumerate(changes):
        tape.session(f"s{number}")
        tape.say("plant/m" if number == 0 else f"s{number}/x", GOLD.removeprefix("user: "))
        tape.emit(Boundary(why="session_end", asked=0, transcript=tuple(tape.shown)))
        tape.emit(MemoryChanged(why="absorb", written=written, gone=gone, held=0))
    tape.session("ask")
    tape.decide("ask/d", "Please pay.", play(block="The refund is $45.00."))
    tape.emit(TrialClosed(complete=True))
    with made.write() as run:
        (trial,) = run.trials()
        return planted(trial, verdicts(trial))["p"]


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ([((item("i", GOLD),), ())], (True,)),
        ([((item("i", GOLD),), ()), ((), ("i",))], (True, False)),
        ([((), ()), ((item("i", GOLD),), ()), ((), ())], (False, True, True)),
        # Kept as history of what another item says now, and hidden: neither may be given back.
        ([((item("i", GOLD),), ()), ((item("i", GOLD, replaced_by="j"),), ())], (True, False)),
        ([((item("i", GOLD, hidden=True),), ())], (False,)),
        # One item says whose, another says what.
        ([((item("i", "O-7"), item("j", "refund $45.00")), ())], (False,)),
    ],
)
def test_a_fact_is_followed_from_boundary_to_boundary(
    maker: Any, play: Any, changes: Any, kept: tuple[bool, ...]
) -> None:
    # One sentence a session, the planted one first: of n it is 0/n, so early.
    expected = Planted(kept=kept, back=len(changes), place="early", in_block=True)
    assert followed(maker, play, changes) == (expected,)


def test_columns_by_hand() -> None:
    facts = [
        Planted((True, True, False), 3, "early", False),
        Planted((True,), 1, "late", True),
        Planted((False, False), 2, "early", True),
        Planted((False,), 1, "middle", False),
    ]
    assert recall_columns(facts) == {
        "write_recall": 2 / 4,
        "recall_at_decision": 1 / 4,
        "n_write_recall": 4,
        "recall_by_boundary": {
            "1": {"share": 2 / 4, "n": 4},
            "2": {"share": 1 / 2, "n": 2},
            "3": {"share": 0.0, "n": 1},
        },
        "gold_by_place": {
            "early": {"share": 1 / 2, "n": 2},
            "middle": {"share": 0.0, "n": 1},
            "late": {"share": 1.0, "n": 1},
        },
        "gold_by_sessions_back": {
            "1": {"share": 1 / 2, "n": 2},
            "2": {"share": 1.0, "n": 1},
            "3": {"share": 0.0, "n": 1},
        },
    }
    empty = recall_columns([])
    assert (empty["write_recall"], empty["n_write_recall"]) == (None, 0)
    assert empty["gold_by_place"]["late"] == {"share": None, "n": 0}


@pytest.fixture(scope="module")
def unseen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Plays ladder arcs, whose phrasing no pattern was written from."""
    folder = tmp_path_factory.mktemp("unseen")
    lines = ['name = "unseen"', "token_budgets = [256]", 'models = ["last"]']
    lines += ["[[scenarios]]", 'generate = "ladder"', "seed = 5", "arcs = 6"]
    for implementation in ("pattern", "domain"):
        lines += ["[[memories]]", 'name = "facts"', f'implementation = "{implementation}"']
    lines += ["[[memories]]", 'name = "none"', "[[memories]]", 'name = "retrieval"']
    (folder / "suite.toml").write_text("\n".join(lines), encoding="utf-8")
    run_plan(plan(str(folder / "suite.toml")), folder / "run", workers=1, report=lambda n, of: None)
    with load_run(folder / "run") as run:
        yield run


def known(reader: Reader) -> tuple[int, int]:
    """Return held and wanted facts of the phrasings written by hand, by the same rule."""
    held = wanted = 0
    for each in phrasings():
        shelf = Shelf()
        book = Factbook(shelf, dates=False)
        note_all(each.said, book, reader)
        texts = [item.text for item in book.holdings() if item.replaced_by is None]
        for row in each.facts:
            entity, attribute, value = (part.strip() for part in row.split("|"))
            fact = Fact(value, entity or None, words(attribute), 0)
            wanted += 1
            held += any(carries(text, fact) for text in texts)
    return held, wanted


def test_recall_on_known_and_on_unseen_phrasings_is_as_documented(unseen: Run) -> None:
    rows = {row["arm"].partition("+")[0]: row for row in compare([unseen])["kept"]}
    # The ends of the scale: who keeps nothing, and who keeps every line word for word.
    assert rows["none"]["write_recall"] == 0.0
    assert rows["retrieval-lexical"]["write_recall"] == 1.0
    readers: dict[str, Reader] = {"pattern": read_sentence, "domain": VOCABULARIES["all"].read}
    lines = []
    for name, reader in readers.items():
        held, wanted = known(reader)
        row = rows[f"facts-{name}"]
        lines.append(
            f"| `{name}` | {held / wanted:.2f} ({held} of {wanted}) "
            f"| {row['write_recall']:.2f} of {row['n_write_recall']} "
            f"| {row['recall_at_decision']:.2f} |"
        )
    assert "\n".join(lines) in DOCUMENT
