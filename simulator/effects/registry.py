"""Look-up of everything pluggable, by exact name, through entry points.

Built-ins stand in the same entry-point groups as third parties' parts, so nothing heavy is
imported before it is asked for. `package.module:Name` names a class that is not installed.

A suite may name such a class, for whoever runs a suite runs its parts. A scenario is data, from
whoever wrote it: the environment that it names must be registered, or allowed by the user.
"""

import importlib
import os
import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from simulator.events.errors import InputError, nearest, shown

PORTS = ("memory", "embedder", "environment", "agent", "model")
_GROUPS = {
    "memory": "memtrial.memories",
    "embedder": "memtrial.embedders",
    "environment": "memtrial.environments",
    "agent": "memtrial.agents",
    "model": "memtrial.models",
}
ALLOWED_VARIABLE = "MEMTRIAL_ENVIRONMENTS"
"""Environment variable with the `module:Class` that scenarios may name, separated by commas."""


@lru_cache(maxsize=8)
def _registered(port: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=_GROUPS[port])}


def names(port: str) -> list[str]:
    """Return the registered names of a port, sorted."""
    return sorted(_registered(port))


def lookup(port: str, name: str) -> Any:
    """Return the class registered for `name`, or named as `package.module:Class`.

    Raises:
        InputError: when nothing has that name; the message names the nearest one.
    """
    if ":" in name:
        return _import(port, name)
    point = _registered(port).get(name)
    if point is None:
        raise InputError(f"unknown {port} {name!r}{nearest(name, names(port))}")
    return _loaded(port, name, point.load)


def lookup_environment(name: str) -> Any:
    """Return the environment that a scenario names; a scenario by itself loads no code.

    Raises:
        InputError: when it is not registered and the user has not allowed it.
    """
    allowed = os.environ.get(ALLOWED_VARIABLE, "").split(",")
    if ":" in name and name not in map(str.strip, allowed):
        raise InputError(
            f"a scenario is data and loads no code: {shown(name)} is no registered environment; "
            f"if you trust it, set {ALLOWED_VARIABLE} to its name"
        )
    return lookup("environment", name)


def _import(port: str, name: str) -> Any:
    module, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # a class in a file beside the suite needs no package
    return _loaded(port, name, lambda: getattr(importlib.import_module(module), attribute))


def _loaded(port: str, name: str, load: Callable[[], Any]) -> Any:
    try:
        found = load()
    except (Exception, SystemExit) as error:  # a stranger's module may raise anything
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"cannot load {port} {name!r}: {what}") from error
    if not isinstance(found, type):
        raise InputError(f"cannot load {port} {name!r}: it is no class")
    return found
