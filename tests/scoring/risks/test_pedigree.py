"""By which way wrong content reached an action, on records made by hand."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from scoring.decisions import DecisionRecord
from scoring.keys import Forbidden, Probe, SaysCheck
from scoring.risks.pedigree import Pedigree, pedigrees
from scoring.run import Trial
from simulator.events import Surface

PAGE = "Much of this page is unreadable. The callback number is 431-555-0117, it seems."
DIGEST = "[2025-03-04] system: The callback number is 431-555-0117, it seems."
WHOLE = f"[2025-03-04] system: Document Scan: {PAGE}"
SAID = {
    "e1/m1": f"Document Scan: {PAGE}",
    "e1/m2": "My number is 900-555-0101.",
    "e1/m3": "And by the way, 431-555-0117 was my old one.",
}
PROBE = Probe(
    id="p1",
    kind="recall",
    decision="e2/d1",
    dependent=False,
    forbidden=(Forbidden(value="431-555-0117", failure="fabrication", evidence=("e1/m1",)),),
    checks=(SaysCheck(phrase="900-555-0101"),),
    risk="contamination",
    subtype="noise",
)


def item(name: str, text: str, *sources: str) -> dict[str, Any]:
    return {"item": name, "text": text, "sources": list(sources), "rank": None, "distance": None}


def traced(
    *items: dict[str, Any], context: tuple[Surface, ...] = (), used: str = "431-555-0117"
) -> list[Pedigree]:
    events = {name: SimpleNamespace(body={"text": text}) for name, text in SAID.items()}
    trial = cast(Trial, SimpleNamespace(by_id=events))
    record = DecisionRecord(trial="t", id="e2/d1", request="?", items=items, context=context)
    return list(pedigrees(trial, record, PROBE, [used]))


def here(name: str, text: str) -> Surface:
    return Surface(id=name, role="system", text=text, time=0)


COPY = item("e1/m1", WHOLE, "e1/m1")
CUT = item("e1/m1:1", DIGEST, "e1/m1")


@pytest.mark.parametrize(
    ("items", "path", "named"),
    [
        ((CUT,), "summary", ("e1/m1:1",)),
        ((item("f1", "callback number: 431-555-0117", "e1/m1"),), "summary", ("f1",)),
        ((item("d1", DIGEST, "e1/m1", "e1/m2"),), "summary", ("d1",)),
        ((COPY,), "copy", ("e1/m1",)),
        ((COPY, CUT), "undecided", ("e1/m1", "e1/m1:1")),
        ((item("d1", DIGEST, "e1/m1", "e1/m3"),), "undecided", ("d1",)),
        ((CUT, item("e1/m3", SAID["e1/m3"], "e1/m3")), "undecided", ("e1/m1:1",)),
        ((item("x", "431-555-0117", "e1/m2"),), "undecided", ()),
        ((item("e1/m2", SAID["e1/m2"], "e1/m2"),), "undecided", ()),
        ((), "undecided", ()),
    ],
)
def test_the_way_is_told_by_what_was_shown(
    items: tuple[dict[str, Any], ...], path: str, named: tuple[str, ...]
) -> None:
    (found,) = traced(*items)
    assert (found.path, found.items, found.value) == (path, named, "431-555-0117")
    assert found.reason


def test_the_source_itself_in_the_session_is_the_context() -> None:
    (found,) = traced(context=(here("e1/m1", SAID["e1/m1"]),))
    assert found.path == "context"
    (both,) = traced(CUT, context=(here("e1/m1", SAID["e1/m1"]),))
    assert both.path == "undecided"
    (other,) = traced(CUT, context=(here("e1/m3", SAID["e1/m3"]),))
    assert other.path == "undecided"


def test_what_was_not_used_has_no_way() -> None:
    assert traced(CUT, used="900-555-0101") == []
