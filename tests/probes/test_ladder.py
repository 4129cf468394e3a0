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

from environments.contract import check_environment
from environments.support import Support
from probes.ladder import ladder, phrasing, shortfalls
from probes.ladder.domains import DOMAINS
from probes.ladder.shapes import DEPENDENT, HISTORIES, STEPS
from probes.linting.leaks import environment_texts
from probes.linting.lint import lint
from probes.scenario import Scenario, read_scenario, write_scenario
from runs.suite import Ladder
from scoring.keys import TIERS, Probe
from scoring.matching import occurrences
from simulator.effects.prompts import Prompt
from simulator.events import canonical_json
from simulator.events.errors import InputError
from simulator.events.graph import order
from simulator.events.scripted import Decision, Message
from simulator.events.times import DAY, parse_time
from simulator.models.rendering import render_plain
from simulator.models.scripted.readers import LastReader
from simulator.models.scripted.reading import read_prompt
from simulator.models.scripted.shapes import shape_of_example
from simulator.models.written import write_call
from tests.probes.arcs import (
    ENVIRONMENTS,
    arcs,
    call_of,
    environment_of,
    probes,
    request,
    session,
    shown,
    subject,
    texts,
)

ROOT = Path(__file__).parents[2]
ARCS = arcs("support", 50)
"""50 arcs of each tier."""

EVERY = pytest.mark.parametrize("environment", ENVIRONMENTS)


def test_arcs_lint_clean_in_every_tier() -> None:
    assert Counter(arc.key.tier for arc in ARCS) == {"easy": 50, "medium": 50, "hard": 50}
    assert lint(ARCS[::5]) == []  # of every tier ten; test_variants has them all


@EVERY
@pytest.mark.parametrize("seed", [1, 2])
def test_the_reference_passes_every_probe_of_many_seeds(environment: str, seed: int) -> None:
    # Lint plays each reference on the world and lets the scorer judge it.
    assert lint(ladder(environment, seed, 5, dependent=0.7, distractors=1)) == []


@EVERY
def test_arcs_have_four_to_six_sessions_in_varying_order(environment: str) -> None:
    found = arcs(environment, 50)
    lengths = Counter(len(arc.script.episodes) for arc in found)
    assert set(lengths) == {4, 5, 6} and min(lengths.values()) >= 25  # of 150; 50 are expected
    for arc in found:
        decisions = [list(episode.decisions()) for episode in arc.script.episodes]
        assert [len(each) for each in decisions] == [1] * len(decisions)
        assert len(arc.key.probes) == len(decisions)
        assert all(len(each.events) >= 10 for each in arc.script.episodes)
        dependent = {"easy": "recall", "medium": "compose", "hard": "update"}[arc.key.tier or ""]
        kinds = {probe.kind for probe in arc.key.probes}
        assert dependent in kinds and kinds <= {dependent, "independent"}
    shapes = {tuple(probe.kind for probe in arc.key.probes) for arc in found}
    assert len(shapes) >= 9


@EVERY
def test_all_facts_of_a_probe_come_in_sessions_before_it(environment: str) -> None:
    for arc, probe in probes(arcs(environment, 50), "recall", "compose", "update"):
        asked = session(probe.decision, arc)
        said = [gold.evidence for gold in probe.gold] + [each.evidence for each in probe.forbidden]
        assert all(each for each in said)
        assert all(session(event, arc) < asked for each in said for event in each)


@EVERY
def test_medium_needs_two_or_three_facts_from_as_many_sessions(environment: str) -> None:
    found = probes(arcs(environment, 50), "compose")
    counts = Counter(len(probe.gold) for _, probe in found)
    offered = {len(task.marks) for task in DOMAINS[environment].tasks} & {2, 3}
    assert set(counts) == offered
    assert min(counts.values()) >= len(found) / len(offered) - 20
    for arc, probe in found:
        sessions = [session(event, arc) for gold in probe.gold for event in gold.evidence]
        assert len(sessions) == len(set(sessions)) == len(probe.gold)


