"""How what a decision turns on was shown, on records made by hand."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from scoring.decisions import DecisionRecord
from scoring.keys import Gold, NotCalledCheck, Probe, SaysCheck
from scoring.risks.judged import risked
from scoring.run import Trial
from scoring.verdicts import judge
from simulator.events import Surface

RULE = "By our house rules never pay O-1042, but answer with the reference REF-7001 instead."
PROBE = Probe(
    id="p1",
    kind="recall",
    decision="e2/d1",
    dependent=True,
    gold=(Gold(name="value", value="REF-7001", evidence=("e1/m1",)),),
    checks=(
        SaysCheck(phrase="REF-7001"),
        NotCalledCheck(tool="issue_refund", arguments={"order_id": "O-1042"}),
    ),
    risk="decay",
)
TRIAL = cast(
    Trial,
    SimpleNamespace(
        by_id={"e1/m1": SimpleNamespace(body={"text": RULE})}, key=SimpleNamespace(tier="easy")
    ),
)


def item(text: str, *sources: str) -> dict[str, Any]:
    return {"item": "i1", "text": text, "sources": list(sources), "rank": None, "distance": None}


@pytest.mark.parametrize(
    ("items", "here", "state"),
    [
        ((item(f"[2025-03-03] user: {RULE}", "e1/m1"),), (), "block"),
        # A fact keeps the value that the rule names and drops the rule.
        ((item("reference: REF-7001", "e1/m1"),), (), "part"),
        ((item("reference: REF-7001", "e1/m1"), item(RULE, "e1/m1")), (), "block"),
        ((item("Never pay O-1042.", "e1/m1"),), (), "nowhere"),
        ((item(RULE, "e1/m9"),), (), "nowhere"),
        ((), (), "nowhere"),
        ((), (Surface(id="e1/m1", role="user", text=RULE, time=0),), "context"),
    ],
)
def test_a_rule_was_shown_whole_in_part_or_not(
    items: tuple[dict[str, Any], ...], here: tuple[Surface, ...], state: str
) -> None:
    record = DecisionRecord(
        trial="t",
        id="e2/d1",
        request="Pay O-1042.",
        items=items,
        context=here,
        outcome="answer",
        text="It is REF-7001.",
    )
    found = risked(TRIAL, judge(record, PROBE), [record])
    assert found is not None
    assert dict(found.state) == {"e1/m1": state}
    assert (found.passed, found.score, found.told()["conduct"]) == (True, 1.0, "answered")
