"""The ladder: sound, solvable from the facts alone, and hidden from everything but a memory."""

import os
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest

from probes.ladder import ladder, phrasing
from probes.ladder.arcs import TIERS
from probes.ladder.domains import DOMAINS
from probes.linting.leaks import environment_texts
from probes.linting.lint import lint
from probes.scenario import Scenario, read_scenario, write_scenario
from scoring.keys import Probe
from scoring.matching import occurrences
from simulator.effects.environment import Environment
from simulator.effects.prompts import Prompt
from simulator.effects.registry import lookup
from simulator.events import canonical_json
from simulator.events.errors import InputError
from simulator.events.graph import order
from simulator.events.scripted import Decision, Message
from simulator.events.times import DAY, parse_time, show_date
from simulator.models.rendering import render_plain
from simulator.models.scripted.readers import LastReader
from simulator.models.scripted.reading import read_prompt
from simulator.models.scripted.shapes import shape_of_example
from simulator.models.written import write_call

ROOT = Path(__file__).parents[2]
EACH = 20
ARCS = [arc for name in DOMAINS for arc in ladder(name, 7, EACH)]
"""So many arcs of each domain and tier."""

ENVIRONMENTS: dict[str, Environment] = {name: lookup("environment", name)() for name in DOMAINS}
SHAPES = {
    name: {
        form["examples"][0]: shape_of_example(form["examples"][0])
        for tool in environment.tools
        for form in tool.parameters["properties"].values()
    }
    for name, environment in ENVIRONMENTS.items()
}
"""What ids and values look like in each domain."""


def probes(*kinds: str) -> list[tuple[Scenario, Probe]]:
    return [(arc, probe) for arc in ARCS for probe in arc.key.probes if probe.kind in kinds]


def request(arc: Scenario, probe: Probe) -> str:
    name, _, event = probe.decision.partition("/")
    (episode,) = (each for each in arc.script.episodes if each.id == name)
    (decision,) = (each for each in episode.decisions() if each.id == event)
    return decision.request


def test_arcs_lint_clean_in_every_tier() -> None:
    counts = Counter((arc.script.environment, arc.key.tier) for arc in ARCS)
    assert counts == {(name, tier): EACH for name in DOMAINS for tier in TIERS}
    assert lint(ARCS) == []


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("environment", DOMAINS)
def test_the_reference_passes_every_probe_of_many_seeds(environment: str, seed: int) -> None:
    # Lint plays each reference on the world and lets the scorer judge it.
    assert lint(ladder(environment, seed, 2)) == []


def test_arcs_have_the_promised_shape() -> None:
    for arc in ARCS:
        assert 4 <= len(arc.script.episodes) <= 6
        decisions = [list(episode.decisions()) for episode in arc.script.episodes]
        assert [len(each) for each in decisions] == [1] * len(decisions)
        assert len(arc.key.probes) == len(decisions)
        kinds = Counter(probe.kind for probe in arc.key.probes)
        dependent = {"easy": "recall", "medium": "compose", "hard": "update"}[arc.key.tier or ""]
        assert set(kinds) == {dependent, "independent"}
        assert all(len(each.events) >= 10 for each in arc.script.episodes)


def test_orders_of_sessions_vary() -> None:
    shapes = {tuple(probe.kind for probe in arc.key.probes) for arc in ARCS}
    assert len(shapes) >= 9
    assert {len(shape) for shape in shapes} == {4, 5, 6}


def test_medium_needs_two_facts_from_two_sessions_and_hard_a_revised_one() -> None:
    for _, probe in probes("compose"):
        sessions = {name.partition("/")[0] for gold in probe.gold for name in gold.evidence}
        assert len(probe.gold) == 2 and len(sessions) == 2
    for arc, probe in probes("update"):
        (gold,), (stale,) = probe.gold, probe.forbidden
        assert stale.failure == "resurrection" and stale.value != gold.value
        (revision,) = arc.key.revisions
        assert (revision.was, revision.now) == (stale.value, gold.value)
        assert gold.evidence == (revision.event,)