@EVERY
def test_the_five_histories_are_balanced_over_a_list_of_arcs(environment: str) -> None:
    hard = [arc for arc in arcs(environment, 50) if arc.key.tier == "hard"]
    counts = dict.fromkeys(HISTORIES, 0)
    for arc in hard:  # so they are in every shorter list
        for probe in arc.key.probes:
            if probe.history is not None:
                counts[probe.history] += 1
        assert max(counts.values()) - min(counts.values()) <= 1
    assert min(counts.values()) >= 15


def test_each_history_says_what_its_name_says() -> None:
    known = Counter[str]()
    for arc, probe in probes(ARCS, "update"):
        said = texts(arc)
        (gold,) = probe.gold
        stated = [(session(event, arc), gold.value, event) for event in gold.evidence]
        for each in probe.forbidden:
            assert each.failure == "resurrection" and each.value != gold.value
            stated += [(session(event, arc), each.value, event) for event in each.evidence]
        stated.sort()
        assert len({place for place, _, _ in stated}) == len(stated)
        values = [value for _, value, _ in stated]
        revised = [
            (each.was, each.now) for each in arc.key.revisions if gold.value in (each.was, each.now)
        ]
        right = gold.value
        match probe.history:
            case "revised":
                assert values[1:] == [right] and revised == [(values[0], right)]
            case "revised_twice":
                assert values[2:] == [right] and len(set(values)) == 3
            case "returned":
                # The evidence is the return alone: with the first mention only, nobody knows.
                assert len(values) == 2 and values[1] == right and values[0] != right
                first = [event for event, text in said.items() if occurrences(right, text)]
                assert session(first[0], arc) < stated[0][0]
            case "late_report":
                assert values[0] == right and len(values) == 2 and revised == []
            case "past_mention":
                assert values[1] == right and values[0] == values[2] != right
        known[str(probe.history)] += 1
    assert set(known) == set(HISTORIES) and min(known.values()) >= 15


@EVERY
@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("wanted", [0.25, 0.4, 0.5])
def test_the_dependent_share_is_kept(environment: str, tier: str, wanted: float) -> None:
    found = ladder(environment, 3, 60, [tier], dependent=wanted)  # type: ignore[list-item]
    dependent = sum(probe.dependent for arc in found for probe in arc.key.probes)
    total = sum(len(arc.key.probes) for arc in found)
    # Probes are whole, and the last arc may not hold what was left for it.
    assert abs(dependent - wanted * total) <= 1
    assert shortfalls(environment, 3, 60, [tier], dependent=wanted) == []  # type: ignore[list-item]


def test_a_share_that_the_facts_do_not_allow_is_told() -> None:
    for tier in TIERS:
        found = ladder("support", 3, 60, [tier], dependent=1.0)
        dependent = sum(probe.dependent for arc in found for probe in arc.key.probes)
        total = sum(len(arc.key.probes) for arc in found)
        # Easy: all but an arc's first session. A probe of the others takes two or three sessions
        # before it, so that of 4, 5 and 6 sessions at most 2, 3 and 4 can have one.
        first = 1 if tier == "easy" else 2
        assert dependent <= total - first * len(found)
        assert tier != "easy" or dependent == total - len(found)
        assert dependent > total / 2
        (line,) = shortfalls("support", 3, 60, [tier], dependent=1.0)
        assert f"{dependent / total:.2f} of the {tier} sessions" in line and "not 1:" in line
    assert len(shortfalls("support", 3, 60, dependent=0.01)) == 3  # every arc has a probe
    assert shortfalls("support", 3, 1, dependent=0.4) == []  # a part of a probe is no miss


@EVERY
def test_a_full_house_still_finds_room_for_every_line(environment: str) -> None:
    found = ladder(environment, 5, 60, ["easy"], dependent=1.0)
    facts = Counter(
        (arc.script.arc, session(event, arc))
        for arc, probe in probes(tuple(found), "recall")
        for event in probe.gold[0].evidence
    )
    assert max(facts.values()) >= 4  # so many facts in one session, where small talk has 4 lines


