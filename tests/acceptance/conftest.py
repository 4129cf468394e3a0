"""Runs that several acceptance tests look at; each is played once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.run import Run, load_run
from tests.acceptance import stage


@pytest.fixture(scope="session")
def readers_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """`first`, `last` and `dated` on arcs of every tier, with every memory."""
    folder = tmp_path_factory.mktemp("readers")
    # Without dates, and out of their order, so that the readers' rules lead to different acts.
    more: list[stage.Memory] = [
        {"name": "replay", "dates": False},
        {"name": "retrieval", "top_k": 3},
    ]
    path = stage.suite(
        folder,
        arcs=1,
        seed=22,  # of those tried, one whose arcs tell every two of the rules apart
        hard=4,
        models=("first", "last", "dated"),
        memories=[*stage.memories(), *more],
        talk=True,
        corruption='corruption = ["none", "stale"]\nrate = 1.0',  # documents with dates of their own
    )
    stage.play(path, folder / "run")
    with load_run(folder / "run") as run:
        yield run


@pytest.fixture(scope="session")
def varied_suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite over everything registered that needs no extra."""
    folder = tmp_path_factory.mktemp("varied")
    return stage.suite(
        folder,
        arcs=1,
        models=stage.READERS,
        memories=stage.memories(),
        talk=True,
        desk=True,
        environments=stage.VARIED,
        more='forgetting = ["index"]',
    )


@pytest.fixture(scope="session")
def varied_run(varied_suite: Path) -> Path:
    """The folder of that suite's run, played in this process."""
    out = varied_suite.parent / "run"
    stage.play(varied_suite, out)
    return out
