from hypothesis import given
from hypothesis import strategies as st

from memories.budget import fit
from simulator.effects.memory import Block, Shown
from simulator.events.tokens import count_tokens

TEXTS = st.lists(st.text("ab 1.-[]", min_size=1, max_size=40), max_size=12)


def shown(texts: list[str]) -> list[Shown]:
    return [Shown(item=str(at), text=text, sources=("e",)) for at, text in enumerate(texts)]


def test_a_budget_holds_the_header_and_each_line_break() -> None:
    # "From earlier sessions:" costs From 1, earlier 1, sessions 8 letters = 2, ":" 1, so 5.
    # Each line costs its break 1 and "one" 1.
    candidates = shown(["one", "one", "one"])
    assert [len(fit(candidates, budget)) for budget in (5, 6, 7, 8, 9, 11)] == [0, 0, 1, 1, 2, 3]


def test_a_line_that_does_not_fit_is_passed_over() -> None:
    kept = fit(shown(["a b c d e f", "one", "a b", "two"]), 9)
    assert [line.text for line in kept] == ["one", "two"]


def test_without_a_budget_everything_fits() -> None:
    assert len(fit(shown(["word " * 100] * 5), None)) == 5


@given(TEXTS, st.integers(0, 80))
def test_the_rendered_block_never_exceeds_the_budget(texts: list[str], budget: int) -> None:
    block = Block(items=fit(shown(texts), budget))
    assert block.tokens <= budget
    assert block.tokens == count_tokens(block.render())


@given(TEXTS, st.integers(0, 80))
def test_no_line_is_left_out_that_would_still_fit(texts: list[str], budget: int) -> None:
    kept = fit(shown(texts), budget)
    tokens = Block(items=kept).tokens or 5
    for line in shown(texts):
        if line not in kept:
            before = [each for each in kept if int(each.item) < int(line.item)]
            spent = (Block(items=tuple(before)).tokens or 5) + 1 + count_tokens(line.text)
            assert spent > budget
    assert tokens <= max(budget, 5)
