"""Stacked bars, one an arm: why decisions failed, and what all of them came to."""

from collections.abc import Sequence
from typing import NamedTuple

import altair as alt

from runs.report.plots import TICKS, Plot, draw, lines, scale
from scoring.causes import ERRORS

OTHER = "other error"
"""What the plot calls all errors that are not the model's; the table tells them apart."""

COLOURS = {
    "never written": "#0072b2",
    "lost at compaction": "#4a9bd4",
    "not retrieved": "#009e73",
    "retrieved and ignored": "#c98a00",
    "stale copy used": "#d55e00",
    "forgotten but a derived copy used": "#cc79a7",
    "model error": "#8a8a8a",
    "no value to look for": "#b5a58a",
    OTHER: "#6a5acd",
}
"""A colour a cause, the same in every report; blues and green lie on the memory's side."""


class Piece(NamedTuple):
    """A part of a bar.

    Attributes:
        label: The arm.
        cause: The cause as in `COLOURS`, or the outcome as in `OUTCOME_COLOURS`.
        n: Dependent decisions of this cause or outcome.
        of: All dependent decisions of the arm.
    """

    label: str
    cause: str
    n: int
    of: int


def pieces(label: str, causes: dict[str, int], of: int) -> list[Piece]:
    """Return the parts of an arm's bar, in the order of `COLOURS`; what never occurs has none."""
    named = {name: n for name, n in causes.items() if name not in ERRORS}
    named[OTHER] = sum(n for name, n in causes.items() if name in ERRORS)
    return [Piece(label, name, named[name], of) for name in COLOURS if named.get(name)]


OUTCOME_COLOURS = {
    "fresh": "#009e73",
    "stale": "#d55e00",
    "blended": "#c98a00",
    "corrupted": "#cc79a7",
    "other value": "#a8321e",
    "asked": "#0072b2",
    "refused": "#4a9bd4",
    "error": "#8a8a8a",
}
"""A colour an outcome: green is right, warm ones are wrong acts, blue ones abstentions."""


def outcome_pieces(label: str, outcomes: dict[str, int], of: int) -> list[Piece]:
    """Return the parts of an arm's bar, in the order of `OUTCOME_COLOURS`."""
    return [Piece(label, name, outcomes[name], of) for name in OUTCOME_COLOURS if outcomes[name]]


def causes_plot(labels: Sequence[str], found: Sequence[Piece], caption: str) -> Plot:
    """Draw why decisions failed, a line an arm; arms without a failure keep an empty line."""
    return _plot(labels, found, COLOURS, "share of dependent decisions that failed", caption)


def outcomes_plot(labels: Sequence[str], found: Sequence[Piece], caption: str) -> Plot:
    """Draw what dependent decisions came to, a line an arm; every bar is full."""
    return _plot(labels, found, OUTCOME_COLOURS, "share of dependent decisions", caption)


def _plot(
    labels: Sequence[str],
    found: Sequence[Piece],
    colours: dict[str, str],
    axis: str,
    caption: str,
) -> Plot:
    names = [name for name in colours if any(each.cause == name for each in found)]
    ends = [end for label in labels for end in _stacked([f for f in found if f.label == label])]
    bars = (
        alt.Chart(alt.Data(values=ends))
        .mark_bar(height=16)
        .encode(
            y=lines(labels),
            x=alt.X("low:Q", scale=_SHARE, title=axis, axis=TICKS),
            x2="high:Q",
            color=scale("cause", alt.Color, names, [colours[name] for name in names]),
        )
    )
    told = "; ".join(f"{each.label} {each.cause} {each.n} of {each.of}" for each in found)
    return Plot(caption, draw(bars.properties(width=520, height=28 * len(labels)), told))


_SHARE = alt.Scale(domain=[0, 1], nice=False)


def _stacked(bar: Sequence[Piece]) -> list[dict[str, str | float]]:
    ends: list[dict[str, str | float]] = []
    done = 0
    for each in bar:
        low, done = done, done + each.n
        ends.append(
            {
                "label": each.label,
                "cause": each.cause,
                "low": low / each.of,
                "high": done / each.of,
            }
        )
    return ends
