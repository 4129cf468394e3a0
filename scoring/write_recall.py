"""Write recall: which planted facts the memory held after each boundary, from the log alone.

A fact is held when one item that may be given back carries its value, the entity that it is said
of and, where the item names an attribute, the right one. All three are read lexically.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scoring.holdings import History, histories
from scoring.keys import Gold, Probe
from scoring.run import Event, Trial
from scoring.spans import find_folded
from scoring.verdicts import Verdict
from simulator.events import Json
from simulator.events.folding import fold

_STRUCTURED = re.compile(r"(?:^|: |\] )(?P<attribute>[^:=\]]+) = (?P<value>.+)$")
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True)
class Fact:
    """A fact that a decision needs, as its key plants it.

    Attributes:
        value: The value.
        entity: Id of what it is said of; None where the key's reference names none.
        words: Words that a right name of the attribute may share, folded and cut to four letters.
        position: Position of the last event that states it.
    """

    value: str
    entity: str | None
    words: frozenset[str]
    position: int


def carries(text: str, fact: Fact) -> bool:
    """Return whether the text of one item holds a fact: value, entity, attribute."""
    folded = _folded(text)
    if not find_folded(fold(fact.value), folded):
        return False
    if fact.entity is not None and not find_folded(fold(fact.entity), folded):
        return False
    named = _STRUCTURED.search(text)
    return named is None or bool(words(named["attribute"]) & fact.words)


_folded = lru_cache(maxsize=4096)(fold)


@lru_cache(maxsize=4096)
def words(text: str) -> frozenset[str]:
    """Return the beginnings, four letters at most, of the words of a text."""
    return frozenset(each[:4] for each in _WORD.findall(fold(text).replace("_", " ")))


@dataclass(frozen=True)
class Planted:
    """What became of one planted fact.

    Attributes:
        kept: Whether it was held after each boundary, from the one that took in the last event
            that states it to the last one before the decision.
        back: How many sessions before the decision's own it was planted: 1 is the one before.
        place: Third of all that was said before the boundary in which it was planted: `early`,
            `middle` or `late`.
        in_block: The decision's block held the value.
    """

    kept: tuple[bool, ...]
    back: int
    place: str
    in_block: bool


def planted(trial: Trial, judged: Iterable[Verdict]) -> dict[str, tuple[Planted, ...]]:
    """Return probe id to what became of the facts that its decision needs.

    Left out are skipped probes, those that need nothing from an earlier session, decisions that
    were never reached, and facts that no boundary separates from the decision.
    """
    wanted = [each for each in judged if each.probe.dependent and each.skipped is None]
    wanted = [each for each in wanted if each.gold and each.record.first >= 0]
    reader = _Reader(trial) if wanted else None
    return {each.probe.id: tuple(reader.planted(each)) for each in wanted if reader}


class _Reader:
    """Answers for one trial; its histories are read once."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._at = {event.id: event for event in trial.events}
        self._histories = tuple(histories(trial.events).values())
        self._boundaries = tuple(_absorbed(trial.events))
        self._sessions = [e.position for e in trial.events if e.kind == "session_started"]
        self._said = [e.position for e in trial.events if e.kind in ("said", "decision")]

    def planted(self, verdict: Verdict) -> Iterator[Planted]:
        """Yield what became of the facts that a decision needs, in the order of its gold."""
        decision = verdict.record.first
        for gold, use in zip(verdict.probe.gold, verdict.gold, strict=True):
            fact = self._fact(verdict.probe, gold, decision)
            since = self._since(fact, decision) if fact else []
            if fact is not None and since:
                yield Planted(
                    kept=tuple(self._held(fact, since)),
                    back=self._session(decision) - self._session(fact.position),
                    place=self._place(fact.position, decision),
                    in_block=use.in_block,
                )

    def _fact(self, probe: Probe, gold: Gold, before: int) -> Fact | None:
        said = [self._at[name] for name in gold.evidence if name in self._at]
        said = [event for event in said if event.position < before]
        if not said:
            return None
        last = said[-1]
        text = str(last.body.get("text", ""))
        calls = probe.reference.calls if probe.reference else ()
        tools = " ".join(call.tool for call in calls)
        return Fact(
            value=gold.value,
            entity=_entity(probe, text),
            words=words(f"{gold.name} {tools} {text}"),
            position=last.position,
        )

    def _since(self, fact: Fact, decision: int) -> list[int]:
        """Return the positions after which the memory can be asked for a fact, in order."""
        return [each for each in self._boundaries if fact.position < each < decision]

    def _held(self, fact: Fact, positions: Iterable[int]) -> Iterator[bool]:
        near = [past for past in self._histories if any(carries(s.item.text, fact) for s in past)]
        for position in positions:
            yield any(_gives(history, position, fact) for history in near)

    def _session(self, position: int) -> int:
        return bisect_right(self._sessions, position)

    def _place(self, position: int, decision: int) -> str:
        """Return the third of what was said before a decision's session that a position is in."""
        start = self._sessions[self._session(decision) - 1]
        whole = bisect_right(self._said, start)
        before = bisect_right(self._said, position) - 1
        return ("early", "middle", "late")[min(2, 3 * before // max(1, whole))]


def _absorbed(events: Iterable[Event]) -> Iterator[int]:
    """Yield the position of each change with which the memory took in what a boundary ended."""
    for event in events:
        if event.kind == "memory_change" and event.body["why"] == "absorb":
            yield event.position


def _gives(history: History, position: int, fact: Fact) -> bool:
    steps = [step for step in history if step.position <= position]
    if not steps or not steps[-1].held:
        return False
    item = steps[-1].item
    return not item.hidden and item.replaced_by is None and carries(item.text, fact)


def _entity(probe: Probe, text: str) -> str | None:
    """Return the first argument of the reference path that evidence names and that is no gold."""
    gold = {fold(each.value) for each in probe.gold}
    folded = fold(text)
    for call in probe.reference.calls if probe.reference else ():
        for value in call.arguments.values():
            if isinstance(value, str) and fold(value) not in gold:
                if find_folded(fold(value), folded):
                    return value
    return None


def recall_columns(found: Sequence[Planted]) -> dict[str, Json]:
    """Return the columns about planted facts, each rate with its denominator.

    `write_recall` is after the first boundary, `recall_at_decision` after the last one before the
    decision, `recall_by_boundary` after the first, second, … one: what was held before boundary
    *n* + 1 is what was held after boundary *n*.
    """
    most = max((len(each.kept) for each in found), default=0)
    reached = {n: [e.kept[n - 1] for e in found if len(e.kept) >= n] for n in range(1, most + 1)}
    return {
        "write_recall": _share([each.kept[0] for each in found]),
        "recall_at_decision": _share([each.kept[-1] for each in found]),
        "n_write_recall": len(found),
        "recall_by_boundary": {str(n): _counted(held) for n, held in reached.items()},
        "gold_by_place": _by_place(found),
        "gold_by_sessions_back": {
            str(back): _counted([each.in_block for each in found if each.back == back])
            for back in sorted({each.back for each in found})
        },
    }


def _by_place(found: Sequence[Planted]) -> dict[str, Json]:
    return {
        place: _counted([each.in_block for each in found if each.place == place])
        for place in ("early", "middle", "late")
    }


def _counted(held: Sequence[bool]) -> dict[str, Json]:
    return {"share": _share(held), "n": len(held)}


def _share(held: Sequence[bool]) -> float | None:
    return sum(held) / len(held) if held else None