def test_an_always_stale_agent_fails_every_update() -> None:
    for arc, probe in probes("update"):
        (call,) = probe.reference.calls if probe.reference else ()
        stale = {
            name: probe.forbidden[0].value if value == probe.gold[0].value else value
            for name, value in call.arguments.items()
        }
        reference = {"calls": ({"tool": call.tool, "arguments": stale},), "answer": "Done."}
        data = probe.model_dump() | {"reference": reference}
        key = arc.key.model_copy(update={"probes": (Probe.model_validate(data),)})
        found = lint([Scenario(script=arc.script, key=key)])
        # Both the world check and the call check fail, each on its own.
        assert [p.field for p in found if "does not pass" in p.message] == [
            "key.probes.0.checks.0",
            "key.probes.0.checks.1",
        ]


def test_values_are_unique_in_an_arc_and_never_in_the_world_or_the_prompts_head() -> None:
    heads = {name: "\n".join(environment_texts(each)) for name, each in ENVIRONMENTS.items()}
    for arc in ARCS:
        values = [
            value
            for probe in arc.key.probes
            for call in (probe.reference.calls if probe.reference else ())
            for value in call.arguments.values()
        ] + [each.value for probe in arc.key.probes for each in probe.forbidden]
        assert len(set(values)) == len(values)
        world = canonical_json(arc.script.world)
        for probe in arc.key.probes:
            assert not any(gold.value in world for gold in probe.gold)
            assert not any(stale.value in world for stale in probe.forbidden)
        ids = [name for entries in arc.script.world.values() for name in entries]
        for value in (*values, *ids):
            assert value not in heads[arc.script.environment]


@pytest.mark.parametrize("name", DOMAINS)
def test_arcs_draw_their_values_from_pools_of_the_promised_size(name: str) -> None:
    drawn: dict[str, list[str]] = {parameter: [] for parameter in DOMAINS[name].pool_sizes}
    for arc in ladder(name, 3, 100):
        for probe in arc.key.probes:
            for gold in probe.gold:
                drawn[gold.name].append(gold.value)
    for parameter, values in drawn.items():
        # Of n values out of N, about n²/2N come twice.
        expected = len(values) ** 2 / (2 * DOMAINS[name].pool_sizes[parameter])
        assert len(set(values)) >= len(values) - 3 * expected - 3


def test_a_request_names_its_subject_and_none_of_the_values() -> None:
    for arc, probe in probes("recall", "compose", "update"):
        (call,) = probe.reference.calls if probe.reference else ()
        text = request(arc, probe)
        (subject,) = (value for name, value in call.arguments.items() if name.endswith("_id"))
        assert occurrences(subject, text)
        assert not any(occurrences(gold.value, text) for gold in probe.gold)


def test_facts_name_subject_and_value_in_one_sentence() -> None:
    for arc, probe in probes("recall", "compose", "update"):
        texts = {
            f"{episode.id}/{event.id}": event.text
            for episode in arc.script.episodes
            for event in episode.events
            if isinstance(event, Message)
        }
        (call,) = probe.reference.calls if probe.reference else ()
        (subject,) = (value for name, value in call.arguments.items() if name.endswith("_id"))
        old = {each.value for each in probe.forbidden}
        stated = [(gold.value, texts[name]) for gold in probe.gold for name in gold.evidence]
        stated += [(each.value, texts[name]) for each in probe.forbidden for name in each.evidence]
        for value, text in stated:
            assert not re.search(r"[.!?]\s", text)
            assert occurrences(subject, text) and occurrences(value, text)
            shapes = SHAPES[arc.script.environment].values()
            found = {match for shape in shapes for match in shape.matches(text)}
            both = {probe.gold[0].value, *old} if old else {value}
            assert {subject, value} <= found <= {subject, *both}


def frames_used(frames: tuple[str, ...], texts: list[str]) -> set[str]:
    patterns = {frame: re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(frame))) for frame in frames}
    return {frame for frame, form in patterns.items() if any(map(form.fullmatch, texts))}


@pytest.mark.parametrize("act", ["PLANTS", "UPDATES", "PROBE_FRAMES", "INDEPENDENT_FRAMES"])
def test_every_act_has_at_least_six_phrasings_and_uses_them(act: str) -> None:
    frames = getattr(phrasing, act)
    said = [
        e.text
        for arc in ARCS
        for ep in arc.script.episodes
        for e in ep.events
        if isinstance(e, Message)
    ]
    asked = [request(arc, probe) for arc in ARCS for probe in arc.key.probes]
    assert len(frames) >= 6
    assert frames_used(frames, said + asked) == set(frames)


