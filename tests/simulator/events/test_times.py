"""Simulated time: whole milliseconds, shown in UTC whatever the machine thinks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.events.times import DAY, HOUR, MINUTE, parse_time, show_date, show_time

Y2025 = 20_089 * DAY  # 1 January 2025: 55 years of 365 days and 14 leap days


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("1970-01-01", 0),
        ("2025-01-01T00:00", Y2025),
        ("2025-01-01T00:00Z", Y2025),
        ("2025-01-01T02:00+02:00", Y2025),
        ("2024-12-31T18:30:00-05:30", Y2025),
        ("2025-01-01T09:05:07.123456", Y2025 + 9 * HOUR + 5 * MINUTE + 7_123),
        ("2024-02-29", Y2025 - 307 * DAY),
        ("1969-12-31T23:59:59.999", -1),
    ],
)
def test_times_are_read_to_the_millisecond(text: str, ms: int) -> None:
    assert parse_time(text) == ms


@pytest.mark.parametrize("text", ["", "yesterday", "2025-02-29", "2025-01-01T25:00", "01/02/2025"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_time(text)


def test_times_are_shown_to_the_minute_and_dates_to_the_day() -> None:
    moment = Y2025 + 9 * HOUR + 5 * MINUTE + 59_999
    assert show_time(moment) == "2025-01-01 09:05"
    assert show_date(moment) == "2025-01-01"
    assert show_date(Y2025 - 1) == "2024-12-31"
    assert show_time(0) == "1970-01-01 00:00"


@given(st.integers(0, 4_000_000_000_000))
def test_what_is_shown_reads_back_to_the_same_minute(ms: int) -> None:
    assert parse_time(show_time(ms)) == ms - ms % MINUTE
    assert parse_time(show_date(ms)) == ms - ms % DAY
