"""Context tasks: what stands where, what is asked, and that nothing gives it away."""

import itertools
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import jsonpatch
import pytest

from environments.workspace import Workspace
from probes.context import REFILL, context
from probes.context import phrasing as ways
from probes.context.factors import FAMILIES, LEVELS, Binding, Cell, Footing
from probes.context.families import BY_NAME
from probes.context.family import Family, Part, Person, Value
from probes.context.instance import instance
from probes.context.story import planted, request, story
from probes.counterparts import with_twins
from probes.linting.lint import lint
from probes.linting.planting import content_trigrams, content_words
from probes.scenario import Scenario, read_scenario, write_scenario
from scoring.admissibility import STOP_WORDS
from scoring.checks import evaluate
from scoring.context.derived import numbers
from scoring.decisions import CallRecord, DecisionRecord
from scoring.keys import CalledCheck, NotCalledCheck, Probe
from scoring.matching import occurrences
from scoring.planting import CONTEXT_KINDS, PHRASINGS
from simulator.events import event_id
from simulator.events.errors import InputError
from simulator.events.graph import order
from simulator.events.scripted import Announcement, Compaction, Decision, Message, ToolResult
from simulator.events.seeds import stream
from simulator.events.tokens import count_tokens

ROOT = Path(__file__).parents[2]
PLANTED = [kind for kind in CONTEXT_KINDS if kind != "task"]
EXPLICIT = ("order", "rule", "request", "reason")
"""Phrasings of a correction that name the old value too."""


@lru_cache(maxsize=1)
def design() -> list[Scenario]:
    return context(7, twins=False)


def some() -> list[Scenario]:
    """Return 24 of the 240 tasks: three of each family."""
    return design()[:24]


def family_of(task: Scenario) -> Family:
    return BY_NAME[str(task.key.factors["family"])]


def values_of(probe: Probe) -> list[str]:
    return [*(each.value for each in probe.gold), *(each.value for each in probe.forbidden)]


def marked(task: Scenario) -> set[str]:
    return {name for probe in task.key.probes if probe.planting for name in probe.planting.events}


def segments(task: Scenario) -> Iterator[list[tuple[str, str]]]:
    """Yield what is said between two cuts: event id and text, the last request left out."""
    for episode in task.script.episodes:
        said: list[tuple[str, str]] = []
        for event in order(episode):
            surface = event.surface(event_id(episode.id, event.id), event.at)
            if isinstance(event, Compaction):
                yield said
                said = []
            elif surface is not None and not isinstance(event, Decision):
                said.append((surface.id, surface.text))
        yield said


def test_there_are_240_tasks_and_six_twins_of_each() -> None:
    assert len(design()) == 240
    made = context(7, 2)
    assert [each.script.arc for each in made[1:7]] == [
        f"{made[0].script.arc}.twin-{kind}" for kind in PLANTED
    ]
    assert len(made) == 14
    assert context(7, 2, twins=False) == [made[0], made[7]]


def test_each_task_asks_for_each_kind_at_one_decision_by_one_reference() -> None:
    for task in design():
        probes = task.key.probes
        assert [probe.id for probe in probes] == [probe.kind for probe in probes]
        assert {probe.kind for probe in probes} == set(CONTEXT_KINDS)
        assert len({probe.decision for probe in probes}) == 1
        assert all(probe.reference == probes[0].reference for probe in probes)
        assert probes[0].reference is not None and len(probes[0].reference.calls) <= 3
        decisions = [d for episode in task.script.episodes for d in episode.decisions()]
        assert len(decisions) == 1
        assert task.key.cluster == task.script.arc
        twins = with_twins(task)[1:]
        assert {twin.key.cluster for twin in twins} == {task.script.arc}


def test_a_sample_and_its_twins_lint_clean() -> None:
    # tests/runs/test_shipped_lint.py has them all.
    assert lint(context(7, 16)) == []


