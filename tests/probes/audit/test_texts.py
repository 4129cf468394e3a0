"""The constructed texts, word for word."""

from probes.audit import texts
from probes.audit.overlap import tokens
from scoring.matching import asserts
from tests.probes.audit.items import make

TWO = make(required=("Thursday", "2pm"), forbidden=("Friday", "3pm"))


def test_plain_echoes_the_prompt_and_says_what_is_required() -> None:
    assert texts.plain(TWO) == "When do we meet? Thursday; 2pm."


def test_rejecting_rules_out_each_forbidden_phrase_in_its_own_clause() -> None:
    assert texts.rejecting(TWO) == (
        "Thursday; 2pm. It is not Friday; that was superseded. It is not 3pm; that was superseded."
    )


def test_both_together() -> None:
    assert texts.plain_and_rejecting(make()) == (
        "When do we meet? Thursday. It is not Friday; that was superseded."
    )


def test_nothing_required_leaves_nothing_behind() -> None:
    bare = make(required=())
    assert texts.plain(bare) == "When do we meet?"
    assert texts.rejecting(bare) == "It is not Friday; that was superseded."


def test_the_violating_twin_is_as_long_and_asserts_what_the_other_rules_out() -> None:
    right, wrong = tokens(texts.rejecting(TWO)), tokens(texts.violating(TWO))
    assert len(right) == len(wrong)
    differing = [(a, b) for a, b in zip(right, wrong, strict=True) if a != b]
    assert differing == [("not", "now"), ("superseded", "confirmed")] * 2
    assert asserts("Friday", texts.violating(TWO))


def test_a_phrase_with_braces_is_taken_as_written() -> None:
    odd = make(forbidden=("{0} {x}",))
    assert "It is not {0} {x};" in texts.rejecting(odd)


def test_filler_has_so_many_words_and_is_the_items_own() -> None:
    for words in (*texts.LENGTHS, 1):
        assert len(texts.filler(TWO, words).split()) == words
    assert texts.filler(TWO, 80) == texts.filler(TWO, 80)
    assert texts.filler(TWO, 80) != texts.filler(make(id="i2"), 80)
    assert texts.filler(TWO, 80).startswith(texts.filler(TWO, 40))
    assert 319 in texts.LENGTHS
