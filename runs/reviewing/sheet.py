"""A sheet: what a task plants, where it is tested, what is right and what is wrong, for a person."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from probes.linting.order import in_order
from probes.linting.variants import ideal, variants
from probes.scenario import Scenario
from probes.scenario.structure import Before
from runs.reviewing.acts import act_lines, differences
from runs.reviewing.markdown import code, fenced
from runs.reviewing.tasks import Task
from scoring.keys import Check, Probe
from scoring.planting import Planting
from simulator.effects.environment import Environment
from simulator.engine.parts import make_environment
from simulator.events import canonical_json
from simulator.events.graph import order
from simulator.events.scripted import Decision
from simulator.events.times import show_time

END = "---"
"""The line that ends the head of a sheet; what is read back stands above it."""

_HOW = (
    "Is the task right as it is written? Write `sound` or `unsound` after `verdict:`, and after "
    "`note:` why; then `memtrial review DIR --take FILE` keeps both with the scenario. It is sound "
    "when the planting means what is tested, the situation calls for it without naming it, the "
    "ideal way to act is right, every violation is wrong, and somebody who was told all of it could "
    "act rightly."
)

_WRONG = "Violations, each of which has to fail; told by what is other than in the ideal:"


def sheet(task: Task) -> str:
    """Return the sheet of a task as Markdown."""
    return "\n\n".join(_parts(task)) + "\n"


def _parts(task: Task) -> Iterator[str]:
    scenario = task.loaded.scenario
    review = scenario.key.review
    verdict, note = (review.verdict, review.note) if review else ("", "")
    yield f"# Review of {code(task.name)}"
    yield f"verdict: {verdict}\nnote: {' '.join(note.split())}"
    yield f"sheet: {task.name} {task.digest}"
    yield END
    yield _HOW
    before = Before(scenario.script)
    surfaces = _surfaces(scenario)
    environment = make_environment(scenario.script.environment)
    for decision, group in groupby(in_order(scenario.key, before), lambda each: each[1].decision):
        event = before.events[decision]
        if isinstance(event, Decision):
            probes = [probe for _, probe in group]
            yield from _decision(decision, event, probes, surfaces, environment)


def _surfaces(scenario: Scenario) -> dict[str, str]:
    """Return the full id of every event in playing order with how it is shown."""
    told: dict[str, str] = {}
    for episode in scenario.script.episodes:
        for event in order(episode):
            name = f"{episode.id}/{event.id}"
            surface = event.surface(name, event.at)
            who = f", {surface.role}" if surface else ""
            head = f"{code(name)}, {event.kind}{who}, {show_time(event.at)}"
            told[name] = head if surface is None else f"{head}\n\n{fenced(surface.text)}"
    return told


def _decision(
    decision: str,
    event: Decision,
    probes: Sequence[Probe],
    surfaces: dict[str, str],
    environment: Environment,
) -> Iterator[str]:
    yield f"## Decision {code(decision)}"
    yield "The request of the test:"
    yield fenced(event.request)
    right = ideal(probes[0])
    yield "Ideal:" if right else "Ideal: none is written, and none can be made of the checks."
    lines = act_lines(right) if right else []
    if lines:
        yield fenced("\n".join(lines))
    for probe in probes:
        yield from _planted(probe, surfaces)
        yield "What passes:"
        yield fenced("\n".join(_check(each) for each in probe.checks) or "everything")
        wrong = [*_violations(probe, event, environment, lines)]
        yield _WRONG if wrong else "No violation can be made of it."
        yield from map(fenced, wrong)


def _planted(probe: Probe, surfaces: dict[str, str]) -> Iterator[str]:
    yield f"### Probe {code(probe.id)}: {probe.kind}{_how(probe.planting)}"
    named = probe.planting.events if probe.planting else _evidence(probe)
    names = [name for name in named if name in surfaces]
    yield "Planted:" if names else "Nothing is planted for it."
    yield from (surfaces[name] for name in names)
    question = probe.planting.question if probe.planting else None
    if question is not None:
        yield "Asked on a fork, and what a right answer says:"
        yield fenced("\n".join([question.text, *(f"- {each}" for each in question.says)]))
    around = [*_around(names, list(surfaces))]
    if around:
        yield "Situation, what stands around it:"
        yield from (surfaces[name] for name in around)


def _check(check: Check) -> str:
    fields = check.model_dump(mode="json")
    return f"{fields.pop('check')} {canonical_json(fields)}"


def _how(planting: Planting | None) -> str:
    if planting is None:
        return ""
    said = planting.phrasing and f"said as {planting.phrasing}"
    stands = planting.position and f"stands {planting.position} the cuts"
    told = [each for each in (said, stands, "lifted" if planting.lifted else None) if each]
    return f" ({', '.join(told)})" if told else ""


def _evidence(probe: Probe) -> list[str]:
    """Return the events that state what a probe without a planting needs, each once."""
    stated = [name for gold in probe.gold for name in gold.evidence]
    stated += [name for each in probe.forbidden for name in each.evidence]
    return list(dict.fromkeys(stated))


def _around(names: Sequence[str], every: Sequence[str]) -> Iterator[str]:
    """Yield the events just before and just after each of these, in playing order, each once."""
    places = {every.index(name) for name in names}
    near = {place + step for place in places for step in (-1, 1)} - places
    yield from (every[place] for place in sorted(near) if 0 <= place < len(every))


def _violations(
    probe: Probe, event: Decision, environment: Environment, right: Sequence[str]
) -> Iterator[str]:
    """Yield how each violation differs from the ideal, each difference once."""
    found = variants(probe, event.request, environment.tools)
    told = (differences(act_lines(each), right) for each in found if each.name == "violation")
    yield from dict.fromkeys("\n".join(lines) for lines in told)
