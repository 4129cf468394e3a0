"""`memtrial new`: a small file that works, to begin from."""

import importlib.util
import keyword
import re
from pathlib import Path

from runs.commands.output import print_json
from runs.suite import find_suite
from simulator.events.errors import InputError

_TEMPLATES = Path(__file__).parent.parent / "templates"
_ENDINGS = {"scenario": ".yaml", "suite": ".toml", "memory": ".py"}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,49}")


def new(
    what: str, name: str, out: Path | None, like: str | None, verbs: bool, as_json: bool
) -> None:
    """Write the file, a suite as a copy of the one that it is to be like; say what to do with it."""
    if like is not None and what != "suite":
        raise InputError("only a suite is begun from another one", field="like")
    if verbs and what != "scenario":
        raise InputError("only a scenario is written in verbs", field="verbs")
    if not _NAME.fullmatch(name):
        raise InputError(
            f"a name is a letter and at most 49 letters, digits, `-` and `_`; got {name!r}",
            field="name",
        )
    ending = _ENDINGS[what]
    template = "task" if verbs else what
    text = (_TEMPLATES / f"{template}{ending}").read_text(encoding="utf-8")
    if what == "memory":
        path = out or Path(f"{name.lower().replace('-', '_')}{ending}")
        cls = _class_name(name)
        text = text.replace("MODULE", _module(path)).replace("Example", cls)
        follow = f"memtrial check memory {path.stem}:{cls}"
    elif like is not None:
        path = out or Path(f"{name}{ending}")
        text = _renamed(find_suite(like).read_text(encoding="utf-8"), name)
        follow = f"memtrial run {path}"
    else:
        path = out or Path(f"{name}{ending}")
        text = text.replace("EXAMPLE", name).replace("THIS-FILE", path.name)
        follow = f"memtrial {'lint' if what == 'scenario' else 'run'} {path}"
    _write(path, text)
    if as_json:
        print_json({"file": str(path), "next": follow})
    else:
        print(f"{what} in {path}\nnext: {follow}")


def _renamed(suite: str, name: str) -> str:
    return re.sub(r"^name = .*$", f'name = "{name}"', suite, count=1, flags=re.MULTILINE)


def _class_name(name: str) -> str:
    cls = "".join(part[:1].upper() + part[1:] for part in re.split("[-_]", name))
    if keyword.iskeyword(cls):
        raise InputError(f"a class cannot be called {cls!r}", field="name")
    return cls


def _module(path: Path) -> str:
    """Return the name that Python imports the file by.

    Raises:
        InputError: when it is none, or names a module that is found first.
    """
    module = path.stem
    if path.suffix != ".py" or not module.isidentifier() or keyword.iskeyword(module):
        raise InputError("a memory stands in a file such as my_memory.py", file=str(path))
    if not path.exists() and importlib.util.find_spec(module) is not None:
        message = f"another module is called {module!r}, and Python finds that; choose another name"
        raise InputError(message, file=str(path))
    return module


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InputError("this exists and is left as it is; see --out", file=str(path)) from None
    except FileNotFoundError:
        raise InputError(f"there is no folder {str(path.parent)!r}", file=str(path)) from None
