"""The import: files out, counts back, nothing overwritten, same bytes every time."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from probes.importers.statebench import import_statebench, scenarios_from
from probes.scenario import read_scenario
from simulator.events.errors import InputError


@pytest.fixture
def source(kit: Any, tmp_path: Path) -> Path:
    timelines = [
        kit.raw(
            kit.turn(1, f"The code is K-{n}."),
            kit.write(2, "code", f"K-{n}"),
            kit.query(5, "Which code?", (f"K-{n}",), ("none",)),
            *([kit.query(6, "Total?", ("$9",)), kit.query(7, "Ok then.")] if n == 0 else []),
            id=f"T-{n}",
            track="abc"[n % 3],
        )
        for n in range(6)
    ]
    path: Path = kit.file(tmp_path / "made.jsonl", *timelines)
    return path


def test_files_read_back_as_the_scenarios(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    seen: list[tuple[int, int]] = []
    summary = import_statebench(
        [source], out, per_arc=3, progress=lambda done, of: seen.append((done, of))
    )
    assert seen == [(1, 2), (2, 2)]
    written = {path.name: read_scenario(path) for path in sorted(out.iterdir())}
    expected = scenarios_from([source], per_arc=3)
    assert written == {f"{each.script.arc}.yaml": each for each in expected}
    assert summary.arcs == 2


def test_the_counts_add_up(source: Path, tmp_path: Path) -> None:
    summary = import_statebench([source], tmp_path / "out")
    assert summary.model_dump() == {
        "timelines": 6,
        "templates": 2,
        "queries": 8,
        "scorable": 6,
        "excluded": {"requires what occurs nowhere before it": 1},
        "not_scorable": {"can be passed by silence": 1},
        "arcs": 6,
        "tracks": {
            "a": {
                "timelines": 2,
                "templates": 2,
                "queries": 4,
                "scorable": 2,
                "excluded": {"requires what occurs nowhere before it": 1},
                "not_scorable": {"can be passed by silence": 1},
            },
            **{
                track: {
                    "timelines": 2,
                    "templates": 1,
                    "queries": 2,
                    "scorable": 2,
                    "excluded": {},
                    "not_scorable": {},
                }
                for track in "bc"
            },
        },
    }


def test_a_sample_is_what_is_counted(source: Path, tmp_path: Path) -> None:
    summary = import_statebench([source], tmp_path / "out", sample=3, seed=1)
    assert (summary.timelines, summary.arcs, set(summary.tracks)) == (3, 3, {"a", "b", "c"})
    assert len(list((tmp_path / "out").iterdir())) == 3


def test_a_folder_that_is_not_empty_is_refused_and_left_alone(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="not empty") as refused:
        import_statebench([source], out)
    assert refused.value.file == str(out)
    assert [path.name for path in out.iterdir()] == ["mine.txt"]
    with pytest.raises(InputError, match="cannot write"):
        import_statebench([source], out / "mine.txt")


def test_a_faulty_file_makes_no_folder(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("{}\n")
    (tmp_path / "empty.jsonl").write_text("\n")
    for name in ("bad.jsonl", "empty.jsonl", "none.jsonl"):
        with pytest.raises(InputError):
            import_statebench([tmp_path / name], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def digest(folder: Path) -> str:
    content = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        content.update(path.name.encode() + b"\0" + path.read_bytes())
    return content.hexdigest()


def test_same_bytes_under_any_hash_seed(source: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from probes.importers.statebench import import_statebench;"
        "import_statebench([sys.argv[1]], sys.argv[2], per_arc=2, sample=5, seed=4)"
    )
    digests = set()
    for seed in ("0", "1", "77"):
        out = tmp_path / seed
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": f"Etc/GMT+{int(seed) % 10}"}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        subprocess.run(
            [sys.executable, "-c", code, str(source), str(out)],
            check=True,
            env=environment,
            cwd=Path(__file__).parents[3],
        )
        digests.add(digest(out))
    import_statebench([source], tmp_path / "here", per_arc=2, sample=5, seed=4)
    assert digests == {digest(tmp_path / "here")}
