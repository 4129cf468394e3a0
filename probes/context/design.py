"""The design: which levels go together in 240 tasks, and in the full crossing of 1,440.

Each family has each pair of a phrasing and a number of compactions once. The position of a task is
a Latin assignment; each factor of two levels is a balanced table over phrasings and compactions,
in half of the families with its levels exchanged, and no two tables are exchanged in the same
half. So over the whole the levels of every factor, and the pairs of levels of any two, are equally
frequent as far as whole numbers allow; `tests/probes/test_context_design.py` counts them.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast, get_args

from probes.context.factors import COMPACTIONS, FAMILIES, Binding, Cell, Footing, Overlap, Sessions
from scoring.planting import PHRASINGS, POSITIONS, Position

_PAIRS = len(PHRASINGS) * len(COMPACTIONS)


class _Table(NamedTuple):
    """A balanced table of two levels.

    Attributes:
        rows: A row for each number of compactions, in it a level for each phrasing.
        exchanged: A mark for each family: whether its levels are exchanged.
    """

    rows: tuple[str, ...]
    exchanged: str

    def level(self, family: int, phrasing: int, compactions: int) -> int:
        """Return 0 or 1."""
        return int(self.rows[compactions][phrasing]) ^ int(self.exchanged[family])


# Found by a search over the 28,544 tables with three of six in each row, two or three of five in
# each column, and five of ten at each position; pairs of tables agree in 14 or 16 of 30 places.
_SESSIONS = _Table(("010101", "101010", "010101", "101010", "010101"), "01010101")
_OVERLAP = _Table(("001101", "111000", "100011", "010110", "000111"), "00110011")
_CONDITIONAL = _Table(("110001", "010101", "110001", "101010", "001110"), "00001111")
_OBLIGATION = _Table(("110100", "001011", "100011", "011001", "100110"), "01101001")
_LIFTED = _Table(("100011", "001110", "010101", "011100", "100011"), "01100110")


def design(families: Sequence[str] = FAMILIES) -> list[Cell]:
    """Return the cells of the design, 30 a family; any first ones have most levels in them.

    Families take turns; neighbours differ in phrasing and compactions.
    """
    return [
        _cell(family, (turn + family) % len(PHRASINGS), (turn + 2 * family) % len(COMPACTIONS))
        for turn in range(_PAIRS)
        for family, name in enumerate(FAMILIES)
        if name in families
    ]


def crossing(families: Sequence[str] = FAMILIES) -> list[Cell]:
    """Return every combination of family, phrasing, compactions, position and sessions.

    The design's cells are among them; overlap, constraint and obligation are as there.
    """
    return [
        _cell(family, phrasing, compactions, position, sessions)
        for family, name in enumerate(FAMILIES)
        if name in families
        for phrasing in range(len(PHRASINGS))
        for compactions in range(len(COMPACTIONS))
        for position in POSITIONS
        for sessions in get_args(Sessions)
    ]


def _cell(
    family: int,
    phrasing: int,
    compactions: int,
    position: Position | None = None,
    sessions: Sessions | None = None,
) -> Cell:
    place = (family, phrasing, compactions)
    return Cell(
        family=FAMILIES[family],
        phrasing=PHRASINGS[phrasing],
        compactions=COMPACTIONS[compactions],
        position=position or POSITIONS[_position(*place)],
        sessions=sessions or cast(Sessions, get_args(Sessions)[_SESSIONS.level(*place)]),
        overlap=cast(Overlap, get_args(Overlap)[_OVERLAP.level(*place)]),
        constraint=_binding(*place),
        obligation=cast(Footing, get_args(Footing)[_OBLIGATION.level(*place)]),
    )


def _position(family: int, phrasing: int, compactions: int) -> int:
    # Three families at a time are shifted alike, the last two by themselves.
    return (phrasing + compactions + family // len(POSITIONS)) % len(POSITIONS)


def _binding(*place: int) -> Binding:
    if not _CONDITIONAL.level(*place):
        return "standing"
    return "lifted" if _LIFTED.level(*place) else "conditional"
