"""Worlds over time: changes applied without touching the worlds before them."""

from collections.abc import Sequence
from typing import Any

import jsonpatch

from simulator.events.canonical import Json
from simulator.events.errors import InputError


def changed(world: Json, patch: Sequence[Any]) -> Json:
    """Return `world` after a JSON Patch (RFC 6902); `world` itself stays as it was.

    Only the containers on the way to a change are copied; the rest is shared by both.

    Raises:
        InputError: when the patch does not apply, as no recorded one of an undamaged log does.
    """
    for operation in patch:
        for place in ("from", "path"):
            if place in operation:
                world = _unshared(world, operation[place])
        try:
            world = jsonpatch.apply_patch(world, [operation], in_place=True)
        except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException) as error:
            raise InputError(f"a change does not fit the world: {error}") from None
    return world


def _unshared(world: Json, pointer: str) -> Json:
    """Return the world with its own copy of every container that a pointer passes through."""
    root = parent = _copy(world)
    for token in pointer.split("/")[1:-1]:
        name = _name(parent, token.replace("~1", "/").replace("~0", "~"))
        if name is None:
            break  # the patch cannot be applied, and will say so
        parent[name] = _copy(parent[name])
        parent = parent[name]
    return root


def _name(parent: Any, token: str) -> Any:
    if isinstance(parent, dict):
        return token if token in parent else None
    if isinstance(parent, list) and token.isdigit() and int(token) < len(parent):
        return int(token)
    return None


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, dict | list) else value