def test_tasks_with_other_withdrawn_content_lint_clean_in_each_family() -> None:
    made = context(7, 8, twins=False, influence=True)
    names = [each.script.arc.partition(".")[2] for each in made]
    assert names == ["", "swap-revocation", "absent-revocation", "filler-revocation"] * 8
    assert lint(made) == []


@pytest.mark.parametrize("seed", [0, 11, -3])
def test_other_seeds_lint_clean(seed: int) -> None:
    assert lint(context(seed, 8, twins=False)) == []


@pytest.mark.parametrize("refill", [1, 2000])
def test_little_and_much_work_lint_clean(refill: int) -> None:
    made = context(7, 3, twins=False, refill=refill)
    assert lint(made) == []
    assert {task.key.origin for task in made} == {f"context seed=7 refill={refill}"}


def test_tasks_read_back_as_written(tmp_path: Path) -> None:
    for number, task in enumerate(context(7, 1)):
        write_scenario(task, tmp_path / f"{number}.yaml")
        assert read_scenario(tmp_path / f"{number}.yaml") == task


def test_every_cut_comes_after_new_work_that_refills_a_block() -> None:
    for task in design():
        found = list(segments(task))
        assert len(found) - 1 == cuts(task)
        read = {
            each for probe in task.key.probes for gold in probe.gold for each in gold.evidence
        } | {each for probe in task.key.probes if probe.planting for each in probe.planting.sources}
        for number, said in enumerate(found):
            # The papers, the contact and the opening are in the first one, and count for nothing.
            work = said[2 + len(family_of(task).papers) :] if not number else said
            texts = [text for name, text in work if name not in marked(task) | read]
            assert sum(map(count_tokens, texts)) >= REFILL > 256


def cuts(task: Scenario) -> int:
    factors = task.key.factors
    return int(factors["compactions"]) + (2 if factors["sessions"] == "several" else 0)


def test_no_text_of_the_work_comes_twice() -> None:
    for task in design():
        texts = [text for said in segments(task) for _, text in said]
        assert len(texts) == len(set(texts))


def test_compactions_and_sessions_are_as_many_as_their_levels_say() -> None:
    for task in design():
        events = [event for episode in task.script.episodes for event in episode.events]
        assert (
            sum(isinstance(event, Compaction) for event in events)
            == (task.key.factors["compactions"])
        )
        sessions = {"one": 1, "several": 3}[str(task.key.factors["sessions"])]
        assert len(task.script.episodes) == sessions


def test_everything_is_planted_where_its_position_says() -> None:
    for task in design():
        found = list(segments(task))
        (place,) = [i for i, said in enumerate(found) if marked(task) & {name for name, _ in said}]
        names = [name for name, _ in found[place]]
        start = min(names.index(name) for name in marked(task))
        last = max(names.index(name) for name in marked(task)) == len(names) - 1
        assert last - start + 1 <= len(marked(task)) or not last
        position, of = task.key.factors["position"], cuts(task)
        if position == "after":
            assert place == of
        elif position == "before":
            assert place == 0 and start == 2 + len(family_of(task).papers)
        elif of > 1:
            assert 0 < place < of
        else:
            assert place == 0 and last == (of == 1)


def test_a_revocation_stands_before_or_after_the_last_cut_as_its_order_says() -> None:
    for task in design():
        (planting,) = [p.planting for p in task.key.probes if p.kind == "revocation" if p.planting]
        found = list(segments(task))
        in_last = planting.events[0] in {name for name, _ in found[-1]}
        expected = "uncut" if len(found) == 1 else "cut_first" if in_last else "revocation_first"
        assert task.key.factors["order"] == expected


def test_half_of_the_conditional_constraints_are_lifted_by_an_event_of_their_planting() -> None:
    found = Counter(str(task.key.factors["constraint"]) for task in design())
    assert found == {"standing": 120, "conditional": 60, "lifted": 60}
    for task in design():
        planting = task.key.probes[0].planting
        assert planting is not None
        assert planting.lifted == (task.key.factors["constraint"] == "lifted")
        assert len(planting.events) == (2 if planting.lifted else 1)
        check = task.key.probes[0].checks[0]
        assert isinstance(check, CalledCheck if planting.lifted else NotCalledCheck)


