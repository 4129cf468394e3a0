"""Each purpose draws from a stream of its own: changing one leaves all others' bytes alone."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from probes.ladder import arcs, ladder, shapes, values, varied
from probes.ladder.domains import DOMAINS
from probes.scenario import Scenario
from simulator.events import Json, canonical_json
from simulator.events.seeds import stream
from tests.probes.arcs import ENVIRONMENTS, texts

EVERY = pytest.mark.parametrize("environment", ENVIRONMENTS)
IDS = re.compile(r"\b[A-Z]{1,3}-\d{4}\b")


def made(
    monkeypatch: pytest.MonkeyPatch, purpose: str, tiers: list[Any], environment: str = "support"
) -> list[Scenario]:
    """Return arcs for which one stream draws other numbers."""

    def salted(arc: str, seed: int, of: str) -> Random:
        return stream(arc, seed + 1_000 if of == purpose else seed, of)

    with monkeypatch.context() as patched:
        for module in (arcs, shapes, values):
            patched.setattr(module, "stream", salted)
        return ladder(environment, 7, 10, tiers)


def gold(arc: Scenario) -> list[str]:
    found = []
    for probe in arc.key.probes:
        found += [each.value for each in probe.gold] + [each.value for each in probe.forbidden]
    return found


def times(arc: Scenario) -> list[int]:
    return [event.at for episode in arc.script.episodes for event in episode.events]


@EVERY
def test_other_gold_values_change_nothing_else(environment: str) -> None:
    one = ladder(environment, 7, 12, dependent=0.5, distractors=1)
    other = ladder(environment, 7, 12, dependent=0.5, distractors=1, variation=1)
    for arc, changed in zip(one, other, strict=True):
        assert set(gold(arc)).isdisjoint(gold(changed))
        assert masked(arc) == masked(changed)
        assert varied(arc.key, 1) == changed and varied(arc.key, 0) == arc


def masked(arc: Scenario) -> str:
    """Return a scenario as bytes in which each wanted or forbidden value is a number."""
    text = canonical_json(arc.model_dump(mode="json"))
    for number, value in enumerate(gold(arc)):
        assert value in text
        text = text.replace(value, f"<{number}>")
    return text


@EVERY
def test_other_names_leave_values_words_and_times_alone(
    environment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiers = ["easy", "medium", "hard"]
    for arc, other in zip(
        made(monkeypatch, "", tiers, environment),
        made(monkeypatch, "names", tiers, environment),
        strict=True,
    ):
        assert ids(arc).isdisjoint(ids(other))
        assert gold(arc) == gold(other) and times(arc) == times(other)
        assert without_ids(arc) == without_ids(other)
        assert sorted(shown(arc)) == sorted(shown(other))


def ids(arc: Scenario) -> set[str]:
    return {name for entries in arc.script.world.values() for name in entries}


def shown(arc: Scenario) -> set[str]:
    """Return the sums of money, times and phone numbers of a world."""
    text = canonical_json(arc.script.world)
    return set(re.findall(r"[$][\d.]+|\d\d:\d\d|\d{3}-\d{3}-\d{4}|\d+ MB|v[\d.]+", text))


def without_ids(arc: Scenario) -> list[str]:
    return [IDS.sub("<id>", text) for text in texts(arc).values()]


def test_other_times_leave_all_words_and_values_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for arc, other in zip(
        made(monkeypatch, "", ["easy"]), made(monkeypatch, "times", ["easy"]), strict=True
    ):
        assert times(arc) != times(other)
        assert arc.key == other.key and arc.script.world == other.script.world
        assert texts(arc) == texts(other)


def test_other_phrasing_of_one_session_leaves_the_others_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for arc, other in zip(
        made(monkeypatch, "", ["hard"]), made(monkeypatch, "phrasing e2", ["hard"]), strict=True
    ):
        assert arc.script.world == other.script.world and gold(arc) == gold(other)
        differ = {
            episode.id
            for episode, there in zip(arc.script.episodes, other.script.episodes, strict=True)
            if episode != there
        }
        assert differ == {"e2"}


def test_other_values_of_the_world_leave_what_is_planted_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for arc, other in zip(
        made(monkeypatch, "", ["hard"]), made(monkeypatch, "others", ["hard"]), strict=True
    ):
        assert arc.script.world != other.script.world and ids(arc) == ids(other)
        assert list(leaves(arc.script.world, "item")) == list(leaves(other.script.world, "item"))
        assert gold(arc) == gold(other) and texts(arc) == texts(other)


def leaves(world: Json, name: str) -> Iterator[str]:
    for entry in world["orders"].values():
        yield entry[name]


def test_gold_is_drawn_last() -> None:
    pool = values.Pool("arc", 1, DOMAINS["support"].draws)
    pool.name("order_id"), pool.other("amount"), pool.gold("amount")
    pool.name("person")
    with pytest.raises(RuntimeError, match="drawn last"):
        pool.other("amount")


def test_only_what_a_ladder_made_is_made_again() -> None:
    (arc,) = ladder("support", 7, 1, ["easy"], dependent=0.55, distractors=2)
    assert arc.key.origin == "ladder seed=7 dependent=0.55 distractors=2"
    assert varied(arc.key, 0) == arc
    for changed in (
        {"origin": "authored"},
        {"origin": "ladder seed=7 and more"},
        {"origin": "ladder seed=7 dependent=1.5"},
        {"origin": "ladder seed=8"},
        {"arc": "ladder-support-easy-7-000"},
        {"arc": "ladder-support-easy-7-99999"},
        {"arc": "mine"},
        {"tier": None},
        {"domain": "elsewhere"},
    ):
        assert varied(arc.key.model_copy(update=changed), 0) is None
    (first,) = ladder("support", -3, 1, ["hard"])
    assert varied(first.key, 0) == first  # seeds may be negative
