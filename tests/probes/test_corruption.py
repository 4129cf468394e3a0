"""Corrupted arcs: so many wrong records, where they belong, with the truth in the key."""

import re
from collections import Counter
from pathlib import Path

import pytest

from probes.corruption import corrupt, versions
from probes.corruption.records import SOURCES
from probes.corruption.targets import targets
from probes.ladder import ladder
from probes.linting.dating import dated_faults
from probes.linting.lint import lint
from probes.scenario import Scenario, read_scenario, write_scenario
from scoring.keys import Corrupted, CorruptionKind, CorruptionMode, NotCalledCheck, Probe
from scoring.matching import occurrences
from simulator.engine.parts import make_environment
from simulator.events import canonical_json
from simulator.events.errors import InputError
from simulator.events.scripted import Document, Injected
from simulator.events.times import show_date
from tests.probes.arcs import ENVIRONMENTS, arcs, call_of, session, subject

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "probes" / "examples" / "support-refund.yaml"
CLEAN = ladder("support", 7, 12)

KINDS = pytest.mark.parametrize("kind", ["stale", "contradictory", "distractor"])
MODES = pytest.mark.parametrize("mode", ["event", "injected"])
EVERY = pytest.mark.parametrize("environment", ENVIRONMENTS)


def record(arc: Scenario, noted: Corrupted) -> Document | Injected:
    name, _, event = noted.event.partition("/")
    (episode,) = (each for each in arc.script.episodes if each.id == name)
    (found,) = (each for each in episode.events if each.id == event)
    assert isinstance(found, Document | Injected)
    return found


def target(arc: Scenario, noted: Corrupted) -> Probe:
    """Return the probe that a record was made for: none comes after it but that one's."""
    said = record(arc, noted).text
    about = [p for p in arc.key.probes if p.dependent and occurrences(subject(p), said)]
    assert len(about) == 1
    return about[0]


@EVERY
@KINDS
@pytest.mark.parametrize("rate", [0.0, 0.1, 0.3, 0.5, 1.0])
def test_the_rate_is_kept_to_the_value_in_every_tier(
    environment: str, kind: CorruptionKind, rate: float
) -> None:
    clean = arcs(environment, 12)
    wanted, done = Counter[str](), Counter[str]()
    for arc in clean:
        wanted[str(arc.key.tier)] += sum(len(p.gold) for p in arc.key.probes if p.dependent)
    for arc in corrupt(clean, kind, rate, 3):
        done[str(arc.key.tier)] += len(arc.key.corrupted)
    assert set(wanted) == {"easy", "medium", "hard"}
    assert {tier: done[tier] for tier in wanted} == {
        tier: round(rate * count) for tier, count in wanted.items()
    }


@EVERY
@MODES
def test_a_stale_record_gives_the_value_that_held_before(
    environment: str, mode: CorruptionMode
) -> None:
    for arc in corrupt(arcs(environment, 12), "stale", 1.0, 3, mode):
        for noted in arc.key.corrupted:
            probe = target(arc, noted)
            (gold,) = (each for each in probe.gold if each.name == noted.name)
            assert noted.kind == "stale" and noted.value != gold.value
            assert occurrences(noted.value, record(arc, noted).text)
            old = [each.value for each in probe.forbidden]
            # In a revised arc the first one said; in the others one from before the arc.
            assert old[:1] == [noted.value] if old else True


@KINDS
@MODES
def test_a_record_comes_after_its_fact_and_before_its_probe(
    kind: CorruptionKind, mode: CorruptionMode
) -> None:
    begin = show_date(min(event.at for event in CLEAN[0].script.episodes[0].events))
    places = Counter[int]()
    for arc, clean in zip(corrupt(CLEAN, kind, 1.0, 3, mode), CLEAN, strict=True):
        for noted, where in zip(arc.key.corrupted, by_place(arc, clean), strict=True):
            found = record(arc, noted)
            assert isinstance(found, Document if mode == "event" else Injected)
            assert session(noted.event, arc) in where
            places[session(noted.event, arc) - where[0]] += 1
            source, _, date = found.title.rpartition(", ")
            assert source in SOURCES and date < begin  # an own date, before the arc began
            assert re.fullmatch(r"m\d\d", found.id)
    assert set(places) >= {0, 1, 2}