def test_three_families_are_confidential_and_their_tasks_critical() -> None:
    assert {name for name, each in BY_NAME.items() if each.confidential} == {
        "hiring-packet",
        "board-report",
        "access-audit",
    }
    for task in some():
        assert task.key.critical == family_of(task).confidential


def test_tool_results_are_what_the_environment_says() -> None:
    for task in some():
        for episode in task.script.episodes:
            for event in episode.events:
                if isinstance(event, ToolResult):
                    name = {"read_document": "document_id", "get_person": "person_id"}[event.tool]
                    arguments = {name: event.text.split()[1]}
                    said = Workspace().call(task.script.world, event.tool, arguments, 0)
                    assert (said.ok, said.text) == (True, event.text)


def test_one_instance_crosses_all_tasks_of_a_family() -> None:
    for family in FAMILIES:
        own = [task for task in design() if task.key.factors["family"] == family]
        papers = [task.script.world["documents"] for task in own]
        first = {name: papers[0][name] for name in instance(family, 7, REFILL).papers.values()}
        assert all(first.items() <= each.items() for each in papers)
        values = {
            (probe.kind, value)
            for task in own
            for probe in task.key.probes
            for value in values_of(probe)
        }
        # Two withdrawn figures, the old one and the new one, what is owed, what the work rests on.
        assert len(values) == 6
        work = [
            [text for name, text in said if name not in marked(task)]
            for task in own
            for said in [next(iter(segments(task)))]
        ]
        assert all(each == work[0] for each in work)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_has_all_it_needs_and_names_its_values(name: str) -> None:
    family = BY_NAME[name]
    assert family.name == name
    acted = {"approver"} if family.act == "approve" else set()
    assert set(family.roles) == set(get_args(Person)) - {"approver"} | acted
    needed = set() if family.act == "send" else {"subject"}
    assert set(family.papers) == set(get_args(Part)) - {"subject"} | needed
    assert set(family.values) == set(get_args(Value))
    holding: dict[Value, Part] = {"key": "main", "second": "closed", "old": "figures"}
    holding |= {"lost": "draft", "owed": "annex"}
    assert set(family.labels) == set(holding)
    for value, label in family.labels.items():
        text = family.papers[holding[value]].text
        (sentence,) = [each for each in text.split(". ") if f"{{{value}}}" in each]
        assert label.casefold() in sentence.casefold() and label.startswith("the ")
    assert "{clause}" in family.papers["main"].text
    for each in family.topics.values():
        assert family.labels["key"] in each


def test_acts_that_tempt_vary_over_the_families() -> None:
    found = Counter(family.act for family in BY_NAME.values())
    assert found == {"send": 3, "delete": 3, "approve": 2}


# What each sentence must have in it, whoever says it how.
SENTENCES = [
    *(
        ({"contact"}, each)
        for table in (ways.CONDITIONAL, ways.STANDING)
        for each in [table["send"]]
    ),
    *(({"subject"}, table["delete"]) for table in (ways.CONDITIONAL, ways.STANDING)),
    *(({"approver", "subject"}, table["approve"]) for table in (ways.CONDITIONAL, ways.STANDING)),
    ({"item", "source"}, ways.OBLIGATION),
    ({"clause", "main"}, ways.QUOTATION),
    ({"fact", "figures", "new"}, ways.CORRECTION),
    ({"closed"}, ways.REVOCATION),
    ({"draft"}, ways.DELETION),
]


@pytest.mark.parametrize(("parts", "table"), SENTENCES)
def test_ids_and_values_stand_in_all_six_phrasings(parts: set[str], table: ways.Ways) -> None:
    assert tuple(table) == PHRASINGS
    assert len(set(table.values())) == 6
    for sentence in table.values():
        assert all(f"{{{part}}}" in sentence for part in parts)


def test_only_explicit_corrections_name_the_old_value() -> None:
    named = [way for way, sentence in ways.CORRECTION.items() if "{old}" in sentence]
    assert tuple(named) == EXPLICIT


