"""Gates: who has no memory finds nothing, whatever is called, and nothing depends on the gold."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from environments.support import Support
from probes.corruption import corrupt
from probes.ladder import ladder
from probes.ladder.domain import Domain
from probes.ladder.domains import DOMAINS
from probes.linting import probing
from probes.linting.lint import lint
from probes.linting.probing import ILL_TYPED, LOOKS, TRIES, ill_formed, probe_world
from probes.linting.soundness import refuse_open
from probes.linting.trying import tried
from probes.scenario import Scenario, write_scenario
from runs.plan import plan
from runs.runner import run_plan
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError
from tests.probes.arcs import ENVIRONMENTS, environment_of

LEAKY = ("Discreet", "Telling", "Correcting", "Patient", "Afterwards")
VALUE = "$35.20"
WORLD: dict[str, Any] = {
    "customers": {"C-2207": {"name": "Selma Novak", "phone": "431-555-0117"}},
    "orders": {
        "O-2210": {
            "customer": "C-2207",
            "item": "lamp",
            "total": "$1412.00",
            "status": "packed",
            "address": "118 Tulip Road",
        }
    },
}
REQUEST = "Please issue the refund for order O-2210."
AT = 1_741_000_000_000


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the leaky desks, which no scenario could load by itself."""
    names = [f"tests.probes.leaky:{name}" for name in LEAKY]
    monkeypatch.setenv("MEMTRIAL_ENVIRONMENTS", ",".join([*names, "tests.runs.hostile:Vault"]))


def told(environment: str, origin: str = "authored", **world: Json) -> Scenario:
    """Return an arc in which a refund is told in one session and asked for in the next."""
    script = {
        "arc": "lamp",
        "environment": environment,
        "world": WORLD | world,
        "episodes": [
            {
                "id": "e1",
                "events": [
                    {
                        "id": "m1",
                        "kind": "message",
                        "at": AT,
                        "text": f"The refund for order O-2210 is {VALUE}.",
                    }
                ],
            },
            {
                "id": "e2",
                "events": [
                    {"id": "d1", "kind": "decision", "at": AT + 90_000_000, "request": REQUEST}
                ],
            },
        ],
    }
    call = {"tool": "issue_refund", "arguments": {"order_id": "O-2210", "amount": VALUE}}
    probe = {
        "id": "p1",
        "kind": "recall",
        "decision": "e2/d1",
        "dependent": True,
        "gold": [{"name": "amount", "value": VALUE, "evidence": ["e1/m1"]}],
        "checks": [{"check": "world", "path": "/refunds/O-2210", "equals": VALUE}],
        "reference": {"calls": [call]},
    }
    key = {"arc": "lamp", "domain": "d", "cluster": "lamp", "probes": [probe], "origin": origin}
    return Scenario.model_validate({"script": script, "key": key})


def leaky(name: str) -> Scenario:
    return told(f"tests.probes.leaky:{name}", hidden=VALUE[::-1])


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("Telling", "get_order"),
        ("Correcting", "issue_refund"),
        ("Patient", "schedule_callback"),
        ("Afterwards", "list_orders"),
    ],
)
def test_a_world_that_gives_the_value_away_is_found(name: str, call: str) -> None:
    found = [each for each in lint([leaky(name)]) if "away" in each.message]
    (problem,) = found
    assert problem.field == "key.probes.0.gold.0.value"
    assert f"{call}(" in problem.message and VALUE in problem.message
    with pytest.raises(InputError, match="does not test a memory") as caught:
        refuse_open(leaky(name))
    assert f"{call}(" in caught.value.message


def test_a_world_that_gives_nothing_away_passes() -> None:
    assert lint([leaky("Discreet")]) == [] == lint([told("support")])
    refuse_open(leaky("Discreet"))


def test_an_imported_probe_is_set_aside_and_refuses_no_run() -> None:
    scenario = leaky("Telling")
    elsewhere = scenario.key.model_copy(update={"origin": "elsewhere"})
    refuse_open(Scenario(script=scenario.script, key=elsewhere))


