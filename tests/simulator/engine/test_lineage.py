"""Which surfaces carry the text of which others, held against brute force."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.engine.lineage import Lineage
from simulator.events import Surface
from simulator.events.surfaces import Role


def surface(name: str, text: str, role: Role = "user", call: str | None = None) -> Surface:
    return Surface(id=name, role=role, text=text, time=0, call=call)


def tell(lineage: Lineage, name: str, text: str, role: Role = "user") -> Surface:
    said = surface(name, text, role)
    lineage.said(said, [], "")
    return said


def reached(lineage: Lineage, *roots: str) -> set[str]:
    return set(lineage.closure(roots)) - set(roots)


def test_the_agents_words_contain_what_only_one_thing_shown_had() -> None:
    lineage = Lineage()
    secret = tell(lineage, "r", "The unit price is $41.70.")
    other = tell(lineage, "m", "Renew for 36 months.")
    lineage.look("d", [secret, other])
    lineage.said(surface("a", "It costs 41.70 for 36 months.", "assistant"), [], "d")
    assert lineage.closure(["r"]) == {"r": {"r"}, "a": {"r"}}
    assert reached(lineage, "m") == {"a"}
    assert reached(lineage, "elsewhere") == set()


def test_a_value_that_something_else_shown_then_has_is_from_neither_alone() -> None:
    lineage = Lineage()
    shown = [tell(lineage, "r", "It is $41.70."), tell(lineage, "p", "Offer: $41.70.")]
    lineage.look("d", shown)
    lineage.said(surface("a", "$41.70", "assistant"), [], "d")
    assert reached(lineage, "r") == reached(lineage, "p") == set()
    assert lineage.closure(["r", "p"])["a"] == {"r", "p"}


def test_what_was_not_shown_then_is_no_other_source() -> None:
    """Of two that have it the agent saw one; and what it says of what it never saw is its own."""
    lineage = Lineage()
    secret = tell(lineage, "r", "It is $41.70.")
    tell(lineage, "p", "Offer: $41.70.")
    lineage.look("d", [secret])
    lineage.said(surface("a", "$41.70", "assistant"), [], "d")
    lineage.said(surface("b", "$41.70", "assistant"), [], "other")
    assert reached(lineage, "r") == {"a"}


def test_words_of_words_are_followed() -> None:
    lineage = Lineage()
    lineage.look("d1", [tell(lineage, "r", "The code is KX-20815.")])
    first = surface("a", "I noted KX-20815.", "assistant")
    lineage.said(first, [], "d1")
    lineage.look("d2", [first])
    lineage.said(surface("b", "Use KX-20815.", "assistant"), [], "d2")
    lineage.look("d3", [first, tell(lineage, "again", "KX-20815 it is.")])
    lineage.said(surface("c", "KX-20815, then.", "assistant"), [], "d3")
    assert reached(lineage, "r") == {"a", "b"}  # what was said again is permitted


def test_u1_is_not_u10() -> None:
    lineage = Lineage()
    lineage.look("d", [tell(lineage, "r", "Account u1."), tell(lineage, "t", "Account u10.")])
    lineage.said(surface("a", "u10", "assistant"), [], "d")
    assert reached(lineage, "r") == set()
    assert reached(lineage, "t") == {"a"}


def test_a_line_of_the_memory_is_from_the_event_that_says_the_value() -> None:
    lineage = Lineage()
    tell(lineage, "r", "The price is $41.70.")
    tell(lineage, "p", "The term is 36 months.")
    lineage.recall("d", "digest", "Price 41.70 for 36 months, 99 users.", ("p", "r"))
    lineage.said(surface("a", "41.70", "assistant"), [], "d")
    lineage.said(surface("b", "36 months", "assistant"), [], "d")
    lineage.said(surface("c", "99 users", "assistant"), [], "d")  # which only the line says
    assert reached(lineage, "r") == {"a", "c"}
    assert reached(lineage, "p") == {"b", "c"}


def test_a_result_contains_what_its_call_does_and_nothing_else_by_its_words() -> None:
    lineage = Lineage()
    lineage.look("d", [tell(lineage, "r", "Bay 4711 is free.")])
    lineage.said(surface("c", 'find(words="bay 4711")', "assistant", "d:0"), [], "d")
    lineage.said(surface("t", "error: no 4711", "tool", "d:0"), [], "d")
    lineage.said(surface("u", "Bay 4712 is free.", "tool", "d:1"), [], "d")
    lineage.said(surface("v", "Bay 4711 is free.", "tool", "d:1"), [], "e")
    assert reached(lineage, "r") == {"c", "t", "v"}


def test_a_result_that_has_a_permitted_source_beside_the_call_is_not_forgotten() -> None:
    lineage = Lineage()
    shown = [tell(lineage, "r", "Bay 4711 is free."), tell(lineage, "m", "Look at 4711.")]
    lineage.look("d", shown)
    lineage.said(surface("c", 'find(words="4711")', "assistant", "d:0"), [], "d")
    lineage.said(surface("t", "4711 is in the yard", "tool", "d:0"), [], "d")
    assert reached(lineage, "r") == set()


def test_scripted_words_of_the_agent_have_the_session_before_them() -> None:
    lineage = Lineage()
    secret = tell(lineage, "r", "It is $41.70.")
    lineage.said(surface("a", "So $41.70 it is.", "assistant"), [secret], "")
    lineage.said(surface("b", "So $41.70 it is.", "assistant"), [], "")
    lineage.said(surface("c", "So $41.70 it is.", "user"), [secret], "")
    assert reached(lineage, "r") == {"a"}


MARKS = ("k1", "k2", "k3")
STORY = st.lists(
    st.tuples(
        st.booleans(),  # whether the agent says it
        st.frozensets(st.sampled_from(MARKS), min_size=1),
        st.frozensets(st.integers(0, 7), max_size=5),  # which of the earlier ones it was shown
    ),
    max_size=8,
)


@given(STORY, st.frozensets(st.integers(0, 7), max_size=3))
def test_the_closure_is_the_least_that_brute_force_finds(
    story: list[tuple[bool, frozenset[str], frozenset[int]]], roots: frozenset[int]
) -> None:
    lineage = Lineage()
    said: list[Surface] = []
    for place, (agent, marks, shown) in enumerate(story):
        each = surface(f"s{place}", " ".join(sorted(marks)), "assistant" if agent else "user")
        if agent:
            lineage.look(f"d{place}", [said[at] for at in sorted(shown) if at < place])
        lineage.said(each, [], f"d{place}" if agent else "")
        said.append(each)
    named = {f"s{at}" for at in roots}
    assert set(lineage.closure(sorted(named))) == _least(story, set(roots), named)


def _least(
    story: list[tuple[bool, frozenset[str], frozenset[int]]], roots: set[int], named: set[str]
) -> set[str]:
    """Return the smallest closed set that holds the roots, found among all sets there are."""
    words = [at for at, (agent, _, _) in enumerate(story) if agent and at not in roots]

    def closed(forgotten: set[int]) -> bool:
        for at in words:
            _, marks, shown = story[at]
            for mark in marks:
                carriers = {one for one in shown if one < at and mark in story[one][1]}
                if carriers and carriers <= forgotten and at not in forgotten:
                    return False
        return True

    found = [
        roots | {at for at, chosen in zip(words, choice, strict=True) if chosen}
        for choice in product((False, True), repeat=len(words))
    ]
    least = min((one for one in found if closed(one)), key=len)
    return {f"s{at}" for at in least} | named


@pytest.mark.parametrize("roots", [(), ("nobody",)])
def test_what_nothing_was_from_reaches_nothing(roots: tuple[str, ...]) -> None:
    lineage = Lineage()
    lineage.look("d", [tell(lineage, "m", "A 12.")])
    lineage.said(surface("a", "12", "assistant"), [], "d")
    assert reached(lineage, *roots) == set()
