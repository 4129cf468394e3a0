"""Rates, intervals and amounts as tables show them."""

from decimal import Decimal

from simulator.events import Json


def rate_text(value: float | None) -> str | None:
    """Return a rate with two decimals; what is not exactly 0 or 1 is never shown as if it were."""
    if value is None:
        return None
    if value in (0, 1):
        return f"{value:.2f}"
    return f"{min(max(value, 0.01), 0.99):.2f}"


def rate_interval_text(value: float | None, interval: Json) -> str | None:
    """Return a rate with its 95 % interval: `0.83 [0.67, 1.00]`."""
    rate = rate_text(value)
    if rate is None or interval is None:
        return rate
    low, high = interval
    return f"{rate} [{low:.2f}, {high:.2f}]"


def signed_text(value: float | None, interval: Json) -> str | None:
    """Return a difference with its 95 % interval: `+0.30 [+0.10, +0.50]`."""
    if value is None or interval is None:
        return None if value is None else f"{value:+.2f}"
    return f"{value:+.2f} [{interval[0]:+.2f}, {interval[1]:+.2f}]"


def money_text(amount: Decimal | str | None) -> str:
    """Return US dollars: exact 0, two decimals from 1 on, else four; unknown is `unpriced`."""
    if amount is None:
        return "unpriced"
    value = Decimal(amount)
    if value == 0:
        return "0"
    if value < Decimal("0.0001"):
        return "<0.0001"
    return f"{value:.2f}" if value >= 1 else f"{value:.4f}"
