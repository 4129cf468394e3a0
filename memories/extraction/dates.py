"""Relative days, resolved against the simulated time of what was said."""

import re

from simulator.events.times import DAY, show_date

_NAMED = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_AGO = re.compile(r"(?P<count>\d+) (?P<unit>day|week)s? ago", re.IGNORECASE)
_AHEAD = re.compile(r"in (?P<count>\d+) (?P<unit>day|week)s?", re.IGNORECASE)


def resolve_day(text: str, time: int) -> str:
    """Return the date (`2023-05-23`) that a phrase means at `time` (ms).

    A phrase that fixes no single day ("last week", "Friday") and an absolute date stay as
    written.
    """
    offset = _offset(text.strip())
    return text if offset is None else show_date(time + offset * DAY)


def _offset(text: str) -> int | None:
    if text.lower() in _NAMED:
        return _NAMED[text.lower()]
    for pattern, sign in ((_AGO, -1), (_AHEAD, 1)):
        match = pattern.fullmatch(text)
        if match:
            return sign * int(match["count"]) * (7 if match["unit"].lower() == "week" else 1)
    return None
