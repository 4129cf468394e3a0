"""Corrupted arcs as they are played: who goes by dates loses nothing, who does not is misled.

Everything is read from the logs of runs over every domain and tier, clean and corrupted.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from probes.ladder.domains import DOMAINS
from probes.scenario import Scenario
from runs.replaying import replay_run
from scoring.compare import compare
from scoring.keys import Key, Probe
from scoring.run import Run, load_run
from scoring.verdicts import verdicts
from tests.acceptance import stage
from tests.probes.arcs import call_of, shown, subject
from tests.probes.meaning import COUNTING, mentions, shape

EVERY = 'corruption = ["none", "stale", "contradictory", "distractor"]\nrate = 1.0'
INJECTED = 'corruption = ["none", "stale"]\nrate = 1.0\ncorruption_mode = "injected"'
REPLAY: stage.Memory = {"name": "replay", "implementation": "unbudgeted"}
Played = tuple[str, str, Key, Probe, bool]
"""Model, memory, key, probe and success of a decision."""


@pytest.fixture(scope="module")
def said_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Full replay and no memory on clean arcs and on versions of each kind."""
    folder = tmp_path_factory.mktemp("said")
    models = ("first", "last", "dated")
    yield from played(folder, EVERY, models, [REPLAY, {"name": "none"}], stage.EVERYWHERE)


@pytest.fixture(scope="module")
def injected_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Three memories on clean arcs, and on versions with records put into their stores."""
    folder = tmp_path_factory.mktemp("injected")
    memories: list[stage.Memory] = [REPLAY, {"name": "facts"}, {"name": "retrieval"}]
    yield from played(folder, INJECTED, ("last", "dated"), memories, stage.SUPPORT)


def played(
    folder: Path, corruption: str, models: Any, memories: Any, environments: Any
) -> Iterator[Run]:
    path = stage.suite(
        folder,
        arcs=1,
        models=models,
        memories=memories,
        environments=environments,
        hard=3,  # so that there are a late report and a mention of the past
        corruption=corruption,
    )
    stage.play(path, folder / "run")
    with load_run(folder / "run") as run:
        yield run


def dependent(run: Run) -> Iterator[Played]:
    for trial in run.trials():
        model, memory = (str(trial.opened["options"][name]) for name in ("model", "memory"))
        for verdict in verdicts(trial):
            if verdict.probe.dependent:
                yield model, memory, trial.key, verdict.probe, verdict.success


def test_nothing_is_known_without_a_memory_in_corrupted_arcs_either(said_run: Run) -> None:
    seen = [
        (key.corruption, success)
        for _, memory, key, _, success in dependent(said_run)
        if memory == "none"
    ]
    assert len(seen) > 150 and not any(success for _, success in seen)
    assert len({corruption for corruption, _ in seen}) == 4


def by_version(run: Run, model: str, memory: str) -> dict[str, dict[tuple[str, str], bool]]:
    """Return the success of each probe of each clean arc, by what was put in."""
    found: defaultdict[str, dict[tuple[str, str], bool]] = defaultdict(dict)
    for by, of, key, probe, success in dependent(run):
        if (by, of) == (model, memory):
            found[key.corruption][key.clean or key.arc, probe.id] = success
    return dict(found)


def test_who_goes_by_dates_does_as_in_the_clean_arcs_probe_by_probe(said_run: Run) -> None:
    clean, *corrupted = by_version(said_run, "dated", "replay").values()
    assert len(corrupted) == 3 and len(clean) > 12
    assert all(version == clean for version in corrupted)
    # Late reports and mentions of the past have the date of the day on which they were made.
    assert 0.5 < sum(clean.values()) / len(clean) < 1


def test_who_takes_the_last_mention_is_misled(said_run: Run) -> None:
    found = by_version(said_run, "last", "replay")
    clean = found.pop("none")
    assert sum(clean.values()) > 10
    for corruption in ("stale:1", "contradictory:1"):
        assert not any(found[corruption].values())  # every value has a wrong record after it
    assert found["distractor:1"] == clean  # whose subject is another one


def test_smh_is_nothing_for_one_and_all_for_the_other(said_run: Run) -> None:
    rows = compare([said_run])["rows"]
    found = {
        (row["model"], row["domain"], row["tier"], row["corruption"]): row
        for row in rows
        if row["memory"] == "replay"
    }
    for (model, domain, tier, corruption), row in found.items():
        if corruption == "none":
            continue
        before = found[model, domain, tier, "none"]["tsr_dependent"]
        assert row["smh"] == before - row["tsr_dependent"]
        if model == "dated" or corruption == "distractor:1":
            assert row["smh"] == 0
        elif model == "last":
            assert row["smh"] == before
    assert {place[1] for place in found} == set(DOMAINS)


@pytest.mark.parametrize("model", ["first", "last"])
def test_readers_of_order_do_on_full_replay_what_counting_foretells(
    said_run: Run, model: str
) -> None:
    arcs = {arc: said_run.script(arc) for arc in said_run.manifest.arcs}
    compared = 0
    for by, memory, key, probe, success in dependent(said_run):
        if (by, memory) != (model, "replay"):
            continue
        said = list(shown(Scenario(script=arcs[key.arc], key=key), probe))
        picked = [
            COUNTING[model](
                mentions(said, shape(key.domain, call_of(probe).tool, gold.name), subject(probe))
            )
            == gold.value
            for gold in probe.gold
        ]
        assert success == all(picked), (key.arc, probe.id)
        compared += 1
    assert compared > 60


def records(run: Run) -> dict[str, str]:
    """Return the text of every record that was put into a memory, by arc and event."""
    found = {}
    for arc in run.manifest.arcs:
        for episode in run.script(arc).episodes:
            for event in episode.events:
                surface = event.surface(event.id, event.at)
                if event.kind == "injected" and surface is not None:
                    found[f"{arc} {episode.id}/{event.id}"] = surface.text
    return found


def test_an_injected_record_is_in_stores_and_blocks_and_in_no_session(injected_run: Run) -> None:
    put_in = records(injected_run)
    assert len(put_in) > 5
    absorbed, blocks, prompts = set(), 0, 0
    for decision in stage.decisions(injected_run):
        if decision.first is None:
            continue
        rendered = decision.trial.text(decision.first["rendered"])
        head, _, session = rendered.partition("\n\n## This session\n")
        mine = [text for name, text in put_in.items() if name.startswith(f"{decision.trial.arc} ")]
        assert not any(text in session or text in decision.first["request"] for text in mine)
        blocks += any(text in decision.block for text in mine)
        prompts += 1
    for trial in injected_run.trials():
        for event in trial.events:
            if event.kind == "boundary" and event.body["why"] == "injected":
                (name,) = event.body["transcript"]
                absorbed.add(f"{trial.arc} {name}")
    assert absorbed == set(put_in) and prompts > 50 and blocks > 5


def test_injected_records_mislead_the_same_and_never_who_goes_by_dates(injected_run: Run) -> None:
    clean, corrupted = by_version(injected_run, "dated", "replay").values()
    assert corrupted == clean and sum(clean.values()) >= 4
    found = by_version(injected_run, "last", "replay")
    assert set(found) == {"none", "stale:1:injected"}
    assert sum(found["none"].values()) >= 4 and not any(found["stale:1:injected"].values())


def test_a_run_with_injected_records_is_reproduced(injected_run: Run) -> None:
    replayed = replay_run(injected_run.folder, lambda done, of: None)
    assert replayed.divergence is None
    assert replayed.trials == len(list(injected_run.trials()))
