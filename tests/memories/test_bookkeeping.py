"""How the ledger reads English, on phrasings written by hand; the documented figures are asserted."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from memories.bookkeeping.corrections import amend
from memories.bookkeeping.lifting import conditions, covers, happened
from memories.bookkeeping.notices import announces, named_things
from memories.bookkeeping.papers import shown_document
from memories.bookkeeping.quality import KINDS, Tally, listing, measure
from memories.bookkeeping.relating import akin, shared, topic, weight
from memories.sentences import passages
from simulator.events import Surface

HERE = Path(__file__).parent
SETS = YAML(typ="safe").load((HERE / "bookkeeping.yaml").read_text(encoding="utf-8"))
DOCUMENT = (HERE.parents[1] / "docs" / "memories.md").read_text(encoding="utf-8")


def rows(name: str) -> Iterator[str]:
    """Yield what the document must say of a set."""
    for kind, tally in measure(SETS[name]).items():
        yield (
            f"| `{name}` | {kind} | {tally.right} | {tally.wrong} | {tally.missed} "
            f"| {tally.precision:.2f} | {tally.recall:.2f} |"
        )


def test_there_are_enough_phrasings_of_each_kind_and_of_none() -> None:
    halves = ("develop", "report")
    for kind in KINDS:
        assert sum(len(SETS[half][kind]) for half in halves) >= 25, kind
    assert sum(len(SETS[half]["none"]) for half in halves) >= 40


def test_no_phrasing_stands_in_two_sets() -> None:
    kinds = [kind for kind in KINDS if kind != "lift"]
    said = [text for each in SETS.values() for kind in (*kinds, "none") for text in each[kind]]
    assert len(said) == len(set(said)) >= 480


@pytest.mark.parametrize("name", SETS)
def test_precision_and_recall_are_as_documented(name: str) -> None:
    for row in rows(name):
        assert row in DOCUMENT
    if name == "blind":
        for line in listing(SETS[name]):
            assert f"- {line}" in DOCUMENT


def test_the_measure_counts_each_phrasing() -> None:
    told: dict[str, Sequence[str | Sequence[str]]] = {
        "constraint": ["Never call Ada.", "The sky is blue."],
        "none": ["Remember to thank Bob."],
        "lift": [["Never call Ada.", "You may call Ada now."]],
        "kept": [["Never call Ada.", "Ada has a dog."]],
    }
    counts = measure(told)
    assert counts["constraint"] == Tally(right=1, wrong=0, missed=1)
    assert counts["obligation"] == Tally(right=0, wrong=1, missed=0)
    assert counts["lift"] == Tally(right=1, wrong=0, missed=0)
    assert counts["constraint"].precision == 1.0 and counts["constraint"].recall == 0.5
    assert counts["obligation"].precision == 0.0 and counts["obligation"].recall == 1.0
    assert listing(told) == [
        "constraint, taken for nothing: The sky is blue.",
        "none, taken for obligation: Remember to thank Bob.",
    ]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("renew", "renewal", True),
        ("terminat", "termination", True),
        ("notic", "notify", True),  # four of five letters
        ("contract", "contrast", False),  # six of eight
        ("contract", "contact", False),
        ("unit", "union", False),
        ("doc-1", "doc-10", False),
        ("car", "carrier", False),
    ],
)
def test_which_words_are_akin(one: str, other: str, expected: bool) -> None:
    assert akin(one, other) is akin(other, one) is expected


def test_topics_leave_out_empty_words_and_join_families() -> None:
    assert topic("Please do not mail the vendor about O-10 today.") == {"reach", "vendor", "o-10"}
    common = shared(topic("Write to the vendors about O-10."), topic("Call the vendor on O-10."))
    assert common == {"reach", "vendor", "o-10"} and weight(common) == 4


@pytest.mark.parametrize(
    ("statement", "correction", "text"),
    [
        ("It costs $4 a day.", "It is not $4 but $5.", "It costs $5 a day."),
        ("It costs $4 a day.", "It costs $5.", "It costs $5 a day."),
        ("It costs $4.10 a day.", "The 4.10 should read 3.90.", "It costs $3.90 a day."),
        ("It costs $4 in May and $6 in June.", "It costs $5.", None),
        (
            "It costs $4 in May and $6 in June.",
            "Not $6 but $7.",
            "It costs $4 in May and $7 in June.",
        ),
        ("It costs $4 a day.", "It is open for 5 days.", None),
        ("It costs $4 a day.", "It costs $5 or $6.", None),
        ("It costs $14 a day.", "It is not $4 but $5 now.", "It costs $5 a day."),
        ("It costs $4 a day.", "It costs a lot.", None),
    ],
)
def test_what_a_correction_makes_of_a_statement(
    statement: str, correction: str, text: str | None
) -> None:
    amendment = amend(statement, correction)
    assert (amendment.text if amendment else None) == text


def test_an_amendment_is_sure_when_the_old_value_is_named() -> None:
    named = amend("It costs $4.", "Not $4 but $5.")
    unnamed = amend("It costs $4.", "It is $5.")
    assert named is not None and named.sure
    assert unnamed is not None and not unnamed.sure


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Do not send it until the board has agreed.", [{"board", "consent"}]),
        ("Send nothing without a word from Dana.", [{"word", "dana"}]),
        ("Jonas has not agreed to the plan yet.", [{"jona", "consent", "plan"}]),
        ("Never send it.", []),
    ],
)
def test_what_a_constraint_waits_for(text: str, expected: list[set[str]]) -> None:
    assert [set(each) for each in conditions(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The board has agreed.", True),
        ("The board agreed this morning.", True),
        ("The board has not agreed.", False),
        ("The board will agree.", False),
        ("Once the board has agreed, call me.", False),
        ("Has the board agreed?", False),
    ],
)
def test_what_has_come_about(text: str, expected: bool) -> None:
    assert happened(text) is expected


@pytest.mark.parametrize(
    ("common", "of", "expected"),
    [(1, 1, True), (1, 2, False), (2, 2, True), (2, 3, True), (2, 4, False), (3, 5, True)],
)
def test_how_much_of_a_condition_must_be_said(common: int, of: int, expected: bool) -> None:
    assert covers(common, of) is expected


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("You have no access to DOC-1 any more.", "withdrawn"),
        ("The owner removed you from DOC-1.", "withdrawn"),
        ("DOC-1 was removed.", "deleted"),
        ("DOC-1 was purged, it cannot be read again.", "deleted"),
        ("You can read DOC-1 again.", "granted"),
        ("The drive will be slow tonight.", None),
    ],
)
def test_what_a_notice_announces(text: str, change: str | None) -> None:
    assert announces(text) == change


def test_the_things_of_a_notice_are_whole_ids() -> None:
    assert named_things("DOC-10 and P-1, not doc.") == {"DOC-10", "P-1"}


@pytest.mark.parametrize(
    ("role", "text", "expected"),
    [
        ("tool", 'document DOC-1 "A: b", version v2 of v3, owner P-1: x: y', ("DOC-1", 2, "x: y")),
        ("tool", "document DOC-1: text", ("DOC-1", 0, "text")),
        ("system", "Document House rules: no dogs", ("House rules", 0, "no dogs")),
        ("user", "Document DOC-1: text", None),
        ("tool", "person P-1 is Ada, clerk", None),
        ("tool", "error: document DOC-1 was deleted", None),
    ],
)
def test_which_surfaces_show_a_document(
    role: str, text: str, expected: tuple[str, int, str] | None
) -> None:
    surface = Surface.model_validate({"id": "e/1", "role": role, "text": text, "time": 0})
    found = shown_document(surface)
    assert (found and (found.id, found.version, found.body)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One ends. Two goes\non; here. Three", ("One ends.", "Two goes on; here.", "Three")),
        ("- one\n- two", ("- one", "- two")),
        ("Status: open\nOwner: Ada", ("Status: open", "Owner: Ada")),
        ("Heading\n\nText", ("Heading", "Text")),
        ("", ()),
    ],
)
def test_passages_are_whole_sentences(text: str, expected: tuple[str, ...]) -> None:
    assert passages(text) == expected
