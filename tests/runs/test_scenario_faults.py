"""Scenarios that are wrong: `lint` and a `run` that names the file refuse them with the place."""

from pathlib import Path

import pytest

from tests.runs.conftest import Memtrial

TEMPLATE = Path(__file__).parents[2] / "runs" / "templates" / "scenario.yaml"
GOOD = TEMPLATE.read_text(encoding="utf-8")


def changed(old: str, new: str) -> str:
    assert GOOD.count(old) == 1, old
    return GOOD.replace(old, new)


def line_of(mark: str, text: str) -> int:
    (line,) = [number for number, each in enumerate(text.splitlines(), 1) if mark in each]
    return line


CYCLE = changed(
    "          text: We agreed on a refund of $412.75 for order O-2210, but wait with the payment.",
    "          text: We agreed on a refund of $412.75 for order O-2210.\n          causes: [d1]",
)
CAUSE = changed(
    "kind: decision\n          # This", "kind: decision\n          causes: [m9]\n  # This"
)
EARLY = changed("evidence: [e2/m1]}", "evidence: [e3/d1]}")
TWICE = changed("        - id: d1\n          kind: decision\n          # This", "@").replace(
    "@", "        - id: m1\n          kind: decision\n          # This"
)
KIND = changed("kind: decision\n          # This", "kind: desicion\n          # This")
ANCHOR = changed("arc: EXAMPLE", "arc: &name EXAMPLE")
ALIAS = changed("tier: hard", "tier: *name")
TAG = changed("tier: hard", "tier: !!str hard")
OUTSIDE = changed("arc: EXAMPLE", "arc: ../../outside")
ABSOLUTE = changed("arc: EXAMPLE", "arc: /tmp/outside")
EPISODE = changed("- id: e2\n", "- id: ../e2\n")
WORLD = changed("customer: C-2207", "customer: C-2208")
PLACE = changed("environment: support", "environment: suport")
FIELD = changed("tier: hard", "teir: hard")

FAULTS = {
    "cycle": (CYCLE, line_of("causes: [d1]", CYCLE), "the causes run in a circle: m1 -> d1 -> m1"),
    "missing cause": (CAUSE, line_of("[m9]", CAUSE), "there is no event 'm9' in episode 'e1'"),
    "early probe": (EARLY, line_of("evidence: [e3/d1]", EARLY), "'e3/d1'"),
    "duplicate id": (TWICE, line_of("# This", TWICE) - 2, "2 events of episode 'e1' have this id"),
    "unknown kind": (KIND, line_of("desicion", KIND), "did you mean 'decision'?"),
    "anchor": (ANCHOR, line_of("&name", ANCHOR), "the anchor &name is refused"),
    "alias": (ALIAS, line_of("*name", ALIAS), "the alias *name is refused"),
    "tag": (TAG, line_of("!!str", TAG), "is refused"),
    "arc outside": (OUTSIDE, line_of("outside", OUTSIDE), "script.arc"),
    "absolute arc": (ABSOLUTE, line_of("outside", ABSOLUTE), "script.arc"),
    "episode outside": (EPISODE, line_of("../e2", EPISODE), "script.episodes.1.id"),
    "world": (WORLD, line_of("C-2208", WORLD), "did you mean 'C-2207'?"),
    "environment": (PLACE, line_of("suport", PLACE), "did you mean 'support'?"),
    "field": (FIELD, line_of("teir", FIELD), "did you mean 'tier'?"),
}


def suite_of(folder: Path, *files: str) -> Path:
    path = folder / "suite.toml"
    names = ", ".join(f'"{file}"' for file in files)
    path.write_text(
        f'name = "own"\nmemories = ["none"]\nmodels = ["last"]\n[[scenarios]]\nfiles = [{names}]\n',
        encoding="utf-8",
    )
    return path


