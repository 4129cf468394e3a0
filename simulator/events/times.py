"""Simulated time: integer milliseconds since 1970-01-01T00:00Z, never the wall clock."""

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
LATEST = 253_370_764_800_000
"""9999-01-01T00:00Z: nothing is scripted for later, so that what takes time still has a date."""


def parse_time(text: str) -> int:
    """Return the milliseconds of an ISO 8601 time; a time without a zone is taken as UTC.

    Raises:
        ValueError: when the text is no ISO 8601 time.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - EPOCH) // timedelta(milliseconds=1)


def show_time(ms: int) -> str:
    """Return the time to the minute, as prompts show it: `2025-03-03 09:00`."""
    return (EPOCH + timedelta(milliseconds=ms)).isoformat(" ")[:16]


def show_date(ms: int) -> str:
    """Return the date, as memories show it: `2025-03-03`."""
    return (EPOCH + timedelta(milliseconds=ms)).isoformat()[:10]


def show_day(ms: int) -> str:
    """Return the day as people say it: `3 March`."""
    day = EPOCH + timedelta(milliseconds=ms)
    return f"{day.day} {_MONTHS[day.month - 1]}"


_MONTHS = (
    "January February March April May June July August September October November December"
).split()
