"""The floor and the ceiling: who cannot know scores nothing, who knows scores all, to the digit.

All figures come from `compare`, as a user gets them, over generated ladders of three tiers in every
domain that has one.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from probes.ladder.domains import DOMAINS
from runs.replaying import replay_run
from scoring.compare import compare
from scoring.keys import TIERS, Probe
from scoring.run import load_run
from scoring.verdicts import verdicts
from simulator.effects.registry import lookup, names
from tests.acceptance import stage

Rows = list[dict[str, Any]]
NONE = [{"name": "none"}]


@pytest.fixture
def ladder(tmp_path: Path) -> Callable[..., Rows]:
    """Plays a suite into `run` and returns the rows of its comparison."""

    def play(models: list[str], memories: list[stage.Memory], arcs: int, more: str = "") -> Rows:
        path = stage.suite(
            tmp_path,
            arcs=arcs,
            models=models,
            memories=memories,
            environments=stage.EVERYWHERE,
            more=more,
        )
        stage.play(path, tmp_path / "run")
        with load_run(tmp_path / "run") as run:
            rows: Rows = compare([run])["rows"]
        places = {(row["domain"], row["tier"]) for row in rows}
        assert places == set(product(DOMAINS, TIERS))
        assert all(row["n_dependent"] >= arcs for row in rows)
        assert all(row["errors"] == 0 for row in rows)
        return rows

    return play


def agent(name: str) -> str:
    return f'agent = "{name}"'


def test_nothing_is_known_without_a_memory(ladder: Callable[..., Rows]) -> None:
    rows = ladder(stage.READERS, NONE, 2)
    assert {row["model"] for row in rows} == set(stage.READERS)
    assert {row["tsr_dependent"] for row in rows} == {0.0}
    # The others can do what needs no memory, so it is the memory that they lack.
    able = {row["model"] for row in rows if row["tsr_independent"] == 1.0}
    assert able == set(stage.READERS) - {"parrot"}


def test_snooping_finds_nothing_that_was_only_said(
    ladder: Callable[..., Rows], tmp_path: Path
) -> None:
    arcs = 2
    rows = ladder(["last"], NONE, arcs, agent("probes.oracles:Snooper"))
    with load_run(tmp_path / "run") as run:
        called = Counter(
            event.body["tool"]
            for trial in run.trials()
            for event in trial.events
            if event.kind == "tool_return" and event.body["ok"]
        )
    for domain in DOMAINS:
        tools = lookup("environment", domain).tools
        looked_up = {tool.name for tool in tools if tool.read_only}
        assert all(called[name] >= len(TIERS) * arcs for name in looked_up), "it did snoop"
    assert {row["tsr_dependent"] for row in rows} == {0.0}
    assert {row["tsr_independent"] for row in rows} == {1.0}


@pytest.mark.parametrize("name", ["DoNothing", "AlwaysRefuse"])
def test_doing_nothing_scores_nothing(ladder: Callable[..., Rows], name: str) -> None:
    rows = ladder(["last"], stage.memories(), 1, agent(f"probes.oracles:{name}"))
    assert {row["memory"] for row in rows} == set(names("memory"))
    assert {(row["tsr_dependent"], row["tsr_independent"]) for row in rows} <= {
        (0.0, 0.0),
        (0.0, None),
    }


def test_the_oracle_scores_everything_in_every_arm(
    ladder: Callable[..., Rows], tmp_path: Path
) -> None:
    rows = ladder(["last"], stage.memories(), 1, agent("probes.oracles:OracleAgent"))
    assert {row["memory"] for row in rows} == set(names("memory"))
    assert {(row["tsr_dependent"], row["tsr_independent"]) for row in rows} == {(1.0, 1.0)}
    # It is marked in the log and in the comparison, and never passes for a result.
    assert {row["evidence"] for row in rows} == {"oracle"}
    with load_run(tmp_path / "run") as run:
        assert all(trial.opened["oracle"] for trial in run.trials())
    replayed = replay_run(tmp_path / "run", lambda done, of: None)
    assert (replayed.divergence, replayed.trials) == (None, len(rows))


def test_the_perfect_reader_scores_what_its_prompts_held(
    ladder: Callable[..., Rows], tmp_path: Path
) -> None:
    rows = ladder(["last"], stage.memories(), 1, agent("tests.acceptance.parts:WitnessedReader"))
    held: defaultdict[tuple[str, str, str], list[bool]] = defaultdict(list)
    with load_run(tmp_path / "run") as run:
        success = {
            (trial.name, each.record.id): each.success
            for trial in run.trials()
            for each in verdicts(trial)
        }
        for decision in stage.decisions(run):
            trial, first = decision.trial, decision.first
            probe = next(each for each in trial.key.probes if each.decision == decision.id)
            assert first is not None and trial.key.tier is not None
            whole = holds(trial.text(first["rendered"]), probe)
            assert success.pop((trial.name, decision.id)) == whole, (trial.name, decision.id)
            if probe.dependent:
                held[trial.arm, trial.key.domain, trial.key.tier].append(whole)
    assert success == {}
    shares = {place: sum(each) / len(each) for place, each in held.items()}
    found = {(row["arm"], row["domain"], row["tier"]): row["tsr_dependent"] for row in rows}
    assert found == shares
    # Not all are alike: some memories hold it all, some a part, `none` nothing.
    arms: defaultdict[str, list[bool]] = defaultdict(list)
    for (arm, _, _), each in held.items():
        arms[arm].extend(each)
    assert {0.0, 1.0} <= set(shares.values())
    assert any(0.0 < sum(each) / len(each) < 1.0 for each in arms.values())


def holds(prompt: str, probe: Probe) -> bool:
    """Say whether a prompt shows every gold value, none of them as a part of a longer one."""
    return all(
        re.search(rf"(?<![\w$]){re.escape(gold.value)}(?![\w-]|\.\d)", prompt)
        for gold in probe.gold
    )
