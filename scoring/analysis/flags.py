"""What makes a comparison unequal: settings that should be one and the same over its arms."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from scoring.grouping import MEMORY_SIDE, Setting
from scoring.metrics import Played
from simulator.events import Json, canonical_json

Options = Mapping[str, Json]


def flags(settings: Sequence[Setting], trials: Iterable[tuple[Setting, Played]]) -> list[str]:
    """Return a warning for each setting in which the arms that played are unequal.

    The unbudgeted replay control beside one budget is not unequal: its name says what it is.
    """
    played = {(setting.run, each.arm) for setting, each in trials}
    arms = [
        (setting, setting.manifest.arms[arm], setting.manifest.identities.get(arm, {}))
        for setting in settings
        for arm in setting.arms()
        if (setting.run, arm) in played
    ]
    told: dict[str, list[str]] = {}
    for what, read in _READ.items():
        values = (value for _, options, identity in arms for value in read(options, identity))
        told[what] = list(dict.fromkeys(values))
    unequal = [
        f"unequal {what} ({', '.join(values)}): compare within one value only"
        for what, values in told.items()
        if len(values) > 1
    ]
    return [*unequal, *_sides(arms)]


def _embedder(options: Options, identity: Options) -> Iterable[str]:
    if options.get("embedder") is not None:
        yield _named(options["embedder"], options.get("embedder_options"))


def _memory_model(options: Options, identity: Options) -> Iterable[str]:
    if options.get("memory_model") is not None:
        yield _named(options["memory_model"], options.get("memory_model_options"))


def _budget(options: Options, identity: Options) -> Iterable[str]:
    budget, memory = options.get("token_budget"), options.get("memory")
    if memory != "none" and (memory, budget) != ("replay", None):
        yield "unbudgeted" if budget is None else str(budget)


def _quantization(options: Options, identity: Options) -> Iterable[str]:
    for role in ("agent_model", "memory_model"):
        found = (identity.get(role) or {}).get("quantization")
        if found is not None:
            yield str(found)


def _summariser(options: Options, identity: Options) -> Iterable[str]:
    if options.get("memory") == "summary":
        by = list(_memory_model(options, identity))
        yield f"summary/{options.get('implementation')}{f' by {by[0]}' if by else ''}"


_READ: dict[str, Callable[[Options, Options], Iterable[str]]] = {
    "token budgets": _budget,
    "embedders": _embedder,
    "memory models": _memory_model,
    "quantisations": _quantization,
    "summarisers": _summariser,
}


def _named(name: str, options: Options | None) -> str:
    listed = ",".join(f"{key}={value}" for key, value in sorted((options or {}).items()))
    return f"{name}({listed})" if listed else name


def _sides(arms: Sequence[tuple[Setting, Options, Options]]) -> list[str]:
    """Warn when the memories that one model was served by are not those of another."""
    found: dict[str, set[str]] = {}
    for setting, options, _ in arms:
        model = canonical_json([setting.run, options["model"], options.get("model_options")])
        side = canonical_json({name: options.get(name) for name in MEMORY_SIDE})
        found.setdefault(model, set()).add(side)
    if len({frozenset(sides) for sides in found.values()}) < 2:
        return []
    return ["the memory side is not the same for every model or run: what differs may be its doing"]


def replays(trials: Iterable[tuple[Setting, Played]]) -> list[dict[str, Json]]:
    """Return for each arm that ranks how many of its reads gave back everything it held."""
    counts: dict[tuple[str, str], list[int]] = {}
    for setting, each in trials:
        if each.reads.ranked:
            of = counts.setdefault((setting.run, each.arm), [0, 0])
            of[0] += each.reads.ranked
            of[1] += each.reads.whole
    return [
        {"run": run, "arm": arm, "reads": ranked, "whole": whole}
        for (run, arm), (ranked, whole) in counts.items()
    ]


def replay_warnings(rows: Iterable[dict[str, Json]]) -> list[str]:
    """Warn of arms that gave back everything they held in at least half of their reads."""
    return [
        f"{row['arm']}: in {row['whole']} of {row['reads']} reads as many items were given back as "
        "were stored; there k is at or above what is held, and retrieval has become full replay"
        for row in rows
        if 2 * row["whole"] >= row["reads"]
    ]
