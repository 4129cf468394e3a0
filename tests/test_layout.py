"""The house: who owns the six names, what ships, and the size of things."""

import ast
import fnmatch
import importlib.metadata
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("simulator", "memories", "environments", "scoring", "probes", "runs")
LONGEST_MODULE = 400
LONGEST_FUNCTION = 60

MODULES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
DATA = sorted(
    path
    for name in PACKAGES
    for path in (ROOT / name).rglob("*")
    if path.is_file() and path.suffix not in (".py", ".pyc")
)


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("name", PACKAGES)
def test_no_other_project_owns_the_name(name: str) -> None:
    assert set(importlib.metadata.packages_distributions()[name]) == {"memtrial"}


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_says_that_it_is_typed(name: str) -> None:
    assert (ROOT / name / "py.typed").read_bytes() == b""


def test_every_data_file_has_a_pattern_that_ships_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    assert {".toml", ".yaml", ".typed"} <= {path.suffix for path in DATA}
    for path in DATA:
        assert any(fnmatch.fnmatch(path.name, pattern) for pattern in patterns), shown(path)


def builder() -> int:
    """Return the major version of the setuptools installed here, 0 for none."""
    try:
        return int(importlib.metadata.version("setuptools").partition(".")[0])
    except importlib.metadata.PackageNotFoundError:
        return 0


@pytest.mark.skipif(builder() < 77, reason="no setuptools here that can build the wheel offline")
def test_the_wheel_holds_every_file_and_no_other(tmp_path: Path) -> None:
    # Of a copy, because a build leaves its traces beside the sources.
    source = tmp_path / "source"
    ignored = shutil.ignore_patterns("__pycache__")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "pip", "wheel", str(source), "--no-deps", "--quiet"]
    command += ["--no-build-isolation", "--no-index", "--wheel-dir", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("memtrial-*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = (path for name in PACKAGES for path in (source / name).rglob("*") if path.is_file())
    assert held == {path.relative_to(source).as_posix() for path in files}


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for path in MODULES:
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_modules_are_short() -> None:
    lengths = {shown(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {name: n for name, n in lengths.items() if n > LONGEST_MODULE} == {}
    assert sorted(lengths.values())[len(lengths) // 2] <= 150


def functions() -> Iterator[tuple[str, int]]:
    """Yield each function's place and its lines without the docstring."""
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                first = node.body[0]
                if ast.get_docstring(node) is not None:
                    lines -= (first.end_lineno or first.lineno) - first.lineno + 1
                yield f"{shown(path)}:{node.lineno} {node.name}", lines


def test_functions_are_short() -> None:
    lengths = dict(functions())
    assert {name: n for name, n in lengths.items() if n > LONGEST_FUNCTION} == {}


STRANGERS = {
    "environments/contract.py",
    "memories/contract.py",
    "simulator/effects/registry.py",
    "simulator/engine/blame.py",
}
"""Where strangers' code runs: imports by name, the engine's boundary, shipped contract tests."""


def test_nothing_is_caught_blindly_but_from_strangers() -> None:
    broad = {
        shown(path)
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and is_broad(node.type)
    }
    assert broad == STRANGERS


def is_broad(caught: ast.expr | None) -> bool:
    if caught is None:
        return True
    names = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(
        isinstance(each, ast.Name) and each.id in ("Exception", "BaseException") for each in names
    )
