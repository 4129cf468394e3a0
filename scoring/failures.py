"""Failure classes: resurrection, leakage and fabrication, by phrase and by query, never blended.

A query is a scored decision that forbids something. A phrase that alone shows nothing leaves
numerator and denominator; `docs/scoring.md`, Failure classes, has the rules.
"""

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.metrics import Observed
from scoring.statistics import Interval, Unit, rate_interval
from scoring.verdicts import Mention
from simulator.events import Json

INTERRUPTION = "interruption_resumption"
"""Track whose resurrections are shown as a class of their own as well."""

CLASSES = ("resurrection", "leakage", "fabrication", "interruption", "any")
"""`interruption` is a part of resurrection; `any` counts a query with several once."""

Admits = Callable[[Mention], bool]


def by_phrase(mention: Mention) -> bool:
    """The headline gate: the phrase alone can show something."""
    return mention.left_out is None


def by_query(mention: Mention) -> bool:
    """The query-aware gate: neither the question nor the required content has it either."""
    return mention.aware is None


@dataclass(frozen=True)
class Query:
    """A decision with the forbidden values that count.

    Attributes:
        seen: The decision.
        mentions: What became of the values.
    """

    seen: Observed
    mentions: tuple[Mention, ...]

    @property
    def violated(self) -> bool:
        """One of the values was used."""
        return any(each.used for each in self.mentions)

    @property
    def rejects(self) -> bool:
        """One of the values was named only to rule it out."""
        return any(each.rejected for each in self.mentions)


@dataclass(frozen=True)
class Class:
    """One failure class of a group of decisions.

    Attributes:
        queries: Its decisions with at least one forbidden value that counts.
    """

    queries: tuple[Query, ...]

    @property
    def by_query(self) -> tuple[int, int]:
        """Queries with a violation, of how many; a query that ended in an error is one of them."""
        return sum(each.violated for each in self.queries), len(self.queries)

    @property
    def by_query_without_errors(self) -> tuple[int, int]:
        """The same without the queries that ended in an error."""
        clean = [each for each in self.queries if not each.seen.errored]
        return sum(each.violated for each in clean), len(clean)

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """All forbidden values that count."""
        return tuple(mention for query in self.queries for mention in query.mentions)

    @property
    def by_phrase(self) -> tuple[int, int]:
        """Forbidden values that were used, of how many."""
        return sum(each.used for each in self.mentions), len(self.mentions)

    def interval(self) -> Interval | None:
        """Return the 95 % interval of the rate by query over clusters."""
        return rate_interval(Unit(each.seen.cluster, float(each.violated)) for each in self.queries)


def failure_class(seen: Iterable[Observed], name: str, admits: Admits = by_phrase) -> Class:
    """Return one of `CLASSES` of scored decisions, under one gate."""
    found = []
    for each in seen:
        counted = tuple(m for m in each.mentions if admits(m) and _belongs(m, each, name))
        if counted:
            found.append(Query(each, counted))
    return Class(tuple(found))


def _belongs(mention: Mention, seen: Observed, name: str) -> bool:
    if name == "interruption":
        return mention.failure == "resurrection" and seen.domain == INTERRUPTION
    return name in ("any", mention.failure)


def failure_columns(seen: Sequence[Observed]) -> dict[str, Json]:
    """Return the columns about failure classes of scored decisions."""
    headline = {name: failure_class(seen, name) for name in CLASSES}
    return {
        "failures": {
            name: {**_rates(found), "query_rate_ci": _pair(found.interval())}
            for name, found in headline.items()
        },
        "failures_query_aware": {
            name: _rates(failure_class(seen, name, by_query)) for name in CLASSES
        },
        "left_out": _left_out(seen),
        **_engagement(headline["any"], seen),
    }


def _rates(found: Class) -> dict[str, Json]:
    return {
        "by_query": list(found.by_query),
        "query_rate": _share(*found.by_query),
        "by_query_without_errors": list(found.by_query_without_errors),
        "query_rate_without_errors": _share(*found.by_query_without_errors),
        "by_phrase": list(found.by_phrase),
        "phrase_rate": _share(*found.by_phrase),
    }


def _left_out(seen: Sequence[Observed]) -> dict[str, Json]:
    """Return what each gate takes out: phrases, queries that lose their last one, and why."""
    return {
        "by_phrase": _lost(seen, lambda mention: mention.left_out),
        "by_query": _lost(seen, lambda mention: mention.aware),
    }


def _lost(seen: Sequence[Observed], why: Callable[[Mention], str | None]) -> dict[str, Json]:
    reasons = [[why(mention) for mention in each.mentions] for each in seen if each.mentions]
    found = Counter(reason for query in reasons for reason in query if reason is not None)
    return {
        "phrases": found.total(),
        "queries": sum(None not in query for query in reasons),
        "reasons": dict(sorted(found.items())),
    }


def _engagement(found: Class, seen: Sequence[Observed]) -> dict[str, Json]:
    """Return how much an arm says, how often it rules values out, and whether failures go along."""
    lengths = [each.answer_tokens for each in seen if each.answer_tokens is not None]
    clean = [each for each in found.queries if each.seen.answer_tokens is not None]
    mentions = [mention for query in clean for mention in query.mentions]
    rejected = sum(each.rejected for each in mentions)
    violated = [float(each.violated) for each in clean]
    return {
        "answer_tokens": _share(sum(lengths), len(lengths)),
        "n_answers": len(lengths),
        "rejected": [rejected, len(mentions)],
        "rejected_rate": _share(rejected, len(mentions)),
        "violation_by_length": correlation(
            violated, [float(each.seen.answer_tokens or 0) for each in clean]
        ),
        "violation_by_rejection": correlation(violated, [float(each.rejects) for each in clean]),
        "n_correlated": len(clean),
    }


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return Pearson's r (phi for two values of 0 and 1); None where one of them is constant."""
    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    return statistics.correlation(one, other)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _pair(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)
