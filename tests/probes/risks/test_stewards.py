"""Each weakness shows in exactly the risks that it should, on full replay of all 144 arcs."""

from collections import Counter
from typing import Any

import pytest

from probes.scenario import Scenario
from scoring.risks.conduct import REFUSALS
from scoring.risks.kinds import RISKS
from simulator.events import event_id
from tests.probes.risks.staging import arcs, conducted, decide, reader


def failures(name: str, **options: Any) -> tuple[Counter[str], Counter[Any]]:
    """Return how many decisions of each risk failed, and of each risk and tier."""
    who = reader(name, **options)
    by_risk, by_tier = Counter[str](), Counter[Any]()
    for arc in arcs():
        if not decide(arc, who).success:
            risk = str(arc.key.probes[0].risk)
            by_risk[risk] += 1
            by_tier[risk, arc.key.tier] += 1
    return by_risk, by_tier


def test_the_steward_without_a_weakness_passes_everything() -> None:
    assert failures("Steward") == ({}, {})


@pytest.mark.parametrize(
    ("name", "fails"),
    [
        ("Hasty", {"stale", "conflict"}),
        ("Unruly", {"conflict"}),
        ("Gossip", {"leakage", "conflict"}),
        ("Hoarder", {"reuse"}),
        ("Forgetful", {"decay"}),
        ("Gullible", {"contamination"}),
        ("Timid", {"leakage", "reuse", "decay"}),
    ],
)
def test_each_weakness_shows_in_its_own_risks_and_in_no_other(name: str, fails: set[str]) -> None:
    by_risk, _ = failures(name)
    assert set(by_risk) == fails
    assert set(by_risk) <= set(RISKS)


def test_the_first_value_is_stale_always_and_following_revisions_grades_it() -> None:
    assert failures("Hasty")[0]["stale"] == 24
    _, by_tier = failures("Hasty", revisions=1)
    # One revision is enough for the easy tier; the hard one has a single revision too.
    assert {tier: by_tier["stale", tier] for tier in ("easy", "medium", "hard")} == {
        "easy": 0,
        "medium": 8,
        "hard": 0,
    }


def last_is_wrong(arc: Scenario) -> bool:
    """Whether the event that states a value of a conflict last states one that does not hold."""
    (probe,) = arc.key.probes
    order = [event_id(e.id, each.id) for e in arc.script.episodes for each in e.events]
    right = max(order.index(name) for each in probe.gold for name in each.evidence)
    return any(order.index(name) > right for each in probe.forbidden for name in each.evidence)


@pytest.mark.parametrize(
    ("knows", "kept", "failed"),
    [
        # Copies come in the medium and hard tier, so in 4 of 6; of the others the half ends wrongly.
        ("none", set(), 4 + 3 * 3),
        ("corrections", {"explicit_correction"}, 3 * 3),
        ("stamps", {"explicit_correction", "latest_timestamp"}, 2 * 3),
    ],
)
def test_who_knows_fewer_rules_fails_where_the_last_word_does_not_hold(
    knows: str, kept: set[str], failed: int
) -> None:
    who = reader("Unruly", knows=knows)
    conflicts = [arc for arc in arcs() if arc.key.probes[0].risk == "conflict"]
    expected = {
        arc.key.arc
        for arc in conflicts
        if last_is_wrong(arc) and arc.key.probes[0].subtype not in kept
    }
    assert {arc.key.arc for arc in conflicts if not decide(arc, who).success} == expected
    assert len(expected) == failed


def test_who_ignores_scopes_fails_the_conflicts_of_scope_only() -> None:
    who = reader("Gossip")
    failed = {
        arc.key.probes[0].subtype
        for arc in arcs()
        if arc.key.probes[0].risk == "conflict" and not decide(arc, who).success
    }
    assert failed == {"scope"}


def test_who_heeds_marks_leaks_only_what_is_not_marked() -> None:
    by_risk, by_tier = failures("Gossip", heeds_marks=True)
    assert set(by_risk) == {"leakage"}
    assert {tier for _, tier in by_tier} == {"hard"}


def test_who_heeds_the_platform_reuses_only_what_the_user_declared_void() -> None:
    who = reader("Hoarder", heeds_platform=True)
    failed = Counter(arc.key.probes[0].subtype for arc in arcs() if not decide(arc, who).success)
    assert failed == {"invalidation": 8}


@pytest.mark.parametrize(("span", "failed"), [(0, 24), (8, 16), (16, 8), (10_000, 0)])
def test_constraints_decay_by_the_span_that_is_remembered(span: int, failed: int) -> None:
    # 4, 12 and 24 unrelated lines lie between, and two of the last session.
    by_risk, by_tier = failures("Forgetful", span=span)
    assert by_risk["decay"] == failed
    assert set(by_tier.values()) <= {8}


def test_who_trusts_orders_only_fails_instructions_only() -> None:
    who = reader("Gullible", trusts="orders")
    failed = Counter(arc.key.probes[0].subtype for arc in arcs() if not decide(arc, who).success)
    assert failed == {"instruction": 6}
    assert failures("Gullible")[0]["contamination"] == 24


@pytest.mark.parametrize(
    ("manner", "sort"), [*zip(("plain", "read", "ask"), REFUSALS, strict=True)]
)
def test_each_manner_of_refusing_is_a_row_of_its_own(manner: str, sort: str) -> None:
    who = reader("Timid", manner=manner)
    failed = [verdict for arc in arcs() if not (verdict := decide(arc, who)).success]
    assert len(failed) >= 60
    for verdict in failed:
        # No tool looks up a ticket or a booking by its own id.
        asked = verdict.record.request
        nowhere = manner == "read" and ("TCK-" in asked or "BKG-" in asked)
        assert conducted(verdict) == ("refused" if nowhere else sort)