@pytest.mark.parametrize("name", FAULTS)
def test_lint_and_run_name_file_and_line(memtrial: Memtrial, tmp_path: Path, name: str) -> None:
    text, line, says = FAULTS[name]
    scenario = tmp_path / "story.yaml"
    scenario.write_text(text, encoding="utf-8")
    place = f"{scenario}:{line}: "

    linted = memtrial("lint", scenario)
    assert (linted.status, linted.err) == (2, "")
    assert any(each.startswith(place) and says in each for each in linted.out.splitlines())
    told = memtrial("lint", scenario, "--json").json
    assert told["ok"] is False
    assert {"file", "line", "field", "message"} == set(told["problems"][0])
    assert line in [each["line"] for each in told["problems"]]

    played = memtrial("run", suite_of(tmp_path, "story.yaml"), "--out", "run")
    assert (played.status, played.out) == (2, "")
    assert played.err.startswith(f"memtrial: {place}")
    assert says in played.err
    assert not (tmp_path / "run").exists()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["story.yaml", "suite.toml"]


def test_a_hundred_megabytes_are_refused_before_they_are_read(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    with (tmp_path / "huge.yaml").open("wb") as file:
        file.truncate(100_000_000)
    for done in (
        memtrial("lint", "huge.yaml"),
        memtrial("graph", "huge.yaml"),
        memtrial("run", suite_of(tmp_path, "huge.yaml")),
    ):
        assert done.status == 2
        assert "huge.yaml:1:" in done.out + done.err
        assert (
            "the file has 100,000,000 bytes; a scenario may have 5,000,000" in done.out + done.err
        )


def test_missing_files_and_folders_are_named(memtrial: Memtrial, tmp_path: Path) -> None:
    assert "nowhere.yaml: the scenario does not exist" in memtrial("lint", "nowhere.yaml").out
    done = memtrial("run", suite_of(tmp_path, "nowhere.yaml"))
    assert (done.status, "nowhere.yaml: the scenario does not exist" in done.err) == (2, True)
    (tmp_path / "empty").mkdir()
    for done in (memtrial("lint", "empty"), memtrial("run", suite_of(tmp_path, "empty"))):
        assert done.status == 2
        assert "the folder holds no *.yaml file" in done.err
    (tmp_path / "bytes.yaml").write_bytes(b"script: \xff")
    assert "bytes.yaml: not UTF-8 at byte 8" in memtrial("lint", "bytes.yaml").out


def test_two_scenarios_of_one_name_are_refused(memtrial: Memtrial, tmp_path: Path) -> None:
    (tmp_path / "stories").mkdir()
    for name in ("a", "b"):
        (tmp_path / "stories" / f"{name}.yaml").write_text(GOOD, encoding="utf-8")
    linted = memtrial("lint", "stories")
    assert (linted.status, "arc 'EXAMPLE' stands in" in linted.out) == (2, True)
    for files in (["stories"], ["stories/a.yaml", "stories/b.yaml"]):
        done = memtrial("run", suite_of(tmp_path, *files))
        assert done.status == 2
        assert "'EXAMPLE'" in done.err


def test_what_can_be_played_and_means_something_else_ends_with_1(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    text = changed("amount: $389.10}", "amount: $389.11}")  # the reference pays another amount
    (tmp_path / "story.yaml").write_text(text, encoding="utf-8")
    done = memtrial("lint", "story.yaml")
    assert (done.status, done.err) == (1, "")
    line = line_of("path: /refunds/O-2210", text)
    assert done.out.startswith(f"story.yaml:{line}: key.probes.1.checks.0: ")
    assert (
        'variant \'ideal\' does not pass: /refunds/O-2210 is "$389.11", not "$389.10"' in done.out
    )


def test_a_graph_is_drawn_only_in_what_it_can_be_drawn_in(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    (tmp_path / "story.yaml").write_text(GOOD, encoding="utf-8")
    assert memtrial("graph", "story.yaml", "--out", "story.svg").status == 0
    assert (tmp_path / "story.svg").read_bytes().startswith(b"<svg")
    done = memtrial("graph", "story.yaml", "--out", "story.gif")
    assert (done.status, "story.gif" in done.err) == (2, True)
