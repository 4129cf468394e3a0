"""On full replay the hard tier asks for meaning: neither order nor counting finds the answer."""

from collections import Counter, defaultdict

import pytest

from probes.corruption import corrupt
from probes.ladder import ladder
from probes.scenario import Scenario
from scoring.keys import CorruptionKind, Probe
from tests.probes.arcs import ENVIRONMENTS, call_of, probes, shown, subject
from tests.probes.meaning import COUNTING, mentions, shape, understand

EVERY = pytest.mark.parametrize("environment", ENVIRONMENTS)


def understood(arc: Scenario, probe: Probe) -> bool:
    said, call = list(shown(arc, probe)), call_of(probe)
    return all(
        understand(said, arc.script.environment, call.tool, gold.name, subject(probe)) == gold.value
        for gold in probe.gold
    )


@EVERY
def test_who_counts_is_right_in_seven_of_ten_at_most_and_who_understands_always(
    environment: str,
) -> None:
    hard = probes(tuple(ladder(environment, 7, 100, ["hard"])), "update")
    right: Counter[str] = Counter()
    for arc, probe in hard:
        (gold,) = probe.gold
        form = shape(environment, call_of(probe).tool, gold.name)
        values = mentions(list(shown(arc, probe)), form, subject(probe))
        right.update(name for name, pick in COUNTING.items() if pick(values) == gold.value)
        right["meaning"] += understood(arc, probe)
    assert len(hard) >= 190
    assert right["meaning"] == len(hard)
    for name in COUNTING:
        # Of the five histories the first mention is right in two, the last one in three.
        assert 0.3 <= right[name] / len(hard) <= 0.7, (name, right)


@EVERY
def test_who_understands_is_right_in_every_tier(environment: str) -> None:
    found = probes(tuple(ladder(environment, 8, 30, distractors=1)), "recall", "compose", "update")
    assert all(understood(arc, probe) for arc, probe in found)


@EVERY
@pytest.mark.parametrize("kind", ["stale", "contradictory", "distractor"])
def test_who_goes_by_the_records_dates_understands_corrupted_arcs_too(
    environment: str, kind: CorruptionKind
) -> None:
    clean = ladder(environment, 8, 20)
    found = probes(tuple(corrupt(clean, kind, 1.0, 8)), "recall", "compose", "update")
    assert all(understood(arc, probe) for arc, probe in found)


@EVERY
def test_a_guess_by_what_is_usual_is_right_about_never(environment: str) -> None:
    found = probes(tuple(ladder(environment, 7, 100)), "recall", "compose", "update")
    usual: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for _, probe in found:
        for gold in probe.gold:
            usual[call_of(probe).tool, gold.name][gold.value] += 1
    right = 0
    for _, probe in found:
        guesses = []
        for gold in probe.gold:
            others = usual[call_of(probe).tool, gold.name] - Counter([gold.value])  # not its own
            guesses.append(others.most_common(1)[0][0] == gold.value)
        right += all(guesses)
    assert len(found) >= 550
    assert right / len(found) <= 0.01
