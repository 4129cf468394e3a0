import copy
from typing import Any

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.events.errors import InputError
from simulator.events.worlds import changed

KEYS = st.sampled_from(["a", "b", "x/y", "~t", "0"])
WORLDS = st.dictionaries(
    KEYS,
    st.recursive(
        st.integers(0, 3) | st.none(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=3,
)


@given(WORLDS, WORLDS)
def test_a_change_gives_the_new_world_and_leaves_the_old_one(old: Any, new: Any) -> None:
    patch = jsonpatch.make_patch(old, new).patch
    before, given_patch = copy.deepcopy(old), copy.deepcopy(patch)
    assert changed(old, patch) == new
    assert old == before
    assert patch == given_patch


def test_what_is_not_changed_is_shared() -> None:
    old = {"orders": {"o1": {"refund": None}, "o2": {"refund": None}}}
    new = changed(old, [{"op": "replace", "path": "/orders/o1/refund", "value": "45"}])
    assert new["orders"]["o1"] == {"refund": "45"}
    assert new["orders"]["o2"] is old["orders"]["o2"]


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "replace", "path": "/orders/o9/refund", "value": 1},
        {"op": "remove", "path": "/orders/o9"},
        {"op": "replace", "path": "/orders/o1/refund/deep", "value": 1},
        {"op": "nonsense", "path": "/orders"},
    ],
)
def test_a_change_that_does_not_fit_is_refused(operation: Any) -> None:
    with pytest.raises(InputError, match="does not fit the world"):
        changed({"orders": {"o1": {"refund": None}}}, [operation])