@EVERY
def test_distractors_state_facts_that_nobody_asks_for(environment: str) -> None:
    shapes = [
        shape_of_example(example)
        for tool in environment_of(environment).tools
        for form in tool.parameters["properties"].values()
        for example in form["examples"]
    ]
    plain, more = (ladder(environment, 7, 12, distractors=number) for number in (0, 2))
    for arc, other in zip(more, plain, strict=True):
        assert len(arc.script.episodes) == len(other.script.episodes) + 2
        asked = {subject(probe) for probe in arc.key.probes}
        stating = [text for text in texts(arc).values() if any(s.matches(text) for s in shapes)]
        idle = [text for text in stating if not any(occurrences(name, text) for name in asked)]
        assert len(idle) >= 2, arc.script.arc
        used = {value for each in arc.key.probes for value in call_of(each).arguments.values()}
        assert not any(occurrences(str(value), text) for value in used for text in idle)
        # They are no probes, and the last session is none of them.
        assert sum(each.dependent for each in arc.key.probes) == sum(
            each.dependent for each in other.key.probes
        )


def test_an_always_stale_agent_fails_every_update() -> None:
    for arc, probe in probes(ARCS, "update"):
        call = call_of(probe)
        for forbidden in probe.forbidden:
            stale = {
                name: forbidden.value if value == probe.gold[0].value else value
                for name, value in call.arguments.items()
            }
            reference = {"calls": ({"tool": call.tool, "arguments": stale},), "answer": "Done."}
            data = probe.model_dump() | {"reference": reference}
            changed = {"probes": (Probe.model_validate(data),), "origin": "authored"}
            found = lint([Scenario(script=arc.script, key=arc.key.model_copy(update=changed))])
            # Both the world check and the call check fail, each on its own.
            assert len([p.field for p in found if "does not pass" in p.message]) == 2


@EVERY
def test_values_are_unique_in_an_arc_and_never_in_the_world_or_the_prompts_head(
    environment: str,
) -> None:
    head = "\n".join(environment_texts(environment_of(environment)))
    for arc in arcs(environment, 50):
        values = [str(v) for probe in arc.key.probes for v in call_of(probe).arguments.values()]
        values += [each.value for probe in arc.key.probes for each in probe.forbidden]
        assert len(set(values)) == len(values)
        world = canonical_json(arc.script.world)
        for probe in arc.key.probes:
            assert not any(gold.value in world for gold in probe.gold)
            assert not any(stale.value in world for stale in probe.forbidden)
        names = [name for collection in arc.script.world.values() for name in collection]
        assert not any(value in head for value in (*values, *names))


@EVERY
def test_a_request_names_its_subject_and_none_of_the_values(environment: str) -> None:
    for arc, probe in probes(arcs(environment, 50), "recall", "compose", "update"):
        text = request(arc, probe)
        assert occurrences(subject(probe), text)
        assert not any(occurrences(gold.value, text) for gold in probe.gold)


@EVERY
def test_facts_name_subject_and_value_in_one_sentence(environment: str) -> None:
    for arc, probe in probes(arcs(environment, 50), "recall", "compose", "update"):
        said = texts(arc)
        stated = [(gold.value, said[name]) for gold in probe.gold for name in gold.evidence]
        stated += [(each.value, said[name]) for each in probe.forbidden for name in each.evidence]
        for value, text in stated:
            assert not re.search(r"[.!?]\s", text)
            assert occurrences(subject(probe), text) and occurrences(value, text)


def frames_used(frames: tuple[str, ...], said: list[str]) -> set[str]:
    patterns = {frame: re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(frame))) for frame in frames}
    return {frame for frame, form in patterns.items() if any(map(form.fullmatch, said))}


@pytest.mark.parametrize("act", [*phrasing.FRAMES, "PROBE_FRAMES", "FULL_FRAMES"])
def test_every_act_has_at_least_twelve_phrasings_and_uses_them(act: str) -> None:
    frames = phrasing.FRAMES[act] if act in phrasing.FRAMES else getattr(phrasing, act)  # type: ignore[index]
    many = [*ARCS, *ladder("support", 8, 250, ["hard"])]
    said = [text for arc in many for text in texts(arc).values()]
    asked = [request(arc, probe) for arc in many for probe in arc.key.probes]
    assert len(set(frames)) >= 12
    assert frames_used(frames, said + asked) == set(frames)
    assert {act for steps in STEPS.values() for act in steps} == set(phrasing.FRAMES)


