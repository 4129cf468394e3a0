"""A scenario as a picture or as text: sessions, events, causes, and what each probe rests on."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import networkx as nx

from probes.scenario import Scenario
from scoring.keys import Key
from simulator.events import Episode, event_id
from simulator.events.errors import InputError, nearest
from simulator.events.graph import episode_graph, order
from simulator.events.scripted import ScriptedEvent
from simulator.events.times import show_time

FORMS = (".svg", ".png")

_BOX = (150, 44)
_STEP = (172, 58)
_MARGIN = 24
_HEAD = 30
_SHOWN = 22
_COLOURS = {"message": "#e8f0fa", "decision": "#ffe2b8", "tool_result": "#e6f4e6"}
_OTHER = "#ececec"
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class _Spot:
    """Upper left corner of an event's box, pixels."""

    x: int
    y: int


def draw(scenario: Scenario, path: str | Path) -> None:
    """Draw a scenario into an `.svg` or `.png` file.

    Raises:
        InputError: for another ending, or an episode graph that is not sound.
    """
    file = Path(path)
    if file.suffix not in FORMS:
        message = f"cannot draw into {file.suffix!r}{nearest(file.suffix, FORMS)}"
        raise InputError(message, file=str(path))
    svg = to_svg(scenario)
    file.write_bytes(svg.encode("utf-8") if file.suffix == ".svg" else to_png(svg))


def to_png(svg: str) -> bytes:
    """Return an SVG picture as PNG bytes, twice its size in pixels."""
    import vl_convert  # slow to load, and only wanted here

    data: bytes = vl_convert.svg_to_png(svg, scale=2)
    return data


def to_svg(scenario: Scenario) -> str:
    """Return a scenario as an SVG picture: a row a session, time from left to right.

    Solid arrows are causes; dashed ones run from evidence (green) and from superseded or
    forbidden statements (red) to the decision that tests them.

    Raises:
        InputError: for an episode graph that is not sound.
    """
    spots: dict[str, _Spot] = {}
    parts: list[str] = []
    top = _MARGIN + _HEAD
    for episode in scenario.script.episodes:
        placed = _place(episode, top)
        spots |= {event_id(episode.id, name): spot for name, spot in placed.items()}
        title = f"{episode.id}   {show_time(min(event.at for event in episode.events))}"
        parts.append(_text(_MARGIN, top - 8, title, "bold"))
        parts.extend(_row(episode, placed))
        top = max(spot.y for spot in placed.values()) + _STEP[1] + _HEAD
    parts.extend(_pedigree(scenario.key, spots))
    width = max(spot.x for spot in spots.values()) + _BOX[0] + _MARGIN
    heading = _text(_MARGIN, 18, _heading(scenario), "bold")
    return "\n".join([_opening(width, top), heading, *parts, "</svg>\n"])


def outline(scenario: Scenario) -> str:
    """Return a scenario as lines for a terminal, events in playing order.

    `<- a, b` names causes other than the line above; square brackets show what the key says.

    Raises:
        InputError: for an episode graph that is not sound.
    """
    notes = _notes(scenario.key)
    lines = [_heading(scenario)]
    for episode in scenario.script.episodes:
        lines.append(f"\n{episode.id}")
        above: tuple[str, ...] = ()
        for event in order(episode):
            causes = f" <- {', '.join(event.causes)}" if event.causes != above else ""
            said = _said(event)
            marks = "".join(f" [{note}]" for note in notes.get(event_id(episode.id, event.id), []))
            lines.append(f"  {show_time(event.at)} {event.id:<4} {said}{causes}{marks}")
            above = (event.id,)
    return "\n".join(lines) + "\n"


def _heading(scenario: Scenario) -> str:
    key = scenario.key
    parts = [scenario.script.arc, scenario.script.environment, key.tier or "no tier", key.origin]
    return " · ".join(parts)


def _said(event: ScriptedEvent) -> str:
    surface = event.surface(event.id, event.at)
    name = event.kind if event.kind != "message" or surface is None else surface.role
    return name if surface is None else f"{name}: {' '.join(surface.text.split())}"


