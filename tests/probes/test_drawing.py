"""Pictures of scenarios: everything is in them, and nothing a text says can break them."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from probes.drawing import draw, outline, to_svg
from probes.ladder import ladder
from probes.scenario import Scenario, read_scenario
from scoring.keys import Key
from simulator.events import Episode, Script
from simulator.events.errors import InputError
from simulator.events.scripted import Compaction, Decision, Message

EXAMPLE = Path(__file__).parents[2] / "probes" / "examples" / "support-refund.yaml"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture_has_a_box_an_event_and_an_arrow_a_cause() -> None:
    (arc,) = ladder("support", 1, 1, ["hard"])
    root = ET.fromstring(to_svg(arc))
    events = [event for episode in arc.script.episodes for event in episode.events]
    assert len(root.findall(f".//{SVG}g")) == len(events)
    arrows = [path for path in root.findall(f"{SVG}path") if not path.get("stroke-dasharray")]
    assert len(arrows) == sum(len(event.causes) for event in events)
    dashed = [path for path in root.findall(f"{SVG}path") if path.get("stroke-dasharray")]
    probes = arc.key.probes
    gold = sum(len(each.evidence) for probe in probes for each in probe.gold)
    stale = sum(len(each.evidence) for probe in probes for each in probe.forbidden)
    assert len(dashed) == gold + stale >= 2


def test_odd_texts_do_not_break_the_picture() -> None:
    said = Message(id="m1", at=0, text="<b>&amp; \x00\x1b]]> \"'")
    ask = Decision(id="d1", at=1, causes=("c1",), request="?")
    cut = Compaction(id="c1", at=1, causes=("m1",))
    script = Script(
        arc="odd", environment="conversation", episodes=(Episode(id="e1", events=(said, cut, ask)),)
    )
    scenario = Scenario(script=script, key=Key(arc="odd", domain="d", cluster="c", probes=()))
    titles = [each.text or "" for each in ET.fromstring(to_svg(scenario)).iter(f"{SVG}title")]
    assert any("<b>&amp;" in title for title in titles)


def test_the_outline_shows_order_causes_and_meaning() -> None:
    lines = outline(read_scenario(EXAMPLE)).splitlines()
    assert lines[0] == "support-refund · support · hard · authored"
    monday = lines.index("monday")
    assert [line.split()[2] for line in lines[monday + 1 : monday + 5]] == ["m1", "m3", "m2", "d1"]
    assert lines[monday + 3].endswith("<- m1 [p3 forbids $412.75]")
    assert lines[monday + 4].endswith("<- m2, m3 [p1 independent]")


def test_pictures_are_written_by_their_ending(tmp_path: Path) -> None:
    scenario = read_scenario(EXAMPLE)
    draw(scenario, tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == to_svg(scenario)
    draw(scenario, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG\r\n")
    with pytest.raises(InputError, match="'.jpg'"):
        draw(scenario, tmp_path / "a.jpg")
