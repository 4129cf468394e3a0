"""Overlap metrics against values worked out by hand, and against the plain dynamic programme."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.audit.overlap import METRICS, bleu_1, longest_common, rouge_l, token_f1, tokens

WORDS = st.lists(st.sampled_from("abc"), max_size=9)


def test_tokens_are_folded_runs_of_letters_and_digits() -> None:
    assert tokens("It isn\u2019t $1,500 \u2014 Caf\u00e9!") == [
        "it", "isn", "t", "1", "500", "caf\u00e9",
    ]  # fmt: skip


def test_by_hand() -> None:
    reference = ["thursday"]
    answer = ["not", "friday", "it", "moved", "to", "thursday"]
    assert token_f1(answer, reference) == pytest.approx(2 * (1 / 6) * 1 / (1 / 6 + 1))
    assert bleu_1(answer, reference) == pytest.approx(1 / 6)
    assert rouge_l(answer, reference) == pytest.approx(2 / 7)
    assert [metric(["friday"], reference) for metric in METRICS.values()] == [0.0, 0.0, 0.0]


def test_repeated_tokens_count_once_for_each_in_the_reference() -> None:
    assert token_f1(["a", "a", "a"], ["a"]) == pytest.approx(2 / 4)
    assert bleu_1(["a", "a", "a"], ["a", "b"]) == pytest.approx(1 / 3)


def test_a_short_answer_pays_the_brevity_penalty() -> None:
    assert bleu_1(["a"], ["a", "b", "c"]) == pytest.approx(math.exp(1 - 3))


def test_order_matters_to_rouge_l_only() -> None:
    answer, reference = ["b", "a"], ["a", "b"]
    assert (token_f1(answer, reference), rouge_l(answer, reference)) == (1.0, 0.5)


def test_nothing_against_nothing_is_nothing() -> None:
    assert [metric([], []) for metric in METRICS.values()] == [0.0, 0.0, 0.0]
    assert [metric([], ["a"]) for metric in METRICS.values()] == [0.0, 0.0, 0.0]


@given(WORDS, WORDS)
def test_the_longest_common_subsequence_is_that_of_the_plain_table(
    one: list[str], other: list[str]
) -> None:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, j in product(range(len(one)), range(len(other))):
        grown = table[i][j] + 1 if one[i] == other[j] else 0
        table[i + 1][j + 1] = max(grown, table[i][j + 1], table[i + 1][j])
    assert longest_common(one, other) == table[-1][-1]


@given(WORDS.filter(bool), WORDS.filter(bool))
def test_a_metric_is_a_share_and_1_for_the_reference_itself(
    answer: list[str], reference: list[str]
) -> None:
    for metric in METRICS.values():
        assert 0 <= metric(answer, reference) <= 1
        assert metric(reference, reference) == 1
