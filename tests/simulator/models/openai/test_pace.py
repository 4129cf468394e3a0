"""Limits a minute, shared by everybody who asks the same endpoint."""

from pathlib import Path

import pytest

from simulator.events import Json
from simulator.events.errors import InputError
from simulator.models.openai.options import OpenAIOptions
from simulator.models.openai.pace import Pace
from tests.simulator.models.openai.served import FakeWall


def pace(folder: Path, wall: FakeWall, **limits: Json) -> Pace:
    return Pace(OpenAIOptions.model_validate({"model": "m", **limits}), wall, folder)


def test_requests_wait_until_the_oldest_is_a_minute_old(tmp_path: Path) -> None:
    wall = FakeWall()
    mine = pace(tmp_path, wall, requests_per_minute=2)
    for _ in range(2):
        mine.enter(10)
        wall.now += 20_000
    mine.enter(10)  # at 40 s: the first was at 0 s
    assert wall.slept == [20_000]
    mine.enter(10)  # at 60 s: the second was at 20 s
    assert wall.slept == [20_000, 20_000]


def test_tokens_wait_for_room_and_estimates_are_corrected(tmp_path: Path) -> None:
    wall = FakeWall()
    mine = pace(tmp_path, wall, tokens_per_minute=100)
    first = mine.enter(90)
    mine.settle(first, 30)
    mine.enter(70)
    assert wall.slept == []
    mine.enter(1)
    assert wall.slept == [60_000]


def test_two_processes_keep_one_limit_and_other_models_their_own(tmp_path: Path) -> None:
    wall = FakeWall()
    pace(tmp_path, wall, requests_per_minute=1).enter(1)
    pace(tmp_path, wall, requests_per_minute=1, model="other").enter(1)
    assert wall.slept == []
    pace(tmp_path, wall, requests_per_minute=1).enter(1)
    assert wall.slept == [60_000]


def test_what_was_sent_before_a_restart_is_forgotten(tmp_path: Path) -> None:
    wall = FakeWall()
    mine = pace(tmp_path, wall, requests_per_minute=1)
    mine.enter(1)
    wall.now = 5
    mine.enter(1)
    assert wall.slept == []


def test_a_call_that_never_fits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="about 101 tokens never fits into 100 a minute"):
        pace(tmp_path, FakeWall(), tokens_per_minute=100).enter(101)


def test_without_limits_nothing_is_written(tmp_path: Path) -> None:
    mine = pace(tmp_path, FakeWall())
    mine.settle(mine.enter(10**9), 10**9)
    assert list(tmp_path.iterdir()) == []


def test_the_shared_folder_belongs_to_this_user_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    options = OpenAIOptions(model="m", requests_per_minute=1)
    Pace(options, FakeWall()).enter(1)
    (folder,) = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert len(list(folder.iterdir())) == 1
    elsewhere = tmp_path / "elsewhere"
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    with pytest.raises(InputError, match="belongs to somebody else"):
        Pace(options, FakeWall())
