"""The retry rule: what is asked again, and after how long.

Asked again are requests without a whole answer (timeouts, broken connections), statuses 408,
409, 429 and 500 to 599; an `x-should-retry` header decides otherwise. A used-up quota is not.
The wait is what `Retry-After` (or `retry-after-ms`) says, and the call fails when that is longer
than `max_wait_s`. Without it the wait doubles from half a second up to `max_wait_s`, and the
second half of it is drawn by the call's seed, so that workers spread out and a test can tell.
"""

import hashlib
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from simulator.models.openai.answers import NO_MONEY, HttpAnswer

_STATUSES = frozenset({408, 409, 429})
_FIRST_MS = 500


def worth_retrying(answer: HttpAnswer) -> bool:
    """Return whether a request that brought no completion may bring one when made again."""
    if answer.status is None:
        return True
    told = answer.headers.get("x-should-retry")
    if told in ("true", "false"):
        return told == "true"
    if answer.code in NO_MONEY:
        return False
    return answer.status in _STATUSES or answer.status >= 500


def wait_ms(answer: HttpAnswer, number: int, seed: int, longest_ms: int) -> int | None:
    """Return how long to wait before request `number + 1` of a call, in ms.

    Args:
        answer: What request `number` (from 0) brought.
        number: How many requests the call has made before that one.
        seed: The call's seed.
        longest_ms: Longest wait, ms.

    Returns:
        The wait, or None when the endpoint asks for a longer one.
    """
    asked = _asked_ms(answer.headers)
    if asked is not None:
        return asked if asked <= longest_ms else None
    ceiling = min(longest_ms, _FIRST_MS << number)
    digest = hashlib.sha256(f"{seed}\x1f{number}".encode()).digest()
    return ceiling - int.from_bytes(digest[:8], "big") % (ceiling // 2 + 1)


def _asked_ms(headers: Mapping[str, str]) -> int | None:
    """Return the wait that the endpoint asks for; a date counts from the answer's own date."""
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return round(exact)
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None:
        return round(seconds * 1000)
    try:
        until = parsedate_to_datetime(text or "") - parsedate_to_datetime(headers.get("date", ""))
    except (ValueError, TypeError):  # neither is a date, or only one names its zone
        return None
    return max(0, round(until.total_seconds() * 1000))


def _number(text: str | None) -> float | None:
    try:
        found = float(text or "")
    except ValueError:
        return None
    return found if 0 <= found < 1e9 else None  # NaN compares false
