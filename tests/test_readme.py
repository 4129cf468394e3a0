"""README's commands print what README says, and its code runs, in the order of the page."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BIN = Path(sys.executable).parent
FENCE = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANYTHING = "…"


def blocks() -> list[tuple[str, str | None, str]]:
    """Return language, file name and text of every fenced block."""
    return [(found[1], found[2], found[3]) for found in FENCE.finditer(README.read_text("utf-8"))]


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Return each command of a console block with the lines that it is said to print."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def matches(printed: list[str], said: list[str]) -> bool:
    """Return whether the lines are those said; a line `…` stands for any number of lines."""
    parts = [re.escape(line) + "\n" if line != ANYTHING else r"(?:.*\n)*" for line in said]
    return re.fullmatch("".join(parts), "".join(line + "\n" for line in printed)) is not None


def run(command: str, folder: Path) -> list[str]:
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "COLUMNS": "80"}
    done = subprocess.run(
        shlex.split(command), cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout.splitlines()


def test_readme_does_what_it_says(tmp_path: Path) -> None:
    seen = 0
    for language, file, text in blocks():
        if file is not None:
            (tmp_path / file).write_text(text, encoding="utf-8")
        elif language == "console":
            for command, said in commands(text):
                printed = run(command, tmp_path)
                assert matches(printed, said), "\n".join([f"$ {command}", *printed])
                seen += 1
        elif language == "python":
            (tmp_path / "snippet.py").write_text(text, encoding="utf-8")
            run(f"{sys.executable} snippet.py", tmp_path)
            seen += 1
    assert seen >= 12


@pytest.mark.parametrize(
    ("printed", "said", "verdict"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a", "b"], ["a"], False),
        (["a", "x", "y", "b"], ["a", "…", "b"], True),
        (["a"], ["…", "a"], True),
        (["aXb"], ["a.b"], False),
    ],
)
def test_the_comparison_can_fail(printed: list[str], said: list[str], verdict: bool) -> None:
    assert matches(printed, said) is verdict


def test_readme_links_to_files_that_exist() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README.read_text("utf-8")):
        assert (README.parent / target).exists(), target


def test_readme_names_the_make_targets() -> None:
    makefile = (README.parent / "Makefile").read_text("utf-8")
    text = README.read_text("utf-8")
    named = {*re.findall(r"^make (\w+)", text, re.MULTILINE), *re.findall(r"`make (\w+)`", text)}
    assert {"compare", "test"} <= named
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
