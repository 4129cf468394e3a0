"""Known kinds of fault, tried on whole runs; `docs/faults.md` says which test holds each."""

from collections import defaultdict
from pathlib import Path

import pytest

from probes.ladder import ladder
from runs.suite import Suite
from scoring.compare import compare
from scoring.run import Run, load_run
from simulator.effects.registry import names
from simulator.engine.arm import Arm
from simulator.replay import Diverged, replay_trial
from tests.acceptance import stage


@pytest.fixture(scope="module")
def stale_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stale")
    agent = 'agent = "tests.acceptance.stale:StaleAgent"'
    path = stage.suite(
        folder, arcs=1, hard=1, models=["last"], memories=stage.memories(), more=agent
    )
    stage.play(path, folder / "run")
    return folder / "run"


def test_gt_h02_an_always_stale_agent_fails_every_revised_probe_in_every_arm(
    stale_run: Path,
) -> None:
    with load_run(stale_run) as run:
        rows = compare([run], ["memory", "probe_kind"])["rows"]
    assert {row["memory"] for row in rows} == set(names("memory"))
    success: defaultdict[str, set[float]] = defaultdict(set)
    stale: defaultdict[str, set[bool]] = defaultdict(set)
    for row in rows:
        rate = row["tsr_dependent"] if row["n_dependent"] else row["tsr_independent"]
        success[row["probe_kind"]].add(rate)
        stale[row["probe_kind"]].add(row["stale_used"] == row["n"])
    assert success["update"] == {0.0} and stale["update"] == {True}
    others = {kind: rates for kind, rates in success.items() if kind != "update"}
    assert set(others) >= {"recall", "compose", "independent"}
    assert set(map(frozenset, others.values())) == {frozenset({1.0})}


def arm(name: str, **changes: object) -> Arm:
    suite = Suite.model_validate(
        {
            "name": "x",
            "scenarios": [{"files": ["-"]}],
            "memories": [name],
            "models": ["last"],
            "token_budgets": [96],
            **changes,
        }
    )
    from runs.arms import arms

    return arms(suite)[0]


@pytest.mark.parametrize(
    "changes",
    [
        {"agent": {"name": "scaffold", "max_tokens": 95}},
        {"agent": {"name": "scaffold", "max_steps": 3}},
        {"models": ["first"]},
        {"models": [{"name": "noisy", "rate": 0.5}]},
        {"token_budgets": [95]},
        {"latency": "none"},
        {"forgetting": ["index"]},
        {"seed": 1},
    ],
)
def test_det_h16_a_record_answers_no_other_settings(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, object]
) -> None:
    """A limit, a seed, a model or an arm is part of what was asked: nothing is served for another."""
    run = recorded(tmp_path_factory)
    (name,) = run.sealed
    script = run.script(run.trial(name).arc)
    seed = int(str(changes.get("seed", 0)))
    other = {key: value for key, value in changes.items() if key != "seed"}
    assert replay_trial(run.log, name, script, arm("facts"), 0) > 20
    with pytest.raises(Diverged) as diverged:
        replay_trial(run.log, name, script, arm("facts", **other), seed)
    assert diverged.value.position == 0


_RUNS: dict[str, Run] = {}


def recorded(folders: pytest.TempPathFactory) -> Run:
    """Return a run of one trial, played once."""
    if "run" not in _RUNS:
        folder = folders.mktemp("recorded")
        (folder / "suite.toml").write_text(
            'name = "x"\nmemories = ["facts"]\nmodels = ["last"]\ntoken_budgets = [96]\n'
            '[[scenarios]]\ngenerate = "ladder"\narcs = 1\ntiers = ["easy"]\n',
            encoding="utf-8",
        )
        stage.play(folder / "suite.toml", folder / "run")
        _RUNS["run"] = load_run(folder / "run")
    return _RUNS["run"]


def test_cmp_h13_a_forced_cut_is_at_one_time_in_every_arm(varied_run: Path) -> None:
    """Whatever the memory, the cut is asked for and made at the same simulated instant."""
    cuts: defaultdict[str, set[tuple[str, int, int]]] = defaultdict(set)
    arms = set()
    with load_run(varied_run) as run:
        for trial in run.trials():
            for event in trial.events:
                if event.kind == "boundary" and event.body["why"] == "forced":
                    cuts[f"{trial.arc} {event.body['asked']}"].add(
                        (event.body["why"], event.body["asked"], event.time)
                    )
                    arms.add(trial.arm)
    assert len(arms) >= 6 and cuts
    assert all(len(found) == 1 for found in cuts.values()), cuts


def test_the_ladder_has_revised_probes_to_fail() -> None:
    (scenario,) = ladder("support", 12, 1, ("hard",))
    assert any(probe.kind == "update" for probe in scenario.key.probes)