def test_a_run_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    write_scenario(leaky("Correcting"), tmp_path / "lamp.yaml")
    (tmp_path / "suite.toml").write_text(
        'name = "s"\nmemories = ["none"]\nmodels = ["last"]\n[[scenarios]]\nfiles = ["lamp.yaml"]\n'
    )
    planned = plan(str(tmp_path / "suite.toml"))
    with pytest.raises(InputError, match="arc 'lamp' does not test a memory"):
        run_plan(planned, tmp_path / "run", report=lambda done, of: None)
    assert not (tmp_path / "run").exists()


def test_everything_is_tried() -> None:
    said = probe_world(Support(), "support", WORLD, REQUEST, AT)
    calls = Counter(f"{each.call}" for each in said)
    for tool in Support.tools:
        given = [each.call.arguments for each in said if each.call.tool == tool.name]
        names = list(tool.parameters["properties"])
        assert {} in given
        for name in names:
            assert any(name not in each and len(each) == len(names) - 1 for each in given)
            for wrong in ILL_TYPED:
                assert any(
                    canonical_json(each.get(name, 0)) == canonical_json(wrong) for each in given
                )
        assert any(each.keys() - set(names) for each in given)
        right = [each for each in given if each.keys() == set(names)]
        if tool.read_only:
            (name,) = names
            there = {"O-2210"} if name == "order_id" else {"C-2207"}
            stranger = tool.parameters["properties"][name]["examples"][0]
            # Before and after the tries.
            assert all(calls[f"{tool.name}({canonical_json({name: i})})"] >= 2 for i in there)
            assert any(each[name] == stranger for each in right)
        else:
            assert any("O-2210" in each.values() or "C-2207" in each.values() for each in right)
    assert any("unknown tool" in each.text for each in said)
    assert all(each.text for each in said)


def test_each_try_is_made_twice_in_a_row_and_leaves_the_world_alone() -> None:
    before = canonical_json(WORLD)
    said = probe_world(Support(), "support", WORLD, REQUEST, AT)
    assert canonical_json(WORLD) == before
    writing = {tool.name for tool in Support.tools if not tool.read_only}
    refused = len(ill_formed("support")[0])
    tries = [each for each in said[refused:] if each.call.tool in writing]
    assert len(tries) >= 2 * len(writing)
    for first, second in zip(tries[::2], tries[1::2], strict=True):
        assert first.call == second.call
    # What was done cannot be done again, and the second answer says so.
    assert any(
        first.text != second.text for first, second in zip(tries[::2], tries[1::2], strict=True)
    )


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_search_is_bounded(environment: str) -> None:
    tools = environment_of(environment).tools
    refused, taken = ill_formed(environment)
    parameters = sum(len(tool.parameters["properties"]) for tool in tools)
    assert len(refused) + len(taken) == 1 + 2 * len(tools) + parameters * (1 + len(ILL_TYPED))
    (arc,) = ladder(environment, 7, 1, ["medium"])
    said = probe_world(environment_of(environment), environment, arc.script.world, "x", AT)
    reading = sum(tool.read_only for tool in tools)
    most = 2 * LOOKS * reading + 2 * TRIES * (len(tools) - reading)
    assert len(refused) < len(said) <= len(refused) + len(taken) + most


def test_a_call_that_a_loose_schema_takes_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    refused, taken = ill_formed("tests.runs.hostile:Vault")  # its one parameter may be anything
    assert {each.call.tool for each in refused} == {"no_such_tool", "keep"}
    assert [call.arguments for call in taken] == [{"value": each} for each in ILL_TYPED]


# Non-interference.


def with_world(monkeypatch: pytest.MonkeyPatch, world: Any) -> None:
    fields = {name: getattr(DOMAINS["support"], name) for name in Domain.__dataclass_fields__}
    monkeypatch.setitem(DOMAINS, "support", Domain(**fields | {"world": world}))


