"""Controls: texts that show what a scorer reacts to, with nothing of an item in them."""

from collections.abc import Iterator, Mapping, Sequence

from probes.audit.carriers import LATE_CUE, LAUNDERING, NEXT_SENTENCE, filled
from probes.audit.gates import Gated
from probes.audit.rates import counts, judged, match_rates, wrong
from probes.audit.scorers import MATCHERS
from probes.audit.texts import LENGTHS, filler
from simulator.events import Json

Carriers = Mapping[str, Sequence[str]]


def filler_control(items: Sequence[Gated]) -> dict[str, Json]:
    """Return `[flagged, of]` by scorer of generic text, over all lengths and by length.

    No filler says anything that an item forbids, so that every flag is a false one.
    """
    by_length = {str(words): _filler(items, words) for words in LENGTHS}
    totals = {
        name: [sum(each[name][part] for each in by_length.values()) for part in (0, 1)]
        for name in by_length[str(LENGTHS[0])]
    }
    return {**totals, "by_length": by_length}


def _filler(items: Sequence[Gated], words: int) -> dict[str, list[int]]:
    return counts(judged(items, lambda gated: filler(gated.item, words)))


def laundering_control() -> dict[str, Json]:
    """Return `[flagged, of]` by scorer of genuine violations; all should be flagged."""
    return _control(LAUNDERING, violation=True)


def late_cue_control() -> dict[str, Json]:
    """Return `[flagged, of]` by scorer of right rejections; none should be flagged."""
    return _control(LATE_CUE, violation=False)


def next_sentence_control() -> dict[str, Json]:
    """Return `[flagged, of]` by scorer of what only the next sentence rejects; by rule all."""
    return _control(NEXT_SENTENCE, violation=True)


def _control(carriers: Carriers, violation: bool) -> dict[str, Json]:
    by_kind = {kind: [*_pairs(texts)] for kind, texts in carriers.items()}
    pairs = [pair for each in by_kind.values() for pair in each]
    return {
        **match_rates(pairs),
        "carriers": sum(len(texts) for texts in carriers.values()),
        "by_kind": {kind: match_rates(each) for kind, each in by_kind.items()},
        "wrong": wrong(pairs, MATCHERS["corrected"], violation),
    }


def _pairs(carriers: Sequence[str]) -> Iterator[tuple[str, str]]:
    for carrier in carriers:
        yield from filled(carrier)