def by_place(arc: Scenario, clean: Scenario) -> list[range]:
    """Return for each record the sessions that it may come in."""
    at = {
        (each.probe.id, each.gold.name): each.sessions for each in targets(clean) if each.sessions
    }
    found = []
    for noted in arc.key.corrupted:
        text = record(arc, noted).text
        named = [
            sessions
            for (probe, name), sessions in at.items()
            if name == noted.name and session(noted.event, arc) in sessions and probe and text
        ]
        assert named
        found.append(min(named, key=lambda each: each.start))
    return found


@EVERY
@KINDS
def test_a_record_gives_one_value_that_nobody_wants_and_that_is_its_own(
    environment: str, kind: CorruptionKind
) -> None:
    clean = arcs(environment, 12)
    for arc, before in zip(corrupt(clean, kind, 1.0, 3), clean, strict=True):
        gold = {each.value for probe in arc.key.probes for each in probe.gold}
        old = {each.value for probe in arc.key.probes for each in probe.forbidden}
        script = canonical_json(before.script.model_dump(mode="json"))
        for noted in arc.key.corrupted:
            text = record(arc, noted).text
            assert occurrences(noted.value, text)
            assert not any(occurrences(value, text) for value in gold)
            assert noted.value in old or noted.value not in script
            if kind == "contradictory":
                assert noted.value not in old
            subjects = {subject(p) for p in arc.key.probes if p.dependent}
            named = [name for name in subjects if occurrences(name, text)]
            # A distractor speaks of somebody whom nothing else in the arc speaks of.
            assert len(named) == (0 if kind == "distractor" else 1)
        assert len({each.value for each in arc.key.corrupted}) == len(arc.key.corrupted)


@KINDS
@MODES
def test_nothing_but_the_records_is_changed(kind: CorruptionKind, mode: CorruptionMode) -> None:
    for arc, clean in zip(corrupt(CLEAN, kind, 0.5, 3, mode), CLEAN, strict=True):
        assert arc.key.clean == clean.script.arc and arc.key.cluster == clean.key.cluster
        told = f"{kind}:0.5" + (":injected" if mode == "injected" else "")
        assert arc.key.corruption == told
        assert arc.script.arc == f"{clean.script.arc}.{told.replace('0.5', '50').replace(':', '-')}"
        assert arc.script.hash != clean.script.hash and arc.key.hash != clean.key.hash
        wrong = {each.event for each in arc.key.corrupted}
        for episode, before in zip(arc.script.episodes, clean.script.episodes, strict=True):
            names = {name.partition("/")[2] for name in wrong if name.startswith(f"{episode.id}/")}
            kept = tuple(
                event.model_copy(update={"causes": tuple(set(event.causes) - names)})
                if set(event.causes) & names
                else event
                for event in episode.events
                if event.id not in names
            )
            assert [event.model_dump(exclude={"causes"}) for event in kept] == [
                event.model_dump(exclude={"causes"}) for event in before.events
            ]
        for probe, before_probe in zip(arc.key.probes, clean.key.probes, strict=True):
            added = {"checks": before_probe.checks}
            assert probe.model_copy(update=added) == before_probe
            assert probe.checks[: len(before_probe.checks)] == before_probe.checks


def test_nobody_passes_who_first_acted_on_a_wrong_record() -> None:
    held = 0
    for arc in corrupt(CLEAN, "contradictory", 1.0, 3):
        for noted in arc.key.corrupted:
            probe = target(arc, noted)
            arguments = {
                name: value
                for name, value in call_of(probe).arguments.items()
                if value == subject(probe)
            }
            wrong = NotCalledCheck(
                tool=call_of(probe).tool, arguments={**arguments, noted.name: noted.value}
            )
            assert wrong in probe.checks
            held += 1
    assert held > 50


