"""Each domain of the ladder: solvable, readable by its shapes, and silent about what it plants."""

import re
from collections import Counter
from random import Random

import jsonpointer
import jsonschema
import pytest

from environments.contract import check_environment
from probes.ladder import ladder
from probes.ladder.domain import Domain, Task, Thread
from probes.ladder.domains import DOMAINS
from probes.ladder.sessions import full_request, probe_request
from probes.ladder.values import Pool
from probes.linting.leaks import environment_texts
from scoring.matching import occurrences
from simulator.effects.environment import Environment, Tool
from simulator.effects.prompts import Prompt
from simulator.effects.registry import lookup
from simulator.events import Json, canonical_json
from simulator.events.tokens import count_tokens
from simulator.events.worlds import changed
from simulator.models.rendering import render_plain
from simulator.models.scripted.filling import choose_tool
from simulator.models.scripted.readers import LastReader
from simulator.models.scripted.reading import read_prompt
from simulator.models.scripted.shapes import shape_of_example
from simulator.models.written import write_call

NOW = 1_740_992_400_000
EVERY = pytest.mark.parametrize("domain", DOMAINS.values(), ids=list(DOMAINS))
EVERY_TASK = pytest.mark.parametrize(
    ("domain", "task"),
    [(domain, task) for domain in DOMAINS.values() for task in domain.tasks],
    ids=[f"{name}-{task.tool}" for name, domain in DOMAINS.items() for task in domain.tasks],
)


def environment(domain: Domain) -> Environment:
    made: Environment = lookup("environment", domain.environment)()
    return made


def tools(domain: Domain) -> dict[str, Tool]:
    return {tool.name: tool for tool in environment(domain).tools}


def example(tool: Tool, parameter: str) -> str:
    return str(tool.parameters["properties"][parameter]["examples"][0])


def examples(domain: Domain) -> dict[str, str]:
    return {
        parameter: example(tool, parameter)
        for tool in tools(domain).values()
        for parameter in tool.parameters["properties"]
    }


def thread(domain: Domain, task: Task, seed: int = 1) -> Thread:
    source = Random(f"{task.tool} {seed}")
    subject = domain.draws[f"{task.subject}_id"](source)
    return Thread(task, subject, {name: domain.draws[name](source) for name in task.marks})


def world_for(domain: Domain, task: Task) -> tuple[Thread, Json]:
    """Return a thread and an initial world for it and one more thread of each task."""
    pool = Pool("test", 1, domain.draws)
    threads = [thread(domain, each, 2) for each in domain.tasks if each is not task]
    return (wanted := thread(domain, task)), domain.world([wanted, *threads], pool, Random(1))


def prompt(domain: Domain, request: str, block: str = "") -> str:
    made = environment(domain)
    return render_plain(
        Prompt(
            instructions=made.instructions,
            tools=made.tools,
            examples=made.examples,
            block=block,
            request=request,
        )
    )


@EVERY
def test_tools_need_one_two_or_three_facts_and_some_only_look(domain: Domain) -> None:
    facts = Counter(len(task.marks) for task in domain.tasks)
    assert facts[1] >= 3 and facts[2] >= 1 and facts[3] >= 1 and set(facts) == {1, 2, 3}
    known = tools(domain)
    assert 6 <= len(known) <= 10
    assert sum(tool.read_only for tool in known.values()) >= 3
    writing = {name for name, tool in known.items() if not tool.read_only}
    assert writing == {task.tool for task in domain.tasks}
    for task in domain.tasks:
        needed = [f"{task.subject}_id", *task.marks]
        assert sorted(known[task.tool].parameters["properties"]) == sorted(needed)


@EVERY
def test_the_prompts_heads_are_about_as_long(domain: Domain) -> None:
    assert count_tokens(prompt(domain, "")) <= 620
    assert len(environment(domain).examples) == 2


@EVERY
def test_gold_values_are_drawn_from_as_many_as_the_domain_says(domain: Domain) -> None:
    parameters = {name for task in domain.tasks for name in task.marks}
    assert set(domain.pool_sizes) == parameters
    for name, size in domain.pool_sizes.items():
        assert size >= 1_000
        source = Random(name)
        number = 20 * size if size <= 2_000 else 2_000
        drawn = len({domain.draws[name](source) for _ in range(number)})
        # The number of distinct values that so many draws from `size` equally likely ones give.
        expected = size * (1 - (1 - 1 / size) ** number)
        assert abs(drawn - expected) <= 3 * (number - expected) ** 0.5 + 2 and drawn <= size


@EVERY
def test_draws_fit_their_patterns_and_never_give_an_example(domain: Domain) -> None:
    forms = {
        name: form
        for tool in tools(domain).values()
        for name, form in tool.parameters["properties"].items()
    }
    shown = "\n".join(environment_texts(environment(domain)))
    for name, form in forms.items():
        source = Random(name)
        for _ in range(3_000):
            value = domain.draws[name](source)
            assert re.fullmatch(form["pattern"], value)
            assert value not in shown


