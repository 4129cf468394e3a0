"""No name that a scenario, a suite or a log brings becomes a path outside of the run's folder."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from probes.scenario import read_scenario
from runs.plan import plan
from runs.runner import run_plan
from scoring.run import load_run
from simulator.events.errors import InputError
from simulator.log.errors import LogDamaged

SCENARIO = """\
script:
  arc: {arc}
  environment: conversation
  episodes:
    - id: {episode}
      at: 2025-03-03T09:00
      events:
        - {{id: {event}, kind: decision, scope: {scope}, request: Hello?}}
key:
  domain: {scope}
  cluster: {scope}
  probes: []
"""
PLAIN = {"arc": "a", "episode": "e1", "event": "d1", "scope": "global"}
OUTSIDE = (
    '"../outside"',
    '"../../../../outside"',
    '"/tmp/outside"',
    '"..\\\\outside"',
    '"C:\\\\outside"',
    '"a/b"',
    '"a\\0b"',
    '"."',
    '".."',
    '".hidden"',
    '"a\\n"',
    '""',
    "a" * 101,
    '"\\u202ea"',
    '"caf\\xe9"',
)
RESERVED = ("CON", "nul", "aux.txt", "COM1", "LPT9.yaml", "a.", "con.events.db", "a" * 100)
"""Names that mean a device or lose their end on one system or another, and are allowed."""


def written(folder: Path, **names: str) -> Path:
    path = folder / "scenario.yaml"
    path.write_text(SCENARIO.format(**{**PLAIN, **names}), encoding="utf-8")
    return path


@pytest.mark.parametrize("field", ["arc", "episode", "event"])
@pytest.mark.parametrize("name", OUTSIDE)
def test_a_name_that_could_leave_the_folder_is_refused(
    tmp_path: Path, field: str, name: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_scenario(written(tmp_path, **{field: name}))
    assert caught.value.file == str(tmp_path / "scenario.yaml")
    assert caught.value.line is not None


@pytest.mark.parametrize("name", RESERVED)
def test_a_reserved_name_names_no_file(tmp_path: Path, name: str) -> None:
    files = files_of_a_run(tmp_path, arc=name, episode=name, event=name)
    assert not any(name in file.removesuffix(".json") for file in files)


@pytest.mark.parametrize("scope", ['"../../outside"', '"/tmp/outside"', '"a\\0b"', '"CON"'])
def test_a_free_text_names_no_file(tmp_path: Path, scope: str) -> None:
    files_of_a_run(tmp_path, scope=scope)


def files_of_a_run(folder: Path, **names: str) -> set[str]:
    """Return the files of a run, after a check that nothing else has come into being."""
    written(folder, **names)
    suite = folder / "suite.toml"
    suite.write_text(
        'name = "names"\nmemories = ["facts"]\nmodels = ["last"]\n'
        '[[scenarios]]\nfiles = ["scenario.yaml"]\n',
        encoding="utf-8",
    )
    run_plan(plan(str(suite)), folder / "deep" / "run", report=lambda done, of: None)
    assert {path.name for path in folder.iterdir()} == {"scenario.yaml", "suite.toml", "deep"}
    run = folder / "deep" / "run"
    assert {path.name for path in run.parent.iterdir()} == {"run"}
    files = {path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file()}
    known = r"events\.db(-wal|-shm)?|(scripts|keys)/[0-9a-f]{64}\.json"
    assert all(re.fullmatch(known, file) for file in files), files
    return files


@pytest.mark.parametrize(
    "name", ["../outside", "/tmp/outside", "a/b", "a\\\\b", "", ".", "..", "a" * 62, "a\\u0000b"]
)
def test_the_name_of_a_suite_cannot_leave_the_home_of_runs(
    refused: Callable[..., str], tmp_path: Path, name: str
) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(
        f'name = "{name}"\nmemories = ["none"]\nmodels = ["last"]\n'
        '[[scenarios]]\ngenerate = "ladder"\narcs = 1\n',
        encoding="utf-8",
    )
    message = refused("run", suite)
    assert message.startswith(f"{suite}:1: name: ")
    assert {path.name for path in tmp_path.iterdir()} == {"suite.toml"}


def test_hashes_in_a_manifest_name_no_other_file(small_run: Path, tmp_path: Path) -> None:
    """A manifest says which frozen files to read; a forged one cannot make it any file."""
    folder = tmp_path / "run"
    shutil.copytree(small_run, folder)
    (tmp_path / "secret.json").write_text("{}", encoding="utf-8")
    with load_run(folder) as run:
        arc = next(iter(run.manifest.arcs))
        run.manifest.arcs[arc]["script"] = "../../secret"
        with pytest.raises(LogDamaged, match="names no frozen copy"):
            run.script(arc)