def _notes(key: Key) -> dict[str, list[str]]:
    notes: dict[str, list[str]] = {}
    for probe in key.probes:
        notes.setdefault(probe.decision, []).append(f"{probe.id} {probe.kind}")
        for gold in probe.gold:
            for name in gold.evidence:
                notes.setdefault(name, []).append(f"{probe.id} needs {gold.name} {gold.value}")
        for forbidden in probe.forbidden:
            for name in forbidden.evidence:
                notes.setdefault(name, []).append(f"{probe.id} forbids {forbidden.value}")
    for record in key.corrupted:
        notes.setdefault(record.event, []).append(f"{record.kind} {record.name} {record.value}")
    return notes


def _place(episode: Episode, top: int) -> dict[str, _Spot]:
    """Place events by how many causes deep they are, concurrent ones below each other."""
    placed = {}
    for column, names in enumerate(nx.topological_generations(episode_graph(episode))):
        for row, name in enumerate(names):
            placed[name] = _Spot(_MARGIN + column * _STEP[0], top + row * _STEP[1])
    return placed


def _row(episode: Episode, placed: dict[str, _Spot]) -> Iterator[str]:
    for event in episode.events:
        spot = placed[event.id]
        for cause in event.causes:
            yield _arrow(placed[cause], spot)
        yield _box(event, spot)


def _box(event: ScriptedEvent, spot: _Spot) -> str:
    said = _said(event)
    word, _, text = said.partition(": ")
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    fill = _COLOURS.get(event.kind, _OTHER)
    return "\n".join(
        [
            f"<g><title>{_safe(f'{event.id} {show_time(event.at)} {said}')}</title>",
            f'<rect x="{spot.x}" y="{spot.y}" width="{_BOX[0]}" height="{_BOX[1]}" rx="6" '
            f'fill="{fill}" stroke="#667"/>',
            _text(spot.x + 8, spot.y + 17, f"{event.id} {word}", "bold"),
            _text(spot.x + 8, spot.y + 34, shown, "normal"),
            "</g>",
        ]
    )


def _arrow(source: _Spot, target: _Spot) -> str:
    x1, y1 = source.x + _BOX[0], source.y + _BOX[1] // 2
    x2, y2 = target.x, target.y + _BOX[1] // 2
    turn = max(x1, x2 - _STEP[0] + _BOX[0])  # past the boxes between them
    return f'<path d="M{x1},{y1} H{turn} L{x2},{y2}" stroke="#667" marker-end="url(#tip)"/>'


def _pedigree(key: Key, spots: dict[str, _Spot]) -> Iterator[str]:
    for probe in key.probes:
        for gold in probe.gold:
            for name in gold.evidence:
                yield _curve(spots[name], spots[probe.decision], "#2a8a3e", -8)
        for forbidden in probe.forbidden:
            for name in forbidden.evidence:
                yield _curve(spots[name], spots[probe.decision], "#c0392b", 8)


def _curve(source: _Spot, target: _Spot, colour: str, aside: int) -> str:
    """Return a dashed curve; `aside` pixels keep two of them apart."""
    x1, y1 = source.x + _BOX[0] // 2 + aside, source.y + _BOX[1]
    x2, y2 = target.x + _BOX[0] // 2 + aside, target.y
    bend = f"C{x1},{y1 + 60} {x2},{y2 - 60}"
    style = f'stroke="{colour}" stroke-width="1.6" stroke-dasharray="5 4"'
    return f'<path d="M{x1},{y1} {bend} {x2},{y2}" {style} marker-end="url(#tip)"/>'


def _opening(width: int, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" fill="none">\n'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#667"/></marker></defs>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    )


def _text(x: int, y: int, text: str, weight: str) -> str:
    return f'<text x="{x}" y="{y}" fill="#223" font-weight="{weight}">{_safe(text)}</text>'


def _safe(text: str) -> str:
    return escape(_UNPRINTABLE.sub("�", text))
