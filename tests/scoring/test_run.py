from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.keys import Probe, SaysCheck
from scoring.run import load_run
from simulator.events.errors import InputError
from simulator.log.store import EventLog

PROBE = Probe(
    id="p1", kind="recall", decision="ask/d", dependent=True, checks=(SaysCheck(phrase="45"),)
)


def make(maker: Callable[..., Any], play: Any) -> Any:
    made = maker()
    made.arc("a1", [PROBE])
    made.arm("none")
    made.play("a1", "none", 0, play())
    return made


def test_trials_are_read_in_order_with_script_and_key(maker: Callable[..., Any], play: Any) -> None:
    made = make(maker, play)
    made.play("a1", "none", 1, play(text="45"))
    with made.write() as run:
        assert run.name == "run"
        assert [trial.name for trial in run.trials()] == ["a1/none/0", "a1/none/1"]
        trial = run.trial("a1/none/1")
        assert (trial.arc, trial.arm, trial.seed) == ("a1", "none", 1)
        assert trial.script.hash == made.scripts["a1"].hash
        assert trial.key == made.keys["a1"]
        assert [event.position for event in trial.events] == list(range(len(trial.events)))


def test_unsealed_trials_are_counted_and_left_out(maker: Callable[..., Any], play: Any) -> None:
    made = make(maker, play)
    made.play("a1", "none", 1, play(), sealed=False)
    with made.write() as run:
        assert run.sealed == ("a1/none/0",)
        assert run.unfinished == ("a1/none/1",)
        with pytest.raises(InputError, match="not finished"):
            run.trial("a1/none/1")
        with pytest.raises(InputError, match="did you mean 'a1/none/0'"):
            run.trial("a1/none/9")


def test_a_folder_without_a_log_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no events.db"):
        load_run(tmp_path)
    EventLog.create(tmp_path / "events.db").close()
    with pytest.raises(InputError, match="no manifest"):
        load_run(tmp_path)


def test_a_changed_or_missing_frozen_copy_is_refused(maker: Callable[..., Any], play: Any) -> None:
    made = make(maker, play)
    with made.write() as run:
        path = run.folder / "keys" / f"{made.keys['a1'].hash}.json"
        text = path.read_text()
        path.write_text(text.replace('"45"', '"47"'))
        with pytest.raises(InputError, match="changed after the run"):
            run.key("a1")
        path.write_text(text.replace('"recall"', '"5"'))
        with pytest.raises(InputError, match="changed after the run"):
            run.key("a1")
        path.unlink()
        with pytest.raises(InputError, match="missing"):
            run.key("a1")
        path.write_text(text)
        assert run.key("a1") == made.keys["a1"]
        with pytest.raises(InputError, match="no arc 'a9'"):
            run.key("a9")
