"""Paging: a core that is always shown, an archive that is searched, and moves between the two."""

from typing import Any

import pytest

from memories.paging import Paging, PagingOptions
from simulator.effects.memory import Ask, Used
from simulator.effects.steps import perform
from tests.memories.conftest import START


def paging(setup: Any, **options: Any) -> Paging:
    return Paging(PagingOptions(**options), setup)


def use(bench: Any, memory: Paging, tool: str, budget: int | None = None, **given: Any) -> Used:
    ask = Ask("", budget, given.pop("scope", "global"), START, given.pop("shown", frozenset()))
    return perform(memory.use(tool, given, ask), bench.handle)


def search(bench: Any, memory: Paging, words: str, **given: Any) -> list[str]:
    return [each.item for each in use(bench, memory, "search_archive", words=words, **given).items]


@pytest.fixture
def told(say: Any) -> list[Any]:
    """Three lines; each is `[` date ` L1] user:` (13 tokens, break included) and its text."""
    return [
        say("e/1", "Do not write to P-2009 yet."),
        say("e/2", "The contract renews in May.", day=1),
        say("e/3", "A unit costs $4.10 here.", day=2),
    ]


def test_the_core_holds_the_newest_lines_that_fit(bench: Any, setup: Any, told: Any) -> None:
    memory = paging(setup, core_tokens=54)
    bench.absorb(memory, *told)
    assert bench.lines(memory) == [
        "[2025-03-04 L2] user: The contract renews in May.",
        "[2025-03-05 L3] user: A unit costs $4.10 here.",
    ]
    assert [item.id for item in memory.holdings()] == ["L1", "L2", "L3", "core:L2", "core:L3"]


def test_what_left_the_core_stays_in_the_archive(bench: Any, setup: Any, told: Any) -> None:
    memory = paging(setup, core_tokens=54)
    bench.absorb(memory, *told)
    found = use(bench, memory, "search_archive", words="what of P-2009?")
    assert found.render() == "found:\n[2025-03-03 L1] user: Do not write to P-2009 yet."
    assert found.items[0].sources == ("e/1",)


def test_the_agent_s_own_core_is_empty_until_it_keeps(bench: Any, setup: Any, told: Any) -> None:
    memory = paging(setup, implementation="agent")
    bench.absorb(memory, *told)
    assert bench.lines(memory) == []
    kept = use(bench, memory, "keep_in_core", lines=["L1"])
    assert (kept.ok, kept.text) == (True, "kept in the core: L1")
    assert bench.lines(memory) == ["[2025-03-03 L1] user: Do not write to P-2009 yet."]


def test_what_is_kept_outlasts_what_comes_later(
    bench: Any, setup: Any, told: Any, say: Any
) -> None:
    memory = paging(setup, core_tokens=54)
    bench.absorb(memory, *told)
    use(bench, memory, "keep_in_core", lines=["L1"])
    bench.absorb(memory, *(say(f"f/{n}", "Nothing new today at all.", day=3) for n in range(9)))
    lines = bench.lines(memory)
    assert lines[0] == "[2025-03-03 L1] user: Do not write to P-2009 yet."
    assert lines[1] == "[2025-03-06 L12] user: Nothing new today at all."
    assert len(lines) == 2


def test_what_is_dropped_stays_in_the_archive_alone(bench: Any, setup: Any, told: Any) -> None:
    memory = paging(setup)
    bench.absorb(memory, *told)
    assert use(bench, memory, "drop_from_core", lines=["L2", "L3"]).ok
    assert [line[12:14] for line in bench.lines(memory)] == ["L1"]
    assert search(bench, memory, "contract") == ["L2"]


def test_a_core_that_is_full_takes_no_more(bench: Any, setup: Any, told: Any) -> None:
    memory = paging(setup, core_tokens=54)
    bench.absorb(memory, *told)
    assert use(bench, memory, "keep_in_core", lines=["L1", "L2"]).ok
    full = use(bench, memory, "keep_in_core", lines=["L3"])
    assert (full.ok, full.text[:6]) == (False, "error:")
    assert use(bench, memory, "drop_from_core", lines=["L2"]).ok
    assert use(bench, memory, "keep_in_core", lines=["L3"]).ok