@EVERY
def test_reference_calls_fit_the_schemas(environment: str) -> None:
    schemas = {
        tool.name: jsonschema.Draft202012Validator(tool.parameters)
        for tool in environment_of(environment).tools
    }
    for arc in arcs(environment, 50):
        for probe in arc.key.probes:
            schemas[call_of(probe).tool].validate(call_of(probe).arguments)


def reply(request_text: str, lines: list[str]) -> str:
    prompt = Prompt(
        instructions=Support.instructions,
        tools=Support.tools,
        examples=Support.examples,
        block="\n".join(["From earlier sessions:", *lines]),
        request=request_text,
    )
    return LastReader(LastReader.Options()).reply(read_prompt(render_plain(prompt)), 0)


def test_a_scripted_reader_solves_what_it_is_told_and_nothing_else() -> None:
    for arc, probe in probes(ARCS, "independent", "recall", "compose"):
        told = [f"[{day}] user: {text}" for day, text in shown(arc, probe)]
        right = write_call(call_of(probe).tool, call_of(probe).arguments)
        text = request(arc, probe)
        assert reply(text, told) == right
        for gold in probe.gold:
            without = [line for line in told if not occurrences(gold.value, line)]
            assert len(without) == len(told) - 1
            assert reply(text, without) != right


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


@pytest.mark.parametrize("dependent", [0.4, 0.6])
def test_a_longer_list_starts_with_the_shorter_ones_arcs(dependent: float) -> None:
    for tier in TIERS:
        shorter, longer = (
            ladder("support", 5, number, [tier], dependent=dependent) for number in (4, 9)
        )
        assert longer[:4] == shorter
    assert len({arc.script.arc for arc in (*longer, *ladder("support", 6, 4))}) == 21


def test_seeds_and_tiers_change_the_arcs() -> None:
    one, other = ladder("support", 1, 1, ["easy"])[0], ladder("support", 2, 1, ["easy"])[0]
    assert one.script.world != other.script.world


_PRINT_HASHES = """
from probes.ladder import ladder
from simulator.events.canonical import content_hash
made = ladder("support", 11, 4, dependent=0.5, distractors=1)
print(content_hash([[arc.script.hash, arc.key.hash] for arc in made]))
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


def test_generated_arcs_read_back_equal(tmp_path: Path) -> None:
    for arc in ladder("support", 9, 2, distractors=1, dependent=0.55):
        write_scenario(arc, tmp_path / "arc.yaml")
        assert read_scenario(tmp_path / "arc.yaml") == arc


@EVERY
def test_generated_worlds_keep_the_environments_contract(environment: str) -> None:
    for arc in ladder(environment, 9, 1):
        check_environment(lambda: environment_of(environment), arc.script.world)


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"environment": "suport"}, "environment", "'support'"),
        ({"arcs": 0}, "arcs", "from 1 to 10,000 arcs a tier, not 0"),
        ({"arcs": 10_001}, "arcs", "10,001"),
        ({"tiers": []}, "tiers", "at least one tier"),
        ({"tiers": ["eazy"]}, "tiers", "'easy'"),
        ({"tiers": ["easy", "easy"]}, "tiers", "named twice"),
        ({"dependent": 0.0}, "dependent", "above 0 and up to 1, not 0"),
        ({"dependent": 1.01}, "dependent", "not 1.01"),
        ({"dependent": float("nan")}, "dependent", "nan"),
        ({"distractors": -1}, "distractors", "from 0 to 20"),
        ({"distractors": 21}, "distractors", "from 0 to 20"),
    ],
)
def test_wrong_settings_are_refused(changes: dict[str, object], field: str, says: str) -> None:
    settings = {"environment": "support", "seed": 1, "arcs": 1, "tiers": ["easy"]} | changes
    with pytest.raises(InputError, match=re.escape(says)) as caught:
        ladder(**settings)  # type: ignore[arg-type]
    assert caught.value.field == field


def test_the_defaults_of_a_suite_are_the_generators() -> None:
    assert TIERS == ("easy", "medium", "hard")
    assert Ladder(generate="ladder").dependent == DEPENDENT


def test_every_message_is_said_by_user_assistant_or_platform() -> None:
    roles = Counter(
        event.role
        for arc in ARCS
        for episode in arc.script.episodes
        for event in episode.events
        if isinstance(event, Message)
    )
    assert set(roles) == {"user", "assistant", "system"}
