"""How long 10,000 resamples of every contrast take on as many decisions as a full grid has.

Run with `python -m benchmarks.contrasts`. Made up are three models, six memories, three domains,
three tiers, ten arcs a cell and three trial seeds: 24,300 scored decisions. Measured is what comes
after scoring: every contrast of every cell, and the declared analysis with all its tables.
"""

from collections.abc import Callable, Iterator
from time import perf_counter, process_time
from typing import TypeVar

import numpy as np

from scoring.analysis.declared import Analysis
from scoring.analysis.summary import Question, analyse
from scoring.contrasts import contrast_rows, contrasts
from scoring.grouping import DEFAULT, Setting, buckets
from scoring.metrics import Observed, Played
from simulator.events import Json
from simulator.events.recorded import ManifestRecorded

T = TypeVar("T")

MODELS = ("one", "two", "three")
MEMORIES = ("none", "replay", "retrieval", "summary", "facts", "hybrid")
DOMAINS = ("support", "itops", "assistant")
TIERS = ("easy", "medium", "hard")
ARCS = 10
SEEDS = (0, 1, 2)
DECISIONS = 5
DEPENDENT = 2

ANALYSIS = Analysis.model_validate(
    {
        "hypotheses": [
            {
                "name": f"{first} against {second}",
                "first": {"memory": first},
                "second": {"memory": second},
            }
            for first, second in (
                ("summary", "retrieval"),
                ("facts", "retrieval"),
                ("hybrid", "facts"),
            )
        ],
        "by": ["domain", "tier"],
    }
)


def manifest() -> ManifestRecorded:
    """Return the manifest of the made-up run."""
    arms: dict[str, Json] = {
        f"{memory}+{model}": {
            "memory": memory,
            "implementation": "standard",
            "memory_options": {},
            "model": model,
            "agent": "scaffold",
            "token_budget": None if memory == "replay" else 256,
        }
        for model in MODELS
        for memory in MEMORIES
    }
    arcs: dict[str, Json] = {
        f"{domain}-{tier}-{number}": {
            "domain": domain,
            "tier": tier,
            "cluster": f"{domain}-{tier}-{number}",
            "corruption": "none",
        }
        for domain in DOMAINS
        for tier in TIERS
        for number in range(ARCS)
    }
    return ManifestRecorded(suite={"seeds": list(SEEDS)}, arcs=arcs, arms=arms, packages={})


def trials(setting: Setting) -> Iterator[tuple[Setting, Played]]:
    """Yield every trial with outcomes drawn at random."""
    stream = np.random.default_rng(1)
    for arm in setting.manifest.arms:
        rate = 0.2 + 0.12 * MEMORIES.index(arm.partition("+")[0])
        for arc, entry in setting.manifest.arcs.items():
            for seed in SEEDS:
                drawn = stream.random(DECISIONS) < rate
                seen = tuple(
                    _decision(arc, entry["domain"], seed, number, bool(success))
                    for number, success in enumerate(drawn)
                )
                signature = f"{arm}{arc}{seed}"
                yield (
                    setting,
                    Played("grid", arm, arc, seed, "hosted model", 5, {}, seen, signature),
                )


def _decision(arc: str, domain: str, seed: int, number: int, success: bool) -> Observed:
    dependent = number < DEPENDENT
    return Observed(
        arc=arc,
        probe=f"p{number}",
        seed=seed,
        kind="recall" if dependent else "independent",
        domain=domain,
        cluster=arc,
        dependent=dependent,
        skipped=None,
        why=None,
        success=success,
        errored=False,
        memory_values=0,
        used_values=0,
        memory_only=False,
        stale=False,
        block_tokens=None,
    )


def timed(what: str, work: Callable[[], T]) -> T:
    """Do some work and print how long it took."""
    begun, used = perf_counter(), process_time()
    done = work()
    print(f"{what}: {perf_counter() - begun:.2f} s, {process_time() - used:.2f} s of CPU")
    return done


def main() -> None:
    """Measure and print."""
    setting = Setting("grid", manifest())
    made = list(trials(setting))
    print(f"{sum(len(each.observed) for _, each in made):,} decisions")
    found = timed("grouping", lambda: buckets(made, DEFAULT, [setting]))
    rows, _ = timed("every contrast", lambda: contrast_rows(contrasts(found)))
    question = Question({"grid": ANALYSIS.dumped()})
    findings = timed("the declared analysis", lambda: analyse([setting], made, question))
    print(f"{len(rows)} contrasts, {len(findings.columns['hypotheses'])} declared comparisons")


if __name__ == "__main__":
    main()