@pytest.mark.parametrize("tool", ["keep_in_core", "drop_from_core"])
def test_an_unknown_line_is_an_error_for_the_agent(
    bench: Any, setup: Any, told: Any, tool: str
) -> None:
    memory = paging(setup)
    bench.absorb(memory, *told)
    before = list(memory.holdings())
    failed = use(bench, memory, tool, lines=["L1", "L17"])
    assert (failed.ok, failed.text) == (False, "error: there is no line L17")
    assert list(memory.holdings()) == before


def test_ids_weigh_more_than_words_and_newer_lines_come_first(
    bench: Any, setup: Any, say: Any
) -> None:
    memory = paging(setup)
    texts = ["The report on units.", "See DOC-1001.", "The report on May."]
    bench.absorb(memory, *(say(f"e/{n}", text, day=n) for n, text in enumerate(texts)))
    assert search(bench, memory, "report DOC-1001") == ["L2", "L3", "L1"]
    assert search(bench, memory, "nothing of the kind") == []
    assert use(bench, memory, "search_archive", words="weather").text == "found: nothing"


def test_a_search_keeps_within_its_room_and_says_when_there_is_none(
    bench: Any, setup: Any, told: Any
) -> None:
    memory = paging(setup)
    bench.absorb(memory, *told)
    # found, colon; a break and 19 tokens for the second line.
    assert search(bench, memory, "contract", budget=22) == ["L2"]
    none = use(bench, memory, "search_archive", budget=21, words="contract")
    assert (none.items, none.text) == ((), "found: 1 lines, and no room to show one")


def test_a_search_passes_over_what_is_shown_hidden_or_another_s(
    bench: Any, setup: Any, say: Any
) -> None:
    memory = paging(setup)
    told = [say(f"e/{n}", "The unit price.", scope=s) for n, s in enumerate(["a", "b", "global"])]
    bench.absorb(memory, *told)
    assert search(bench, memory, "unit", scope="a") == ["L3", "L1"]
    assert search(bench, memory, "unit", scope="a", shown=frozenset({"e/2"})) == ["L1"]
    assert not use(bench, memory, "keep_in_core", lines=["L2"], scope="a").ok
    bench.forget(memory, "withdrawn", "e/0")
    assert search(bench, memory, "unit", scope="a") == ["L3"]
    assert not use(bench, memory, "keep_in_core", lines=["L1"], scope="a").ok
    bench.regrant(memory, "e/0")
    assert search(bench, memory, "unit", scope="a") == ["L3", "L1"]


@pytest.mark.parametrize("how", ["withdrawn", "deleted"])
def test_forgetting_reaches_what_the_agent_moved_into_the_core(
    bench: Any, setup: Any, told: Any, how: str
) -> None:
    memory = paging(setup, implementation="agent")
    bench.absorb(memory, *told)
    use(bench, memory, "keep_in_core", lines=["L1", "L3"])
    done = bench.forget(memory, how, "e/3")
    assert set(done.hidden + done.erased) == {"L3", "core:L3"}
    assert bench.lines(memory) == ["[2025-03-03 L1] user: Do not write to P-2009 yet."]
    assert search(bench, memory, "unit") == []
    bench.regrant(memory, "e/3")
    assert len(bench.lines(memory)) == (2 if how == "withdrawn" else 1)


def test_what_was_forgotten_frees_its_room(bench: Any, setup: Any, told: Any) -> None:
    memory = paging(setup, core_tokens=54)
    bench.absorb(memory, *told)
    use(bench, memory, "keep_in_core", lines=["L2", "L3"])
    bench.forget(memory, "withdrawn", "e/2")
    assert use(bench, memory, "keep_in_core", lines=["L1"]).ok
    bench.regrant(memory, "e/2")
    # All three are kept now, and a block has room for the newest two of them.
    assert [line[12:14] for line in bench.lines(memory)] == ["L2", "L3"]
    assert {f"core:L{n}" for n in (1, 2, 3)} <= {item.id for item in memory.holdings()}


def test_a_block_has_neither_more_than_the_core_nor_more_than_the_budget(
    bench: Any, setup: Any, say: Any
) -> None:
    memory = paging(setup, core_tokens=60)
    for scope in ("a", "global"):
        bench.absorb(memory, *(say(f"{scope}/{n}", "Some words.", scope=scope) for n in range(20)))
    for budget in (None, 5, 20, 40, 59, 60, 61, 500):
        block = bench.read(memory, scope="a", budget=budget)
        assert block.tokens <= min(60, budget or 60)
    assert len(bench.lines(memory, scope="a")) == 3
