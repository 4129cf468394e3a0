"""Pedigree: by which way text of a contaminated source reached an action.

Asked only where a value that such a source states was used. The answer comes from the log: the
items of the block that was shown, the events that each of them contains, and the working context.
What these leave open is undecided and listed, never guessed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from scoring.decisions import DecisionRecord
from scoring.keys import Probe
from scoring.matching import find_folded, occurrences
from scoring.run import Trial
from simulator.events.folding import fold

Path = Literal["summary", "copy", "context", "undecided"]
"""How a value came to the action: in an item that is not the source's own whole text (a digest, a
fact, a sentence cut out of it); in a copy of the whole text; in the working context; or open."""

PATHS: tuple[Path, ...] = get_args(Path)


@dataclass(frozen=True)
class Pedigree:
    """By which way a contaminated value came, and why that is so.

    Attributes:
        value: The value that was used.
        path: The way.
        items: Ids of the items that show it.
        reason: Why, in one sentence.
    """

    value: str
    path: Path
    items: tuple[str, ...]
    reason: str


def pedigrees(
    trial: Trial, record: DecisionRecord, probe: Probe, used: Sequence[str]
) -> Iterator[Pedigree]:
    """Yield the pedigree of each used value that a contaminated source states."""
    for each in probe.forbidden:
        if each.value in used and each.evidence:
            yield _pedigree(trial, record, each.value, frozenset(each.evidence))


def _pedigree(
    trial: Trial, record: DecisionRecord, value: str, contaminated: frozenset[str]
) -> Pedigree:
    shown = [item for item in record.items if occurrences(value, item["text"])]
    tainted = [item for item in shown if contaminated & set(item["sources"])]
    names = tuple(item["item"] for item in tainted)
    here = [each for each in record.context if occurrences(value, each.text)]
    if any(each.id in contaminated for each in here):
        if shown:
            return Pedigree(value, "undecided", names, "context and memory both show it")
        return Pedigree(value, "context", (), "the working context shows the source itself")
    if here:
        return Pedigree(value, "undecided", names, "the working context has it from elsewhere")
    if not tainted:
        why = "an item shows it that does not contain the source" if shown else "nothing shows it"
        return Pedigree(value, "undecided", (), why)
    if _clean(trial, shown, value, contaminated):
        return Pedigree(value, "undecided", names, "a clean source of what is shown states it too")
    whole = [is_copy(trial, item, contaminated) for item in tainted]
    if all(whole):
        return Pedigree(value, "copy", names, "the source's whole text was shown")
    if any(whole):
        return Pedigree(value, "undecided", names, "a copy and something made of it both show it")
    return Pedigree(value, "summary", names, "what was shown is made of the source's text")


def _clean(
    trial: Trial, shown: Sequence[dict[str, Any]], value: str, contaminated: frozenset[str]
) -> bool:
    """Return whether an event that is not contaminated states the value and is in what is shown."""
    sources = {source for item in shown for source in item["sources"]} - contaminated
    return any(occurrences(value, _text(trial, source)) for source in sources)


def is_copy(trial: Trial, item: dict[str, Any], events: frozenset[str]) -> bool:
    """Return whether an item has the whole text of one of these events that it contains."""
    text = fold(item["text"])
    texts = (fold(_text(trial, source)) for source in events & set(item["sources"]))
    return any(find_folded(" ".join(each.split()), text) for each in texts)


def _text(trial: Trial, event: str) -> str:
    """Return what an event said; events that said nothing have no text."""
    found = trial.by_id.get(event)
    return "" if found is None else str(found.body.get("text", ""))