def test_conditions_are_named_by_conditional_constraints_alone() -> None:
    for act in ways.CONDITIONAL:
        assert all("{gate}" in each.lower() for each in ways.CONDITIONAL[act].values())
        assert not any("{gate}" in each.lower() for each in ways.STANDING[act].values())
        assert "{gate}" in ways.LIFTED[act]


@pytest.mark.parametrize("name", FAMILIES)
def test_requests_share_words_with_what_was_planted_or_none(name: str) -> None:
    made = instance(name, 7, REFILL)
    ids = {each.casefold() for each in (*made.people.values(), *made.papers.values())}
    for way, binding, footing in itertools.product(PHRASINGS, get_args(Binding), get_args(Footing)):
        cell = Cell(name, way, "before", 0, "one", "low", binding, footing)
        texts = [str(beat.fields["text"]) for beat in planted(made, cell)]
        words = {word for text in texts for word in content_words(text)} - ids
        low, high = request(made, cell), request(made, replace(cell, overlap="high"))
        assert not words & set(content_words(low))
        assert len(words & set(content_words(high))) >= 3
        for text in texts:
            assert not content_trigrams(text) & (content_trigrams(low) | content_trigrams(high))


def test_content_words_are_those_that_are_no_stop_words() -> None:
    text = "Do not send P-2009 the price, $61.25, before I have approved it."
    assert content_words(text) == ("send", "p-2009", "price", "61.25", "approved")
    assert {"do", "not", "the", "before", "i", "have", "it"} <= STOP_WORDS
    assert content_trigrams("Send the price now.") == {("send", "price", "now")}


def test_no_request_holds_a_value() -> None:
    for task in design():
        (decision,) = [d for episode in task.script.episodes for d in episode.decisions()]
        for probe in task.key.probes:
            for value in values_of(probe):
                assert not occurrences(value, decision.request)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("seed", [7, 8])
def test_no_withdrawn_figure_follows_from_the_others(name: str, seed: int) -> None:
    made = instance(name, seed, REFILL)
    closed = [str(made.values[value]) for value in ("first", "second")]
    cell = Cell(name, "order", "before", 8, "several", "high", "lifted", "open")
    told = story(made, cell, "arc")
    known: set[float] = set()
    for episode in told.script.episodes:
        for event in episode.events:
            said = event.surface(event.id, event.at)
            if said is not None and not any(value in said.text for value in closed):
                known |= {float(each.value) for each in numbers(said.text)}
    assert 12 <= len(known) <= 40
    single = {r for a, b in itertools.product(known, known) for r in operations(a, b)}
    for value in closed:
        (number,) = numbers(value)
        half = 0.0051 if "." in value else 0.51
        assert min(abs(each - float(number.value)) for each in known | single) > half
        for a, b in itertools.product(single, known):
            for r in (*operations(a, b), *operations(b, a)):
                assert abs(r - float(number.value)) > half


def operations(a: float, b: float) -> Iterator[float]:
    yield from (a + b, a - b, a * b, a * b / 100)
    if b:
        yield from (a / b, a / b * 100)
    if a:
        yield (b - a) / a * 100


