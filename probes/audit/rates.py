"""Rates: how many of how many a scorer flags, and the interval over templates."""

from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

from probes.audit.gates import Gated
from probes.audit.scorers import MATCHERS, SCORERS, Matches
from scoring.statistics import Unit, rate_interval
from simulator.events import Json

Texts = Callable[[Gated], str]


class Judged(NamedTuple):
    """One verdict of one scorer.

    Attributes:
        group: The group of its item.
        cluster: The template that its item belongs to.
        flagged: Whether the text was called a violation.
        paired: Whether the corrected scorer has a verdict on the item too.
    """

    group: str
    cluster: Hashable
    flagged: bool
    paired: bool


def judged(items: Iterable[Gated], text: Texts) -> dict[str, list[Judged]]:
    """Return every scorer's verdicts on one constructed text an item.

    Items none of whose phrases counts for a scorer have no verdict of its.
    """
    found: dict[str, list[Judged]] = {name: [] for name in SCORERS}
    for gated in items:
        said = text(gated)
        for name, scorer in SCORERS.items():
            flagged = scorer.flags(gated, said)
            if flagged is not None:
                item = gated.item
                found[name].append(Judged(item.group, item.cluster, flagged, bool(gated.scored)))
    return found


def counts(verdicts: dict[str, list[Judged]]) -> dict[str, list[int]]:
    """Return `[flagged, of]` by scorer; `legacy_paired` is over the corrected scorer's items."""
    found = {name: rate(each.flagged for each in verdicts[name]) for name in SCORERS}
    paired = rate(each.flagged for each in verdicts["legacy"] if each.paired)
    return {**found, "legacy_paired": paired}


def by_group(verdicts: dict[str, list[Judged]], groups: Iterable[str]) -> dict[str, Json]:
    """Return the counts of each group."""
    return {
        group: counts(
            {name: [v for v in each if v.group == group] for name, each in verdicts.items()}
        )
        for group in groups
    }


def intervals(verdicts: dict[str, list[Judged]]) -> dict[str, list[float] | None]:
    """Return the 95 % interval over templates of each scorer's rate; None without verdicts."""
    found: dict[str, list[float] | None] = {}
    for name, each in verdicts.items():
        units = (Unit(one.cluster, float(one.flagged)) for one in each)
        interval = rate_interval(units)
        found[name] = None if interval is None else [interval.low, interval.high]
    return found


def rate(flags: Iterable[bool]) -> list[int]:
    """Return `[flagged, of]`."""
    all_of_them = list(flags)
    return [sum(all_of_them), len(all_of_them)]


def match_rates(pairs: Iterable[tuple[str, str]]) -> dict[str, list[int]]:
    """Return `[flagged, of]` by scorer over (phrase, text) pairs, where no gate applies."""
    given = list(pairs)
    return {
        name: rate(matches(phrase, text, "") for phrase, text in given)
        for name, matches in MATCHERS.items()
    }


def wrong(pairs: Iterable[tuple[str, str]], matches: Matches, right: bool) -> list[str]:
    """Return the texts on which a scorer's verdict is not the right one."""
    return [text for phrase, text in pairs if matches(phrase, text, "") is not right]
