"""`memtrial verify`: the run folder, a published root, a report."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.means.owner import owner
from runs.verifying import verify_run
from scoring.run import load_run
from simulator.events.canonical import canonical_json
from simulator.log.rows import RUN_STREAM, chain_hash
from simulator.log.store import EventLog
from tests.runs.conftest import Memtrial

Refused = Callable[..., str]


@pytest.fixture
def run(small_run: Path, tmp_path: Path) -> Path:
    """A copy of the run that a test may change."""
    shutil.copytree(small_run, tmp_path / "run")
    return tmp_path / "run"


def whats(run: Path) -> list[str]:
    """Return what is found, which here belongs to no trial."""
    found = verify_run(run)
    assert found.ok is not bool(found.faults)
    assert {(each.trial, each.position) for each in found.faults} <= {(None, None)}
    return [each.what for each in found.faults]


def frozen(run: Path, place: str) -> list[Path]:
    return sorted((run / place).iterdir())


# The frozen scripts and keys


@pytest.mark.parametrize("place", ["scripts", "keys"])
@pytest.mark.parametrize("change", [b" ", b"x"])
def test_a_changed_frozen_file_is_found(run: Path, place: str, change: bytes) -> None:
    """White space too, though it would mean the same: what was frozen is bytes."""
    path = frozen(run, place)[0]
    path.write_bytes(path.read_bytes() + change)
    (what,) = whats(run)
    assert what.startswith(f"{place}/{path.name}, arc ladder-")
    assert what.endswith(": the frozen copy was changed after the run")


@pytest.mark.parametrize("place", ["scripts", "keys"])
def test_a_missing_frozen_file_is_found(run: Path, place: str) -> None:
    path = frozen(run, place)[1]
    path.unlink()
    (what,) = whats(run)
    assert what.startswith(f"{place}/{path.name}, arc ladder-")
    assert what.endswith(": the run's frozen copy is missing")


def test_two_swapped_frozen_files_are_found(run: Path) -> None:
    one, other = frozen(run, "keys")
    kept = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(kept)
    assert len(whats(run)) == 2


def test_a_folder_of_frozen_files_that_is_gone_is_found(run: Path) -> None:
    shutil.rmtree(run / "scripts")
    assert len(whats(run)) == 2


def test_any_byte_of_any_frozen_file_counts(run: Path) -> None:
    for place in ("scripts", "keys"):
        for path in frozen(run, place):
            before = path.read_bytes()
            for at in range(0, len(before), len(before) // 4):
                path.write_bytes(before[:at] + bytes([before[at] ^ 1]) + before[at + 1 :])
                (what,) = whats(run)
                assert path.name in what
            path.write_bytes(before)
    assert whats(run) == []


# The run-level stream, rewritten whole so that its own hashes hold


def rewritten(run: Path, change: Callable[[Any], Any]) -> None:
    """Change the manifest as an owner would who recomputes the run-level stream's hashes."""
    with EventLog.open(run / "events.db") as log:
        rows = list(log.rows(RUN_STREAM))
    db = owner(run / "events.db")
    query = "SELECT id, hash FROM streams WHERE trial = '@run'"
    ((stream, previous),) = db.execute(query).fetchall()
    for row in rows:
        body = row.body
        if row.kind == "manifest":
            body = canonical_json(change(json.loads(body)))
        fields: Sequence[str | int] = (
            row.position, row.id, row.kind, row.time, row.scope, row.causes, body, row.blobs,
        )  # fmt: skip
        previous = chain_hash(previous, fields)
        values = (body, previous, stream, row.position)
        db.execute("UPDATE events SET body = ?, hash = ? WHERE stream = ? AND position = ?", values)
    db.execute("UPDATE heads SET head = ? WHERE stream = ?", (previous, stream))
    db.close()


def test_a_forged_manifest_is_held_against_what_trials_began_with(run: Path) -> None:
    def other_budget(manifest: Any) -> Any:
        arm = next(name for name in manifest["arms"] if name.startswith("facts"))
        manifest["arms"][arm]["token_budget"] = 4096
        return manifest

    rewritten(run, other_budget)
    found = verify_run(run)
    assert {(each.trial, each.position) for each in found.faults} == {
        (name, None) for name in found.heads if "/facts" in name
    }
    assert "another script or arm" in found.faults[0].what


def test_a_forged_key_leaves_the_root_and_shows_in_the_report(
    memtrial: Memtrial, run: Path
) -> None:
    """Keys are in no head, so that a corrected key can score an old log; a report rests on both."""
    assert memtrial("report", run).status == 0
    root = verify_run(run).root
    forged = [easier(path) for path in frozen(run, "keys")]

    def other_keys(manifest: Any) -> Any:
        for arc in manifest["arcs"].values():
            arc["key"] = dict(forged)[arc["key"]]
        return manifest

    rewritten(run, other_keys)
    found = memtrial("verify", run, "--root", root, "--json")
    assert (found.status, found.json["root"]) == (0, root)
    done = memtrial("verify", run, "--report", run / "report.html", "--json")
    (fault,) = done.json["faults"]
    assert done.status == 1 and "is not what the log gives" in fault["what"]


def easier(path: Path) -> tuple[str, str]:
    """Freeze another key, whose probes are excluded, and return the old hash and the new one."""
    from scoring.keys import Key

    key = Key.model_validate_json(path.read_bytes())
    probes = [each.model_copy(update={"excluded": "too hard"}) for each in key.probes]
    made = key.model_copy(update={"probes": tuple(probes)})
    text = canonical_json(made.model_dump(mode="json"))
    (path.parent / f"{made.hash}.json").write_text(text, encoding="utf-8")
    return path.stem, made.hash


