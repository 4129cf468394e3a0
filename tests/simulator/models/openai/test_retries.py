"""The retry rule, on answers that nobody sent."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from simulator.models.openai.answers import HttpAnswer
from simulator.models.openai.retries import wait_ms, worth_retrying


def answer(status: int | None, code: str = "", **headers: str) -> HttpAnswer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpAnswer(status, {"error": {"code": code}}, named)


@pytest.mark.parametrize("status", [None, 408, 409, 429, 500, 502, 503, 529, 599])
def test_what_may_pass_is_asked_again(status: int | None) -> None:
    assert worth_retrying(answer(status))


@pytest.mark.parametrize("status", [200, 400, 401, 402, 403, 404, 413, 422])
def test_what_will_not_change_is_not(status: int) -> None:
    assert not worth_retrying(answer(status))


def test_the_endpoints_own_word_decides() -> None:
    assert worth_retrying(answer(400, x_should_retry="true"))
    assert not worth_retrying(answer(500, x_should_retry="false"))
    assert not worth_retrying(answer(429, "insufficient_quota"))


def test_the_wait_doubles_up_to_the_longest_and_half_of_it_is_drawn() -> None:
    ceilings = [500, 1000, 2000, 4000, 8000, 10_000, 10_000]
    for seed in range(200):
        waits = [wait_ms(answer(500), number, seed, 10_000) for number in range(7)]
        for wait, ceiling in zip(waits, ceilings, strict=True):
            assert wait is not None and ceiling // 2 <= wait <= ceiling
        assert waits == [wait_ms(answer(500), number, seed, 10_000) for number in range(7)]
    assert len({wait_ms(answer(500), 3, seed, 10_000) for seed in range(200)}) > 150
    assert wait_ms(answer(500), 3, 1, 0) == 0


def test_retry_after_is_kept_to_the_millisecond() -> None:
    assert wait_ms(answer(429, retry_after="7"), 0, 1, 60_000) == 7000
    assert wait_ms(answer(429, retry_after="0.25"), 4, 1, 60_000) == 250
    assert wait_ms(answer(429, retry_after="7", retry_after_ms="125"), 0, 1, 60_000) == 125
    assert wait_ms(answer(429, retry_after="0"), 5, 1, 60_000) == 0


def test_a_date_counts_from_the_answers_own() -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    sent = format_datetime(now, usegmt=True)
    later = format_datetime(now + timedelta(seconds=9), usegmt=True)
    assert wait_ms(answer(503, retry_after=later, date=sent), 0, 1, 60_000) == 9000
    assert wait_ms(answer(503, retry_after=sent, date=later), 0, 1, 60_000) == 0


def test_a_wait_longer_than_allowed_ends_the_call() -> None:
    assert wait_ms(answer(429, retry_after="61"), 0, 1, 60_000) is None
    assert wait_ms(answer(429, retry_after="60"), 0, 1, 60_000) == 60_000


@pytest.mark.parametrize("odd", ["soon", "-5", "nan", "inf", "", "Mon, 99 Foo"])
def test_an_unreadable_retry_after_is_as_none(odd: str) -> None:
    assert wait_ms(answer(429, retry_after=odd), 0, 1, 60_000) == wait_ms(answer(429), 0, 1, 60_000)
