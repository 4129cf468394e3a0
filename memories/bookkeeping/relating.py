"""Relating: which words of two texts mean the same thing, as far as spelling can tell.

Endings are cut, words of one trade of the office count as one (`write`, `mail`, `call`), and two
words are akin when one is nearly the beginning of the other (`renews`, `renewal`).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from memories.words import content_stems, stem

_FAMILIES = {
    "reach": "contact write mail email e-mail send message reach talk speak call phone hear touch"
    " approach inform notify sent wrote spoke told tell",
    "consent": "approve approval sign-off signoff okay ok consent go-ahead agree agreement clear"
    " clearance permission green-light allow allowed",
    "erase": "delete remove discard erase bin trash purge deletion",
    "share": "share disclose forward publish leak show reveal public",
    "change": "change alter edit modify touch amend rewrite",
    "spend": "spend buy purchase order pay payment spending",
    "finish": "finish finished complete completed over ended end",
}
_FAMILY = {stem(word): name for name, words in _FAMILIES.items() for word in words.split()}
_EMPTY = frozenset(
    stem(word)
    for word in "any anybody anyone anything everything nothing nobody someone something thing want"
    " need make sure include mention say tell give get let know see go come like would please must"
    " may cannot still yet never only again already until unless without first one two use used i've"
    " don t doesn isn won shouldn couldn wouldn hasn haven aren wasn didn needn cannot ll ve re report"
    " moment day week time today tomorrow yesterday morning night good fine right free off back"
    " document file page note".split()
)
_SHORTEST = 4
_NEARLY = 0.8


@lru_cache(maxsize=4096)
def topic(text: str) -> frozenset[str]:
    """Return what a text is about: stems of its telling words, families in place of members."""
    stems = content_stems(text.replace("’", "'"))
    return frozenset(_FAMILY.get(each, each) for each in stems if each not in _EMPTY)


@lru_cache(maxsize=16_384)
def akin(one: str, other: str) -> bool:
    """Tell whether two stems belong to one word; ids and numbers must be equal."""
    if one == other:
        return True
    short = min(len(one), len(other))
    if short < _SHORTEST or not (one.isalpha() and other.isalpha()):
        return False
    common = next((at for at in range(short) if one[at] != other[at]), short)
    return common >= max(_SHORTEST, _NEARLY * short)


def beginning(word: str) -> str:
    """Return the first letters of a stem; stems that do not share them are not akin."""
    return word[:_SHORTEST]


@lru_cache(maxsize=8192)
def _by_beginning(stems: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
    """Return stems by their first letters, which akin ones have in common."""
    begun: dict[str, tuple[str, ...]] = {}
    for each in sorted(stems):
        begun[each[:_SHORTEST]] = (*begun.get(beginning(each), ()), each)
    return begun


def shared(one: Iterable[str], other: frozenset[str]) -> frozenset[str]:
    """Return the stems of `one` that have an akin stem in `other`."""
    begun = _by_beginning(other)
    found = []
    for each in one:
        if each in other:
            found.append(each)
            continue
        for near in begun.get(beginning(each), ()):
            if akin(each, near):
                found.append(each)
                break
    return frozenset(found)


def weight(stems: Iterable[str]) -> int:
    """Return how much shared stems say: one each, an id or a number two."""
    return sum(2 if any(letter.isdigit() for letter in each) else 1 for each in stems)
