from hypothesis import given
from hypothesis import strategies as st

from memories.shelf import Shelf, repeats
from simulator.effects.memory import Ask, Item

EVENTS = ("u1", "u2", "u10", "u11")


def item(name: str, *sources: str, scope: str = "global") -> Item:
    return Item(id=name, text=name, sources=frozenset(sources), time=0, scope=scope)


def ask(scope: str = "global", shown: frozenset[str] = frozenset()) -> Ask:
    return Ask("", None, scope, 0, shown)


def names(shelf: Shelf) -> list[str]:
    return [each.id for each in shelf.visible(ask())]


def test_an_item_of_two_withdrawn_events_waits_for_both() -> None:
    shelf = Shelf()
    shelf.put(item("both", "u1", "u2"))
    assert shelf.forget(frozenset(("u1",)), "withdrawn").hidden == ("both",)
    assert shelf.forget(frozenset(("u2",)), "withdrawn").hidden == ()
    shelf.regrant(frozenset(("u1",)))
    assert names(shelf) == []
    shelf.regrant(frozenset(("u2",)))
    assert names(shelf) == ["both"]


def test_u1_is_not_u10() -> None:
    shelf = Shelf()
    shelf.put(item("one", "u1"))
    shelf.put(item("ten", "u10"))
    assert shelf.forget(frozenset(("u1",)), "deleted").erased == ("one",)
    assert [each.id for each in shelf] == ["ten"]


def test_a_copy_of_a_forgotten_event_does_not_come_back() -> None:
    shelf = Shelf()
    shelf.forget(frozenset(("u1",)), "deleted")
    shelf.forget(frozenset(("u2",)), "withdrawn")
    assert shelf.put(item("dead", "u1")) is None
    shelf.put(item("hidden", "u2"))
    assert [each.hidden for each in shelf] == [True]


def test_only_the_asked_scope_and_global_are_visible() -> None:
    shelf = Shelf()
    for name in ("global", "alpha", "beta"):
        shelf.put(item(name, "u1", scope=name))
    assert [each.id for each in shelf.visible(ask("alpha"))] == ["global", "alpha"]
    assert [each.id for each in shelf.visible(ask("global"))] == ["global"]


def test_an_item_repeats_the_context_when_all_its_sources_are_shown() -> None:
    assert repeats(item("x", "u1"), ask(shown=frozenset(("u1", "u2"))))
    assert not repeats(item("x", "u1", "u10"), ask(shown=frozenset(("u1",))))


SOURCES = st.frozensets(st.sampled_from(EVENTS), min_size=1)


@given(
    st.lists(SOURCES, max_size=8),
    st.lists(st.tuples(st.sampled_from(("withdraw", "delete", "grant")), SOURCES), max_size=8),
)
def test_what_is_seen_follows_from_the_sets_of_forgotten_events(
    items: list[frozenset[str]], acts: list[tuple[str, frozenset[str]]]
) -> None:
    shelf = Shelf()
    for at, sources in enumerate(items):
        shelf.put(item(str(at), *sources))
    withdrawn: set[str] = set()
    deleted: set[str] = set()
    for act, sources in acts:
        if act == "grant":
            shelf.regrant(sources)
            withdrawn -= sources
        else:
            shelf.forget(sources, "deleted" if act == "delete" else "withdrawn")
            (deleted if act == "delete" else withdrawn).update(sources)
    held = [str(at) for at, sources in enumerate(items) if not sources & deleted]
    seen = [name for name in held if not items[int(name)] & withdrawn]
    assert [each.id for each in shelf] == held
    assert names(shelf) == seen
