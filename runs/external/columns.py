"""Columns: which column of somebody's table says what."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from runs.lines import line_of, place_of
from simulator.events.errors import InputError, nearest

REQUIRED = ("arm", "cluster", "instance", "dependent", "success")
OPTIONAL = ("had", "used", "cost", "tokens", "error")
ARM_FACTORS = ("model", "memory_model", "agent", "token_budget", "compaction", "forgetting")
ROW_FACTORS = ("domain", "tier", "corruption", "seed", "probe_kind")
FIELDS = (*REQUIRED, *OPTIONAL, *ARM_FACTORS, *ROW_FACTORS)
"""Everything that a column may say."""

FLAGS = frozenset({"dependent", "success", "had", "used", "error"})
NUMBERS = frozenset({"cost", "tokens", "token_budget", "seed"})

FILE = "@file"
"""Stands for the name of the file, without its ending, wherever a column can be named."""

Sources = Mapping[str, tuple[str, ...]]
"""What is said to the columns that say it: texts are joined by `/`, amounts are added."""


@dataclass(frozen=True)
class Columns:
    """How a table is to be read.

    Attributes:
        sources: What the user has mapped; what is left out is looked for under its own name, and
            an empty entry leaves it out.
        baseline: The arm without memory; None looks for one called `none` or `C0`.
        control: The arm with unbudgeted full replay; None looks for one called `replay`.
        file: The file of the mapping, for messages.
    """

    sources: Sources = field(default_factory=dict)
    baseline: str | None = None
    control: str | None = None
    file: str | None = None

    def with_arms(self, baseline: str | None, control: str | None) -> "Columns":
        """Return the same with other arms named, where they are."""
        return replace(self, baseline=baseline or self.baseline, control=control or self.control)


def parse_columns(text: str) -> Columns:
    """Read `arm=condition,cluster=@file+arc,…`.

    Raises:
        InputError: for what is no such list, an unknown or repeated field.
    """
    found: dict[str, tuple[str, ...]] = {}
    for part in text.split(","):
        name, equals, named = (each.strip() for each in part.partition("="))
        if not equals:
            raise InputError(f"{part.strip()!r} is not FIELD=COLUMN", field="columns")
        if name in found:
            raise InputError(f"{name!r} is mapped twice", field="columns")
        found[name] = tuple(each.strip() for each in named.split("+")) if named else ()
        _check(name, found[name], "columns")
    return Columns(found)


def read_mapping(path: Path) -> Columns:
    """Read a mapping file: `baseline`, `control`, and a table `columns` of names or lists of them.

    Raises:
        InputError: naming file, line, field and the nearest valid name.
    """
    text = _text(path)
    try:
        values = tomllib.loads(text)
    except ValueError as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else None
        raise InputError(f"this is no TOML: {error}", file=str(path), line=line) from None
    try:
        return replace(_columns(values), file=str(path))
    except InputError as error:
        line = line_of(text, values, place_of(error.field)) if error.field else None
        raise InputError(error.message, file=str(path), line=line, field=error.field) from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"this is no UTF-8 text (byte {error.start})", file=str(path)) from None


def _columns(values: dict[str, Any]) -> Columns:
    for name in values:
        if name not in ("columns", "baseline", "control"):
            known = nearest(name, ("columns", "baseline", "control"))
            raise InputError(f"unknown key {name!r}{known}", field=name)
    for name in ("baseline", "control"):
        if not isinstance(values.get(name, ""), str):
            raise InputError("name an arm, as a text", field=name)
    listed = values.get("columns", {})
    if not isinstance(listed, dict):
        raise InputError("columns is a table of names", field="columns")
    found = {name: _named(name, value) for name, value in listed.items()}
    return Columns(found, values.get("baseline"), values.get("control"))


def _named(name: str, value: Any) -> tuple[str, ...]:
    place = f"columns.{name}"
    listed = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str) for each in listed):
        raise InputError("name a column, or list several", field=place)
    sources = tuple(each for each in listed if each)
    _check(name, sources, place)
    return sources


def _check(name: str, sources: tuple[str, ...], place: str) -> None:
    if name not in FIELDS:
        raise InputError(f"unknown field {name!r}{nearest(name, FIELDS)}", field=place)
    if name in REQUIRED and not sources:
        raise InputError(f"{name} is needed and cannot be left out", field=place)
    if name in FLAGS and len(sources) > 1:
        raise InputError(f"{name} is yes or no, so it has one column", field=place)
    if "" in sources:
        raise InputError(f"a column of {name!r} has no name", field=place)
    if name in NUMBERS and FILE in sources:
        raise InputError(f"{name} is a number, and {FILE} is none", field=place)


def resolve(columns: Columns, headings: list[str], file: str) -> Sources:
    """Return the columns of one file for everything that the file says.

    Raises:
        InputError: for a column that the file does not have, with the nearest one.
    """
    found: dict[str, tuple[str, ...]] = {}
    for name in FIELDS:
        default = (name,) if name in headings or name in REQUIRED else ()
        sources = columns.sources.get(name, default)
        for each in sources:
            if each != FILE and each not in headings:
                told = "" if name in columns.sources else f"; map it with --columns {name}=COLUMN"
                message = f"there is no column {each!r}{nearest(each, headings)}{told}"
                raise InputError(message, file=file, line=1, field=name)
        if sources:
            found[name] = sources
    for one, other in (("had", "used"), ("used", "had")):
        if one in found and other not in found:
            message = f"{one!r} means nothing without {other!r}; name both or neither"
            raise InputError(message, file=file, line=1, field=other)
    return found