def test_reference_calls_fit_the_schemas() -> None:
    schemas = {
        tool.name: jsonschema.Draft202012Validator(tool.parameters)
        for environment in ENVIRONMENTS.values()
        for tool in environment.tools
    }
    for arc in ARCS:
        for probe in arc.key.probes:
            for call in probe.reference.calls if probe.reference else ():
                schemas[call.tool].validate(call.arguments)


def reply(arc: Scenario, request_text: str, block: str) -> str:
    environment = ENVIRONMENTS[arc.script.environment]
    prompt = Prompt(
        instructions=environment.instructions,
        tools=environment.tools,
        examples=environment.examples,
        block=block,
        request=request_text,
    )
    return LastReader(LastReader.Options()).reply(read_prompt(render_plain(prompt)), 0)


def test_a_scripted_reader_solves_what_it_is_told_and_nothing_else() -> None:
    for arc, probe in probes("independent", "recall", "compose"):
        told = {
            f"{episode.id}/{event.id}": f"[{show_date(event.at)}] user: {event.text}"
            for episode in arc.script.episodes
            for event in episode.events
            if isinstance(event, Message) and event.role == "user"
        }
        needed = {name for gold in probe.gold for name in gold.evidence}
        (call,) = probe.reference.calls if probe.reference else ()
        right = write_call(call.tool, call.arguments)
        text = request(arc, probe)
        assert reply(arc, text, "\n".join(["From earlier sessions:", *told.values()])) == right
        for name in needed:
            without = [line for event, line in told.items() if event != name]
            assert reply(arc, text, "\n".join(["From earlier sessions:", *without])) != right


def test_times_start_where_documented_and_follow_the_causes() -> None:
    for arc in ARCS:
        starts = [min(event.at for event in each.events) for each in arc.script.episodes]
        assert starts[0] == parse_time("2025-03-03T09:00")
        assert all(later // DAY > earlier // DAY for earlier, later in pairwise(starts))
        for episode in arc.script.episodes:
            played = order(episode)
            assert [event.at for event in played] == sorted(event.at for event in played)
            assert isinstance(played[-1], Decision) and len(played[-1].causes) == 2


def test_ids_do_not_say_what_an_event_means() -> None:
    ids = {event.id for arc in ARCS for each in arc.script.episodes for event in each.events}
    assert all(re.fullmatch(r"m\d\d|d1", name) for name in ids)


def test_a_longer_list_starts_with_the_shorter_ones_arcs() -> None:
    shorter, longer = ladder("support", 5, 2, ["hard"]), ladder("support", 5, 4, ["hard"])
    assert longer[:2] == shorter
    assert len({arc.script.arc for arc in (*longer, *ladder("support", 6, 4))}) == 16


def test_seeds_and_tiers_change_the_arcs() -> None:
    one, other = ladder("support", 1, 1, ["easy"])[0], ladder("support", 2, 1, ["easy"])[0]
    assert one.script.world != other.script.world


_PRINT_HASHES = """
from probes.ladder import ladder
from probes.ladder.domains import DOMAINS
from simulator.events.canonical import content_hash
arcs = [arc for name in DOMAINS for arc in ladder(name, 11, 2)]
print(content_hash([[arc.script.hash, arc.key.hash] for arc in arcs]))
"""


def test_equal_seeds_give_equal_arcs_in_every_process() -> None:
    found = set()
    for hash_seed, zone in (("0", "UTC"), ("4242", "Asia/Tokyo")):
        env = os.environ | {"PYTHONHASHSEED": hash_seed, "TZ": zone, "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            [sys.executable, "-c", _PRINT_HASHES],
            env=env,
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(run.stdout)
    assert len(found) == 1


@pytest.mark.parametrize("name", DOMAINS)
def test_generated_arcs_read_back_equal(name: str, tmp_path: Path) -> None:
    for arc in ladder(name, 9, 1):
        write_scenario(arc, tmp_path / "arc.yaml")
        assert read_scenario(tmp_path / "arc.yaml") == arc


@pytest.mark.parametrize(
    ("environment", "arcs", "tiers", "says"),
    [
        ("suport", 1, ["easy"], "'support'"),
        ("support", 0, ["easy"], "at least one arc"),
        ("support", 1, [], "at least one arc"),
        ("support", 1, ["eazy"], "'easy'"),
    ],
)
def test_wrong_settings_are_refused(
    environment: str, arcs: int, tiers: list[str], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        ladder(environment, 1, arcs, tiers)  # type: ignore[arg-type]
    assert TIERS == ("easy", "medium", "hard")
