"""Plots of the report: inline SVG that needs no script and reads in light and dark."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import altair as alt
import vl_convert
from markupsafe import Markup, escape

from runs.spelling import spelled

# Okabe and Ito's colours, which people with any colour blindness can tell apart, without the
# two that are too faint on white or black; shapes say the same again.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#c98a00", "#4a9bd4", "#8a8a8a")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
_INK = "currentColor"
# vl-convert measures texts in the metrics of Arial; wider fonts need the slack given below.
_FONT = "Arial, Helvetica, Liberation Sans, sans-serif"
_CHARACTER = 7.2


class Point(NamedTuple):
    """One measured share with its interval.

    Attributes:
        label: The arm.
        part: What the arm is split by, or "".
        value: The share.
        low: Lower end of its interval; the value itself where there is none.
        high: Upper end.
        price: Where it stands on the axis of prices; 0 where there is none.
    """

    label: str
    part: str
    value: float
    low: float
    high: float
    price: float = 0.0


class Plot(NamedTuple):
    """One plot.

    Attributes:
        caption: What it shows, and how to read it.
        svg: The drawing; its `aria-label` tells the numbers.
    """

    caption: str
    svg: Markup


def success_plot(
    points: Sequence[Point], caption: str, axis: str = "success on dependent decisions"
) -> Plot:
    """Draw shares with their intervals: a line an arm, a mark a part."""
    return _marks(points, caption, alt.X("value:Q", scale=_SHARE, title=axis, axis=TICKS))


def lift_plot(points: Sequence[Point], caption: str) -> Plot:
    """Draw differences between -1 and 1 with their intervals: a line an arm, a mark a part."""
    axis = alt.Axis(values=[-1, -0.5, 0, 0.5, 1], format="+.1f")
    return _marks(points, caption, alt.X("value:Q", scale=_LIFT, title="lift", axis=axis))


def _marks(points: Sequence[Point], caption: str, x: Any) -> Plot:
    points = _drawable(points)
    labels = list(dict.fromkeys(point.label for point in points))
    parts = list(dict.fromkeys(point.part for point in points))
    y = lines(labels)
    base = _base(points).encode(
        y=y,
        yOffset=alt.YOffset("part:N", sort=parts),
        color=scale("part", alt.Color, parts, PALETTE),
    )
    bars = base.mark_rule(strokeWidth=2.5, opacity=0.6).encode(x=alt.X("low:Q"), x2="high:Q")
    dots = base.mark_point(filled=True, size=85, opacity=1).encode(
        x=x, shape=scale("part", alt.Shape, parts, SHAPES)
    )
    height = len(labels) * (14 * len(parts) + 14)
    return Plot(caption, draw((bars + dots).properties(width=520, height=height), tell(points)))


def price_plot(points: Sequence[Point], axis: str, caption: str) -> Plot:
    """Draw shares against a price: a mark an arm."""
    points = _drawable(points)
    labels = [point.label for point in points]
    far = _far_apart([point.price for point in points])
    base = _base(points).encode(
        x=alt.X(
            "price:Q",
            title=f"{axis} (square-root scale)" if far else axis,
            scale=alt.Scale(type="sqrt" if far else "linear"),
            axis=alt.Axis(tickCount=5, grid=True),
        ),
        color=scale("label", alt.Color, labels, PALETTE),
    )
    y = alt.Y("value:Q", scale=_SHARE, title="dependent success", axis=TICKS)
    bars = base.mark_rule(strokeWidth=2.5, opacity=0.6).encode(y=alt.Y("low:Q"), y2="high:Q")
    dots = base.mark_point(filled=True, size=110, opacity=1).encode(
        y=y, shape=scale("label", alt.Shape, labels, SHAPES)
    )
    return Plot(caption, draw((bars + dots).properties(width=330, height=230), tell(points)))


def _drawable(points: Sequence[Point]) -> list[Point]:
    """Return points whose names hold nothing that XML forbids: it would end the whole process."""
    return [each._replace(label=spelled(each.label), part=spelled(each.part)) for each in points]


def _far_apart(prices: Sequence[float]) -> bool:
    """Return whether one price would press the others into a corner of a linear axis."""
    some = sorted(price for price in prices if price)
    return bool(some) and some[-1] > 5 * some[len(some) // 2]


_SHARE = alt.Scale(domain=[-0.02, 1.02], nice=False)
_LIFT = alt.Scale(domain=[-1.04, 1.04], nice=False)
TICKS = alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2f")


def _base(points: Sequence[Point]) -> Any:
    return alt.Chart(alt.Data(values=[point._asdict() for point in points]))


def scale(field: str, channel: Any, values: Sequence[str], among: Sequence[str]) -> Any:
    """Return a channel that gives each value one of `among`, with a legend below the plot."""
    used = [among[index % len(among)] for index in range(len(values))]
    longest = max(map(len, values)) * _CHARACTER
    columns = max(1, min(len(values), int(340 / (longest + 30))))
    legend = alt.Legend(title=None, orient="bottom", columns=columns, columnPadding=24)
    if values == [""]:
        legend = None
    return channel(f"{field}:N", scale=alt.Scale(domain=values, range=used), legend=legend)


def lines(labels: Sequence[str]) -> Any:
    """Return the axis of plots with a line an arm, in the order of the labels."""
    room = min(280, round(max(map(len, labels)) * _CHARACTER) + 12)
    axis = alt.Axis(ticks=False, domain=False, grid=True, labelPadding=8, minExtent=room)
    scale = alt.Scale(domain=list(labels))  # an arm without a mark keeps its line
    return alt.Y("label:N", sort=list(labels), scale=scale, title=None, axis=axis)


def draw(chart: Any, told: str) -> Markup:
    """Return a chart as inline SVG, whose label tells the numbers to who cannot see it."""
    styled = (
        chart.configure(font=_FONT, background="transparent")
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=_INK,
            titleColor=_INK,
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
            labelLimit=280,
            gridColor=_INK,
            gridOpacity=0.13,
            tickColor=_INK,
            tickOpacity=0.3,
            domainColor=_INK,
            domainOpacity=0.3,
        )
        .configure_legend(
            labelColor=_INK, labelFontSize=12, labelLimit=280, symbolLimit=0, symbolOpacity=1
        )
    )
    version = alt.SCHEMA_VERSION.removeprefix("v").rpartition(".")[0]
    drawn = vl_convert.vegalite_to_svg(styled.to_dict(), vl_version=version)
    label = escape(told)
    # vl-convert escapes every text that it writes; a test holds it to that.
    return Markup(drawn.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1))


def tell(points: Sequence[Point]) -> str:
    """Return the numbers of a plot of shares."""
    return "; ".join(_tell(point) for point in points)


def _tell(point: Point) -> str:
    part = f" {point.part}" if point.part else ""
    return f"{point.label}{part} {point.value:.2f}, {point.low:.2f} to {point.high:.2f}"
