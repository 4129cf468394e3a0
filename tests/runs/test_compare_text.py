"""What `compare` prints where a run has many domains, several runs, or something to warn of."""

from pathlib import Path

import pytest

from tests.runs.conftest import SMALL, Memtrial
from tests.runs.test_scenario_faults import GOOD, suite_of


@pytest.fixture
def tracks(memtrial: Memtrial, tmp_path: Path) -> Path:
    """A run of one arc whose two probes are in domains of their own, and of two arcs more."""
    mixed = GOOD.replace("EXAMPLE", "mixed")
    for probe, track in (("p1", "alpha"), ("p2", "beta")):
        mixed = mixed.replace(f"- id: {probe}\n", f"- id: {probe}\n      domain: {track}\n")
    (tmp_path / "mixed.yaml").write_text(mixed, encoding="utf-8")
    for name in ("gamma", "delta"):
        text = GOOD.replace("EXAMPLE", name).replace(
            "  tier: hard", f"  domain: {name}\n  tier: hard"
        )
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    suite = suite_of(tmp_path, "mixed.yaml", "gamma.yaml", "delta.yaml")
    assert memtrial("run", suite, "--out", "run").status == 0
    return tmp_path / "run"


def test_many_domains_are_pooled_unless_they_are_asked_for(
    memtrial: Memtrial, tracks: Path
) -> None:
    done = memtrial("compare", tracks)
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["memory", "none"]
    assert lines[2].split()[1] == "3"  # three dependent probes in one row
    assert "4 domains are pooled; `--by memory,domain` shows each by itself." in done.out

    by = memtrial("compare", tracks, "--by", "memory,domain")
    assert "pooled" not in by.out
    shown = [line.split()[:2] for line in by.out.splitlines()[2:6]]
    assert shown == [[name, "none"] for name in ("alpha", "beta", "delta", "gamma")]
    rows = memtrial("compare", tracks, "--by", "memory,domain", "--json").json["rows"]
    assert [(row["domain"], row["n_dependent"], row["n_independent"]) for row in rows] == [
        ("alpha", 0, 1),
        ("beta", 1, 0),
        ("delta", 1, 1),
        ("gamma", 1, 1),
    ]


def test_three_domains_are_shown_as_they_are(memtrial: Memtrial, small_run: Path) -> None:
    assert "pooled" not in memtrial("compare", small_run).out


def test_warnings_are_printed_too(memtrial: Memtrial, tmp_path: Path) -> None:
    text = SMALL.replace("token_budgets = [96]", "token_budgets = [96]\nseeds = [0, 1]")
    (tmp_path / "twice.toml").write_text(text, encoding="utf-8")
    assert memtrial("run", "twice.toml", "--out", "run").status == 0
    warnings = memtrial("compare", "run", "--json").json["warnings"]
    assert warnings
    out = " ".join(memtrial("compare", "run").out.split())
    assert all(f"Warning: {' '.join(each.split())}." in out for each in warnings)


@pytest.mark.data
def test_statebench_has_a_row_an_arm_and_tracks_on_request(
    memtrial: Memtrial, tmp_path: Path, statebench: Path
) -> None:
    (tmp_path / "tracks.toml").write_text(
        'name = "tracks"\nmemories = ["none", "replay"]\nmodels = ["last"]\n[[scenarios]]\n'
        'statebench = ["dev.jsonl"]\nsample = 13\nper_arc = 4\n',
        encoding="utf-8",
    )
    assert memtrial("run", "tracks.toml", "--out", "run").status == 0
    text = memtrial("compare", "run").out
    assert [line.split()[0] for line in text.splitlines()[2:4]] == ["none", "replay/newest"]
    assert "domains are pooled" in text
    rows = memtrial("compare", "run", "--by", "memory,domain", "--json").json["rows"]
    tracks = {row["domain"] for row in rows}
    assert len(tracks) > 3
    assert len(rows) == 2 * len(tracks)
