"""Latency profiles: time that passes is a function of tokens."""

from typing import Any

import pytest

from simulator.effects.prompts import Usage
from simulator.engine.latency import PROFILES, profile
from simulator.events.errors import InputError


def test_a_completion_takes_a_base_and_time_for_each_token_that_is_not_cached() -> None:
    # 300 ms + (1000 - 400) × 0.2 ms + 25 × 10 ms
    usage = Usage(input=1000, cached=400, output=25)
    assert profile("typical").completion(usage) == 300 + 120 + 250


def test_parts_of_a_ms_are_dropped() -> None:
    assert profile("typical").completion(Usage(input=4, output=0)) == 300
    assert profile("typical").completion(Usage(input=5, output=0)) == 301


def test_without_latency_everything_happens_at_once(lab: Any) -> None:
    story = [{"kind": "decision", "id": "d", "at": 7}]
    played = lab.play(lab.script(story), ["look()", 'answer("ok")'], latency="none")
    assert {event.time for event in played.events} == {7}
    assert played.complete


def test_an_unknown_profile_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match="unknown latency profile 'tipical'; did you mean 'typi"):
        profile("tipical")
    assert set(PROFILES) == {"typical", "none"}
