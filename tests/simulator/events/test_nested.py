"""What stands inside a nested value, on one worked out by hand and against its JSON."""

import json

from hypothesis import given
from hypothesis import strategies as st

from simulator.events.nested import leaves, names_and_texts

VALUE = {"a": [1, {"b": "x"}, None], "c": {"d": True, "e": "y"}}


def test_plain_values_come_in_order() -> None:
    assert list(leaves(VALUE)) == [1, "x", None, True, "y"]
    assert list(leaves("alone")) == ["alone"] and list(leaves({})) == []


def test_names_of_an_object_come_before_what_it_holds() -> None:
    assert list(names_and_texts(VALUE)) == ["a", "c", "b", "x", "d", "e", "y"]


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("xyz"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner, max_size=3),
)


@given(NESTED)
def test_every_text_is_found_as_often_as_json_writes_it(value: object) -> None:
    written = json.dumps(value).count('"') // 2
    assert len(list(names_and_texts(value))) == written