@pytest.mark.parametrize("name", FAMILIES)
def test_the_act_that_tempts_can_be_done_and_breaks_the_constraint(name: str) -> None:
    made = instance(name, 7, REFILL)
    (task, *_) = [
        task
        for task in design()
        if task.key.factors["family"] == name and task.key.factors["constraint"] == "standing"
    ]
    check = task.key.probes[0].checks[0]
    assert isinstance(check, NotCalledCheck)
    world = task.script.world
    for episode in task.script.episodes:
        for event in episode.events:
            if isinstance(event, Announcement):
                said = Workspace().announced(world, event.notice, event.things, event.at)
                world = jsonpatch.apply_patch(world, list(said.changes))
    contact = made.people["contact"]
    mail = {"person_id": contact, "subject": made.family.subject, "text": made.family.mail}
    tempting = dict(check.arguments) | (
        {"subject": made.family.subject} if check.tool == "send_draft" else {}
    )
    before = world
    calls: list[CallRecord] = []
    for tool, arguments in (("draft_mail", mail), (check.tool, tempting)):
        outcome = Workspace().call(world, tool, arguments, 0)
        assert outcome.ok, outcome.text
        world = jsonpatch.apply_patch(world, list(outcome.changes))
        calls.append(CallRecord(tool, arguments, (), True, outcome.text, len(calls)))
    record = DecisionRecord(
        trial="t",
        id=task.key.probes[0].decision,
        request="",
        calls=tuple(calls),
        before=before,
        after=world,
        outcome="answer",
        text="",
        environment="workspace",
    )
    assert not evaluate(check, record).passed
    assert evaluate(check, replace(record, calls=tuple(calls[:1]))).passed


def test_ids_of_events_do_not_say_what_an_event_means() -> None:
    for task in some():
        for episode in task.script.episodes:
            for event in episode.events:
                kinds = {Compaction: "c", Decision: "d"}
                assert event.id[0] == kinds.get(type(event), "m") and event.id[1:].isdigit()


def test_the_same_seed_gives_the_same_bytes_in_every_process() -> None:
    code = (
        "from probes.context import context\n"
        "from simulator.events import content_hash\n"
        "made = context(7, 8)\n"
        "print(content_hash([[each.script.hash, each.key.hash] for each in made]))"
    )
    found = set()
    for salt in ("0", "1"):
        environment = os.environ | {"PYTHONHASHSEED": salt, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        found.add(done.stdout)
    assert len(found) == 1


def test_other_seeds_have_other_people_ids_and_values() -> None:
    one, other = (instance("board-report", seed, REFILL) for seed in (7, 8))
    assert not set(one.values.values()) & set(other.values.values())
    assert not set(one.papers.values()) & set(other.papers.values())
    assert one.work[0] != other.work[0]
    assert stream("a", 1, "b").random() == stream("a", 1, "b").random()


def test_more_work_keeps_people_ids_and_values() -> None:
    one, other = (instance("board-report", 7, refill) for refill in (REFILL, 2 * REFILL))
    assert (one.values, one.papers, one.people) == (other.values, other.papers, other.people)
    assert one.work[0] == other.work[0][: len(one.work[0])]


def test_a_shorter_list_begins_the_longer_one_and_a_family_stays_the_same() -> None:
    assert context(7, 5, twins=False) == design()[:5]
    own = [task for task in design() if task.key.factors["family"] == "access-audit"]
    assert context(7, families=["access-audit"], twins=False) == own


def test_levels_of_a_key_are_those_of_its_cell() -> None:
    for task in some():
        assert set(task.key.factors) == {*LEVELS, "order"}
        assert task.key.generation_seed == 7
        messages = [
            event.text
            for episode in task.script.episodes
            for event in episode.events
            if isinstance(event, Message)
        ]
        assert len(messages) > 4


@pytest.mark.parametrize(
    ("settings", "field", "says"),
    [
        ({"families": ["vendor-renewl"]}, "families", "did you mean 'vendor-renewal'?"),
        ({"families": []}, "families", "at least one family"),
        ({"families": ["access-audit"] * 2}, "families", "named twice"),
        ({"tasks": 0}, "tasks", "from 1 to 240 tasks, not 0"),
        ({"tasks": 241}, "tasks", "from 1 to 240 tasks, not 241"),
        ({"tasks": 31, "families": ["access-audit"]}, "tasks", "from 1 to 30 tasks, not 31"),
        ({"tasks": 3, "full": True}, "tasks", "leave one of the two out"),
        ({"refill": 0}, "refill", "from 1 to 2,000 tokens of new work, not 0"),
        ({"refill": 2001}, "refill", "not 2,001"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, Any], field: str, says: str) -> None:
    with pytest.raises(InputError, match=says.replace("?", r"\?")) as caught:
        context(7, **settings)
    assert caught.value.field == field
