"""Every selector on made-up pass matrices whose truth is known, and greedy against the optimum.

Run with `python -m benchmarks.selection`; it takes some minutes. `docs/selection.md` has the figures.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from time import perf_counter

import numpy as np

from scoring.selection.drift import drift
from scoring.selection.features import GROUPS
from scoring.selection.figures import feature_selector
from scoring.selection.greedy import greedy, improve
from scoring.selection.held_out import held_out
from scoring.selection.irt import RISKS, Irt, simulate
from scoring.selection.matrix import Floats, Matrix, NewModel
from scoring.selection.measures import Objective
from scoring.selection.predicting import predicted_discrimination
from scoring.selection.selectors import SELECTORS, Problem, Selector, size_of

FEW = Irt(models=5, spacing=0.3)
MORE = Irt(models=15, spacing=0.2)
SEEDS = range(200)
FEWER_SEEDS = range(50)
FEWEST_SEEDS = range(20)
FRACTIONS = (0.1, 0.2, 0.3)
DRAWS = 50
SMALL = 500
WITHIN = 0.02


def cell(matrix: Matrix, each: Selector, size: int, seed: int) -> list[float]:
    """Return what a selector keeps in-sample and held out, of one matrix."""
    problem = Problem(matrix, size)
    kept = Objective(matrix).measure(each.subsets(problem, seed, DRAWS))
    held = held_out(problem, each, seed, DRAWS)
    assert held is not None
    told = held.told()
    return [
        float(kept.spearman.mean()),
        float(kept.high_risk.mean()),
        float((kept.high_risk > 1 - 1e-9).mean()),
        float(kept.fail_coverage.mean()),
        told["rank_error"],
        told["worst_rank_error"],
        told["pass_error"],
        told["high_risk"],
    ]


HEADINGS = "rho,high-risk,all found,fails,out: rank,out: worst,out: pass,out: high-risk".split(",")


def table(made: Irt, seeds: Sequence[int]) -> None:
    """Print a row a fraction and selector: means over matrices, and the spread of the rank error."""
    matrices = [simulate(made, seed)[0] for seed in seeds]
    print("| share | selector | " + " | ".join(HEADINGS) + " | out: rank, 90 % of matrices |")
    print("|---" * (len(HEADINGS) + 3) + "|")
    for fraction in FRACTIONS:
        size = size_of(fraction, made.episodes)
        for each in SELECTORS:
            rows = [cell(m, each, size, seed) for m, seed in zip(matrices, seeds, strict=True)]
            found = np.array(rows)
            low, high = np.quantile(found[:, 4], [0.05, 0.95])
            means = " | ".join(f"{value:.3f}" for value in found.mean(axis=0))
            spread = f"{low:.3f} to {high:.3f}"
            print(f"| {fraction:.0%} | {each.name} | {means} | {spread} |", flush=True)


def gaps(seeds: Sequence[int]) -> Iterator[tuple[float, float]]:
    """Yield how far greedy and greedy with swaps are below the optimum, as shares of it."""
    for seed in seeds:
        matrix, _ = simulate(Irt(models=5, episodes=14, risks=RISKS[:3], spacing=0.5), seed)
        objective = Objective(matrix)
        every = np.array(list(combinations(range(14), 4)))
        best = float(objective.measure(every).psi.max())
        first = greedy(objective, 4)
        values = [objective.value(first), objective.value(improve(objective, first))]
        assert values[1] >= values[0]
        yield (best - values[0]) / best, (best - values[1]) / best


def print_gaps() -> None:
    """Print the distribution of both gaps."""
    found = np.array(list(gaps(range(SMALL))))
    print("| | within 2 % | optimal | median | 90 % | 99 % | largest |")
    print("|---|---|---|---|---|---|---|")
    for name, values in zip(("greedy", "greedy + swap"), found.T, strict=True):
        shares = [(values <= WITHIN).mean(), (values <= 1e-9).mean()]
        quantiles = [*np.quantile(values, [0.5, 0.9, 0.99]), values.max()]
        cells = " | ".join(f"{100 * each:.1f} %" for each in (*shares, *quantiles))
        print(f"| {name} | {cells} |", flush=True)


def print_ablation(made: Irt, seeds: Sequence[int]) -> None:
    """Print what the feature selector keeps at 20 % without each group, and with one alone."""
    left_out = [(f"without {group}", (group,)) for group in GROUPS]
    alone = [(f"{group} alone", tuple(g for g in GROUPS if g != group)) for group in GROUPS]
    print("| features | rho | high-risk | out: rank |")
    print("|---|---|---|---|")
    matrices = [simulate(made, seed)[0] for seed in seeds]
    for name, without in [("all", ()), *left_out, *alone]:
        ablated = feature_selector(without)
        rows = [cell(each, ablated, size_of(0.2, made.episodes), 0) for each in matrices]
        found = np.mean(rows, axis=0)
        print(f"| {name} | {found[0]:.3f} | {found[1]:.3f} | {found[4]:.3f} |", flush=True)


def print_prediction(seeds: Sequence[int]) -> None:
    """Print how well static features rank episodes, by what they are worth and how many models."""
    print("| models | features follow the truth with r | held-out rho | 90 % of matrices |")
    print("|---|---|---|---|")
    for models in (6, 15, 60):
        for informative in (0.0, 0.6, 0.9):
            made = Irt(models=models, informative=informative)
            values = [predicted_discrimination(simulate(made, s)[0])["spearman"] for s in seeds]
            low, high = np.quantile(values, [0.05, 0.95])
            spread = f"{low:.2f} to {high:.2f}"
            print(f"| {models} | {informative} | {np.mean(values):.2f} | {spread} |", flush=True)


def print_drift(seeds: Sequence[int]) -> None:
    """Print how often the alarm goes off for a model like the others, and for one that is not."""
    print("| reference models | share | like the others | other episodes fail | far better |")
    print("|---|---|---|---|---|")
    for models in (5, 15):
        for fraction in FRACTIONS:
            rows = [list(alarms(models, fraction, seed)) for seed in seeds]
            shares = " | ".join(f"{value:.3f}" for value in np.mean(rows, axis=0))
            print(f"| {models} | {fraction:.0%} | {shares} |", flush=True)


def alarms(models: int, fraction: float, seed: int) -> Iterator[bool]:
    """Yield whether there is an alarm for three new models on a subset by psi."""
    whole, truth = simulate(Irt(models=models + 1), seed)
    middle = models // 2
    reference = whole.without(middle)
    problem = Problem(reference, size_of(fraction, len(whole.episodes)))
    (psi,) = (each for each in SELECTORS if each.name == "psi")
    rng = np.random.default_rng([seed, 7])
    # The same chances, dealt to other episodes: as strong a model that fails on other things.
    other: Floats = rng.permutation(truth.chance[middle])
    better: Floats = 1 - (1 - truth.chance[-1]) * 0.02
    for chance in (truth.chance[middle], other, better):
        passed = rng.random(len(chance)) < chance
        new = NewModel("new", dict(zip(whole.episodes, map(bool, passed), strict=True)))
        yield drift(problem, psi, new, seed).why is not None


def main() -> None:
    """Measure and print."""
    begun = perf_counter()
    print_gaps()
    for made, seeds in ((FEW, SEEDS), (MORE, FEWEST_SEEDS)):
        print(f"\n{made.models} models, spacing {made.spacing}, {len(seeds)} matrices\n")
        table(made, seeds)
    print()
    print_ablation(FEW, SEEDS)
    print()
    print_prediction(FEWER_SEEDS)
    print()
    print_drift(FEWER_SEEDS)
    print(f"{perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