# A published root


def test_the_published_root_is_the_log_s_or_not(memtrial: Memtrial, small_run: Path) -> None:
    with load_run(small_run) as run:
        root = run.log.root()
    assert memtrial("verify", small_run, "--root", root).status == 0
    other = root[:-1] + ("0" if root[-1] != "0" else "1")
    done = memtrial("verify", small_run, "--root", other)
    assert done.status == 1
    assert done.out.splitlines()[0] == f"the log: the root is {root}, not {other}"


@pytest.mark.parametrize("root", ["", "7d0f", "g" * 64, "A" * 64, "0" * 65])
def test_what_is_no_root_is_refused(refused: Refused, small_run: Path, root: str) -> None:
    assert (
        refused("verify", small_run, "--root", root) == "--root: a root is 64 lowercase hex digits"
    )


def test_a_log_rewritten_as_a_whole_shows_against_the_published_root(
    memtrial: Memtrial, small: Path, tmp_path: Path, small_run: Path
) -> None:
    """The one forgery that no hash in the file can show: another run in its place."""
    small.write_text(small.read_text("utf-8").replace("seed = 3", "seed = 4"), encoding="utf-8")
    assert memtrial("run", small, "--out", "other").status == 0
    with load_run(small_run) as run:
        root = run.log.root()
    assert memtrial("verify", "other").status == 0
    assert memtrial("verify", "other", "--root", root).status == 1


def test_the_root_stands_in_every_output(memtrial: Memtrial, small_run: Path) -> None:
    with load_run(small_run) as run:
        root = run.log.root()
    assert memtrial("compare", small_run).out.splitlines()[-1] == f"root {root}"
    assert memtrial("compare", small_run, "--json").json["roots"] == {"run": root}
    done = memtrial("report", small_run, "--html", "report.html")
    assert done.out == f"report: report.html\nroot {root}\n"
    page = Path("report.html").read_text("utf-8")
    assert f'<meta name="memtrial-root" content="{root}">' in page


def test_compare_of_two_runs_names_both_roots(
    memtrial: Memtrial, small: Path, small_run: Path
) -> None:
    assert memtrial("run", small, "--out", "again").status == 0
    with load_run(small_run) as run:
        root = run.log.root()
    lines = memtrial("compare", small_run, "again").out.splitlines()[-2:]
    assert lines == [f"root {root} of run", f"root {root} of again"]


# A report


@pytest.fixture
def page(memtrial: Memtrial, small_run: Path, tmp_path: Path) -> Path:
    assert memtrial("report", small_run, "--html", "page.html").status == 0
    return tmp_path / "page.html"


def test_a_report_of_the_log_is_one(memtrial: Memtrial, small_run: Path, page: Path) -> None:
    done = memtrial("verify", small_run, "--report", page)
    assert done.status == 0 and "all hashes hold" in done.out


def test_a_changed_figure_is_found(memtrial: Memtrial, small_run: Path, page: Path) -> None:
    text = page.read_text("utf-8")
    line = text[: text.index("1.00")].count("\n") + 1
    page.write_text(text.replace("1.00", "0.99", 1), encoding="utf-8")
    done = memtrial("verify", small_run, "--report", "page.html")
    assert done.status == 1
    expected = f"page.html: the root is this log's, but line {line} is not what the log gives"
    assert done.out.splitlines()[0] == f"the log: {expected}"


def test_a_report_of_another_log_is_found(
    memtrial: Memtrial, small: Path, small_run: Path, page: Path
) -> None:
    small.write_text(small.read_text("utf-8").replace("seed = 3", "seed = 4"), encoding="utf-8")
    assert memtrial("run", small, "--out", "other").status == 0
    roots = [verify_run(each).root for each in (small_run, Path("other"))]
    done = memtrial("verify", "other", "--report", "page.html", "--json")
    assert (done.status, [each["what"] for each in done.json["faults"]]) == (
        1,
        [f"page.html: the report is of the log with root {roots[0]}, this one has {roots[1]}"],
    )


def test_a_report_of_another_version_is_not_checked_and_says_so(
    memtrial: Memtrial, small_run: Path, page: Path
) -> None:
    text = page.read_text("utf-8")
    page.write_text(text.replace('version" content="', 'version" content="9.', 1), "utf-8")
    done = memtrial("verify", small_run, "--report", "page.html")
    assert done.status == 1 and "its figures are not checked" in done.out.splitlines()[0]


@pytest.mark.parametrize(
    "text", ["", "<p>hello</p>", '<meta name="memtrial-version">', "\x00\xff<"]
)
def test_what_is_no_report_is_refused(refused: Refused, small_run: Path, text: str) -> None:
    Path("page.html").write_text(text, encoding="utf-8")
    assert refused("verify", small_run, "--report", "page.html") == (
        'page.html: this is no report: it has no <meta name="memtrial-root">'
    )
    assert "cannot read the report" in refused("verify", small_run, "--report", "nowhere.html")


def test_a_damaged_log_has_no_report_to_check(memtrial: Memtrial, run: Path, page: Path) -> None:
    db = owner(run / "events.db")
    db.execute("UPDATE events SET time = time + 1 WHERE stream = 2 AND position = 5")
    db.close()
    done = memtrial("verify", run, "--report", "page.html", "--json")
    (fault,) = done.json["faults"]
    assert (done.status, fault["position"]) == (1, 5)
