"""What an arc is as an episode of a pass matrix: its risk, its static features, who passed it."""

from collections.abc import Iterable, Iterator, Sequence

from scoring.compare import Scored
from scoring.keys import TIERS, Key, Probe
from scoring.metrics import Observed, Played
from scoring.risks.kinds import SEPARATE
from scoring.run import Run
from scoring.selection.matrix import NO_TIER, Cell
from simulator.events import Script
from simulator.events.errors import InputError
from simulator.events.script import event_id
from simulator.events.tokens import count_tokens

_FORBIDS = frozenset({"not_called", "never_says", "never_cites"})


def risk_of(key: Key) -> str:
    """Return the risk that an arc tests, or what stands for it.

    The risk that its probes have in common, else their kind if they have one in common, else the
    arc's domain.
    """
    probes = [probe for probe in key.probes if _counts(probe)]
    risks = {probe.risk for probe in probes}
    kinds = {probe.kind for probe in probes}
    risk = risks.pop() if len(risks) == 1 else None
    return risk or (kinds.pop() if len(kinds) == 1 else key.domain)


def _counts(probe: Probe) -> bool:
    return probe.excluded is None and probe.not_scorable is None


def passed(seen: Iterable[Observed]) -> bool | None:
    """Return whether every scored probe succeeded; None where none is scored.

    An error in the place of an outcome is no success.
    """
    scored = [each.success for each in seen if each.skipped is None]
    return all(scored) if scored else None


def static_features(script: Script, key: Key) -> dict[str, float]:
    """Return the features of `features.STATIC`, all but `tier` where the arc has none."""
    probes = [probe for probe in key.probes if _counts(probe)]
    places = _places(script)
    checks = [check for probe in probes for check in probe.checks]
    tier = {} if key.tier is None else {"tier": TIERS.index(key.tier)}
    found = {
        **tier,
        "length": len(places),
        "sessions": len(script.episodes),
        "distance": max((_distance(probe, places) for probe in probes), default=0),
        "tokens": sum(_tokens(script)),
        "risk_types": len({probe.risk or probe.kind for probe in probes}),
        "calls": sum(len(probe.reference.calls) for probe in probes if probe.reference),
        "constraints": sum(len(probe.forbidden) for probe in probes)
        + sum(check.check in _FORBIDS for check in checks),
        "decisions": sum(1 for episode in script.episodes for _ in episode.decisions()),
        "revisions": len(key.revisions),
    }
    return {name: float(value) for name, value in found.items()}


def _places(script: Script) -> dict[str, int]:
    """Return the place of every scripted event in its arc, by its full id."""
    ids = [event_id(episode.id, each.id) for episode in script.episodes for each in episode.events]
    return {each: place for place, each in enumerate(ids)}


def _distance(probe: Probe, places: dict[str, int]) -> int:
    """Return how many events lie between the first evidence of a probe and its decision."""
    evidence = [places[event] for gold in probe.gold for event in gold.evidence]
    return places[probe.decision] - min(evidence) if evidence else 0


def _tokens(script: Script) -> Iterator[int]:
    for episode in script.episodes:
        for event in episode.events:
            surface = event.surface(event.id, 0)
            if surface is not None:
                yield count_tokens(surface.text)


def cells_of(runs: Sequence[Run], scored: Scored) -> Iterator[Cell]:
    """Yield a verdict an arm and arc, of the scored trials of runs in the same order.

    An arm is a model of the matrix. Under several trial seeds it passes an arc when it passes
    under each of them. Arcs without a scored probe are left out, and so are those of risks that
    are a track of their own, where there are others.

    Raises:
        InputError: for a trial that was not finished, or an arc of which two runs hold different
            versions.
    """
    by_name = {each.run: run for each, run in zip(scored.settings, runs, strict=True)}
    _check_same(runs)
    of_arcs: dict[str, tuple[str, str, dict[str, float]]] = {}
    apart = separate_arcs(runs)
    trials: dict[tuple[str, str, str], list[Played]] = {}
    for _, played in scored.trials:
        if not played.finished:
            message = f"the trial {played.arc}/{played.arm}/{played.seed} is not finished"
            raise InputError(message, file=str(by_name[played.run].folder))
        if played.arc not in apart:
            trials.setdefault((played.run, played.arm, played.arc), []).append(played)
    for (name, arm, arc), seeds in trials.items():
        verdict = passed(each for played in seeds for each in played.observed)
        if verdict is None:
            continue
        run = by_name[name]
        if arc not in of_arcs:
            key = run.key(arc)
            features = static_features(run.script(arc), key)
            of_arcs[arc] = (risk_of(key), key.tier or NO_TIER, features)
        risk, tier, features = of_arcs[arc]
        yield Cell(arm, arc, verdict, risk, tier, features, file=str(run.folder))


def separate_arcs(runs: Sequence[Run]) -> frozenset[str]:
    """Return the arcs of risks that are a track of their own; none where there are no others."""
    arcs = {arc: risk_of(run.key(arc)) for run in runs for arc in run.manifest.arcs}
    apart = frozenset(arc for arc, risk in arcs.items() if risk in SEPARATE)
    return apart if len(apart) < len(arcs) else frozenset()


def _check_same(runs: Sequence[Run]) -> None:
    """Refuse two runs that mean different things by one arc."""
    seen: dict[str, tuple[Run, str, str]] = {}
    for run in runs:
        for arc, entry in run.manifest.arcs.items():
            hashes = (entry["script"], entry["key"])
            first, *known = seen.setdefault(arc, (run, *hashes))
            if tuple(known) != hashes:
                message = f"the arc {arc!r} is another one than in {first.folder}"
                raise InputError(message, file=str(run.folder))
