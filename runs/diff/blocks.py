"""Two memory blocks, item by item."""

from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from runs.diff.alignment import item_name
from simulator.events import Json

ItemWhat = Literal["same", "moved", "changed", "only_a", "only_b"]

Item = dict[str, Json]
"""An item of a block: `item`, `text`, `tokens`, `sources`, `rank`, `distance`."""


@dataclass(frozen=True)
class ItemPair:
    """One item of two blocks.

    Attributes:
        what: `same`; `moved`: same text and sources at another place among what both show;
            `changed`: other words from the same sources, or hidden or history in one of them; `only_a`, `only_b`.
        a: The item in the first block, or None.
        b: The item in the other one, or None.
        places: Place from 1 in either block, or None.
    """

    what: ItemWhat
    a: Item | None
    b: Item | None
    places: tuple[int | None, int | None]


def pair_items(
    a: Sequence[Item], b: Sequence[Item], names: Sequence[Mapping[str, str]]
) -> list[ItemPair]:
    """Pair the items of two blocks: by text and sources, then by sources alone.

    Args:
        a: Items of the first block, in order.
        b: Items of the other block, in order.
        names: For each of the two, event id to a name that holds across trials.

    Returns:
        The items of the first block in order, then those that only the other one has.
    """
    sources = [_sources(a, names[0]), _sources(b, names[1])]
    full = [_content(a, sources[0], names[0]), _content(b, sources[1], names[1])]
    same = dict(_matched(full[0], full[1], set(), set()))
    changed = dict(_matched(sources[0], sources[1], set(same), set(same.values())))
    settled = _settled(same)
    pairs = [_pair(i, same, changed, settled, a, b) for i in range(len(a))]
    taken = {*same.values(), *changed.values()}
    more = (j for j in range(len(b)) if j not in taken)
    return [*pairs, *(ItemPair("only_b", None, b[j], (None, j + 1)) for j in more)]


def _sources(items: Sequence[Item], names: Mapping[str, str]) -> list[Hashable]:
    return [tuple(sorted(names.get(each, each) for each in item["sources"])) for item in items]


def _content(
    items: Sequence[Item], sources: Sequence[Hashable], names: Mapping[str, str]
) -> list[Hashable]:
    """Return what makes two items the same: text, sources, and whether they are given back."""
    return [
        (item["text"], known, item.get("hidden"), item_name(item.get("replaced_by") or "", names))
        for item, known in zip(items, sources, strict=True)
    ]


def _matched(
    a: Sequence[Hashable], b: Sequence[Hashable], done_a: set[int], done_b: set[int]
) -> Iterator[tuple[int, int]]:
    """Yield the places of equal entries, the first free one taken first."""
    free: dict[Hashable, deque[int]] = {}
    for j, entry in enumerate(b):
        if j not in done_b:
            free.setdefault(entry, deque()).append(j)
    for i, entry in enumerate(a):
        if i not in done_a and free.get(entry):
            yield i, free[entry].popleft()


def _settled(same: Mapping[int, int]) -> set[int]:
    """Return the places in the first block of items whose order the other block keeps."""
    mine, theirs = sorted(same), sorted(same, key=same.__getitem__)
    if mine == theirs:
        return set(mine)
    blocks = SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks()
    return {mine[block.a + n] for block in blocks for n in range(block.size)}


def _pair(
    i: int,
    same: Mapping[int, int],
    changed: Mapping[int, int],
    settled: set[int],
    a: Sequence[Item],
    b: Sequence[Item],
) -> ItemPair:
    if i in same:
        what: ItemWhat = "same" if i in settled else "moved"
        return ItemPair(what, a[i], b[same[i]], (i + 1, same[i] + 1))
    if i in changed:
        return ItemPair("changed", a[i], b[changed[i]], (i + 1, changed[i] + 1))
    return ItemPair("only_a", a[i], None, (i + 1, None))
