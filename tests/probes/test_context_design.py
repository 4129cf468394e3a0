"""The design of the context track, counted by brute force."""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from probes.context.aliases import aliases, confounded, notes, uncrossed
from probes.context.design import crossing, design
from probes.context.factors import FAMILIES, LEVELS, Cell, Sessions
from scoring.planting import Position

DESIGN = design()
EVEN = [name for name in LEVELS if name != "constraint"]
"""The factors whose levels are all equally frequent; half of the constraints are `standing`."""


def count(cells: Sequence[Cell], *names: str) -> Counter[tuple[str | int, ...]]:
    found = Counter(tuple(getattr(cell, name) for name in names) for cell in cells)
    for levels in itertools.product(*(LEVELS[name] for name in names)):
        found.setdefault(levels, 0)
    return found


def spread(found: Counter[tuple[str | int, ...]]) -> int:
    return max(found.values()) - min(found.values())


def test_each_family_has_each_phrasing_with_each_number_of_compactions_once() -> None:
    assert len(DESIGN) == len(set(DESIGN)) == 240
    assert set(count(DESIGN, "family", "phrasing", "compactions").values()) == {1}


@pytest.mark.parametrize("name", EVEN)
def test_all_levels_of_a_factor_are_equally_frequent(name: str) -> None:
    assert spread(count(DESIGN, name)) == 0
    for family in FAMILIES:
        own = [cell for cell in DESIGN if cell.family == family]
        if name != "family":
            assert spread(count(own, name)) == 0


def test_half_of_the_constraints_are_conditional_and_half_of_these_are_lifted() -> None:
    found = count(DESIGN, "constraint")
    assert found == {("standing",): 120, ("conditional",): 60, ("lifted",): 60}
    within = count(DESIGN, "family", "constraint")
    for family in FAMILIES:
        assert within[family, "standing"] == 15
        assert {within[family, "conditional"], within[family, "lifted"]} == {7, 8}


@pytest.mark.parametrize("pair", list(itertools.combinations(EVEN, 2)))
def test_pairs_of_levels_differ_by_one_at_most(pair: tuple[str, str]) -> None:
    assert spread(count(DESIGN, *pair)) <= 1
    for family in FAMILIES:
        own = [cell for cell in DESIGN if cell.family == family]
        if "family" not in pair:
            assert spread(count(own, *pair)) <= 1


@pytest.mark.parametrize("name", [name for name in EVEN if name != "family"])
def test_pairs_with_each_kind_of_constraint_differ_by_one_at_most(name: str) -> None:
    for binding in LEVELS["constraint"]:
        cells = [cell for cell in DESIGN if cell.constraint == binding]
        # Positions are shifted in threes over eight families, so that 60 do not fall into thirds.
        assert spread(count(cells, name)) <= (2 if name == "position" else 1)
        for family in FAMILIES:
            own = [cell for cell in cells if cell.family == family]
            assert spread(count(own, name)) <= 1


def test_the_crossing_has_every_combination_and_the_design_in_it() -> None:
    cells = crossing()
    crossed = ("family", "phrasing", "compactions", "position", "sessions")
    assert len(cells) == 1440 and set(DESIGN) < set(cells)
    assert set(count(cells, *crossed).values()) == {1}


def test_the_first_tasks_have_every_level_of_every_factor() -> None:
    for name, levels in LEVELS.items():
        assert {getattr(cell, name) for cell in DESIGN[:8]} == set(levels)


def test_a_family_has_the_same_tasks_whichever_others_there_are() -> None:
    own = [cell for cell in DESIGN if cell.family == "access-audit"]
    assert design(["access-audit"]) == own and len(own) == 30


def test_names_tell_tasks_apart() -> None:
    assert len({cell.arc(7) for cell in crossing()}) == 1440
    assert all(len(f"{cell.arc(-(2**63))}.twin-supersession") <= 100 for cell in crossing())


# Of three factors with two levels: all eight combinations, and the half with an even number of
# second levels, in which each main effect is the interaction of the other two.
EIGHT = [
    replace(DESIGN[0], sessions=sessions, overlap=overlap, obligation=obligation)
    for sessions in ("one", "several")
    for overlap in ("high", "low")
    for obligation in ("open", "withdrawn")
]
HALF = [
    cell
    for cell in EIGHT
    if [cell.sessions, cell.overlap, cell.obligation].count("one")
    + [cell.overlap, cell.obligation].count("high")
    + [cell.obligation].count("open")
    in (1, 3)
]


def test_a_full_factorial_has_no_alias_and_its_half_has_all() -> None:
    assert aliases(EIGHT) == []
    assert len(HALF) == 4
    assert confounded(HALF) == {
        ("sessions", "overlap"): (1, 1),
        ("sessions", "obligation"): (1, 1),
        ("overlap", "obligation"): (1, 1),
    }
    assert not list(uncrossed(HALF))
    assert list(uncrossed(HALF[:3])) == [
        (pair, 1, 4) for pair in itertools.combinations(("sessions", "overlap", "obligation"), 2)
    ]


def test_all_pairs_meet_and_the_aliases_of_the_design_are_few() -> None:
    assert not list(uncrossed(DESIGN))
    lines = notes(DESIGN)
    # 28 pairs of factors; a lost degree of freedom is told at each interaction that it may be of.
    assert sum("confounded" in line for line in lines) == 13
    assert "phrasing x compactions: 6 of 20 degrees of freedom are confounded" in lines
    assert [line for line in lines if line.startswith("position: with")] == lines[-2:]


@pytest.mark.parametrize(
    ("compactions", "sessions", "position", "order"),
    [
        (0, "one", "before", "uncut"),
        (0, "one", "after", "uncut"),
        (1, "one", "before", "revocation_first"),
        (1, "one", "between", "revocation_first"),
        (1, "one", "after", "cut_first"),
        (0, "several", "after", "cut_first"),
    ],
)
def test_the_order_of_revocation_and_cut(
    compactions: int, sessions: Sessions, position: Position, order: str
) -> None:
    cell = replace(DESIGN[0], compactions=compactions, sessions=sessions, position=position)
    assert cell.levels()["order"] == order