@EVERY
def test_no_value_of_a_tool_looks_like_another_one_or_an_id(domain: Domain) -> None:
    drawn = {name: domain.draws[name](Random(name)) for name in examples(domain)}
    ids = {name for name in drawn if name.endswith("_id")}
    for tool in tools(domain).values():
        for parameter in tool.parameters["properties"]:
            shape = shape_of_example(example(tool, parameter))
            for other in {*tool.parameters["properties"], *ids}:
                found = shape.all_matches(f"It is {drawn[other]}.")
                assert found == ([drawn[other]] if other == parameter else [])


@EVERY_TASK
def test_requests_name_the_subject_and_lead_to_the_tool(domain: Domain, task: Task) -> None:
    asked = thread(domain, task)
    toolbox = read_prompt(prompt(domain, "x")).toolbox
    assert toolbox is not None
    for seed in range(60):
        without = probe_request(domain, asked, Random(seed))
        whole = full_request(domain, asked, Random(seed))
        for request in (without, whole):
            chosen = choose_tool(toolbox, request)
            assert chosen is not None and chosen.name == task.tool, request
            assert occurrences(asked.subject, request)
        for value in asked.values.values():
            assert occurrences(value, whole) and not occurrences(value, without)
    assert len(set(domain.probe_clauses[task.tool])) >= 2
    assert len(set(domain.full_clauses[task.tool])) >= 2


@EVERY_TASK
def test_a_reader_acts_on_all_the_facts_and_not_on_fewer(domain: Domain, task: Task) -> None:
    asked = thread(domain, task)
    right = write_call(task.tool, task.arguments(asked.subject, asked.values))
    lines = [
        f"[2025-03-03] user: As it stands, {domain.facts[task.tool, name].format(id=asked.subject)} "
        f"is {value}."
        for name, value in asked.values.items()
    ]
    request = probe_request(domain, asked, Random(0))
    assert said(domain, request, lines) == right
    assert said(domain, full_request(domain, asked, Random(0)), []) == right
    for line in lines:
        assert said(domain, request, [each for each in lines if each != line]) != right


def said(domain: Domain, request: str, lines: list[str]) -> str:
    block = "\n".join(["From earlier sessions:", *lines]) if lines else ""
    reader = LastReader(LastReader.Options())
    return reader.reply(read_prompt(prompt(domain, request, block)), 0)


@EVERY_TASK
def test_the_task_can_be_done_and_its_marks_are_where_they_are_said_to_be(
    domain: Domain, task: Task
) -> None:
    asked, world = world_for(domain, task)
    assert not any(value in canonical_json(world) for value in asked.values.values())
    after = done(domain, asked, world)
    for name, path in task.marks.items():
        assert (
            jsonpointer.resolve_pointer(after, path.format(id=asked.subject)) == asked.values[name]
        )


def done(domain: Domain, asked: Thread, world: Json) -> Json:
    arguments = asked.task.arguments(asked.subject, asked.values)
    (schema,) = (tool.parameters for tool in tools(domain).values() if tool.name == asked.task.tool)
    jsonschema.Draft202012Validator(schema).validate(arguments)
    outcome = environment(domain).call(world, asked.task.tool, arguments, NOW)
    assert outcome.ok, outcome.text
    return changed(world, outcome.changes)


@EVERY_TASK
def test_an_error_says_the_same_whatever_is_given(domain: Domain, task: Task) -> None:
    """Neither a second try with the right value nor one with another can be told apart."""
    asked, world = world_for(domain, task)
    after = done(domain, asked, world)
    other = Thread(task, asked.subject, thread(domain, task, 3).values)
    unknown = domain.draws[f"{task.subject}_id"](Random("nobody"))
    for state, subject in ((after, asked.subject), (world, unknown)):
        told = [masked(domain, state, subject, each) for each in (asked, other)]
        assert told[0] == told[1]


def masked(domain: Domain, world: Json, subject: str, of: Thread) -> tuple[bool, str]:
    arguments = of.task.arguments(subject, of.values)
    outcome = environment(domain).call(world, of.task.tool, arguments, NOW)
    text = outcome.text
    for name, value in of.values.items():
        text = text.replace(value, f"<{name}>")
    return outcome.ok, text


@EVERY
def test_worlds_keep_the_environments_contract(domain: Domain) -> None:
    _, world = world_for(domain, domain.tasks[0])
    check_environment(lambda: environment(domain), world)
    for arc in ladder(domain.environment, 9, 1):
        check_environment(lambda: environment(domain), arc.script.world)


@EVERY
def test_small_talk_is_the_domains_own_and_holds_neither_id_nor_value(domain: Domain) -> None:
    least = {"user": 16, "assistant": 12, "system": 8}
    assert set(domain.chatter) == set(least)
    shapes = [shape_of_example(text) for text in examples(domain).values()]
    for role, lines in domain.chatter.items():
        assert len(set(lines)) == len(lines) >= least[role]
        for line in lines:
            assert not re.search(r"\d|\?\s|\.\s", line)
            assert not any(shape.matches(line) for shape in shapes)
    others = {
        line
        for each in DOMAINS.values()
        if each is not domain
        for lines in each.chatter.values()
        for line in lines
    }
    assert others.isdisjoint({line for lines in domain.chatter.values() for line in lines})
