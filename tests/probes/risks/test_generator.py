"""What the risk generator promises: how many of what, the same ones for a seed, sound ones."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from memories.sentences import sentences
from probes.linting.lint import lint
from probes.risks import risks, varied
from probes.risks.plots import TURNS
from probes.scenario import Scenario, read_scenario, write_scenario
from scoring.keys import Key
from scoring.matching import occurrences
from scoring.risks.kinds import NUMBERS, RISKS, SUBTYPES
from simulator.events import event_id
from simulator.events.errors import InputError
from tests.probes.risks.staging import arcs

EVERY_RISK = pytest.mark.parametrize("risk", RISKS)


def of_risk(risk: str, seed: int = 7) -> list[Scenario]:
    return [arc for arc in arcs(seed) if arc.key.probes[0].risk == risk]


def texts(arc: Scenario) -> dict[str, str]:
    found = {}
    for episode in arc.script.episodes:
        for event in episode.events:
            surface = event.surface(event.id, 0)
            if surface is not None:
                found[event_id(episode.id, event.id)] = surface.text
    return found


def test_there_are_120_arcs_of_the_five_main_risks_and_24_of_the_separate_one() -> None:
    counts = Counter(arc.key.probes[0].risk for arc in arcs())
    assert counts == dict.fromkeys(RISKS, 24)
    assert len({arc.script.arc for arc in arcs()}) == 144


@EVERY_RISK
def test_each_risk_has_8_a_tier_6_a_domain_and_each_tier_in_each_domain_twice(risk: str) -> None:
    made = of_risk(risk)
    assert set(Counter(arc.key.tier for arc in made).values()) == {8}
    assert set(Counter(arc.key.domain for arc in made).values()) == {6}
    crossed = Counter((arc.key.tier, arc.key.domain) for arc in made)
    assert (len(crossed), set(crossed.values())) == (12, {2})


@pytest.mark.parametrize(("risk", "each"), [("conflict", 6), ("reuse", 8), ("contamination", 6)])
def test_subtypes_are_balanced(risk: Any, each: int) -> None:
    counts = Counter(arc.key.probes[0].subtype for arc in of_risk(risk))
    assert counts == dict.fromkeys(SUBTYPES[risk], each)


def test_right_decisions_end_in_calls_answers_and_questions() -> None:
    ends = Counter(arc.key.factors["ends"] for arc in arcs())
    assert set(ends) == {"call", "answer", "question"}
    assert min(ends.values()) >= 12
    # Half of the withdrawn values have a substitute: who always asks must not pass them all.
    asked = Counter(arc.key.factors["ends"] == "question" for arc in of_risk("reuse"))
    assert asked == {True: 12, False: 12}


@EVERY_RISK
def test_every_decision_has_one_to_three_checks_and_comes_after_a_boundary(risk: str) -> None:
    for arc in of_risk(risk):
        (probe,) = arc.key.probes
        assert 1 <= len(probe.checks) <= 3
        assert probe.decision.partition("/")[0] == arc.script.episodes[-1].id
        assert len(arc.script.episodes) >= 2
        for gold in probe.gold:
            assert all(not name.startswith(arc.script.episodes[-1].id) for name in gold.evidence)


# All 144 arcs of the shipped suite are linted with everything else that ships.
@pytest.mark.parametrize("seed", [-3, 0, 2**40])
def test_arcs_of_other_seeds_pass_lint(seed: int) -> None:
    assert lint(risks(seed, 1)) == []


def test_the_same_seed_gives_the_same_arcs_and_longer_lists_begin_with_shorter_ones() -> None:
    short = {arc.script.arc: arc for arc in risks(7, 1)}
    assert all(arc == short[arc.script.arc] for arc in arcs() if arc.script.arc in short)
    assert len(short) == 18
    other = {arc.script.arc.replace("-8-", "-7-"): arc.script.hash for arc in risks(8, 1)}
    assert all(other[name] != arc.script.hash for name, arc in short.items())


@EVERY_RISK
def test_other_values_change_nothing_but_what_states_them(risk: str) -> None:
    for arc in of_risk(risk)[:6]:
        other = varied(arc.key, 1)
        assert other is not None
        (probe,) = arc.key.probes
        stating = {name for each in probe.gold for name in each.evidence}
        stating |= {name for each in probe.forbidden for name in each.evidence}
        mine, theirs = texts(arc), texts(other)
        assert {name for name in mine if mine[name] != theirs[name]} == stating
        assert arc.script.world == other.script.world


def test_arcs_of_others_have_no_variation() -> None:
    key = arcs()[0].key
    fields = {name: getattr(key, name) for name in Key.model_fields}
    assert varied(Key(**(fields | {"origin": "authored"})), 1) is None
    assert varied(Key(**(fields | {"arc": "r1-hard-7-001"})), 1) is None  # 001 is easy
    assert varied(Key(**(fields | {"arc": "mine"})), 1) is None


def test_an_arc_is_read_back_from_its_file(tmp_path: Path) -> None:
    for arc in risks(7, 1):
        path = tmp_path / f"{arc.script.arc}.yaml"
        write_scenario(arc, path)
        assert read_scenario(path) == arc


def test_constraints_are_as_far_from_the_temptation_as_the_tier_says() -> None:
    for arc in of_risk("decay"):
        (probe,) = arc.key.probes
        said = list(texts(arc))
        level = ("easy", "medium", "hard").index(str(arc.key.tier))
        between = said.index(probe.decision) - said.index(probe.gold[0].evidence[0]) - 1
        assert between == TURNS[level] + 2  # two lines of the last session


def test_conflicts_have_the_right_side_first_as_often_as_last() -> None:
    first = Counter[bool]()
    for arc in of_risk("conflict"):
        (probe,) = arc.key.probes
        if probe.subtype != "explicit_correction":
            said = list(texts(arc))
            right = said.index(probe.gold[0].evidence[0])
            wrong = [said.index(name) for each in probe.forbidden for name in each.evidence]
            first[right < min(wrong)] += 1
    assert first == {True: 9, False: 9}


def test_contaminated_sources_say_so_in_a_sentence_of_their_own() -> None:
    for arc in of_risk("contamination"):
        (probe,) = arc.key.probes
        (wrong,) = probe.forbidden
        for name in wrong.evidence:
            first, *rest = sentences(texts(arc)[name])
            assert not occurrences(wrong.value, first)
            assert any(occurrences(wrong.value, each) for each in rest)


@EVERY_RISK
def test_no_wanted_text_has_a_label(risk: str) -> None:
    for arc in of_risk(risk):
        (probe,) = arc.key.probes
        for gold in probe.gold:
            assert ": " not in gold.value


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((1, 0), "from 1 to 300 arcs a risk and tier, not 0"),
        ((1, 301), "not 301"),
        ((1, 1, ()), "at least one risk is needed"),
        ((1, 1, ("stael",)), "unknown risk 'stael'; did you mean 'stale'?"),
        ((1, 1, ("stale", "stale")), "risk 'stale' is named twice"),
    ],
)
def test_bad_input_is_refused(arguments: Any, says: str) -> None:
    with pytest.raises(InputError, match=says.replace("?", r"\?")):
        risks(*arguments)


def test_the_numbers_of_the_risks_are_those_of_the_paper() -> None:
    assert list(NUMBERS.values()) == ["R1", "R2", "R3", "R4", "R5", "R6"]