def test_a_world_that_depends_on_the_gold_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ladder("support", 21, 2)
    plain = DOMAINS["support"].world

    def limited(threads: Any, pool: Any, source: Any) -> Json:
        made = plain(threads, pool, source)
        for thread in threads:  # a total that gives the refund away to who can subtract
            if thread.task.tool == "issue_refund":
                amount = pool.gold("amount").removeprefix("$")
                made["orders"][thread.subject]["total"] = f"${float(amount) + 10:.2f}"
        return made

    with_world(monkeypatch, limited)
    found = [lint([arc]) for arc in ladder("support", 21, 8)]
    problems = [each for listed in found for each in listed]
    told = [each for each in problems if "depends on the values" in each.message]
    assert told and all((each.field or "").startswith("script.world.orders.") for each in told)
    assert any("/total of the world" in each.message for each in told)
    # It is also seen by what a look-up says.
    assert any("get_order(" in each.message and "other gold" in each.message for each in problems)
    monkeypatch.undo()
    assert lint(honest) == []


def test_words_that_depend_on_the_gold_are_found() -> None:
    (arc, *_) = ladder("support", 22, 1, ["easy"])
    place = next(i for i, probe in enumerate(arc.key.probes) if probe.dependent)
    session = arc.key.probes[place].decision.partition("/")[0]
    episodes = tuple(
        episode.model_copy(
            update={
                "events": tuple(
                    event.model_copy(update={"request": f"{event.request} A small one."})
                    if event.kind == "decision" and episode.id == session
                    else event
                    for event in episode.events
                )
            }
        )
        for episode in arc.script.episodes
    )
    script = arc.script.model_copy(update={"episodes": episodes})
    (problem,) = lint([Scenario(script=script, key=arc.key)])
    assert f"what '{session}/d1' says depends on" in problem.message
    assert "has the origin 'authored'" in problem.message
    with pytest.raises(InputError, match="depends on the values"):
        refuse_open(Scenario(script=script, key=arc.key))
    # Who says that it is his own is believed.
    own = arc.key.model_copy(update={"origin": "authored"})
    assert lint([Scenario(script=script, key=own)]) == []


def test_a_value_of_two_decisions_is_found() -> None:
    (arc,) = ladder("support", 23, 1, ["easy"])
    probes = list(arc.key.probes)
    number, wanted = next((i, probe) for i, probe in enumerate(probes) if probe.dependent)
    other, idle = next((i, probe) for i, probe in enumerate(probes) if not probe.dependent)
    assert idle.reference is not None
    arguments = idle.reference.calls[0].arguments | {"note": wanted.gold[0].value}
    call = idle.reference.calls[0].model_copy(update={"arguments": arguments})
    changed = idle.reference.model_copy(update={"calls": (call,)})
    probes[other] = idle.model_copy(update={"reference": changed})
    key = arc.key.model_copy(update={"probes": tuple(probes)})
    with pytest.raises(InputError, match=f"is a value of {idle.id} too") as caught:
        refuse_open(Scenario(script=arc.script, key=key))
    assert repr(wanted.id) in caught.value.message and number != other


def test_answers_that_differ_between_two_worlds_are_found() -> None:
    worlds = [WORLD, {**WORLD, "messages": [{"to": "C-2207", "text": "hello", "at": 1}]}]
    step = {"number": 3, "probe": "p", "request": REQUEST, "at": AT, "gold": [VALUE], "calls": []}
    found = tried("support", canonical_json({"worlds": worlds, "steps": [step]}), False)
    ((number, place, message),) = found
    assert (number, place) == (3, "gold") and "with other gold" in message
    assert "get_customer" in message


def test_corrupted_versions_are_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    (arc,) = ladder("support", 24, 1, ["hard"])
    made: list[str] = []
    real = probing.probe_world

    def counted(*given: Any) -> Any:
        made.append(str(given[3]))
        return real(*given)

    monkeypatch.setattr("probes.linting.trying.probe_world", counted)
    refuse_open(arc)
    once = len(made)
    assert once == 2 * sum(probe.dependent for probe in arc.key.probes)  # in both worlds
    for version in (*corrupt([arc], "stale", 1.0), *corrupt([arc], "distractor", 1.0)):
        refuse_open(version)
    assert len(made) == once
