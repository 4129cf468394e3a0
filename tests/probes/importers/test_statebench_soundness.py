"""StateBench under lint: which questions are set aside besides the six rules, and why."""

from collections import Counter
from pathlib import Path

import pytest

from environments.conversation import Conversation
from probes.importers.statebench import Timeline, interleave
from probes.linting.lint import lint
from probes.linting.rehearsal import rehearse
from probes.linting.soundness import exclude_unsound
from probes.linting.variants import variants
from probes.scenario import Scenario
from runs.scenarios import scenarios
from runs.suite import StateBench
from scoring.keys import Probe
from simulator.events import event_id

pytestmark = pytest.mark.data

READABLE = "unsound: {!r} can be read without a memory"


@pytest.fixture(scope="module")
def pairs(timelines: list[Timeline]) -> list[tuple[Scenario, Scenario]]:
    """Every arc as imported and as it is run."""
    return [(each, exclude_unsound(each)) for each in interleave(timelines, 1, 0)]


def scored(probe: Probe) -> bool:
    return probe.excluded is None and probe.not_scorable is None


def test_what_else_is_set_aside(pairs: list[tuple[Scenario, Scenario]]) -> None:
    reasons = Counter(
        (before.key.domain, probe.excluded)
        for before, after in pairs
        for imported, probe in zip(before.key.probes, after.key.probes, strict=True)
        if scored(imported) and not scored(probe)
    )
    assert reasons == {
        ("supersession", READABLE.format("not")): 13,
        ("commitment_durability", READABLE.format("Stark Industries")): 4,
        ("commitment_durability", READABLE.format("Umbrella Corp")): 4,
        ("commitment_durability", READABLE.format("Initech")): 2,
        ("commitment_durability", READABLE.format("Globex")): 1,
    }
    left = Counter(
        after.key.domain for _, after in pairs for probe in after.key.probes if scored(probe)
    )
    assert left.total() == 731 - 24 == 707
    assert left["commitment_durability"] == 0 and left["supersession"] == 95


def test_a_question_of_which_a_part_can_be_read_is_scored(
    pairs: list[tuple[Scenario, Scenario]],
) -> None:
    # "What's our timeline for the Jane Doe decision?" needs "end of day" from the memory as well.
    partly = [
        probe
        for imported, after in pairs
        for probe in after.key.probes
        if scored(probe) and any(each.value == "Jane Doe" for each in probe.gold)
        if after.key.domain == "interruption_resumption"
    ]
    assert len(partly) == 13
    assert {tuple(gold.value for gold in probe.gold) for probe in partly} == {
        ("end of day", "Jane Doe")
    }


def test_the_scorer_is_right_on_every_variant_of_every_question(
    pairs: list[tuple[Scenario, Scenario]],
) -> None:
    tried: Counter[str] = Counter()
    for imported, _ in pairs:
        assert list(rehearse(imported.script, imported.key, Conversation())) == []
        asked = {
            event_id(episode.id, decision.id): decision.request
            for episode in imported.script.episodes
            for decision in episode.decisions()
        }
        for probe in filter(scored, imported.key.probes):
            tried.update(each.name for each in variants(probe, asked[probe.decision], ()))
    assert (tried.total(), tried["ideal and rejecting"], tried["silence"]) == (14_186, 646, 731)


def test_only_sound_questions_are_scored(pairs: list[tuple[Scenario, Scenario]]) -> None:
    assert lint([after for _, after in pairs]) == []


def test_nothing_else_of_a_key_changes(pairs: list[tuple[Scenario, Scenario]]) -> None:
    for before, after in pairs:
        assert after.script is before.script
        for imported, probe in zip(before.key.probes, after.key.probes, strict=True):
            assert probe.model_copy(update={"excluded": imported.excluded}) == imported


def test_a_run_sets_them_aside(
    files: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MEMTRIAL_DATA", str(files[0].parents[1]))
    source = StateBench(statebench=["dev.jsonl"], per_arc=4, sample=40, seed=0)
    made = scenarios([source], tmp_path)
    assert [exclude_unsound(each) for each in made] == made
    reasons = [probe.excluded or "" for each in made for probe in each.key.probes]
    assert any(reason.startswith("unsound: ") for reason in reasons)
