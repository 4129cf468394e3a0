"""A page as a real browser sees it."""

import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from runs.spelling import CONTROLS

NAMES = ("chromium", "chromium-browser", "google-chrome")


def dumped(page: Path) -> str:
    """Return the document that a headless browser has made of a page, its scripts run.

    The test is skipped where no browser is installed.
    """
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"none of {', '.join(NAMES)} is installed")
    profile = page.parent / "profile"
    done = subprocess.run(
        [
            found,
            *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
            f"--user-data-dir={profile}",
            "--dump-dom",
            page.resolve().as_uri(),
        ],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-500:]
    return done.stdout.decode("utf-8")


class Document(HTMLParser):
    """The title, the tags, and each text; what is spelled out and marked is the character again."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.title = ""
        self.text = ""
        self._open: list[tuple[str, str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.handlers.extend(name for name, _ in attrs if name.startswith("on"))
        if tag not in ("meta", "path", "line", "rect", "br", "img"):
            self._open.append((tag, dict(attrs).get("class") or ""))

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1][0] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        tag, name = self._open[-1] if self._open else ("", "")
        if tag == "title":
            self.title += data
        elif name == "control":
            character = chr(int(data.removeprefix("\\u"), 16))
            assert CONTROLS.fullmatch(character)
            self.text += character
        elif tag != "style":
            self.text += data