def test_a_higher_rate_only_adds_records() -> None:
    few, many = (corrupt(CLEAN, "stale", rate, 3) for rate in (0.3, 0.6))
    for one, other in zip(few, many, strict=True):
        texts = [{record(arc, noted).text for noted in arc.key.corrupted} for arc in (one, other)]
        assert texts[0] <= texts[1]
    other_seed = corrupt(CLEAN, "stale", 0.3, 4)
    assert [one.key.corrupted for one in few] != [other.key.corrupted for other in other_seed]
    assert corrupt(CLEAN, "stale", 0.3, 3) == few


@EVERY
@MODES
def test_corrupted_arcs_lint_clean_and_read_back_equal(
    environment: str, mode: CorruptionMode, tmp_path: Path
) -> None:
    made = versions(arcs(environment, 12)[::6], ("stale", "contradictory"), 0.6, 3, mode)
    assert lint(made) == []
    for arc in made[:3]:
        write_scenario(arc, tmp_path / "arc.yaml")
        assert read_scenario(tmp_path / "arc.yaml") == arc


def test_lint_finds_a_record_that_misleads_who_goes_by_dates() -> None:
    misled = 0
    for arc in corrupt(CLEAN, "contradictory", 1.0, 3):
        faults = [*dated_faults(arc.script, arc.key, make_environment("support"))]
        assert faults == []
        later = redated(arc, "2025-12-31")
        found = [*dated_faults(later.script, later.key, make_environment("support"))]
        assert len(found) == len({target(arc, each).id for each in arc.key.corrupted})
        for number, fault in found:
            assert fault.place == f"key.probes.{number}" and "dates of records" in fault.message
        assert any("dates of records" in each.message for each in lint([later]))
        misled += len(found)
    assert misled > 30


def redated(arc: Scenario, date: str) -> Scenario:
    """Return the arc with all documents dated anew."""
    episodes = tuple(
        episode.model_copy(
            update={
                "events": tuple(
                    event.model_copy(update={"title": f"{event.title.rpartition(', ')[0]}, {date}"})
                    if isinstance(event, Document)
                    else event
                    for event in episode.events
                )
            }
        )
        for episode in arc.script.episodes
    )
    return Scenario(script=arc.script.model_copy(update={"episodes": episodes}), key=arc.key)


@KINDS
def test_an_authored_arc_gets_its_own_sentences_with_what_is_wrong(kind: CorruptionKind) -> None:
    clean = read_scenario(EXAMPLE)
    (arc,) = corrupt([clean], kind, 1.0)
    assert arc.key.corrupted and lint([arc]) == []
    for noted in arc.key.corrupted:
        assert occurrences(noted.value, record(arc, noted).text)


@pytest.mark.parametrize("rate", [-0.01, 1.01, float("nan")])
def test_a_rate_outside_of_its_bounds_is_refused(rate: float) -> None:
    with pytest.raises(InputError, match="a rate lies from 0 to 1") as caught:
        corrupt(CLEAN, "stale", rate)
    assert caught.value.field == "rate"


def test_versions_are_the_clean_arcs_and_each_kind_after_them() -> None:
    made = versions(CLEAN[:2], ("distractor", "none"), None, 3)
    assert made == [*CLEAN[:2], *corrupt(CLEAN[:2], "distractor", 0.3, 3)]
    assert versions(CLEAN[:2], ("stale",), 0.0) == corrupt(CLEAN[:2], "stale", 0.0)
    for kinds, rate, field, says in (
        ((), None, "corruption", "at least `none`"),
        (("stail",), None, "corruption", "did you mean 'stale'"),
        (("stale", "stale"), None, "corruption", "named twice"),
        (("none",), 0.3, "rate", "none are asked for"),
    ):
        with pytest.raises(InputError, match=re.escape(says)) as caught:
            versions(CLEAN, kinds, rate)  # type: ignore[arg-type]
        assert caught.value.field == field


def test_what_nobody_needs_cannot_be_corrupted() -> None:
    (arc,) = ladder("support", 7, 1, ["easy"])
    independent = tuple(probe for probe in arc.key.probes if not probe.dependent)
    idle = Scenario(script=arc.script, key=arc.key.model_copy(update={"probes": independent}))
    with pytest.raises(InputError, match="no value that a probe needs"):
        corrupt([idle], "stale", 0.3)
