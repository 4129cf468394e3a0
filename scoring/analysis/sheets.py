"""A run's scored decisions by arm, ready to be asked about."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.analysis.declared import CLEAN, Split, Values
from scoring.grouping import Setting
from scoring.metrics import Observed, Played
from simulator.events import Json

Cell = tuple[tuple[str, Json], ...]
"""Factors with their values."""


class Seen(NamedTuple):
    """One scored decision and what it can be chosen by.

    Attributes:
        observed: The verdict.
        factors: Factor of `where` to its value.
        generation_seed: Seed of its arc's generator, else None.
        trial_seed: Seed of its trial.
    """

    observed: Observed
    factors: Mapping[str, Json]
    generation_seed: int | None
    trial_seed: int


@dataclass(frozen=True)
class Sheet:
    """The finished trials of one run.

    Attributes:
        setting: The run.
        seen: Arm to its scored decisions.
        evidence: Arm to the evidence of its trials.
        repeating: Arms that did the same under every trial seed.
    """

    setting: Setting
    seen: Mapping[str, Sequence[Seen]]
    evidence: Mapping[str, str]
    repeating: frozenset[str] = frozenset()

    @property
    def arms(self) -> dict[str, Json]:
        """The flat options of the arms that finished a trial, in the suite's order."""
        known = self.setting.manifest.arms
        return {arm: known[arm] for arm in self.setting.arms() if arm in self.seen}

    def cells(
        self, arm: str, where: Mapping[str, Values], by: Sequence[Split]
    ) -> dict[Cell, list[Seen]]:
        """Return an arm's decisions, split by factors; clean arcs only unless corruption is named.

        Without factors to split by there is one cell, be it empty.
        """
        wanted = dict(where) if "corruption" in {*where, *by} else {**where, "corruption": CLEAN}
        found: dict[Cell, list[Seen]] = defaultdict(list)
        if not by:
            found[()] = []
        for each in self.seen[arm]:
            if all(_fits(each.factors[name], values) for name, values in wanted.items()):
                found[tuple((name, each.factors[name]) for name in by)].append(each)
        return dict(found)


def _fits(value: Json, wanted: Values) -> bool:
    return value in wanted if isinstance(wanted, tuple) else value == wanted


def sheets(settings: Sequence[Setting], trials: Sequence[tuple[Setting, Played]]) -> list[Sheet]:
    """Return a sheet a run, in the order of the runs."""
    seen: dict[str, dict[str, list[Seen]]] = {each.run: defaultdict(list) for each in settings}
    evidence: dict[str, dict[str, set[str]]] = {each.run: defaultdict(set) for each in settings}
    repeating = {(setting.run, played.arm) for setting, played in trials if played.repeats}
    for setting, played in trials:
        if played.finished:
            seen[setting.run][played.arm].extend(_seen(setting, played))
            evidence[setting.run][played.arm].add(played.evidence)
    return [
        Sheet(
            each,
            dict(seen[each.run]),
            {arm: " + ".join(sorted(kinds)) for arm, kinds in evidence[each.run].items()},
            frozenset(arm for run, arm in repeating if run == each.run),
        )
        for each in settings
    ]


def _seen(setting: Setting, played: Played) -> list[Seen]:
    arc = setting.manifest.arcs[played.arc]
    own = {"tier": arc["tier"], "corruption": arc["corruption"], "arc": played.arc}
    return [
        Seen(
            each,
            {**own, "domain": each.domain, "probe_kind": each.kind, "cluster": each.cluster},
            played.generation_seed,
            played.seed,
        )
        for each in played.observed
        if each.skipped is None and each.counterpart is None
    ]
