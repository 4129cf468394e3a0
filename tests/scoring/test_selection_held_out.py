"""Held-out error, resampling, prediction, drift and made-up matrices."""

from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from scipy import stats

from scoring.selection.asked import Asked
from scoring.selection.drift import Drift, drift, expected, fit
from scoring.selection.held_out import held_out
from scoring.selection.irt import Irt, abilities, simulate
from scoring.selection.matrix import Cell, Matrix, NewModel, assemble
from scoring.selection.measures import Objective
from scoring.selection.predicting import predicted_discrimination, ridge
from scoring.selection.resampling import Steps, bootstrap, percentiles
from scoring.selection.selectors import SELECTORS, Problem, selector
from scoring.selection.summary import Selection, select
from scoring.statistics import Interval
from simulator.events import canonical_json
from simulator.events.errors import InputError
from tests.scoring.selection import high_risk, matrix, rho

BY_NAME = {each.name: each for each in SELECTORS}
QUIET = Steps(lambda done, of: None, 1)


def choose(made: Matrix, asked: Asked, new: Sequence[NewModel] = ()) -> Selection:
    return select(made, asked, new, lambda done, of: None)


@pytest.mark.parametrize("name", ["psi", "features", "balanced", "disagreement", "k-medoids"])
def test_each_model_is_judged_by_a_subset_that_never_saw_it(name: str) -> None:
    made, _ = simulate(Irt(models=5, episodes=40), 4)
    found = held_out(Problem(made, 8), BY_NAME[name], 0)
    assert found is not None
    whole = stats.rankdata(made.counts)
    high = high_risk(made.rates.tolist(), 2)
    for model in range(5):
        others = [at for at in range(5) if at != model]
        (subset,) = BY_NAME[name].subsets(Problem(made.only(others), 8), 0, 1)
        rates = made.passed[:, subset].mean(axis=1)
        assert found.rate[model, 0] == pytest.approx(rates[model])
        assert found.pass_error[model, 0] == pytest.approx(abs(rates[model] - made.rates[model]))
        off = abs(stats.rankdata(rates)[model] - whole[model]) / 4
        assert found.rank_error[model, 0] == pytest.approx(off)
        taken = min(high_risk(rates.tolist(), 2)[model], high[model])
        assert found.high_risk[model, 0] == pytest.approx(taken)
    told = found.told()
    assert told["rank_error"] == pytest.approx(found.rank_error.mean())
    assert told["worst_rank_error"] == pytest.approx(found.rank_error.max())
    assert told["spearman"] == pytest.approx(rho(found.rate[:, 0].tolist(), made.rates.tolist()))
    assert [row["model"] for row in told["models"]] == list(made.models)


def test_what_needs_no_passes_is_the_same_held_out_and_in_sample() -> None:
    made, _ = simulate(Irt(models=5, episodes=40), 4)
    problem = Problem(made, 8)
    found = held_out(problem, BY_NAME["random"], 0, draws=50)
    assert found is not None
    kept = Objective(made).measure(BY_NAME["random"].subsets(problem, 0, 50))
    assert found.told()["high_risk"] == pytest.approx(kept.high_risk.mean())
    assert found.spearman == pytest.approx(kept.spearman.mean())


def test_two_models_leave_nothing_to_hold_out() -> None:
    assert held_out(Problem(matrix(["10", "11"]), 1), BY_NAME["psi"], 0) is None
    told = choose(matrix(["1011", "1100"], "abab"), Asked(0.5, bootstrap=5)).told
    assert told["held_out"] is None
    assert any("nothing can be held out" in each for each in told["warnings"])


def test_abilities_are_spaced_as_stated() -> None:
    made = Irt(models=4, spacing=0.5)
    assert abilities(made).tolist() == [-0.75, -0.25, 0.25, 0.75]
    _, truth = simulate(made, 0)
    assert truth.ability.tolist() == abilities(made).tolist()


def test_made_up_passes_follow_their_chances() -> None:
    made = Irt(models=3, episodes=4000, risks=("a", "b"), spacing=2.0)
    found, truth = simulate(made, 1)
    assert found.rates == pytest.approx(truth.rates, abs=0.03)
    # The chances are σ(a(θ − b)) with a part of its own each risk, constant within model and risk.
    logits = np.log(truth.chance / (1 - truth.chance))
    own = logits / truth.slope + truth.difficulty - truth.ability[:, None]
    for risk in range(2):
        assert np.ptp(own[:, found.risk_codes == risk], axis=1) == pytest.approx([0] * 3, abs=1e-6)
    assert np.log(truth.slope).std() == pytest.approx(0.4, abs=0.03)
    assert truth.difficulty.mean() == pytest.approx(-1.0, abs=0.1)


def test_a_risk_without_a_loading_ranks_by_chance_only() -> None:
    made = Irt(models=30, episodes=3000, risks=("a", "b"), loadings={"b": 0.0}, own=0.0)
    found, truth = simulate(made, 2)
    of_risk = [found.passed[:, found.risk_codes == code].mean(axis=1) for code in (0, 1)]
    assert stats.spearmanr(of_risk[0], truth.ability).statistic > 0.95
    assert abs(stats.spearmanr(of_risk[1], truth.ability).statistic) < 0.5


def test_the_same_seed_makes_the_same_matrix() -> None:
    first, again, other = (simulate(Irt(), seed)[0] for seed in (5, 5, 6))
    assert (first.passed == again.passed).all()
    assert first.tiers == again.tiers
    assert not (first.passed == other.passed).all()
    assert [first.tiers.count(tier) for tier in ("easy", "medium", "hard")] == [40, 40, 40]


def test_static_features_say_as_much_as_is_stated() -> None:
    exact, truth = simulate(Irt(episodes=400, informative=1.0), 0)
    none, _ = simulate(Irt(episodes=400, informative=0.0), 0)
    assert abs(rho(exact.features["length"].tolist(), np.log(truth.slope).tolist())) > 0.99
    assert abs(rho(none.features["length"].tolist(), np.log(truth.slope).tolist())) < 0.15


def test_ridge_is_the_minimum_of_its_loss() -> None:
    rng = np.random.default_rng(0)
    points, values = rng.standard_normal((30, 3)), rng.standard_normal(30)
    weights = ridge(points, values)

    def loss(of: list[float]) -> float:
        centred = points - points.mean(axis=0)
        rest = values - values.mean() - centred @ np.array(of)
        return float((rest**2).sum() + (np.array(of) ** 2).sum())

    best = loss(weights.tolist())
    for at in range(3):
        for step in (-0.01, 0.01):
            moved = weights.copy()
            moved[at] += step
            assert loss(moved.tolist()) > best


def test_discrimination_is_predicted_as_far_as_features_tell() -> None:
    def mean(informative: float) -> float:
        made = Irt(models=30, informative=informative)
        found = [predicted_discrimination(simulate(made, seed)[0]) for seed in range(15)]
        return float(np.mean([each["spearman"] for each in found]))

    assert abs(mean(0.0)) < 0.08
    assert mean(0.9) > 0.3


def test_the_prediction_never_sees_the_risk_or_the_models_that_it_is_held_against() -> None:
    # A feature that is the spread itself in every risk but c, where it is the opposite.
    rows = ["110011001100", "101010101010", "111011101110", "100010001000"]
    made = matrix(rows, "aaaabbbbcccc")
    spread = np.array([0, 1, 1, 0.5] * 3)
    known = np.where(np.arange(12) < 8, spread, -spread)
    found = predicted_discrimination(
        Matrix(made.models, made.episodes, made.passed, made.risks, made.tiers, {"length": known})
    )
    # Learned from the others, c comes out upside down.
    assert found["by_risk"]["c"] < 0
    assert found["spearman"] == pytest.approx(np.mean(list(found["by_risk"].values())))


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (matrix(["10", "01", "11", "00"], "ab"), "no static feature differs"),
        (matrix(["10", "01", "11"], "ab", features={"length": [1, 2]}), "need four models"),
        (matrix(["10"] * 4, "aa", features={"length": [1, 2]}), "held out of several"),
        (matrix(["10"] * 4, "ab", features={"length": [1, 2]}), "held out of several"),
    ],
)
def test_what_cannot_be_predicted_says_why(made: Matrix, why: str) -> None:
    found = predicted_discrimination(made)
    assert found["spearman"] is None
    assert why in found["why"]


def test_expected_passes_add_up_to_the_score() -> None:
    made, _ = simulate(Irt(models=6, episodes=24), 0)
    for score in (1, 7, 23):
        chance = expected(made.passed, score)
        assert chance.sum() == pytest.approx(score)
        assert rho(chance.tolist(), made.item_rates.tolist()) == pytest.approx(1.0)
    assert expected(made.passed, 0).tolist() == [0.0] * 24
    assert expected(made.passed, 24).tolist() == [1.0] * 24


def test_fit_by_hand() -> None:
    # Likelihood of passing what is likely and failing what is not: best; the reverse: worst.
    chance = np.array([0.8, 0.2])
    odds = np.log(4)
    variance = 2 * 0.16 * odds**2
    assert fit(chance, np.array([True, False])) == pytest.approx(0.4 * odds / variance**0.5)
    assert fit(chance, np.array([False, True])) == pytest.approx(-1.6 * odds / variance**0.5)
    assert fit(np.array([0.5, 0.5]), np.array([True, False])) == 0.0
    assert fit(np.array([1.0, 1.0]), np.array([True, True])) == 0.0


def new_model(made: Matrix, passed: Iterable[bool]) -> NewModel:
    return NewModel("new", dict(zip(made.episodes, map(bool, passed), strict=True)))


def test_the_alarm_tells_a_stranger_from_one_of_them() -> None:
    like, unlike, weak = 0, 0, 0
    for seed in range(8):
        whole, truth = simulate(Irt(models=11), seed)
        problem = Problem(whole.without(5), 36)
        rng = np.random.default_rng(seed)
        dealt = rng.random(120) < rng.permutation(truth.chance[5])
        passes = (whole.passed[5], dealt, np.zeros(120, dtype=bool))
        found = [drift(problem, selector("psi"), new_model(whole, each), seed) for each in passes]
        like += found[0].why is not None
        unlike += found[1].why is not None
        weak += found[2].why == "it scores below every reference model"
    assert (like <= 1, unlike >= 5, weak) == (True, True, 8)


@pytest.mark.parametrize(
    ("interval", "fit_is", "p", "why"),
    [
        ((0.1, 0.2), 0.0, 1.0, "it scores below every reference model"),
        ((0.9, 1.0), 0.0, 1.0, "it scores above every reference model"),
        ((0.4, 0.9), -3.0, 0.01, "it fails on other episodes than the reference models do"),
        ((0.4, 0.9), -3.0, 0.06, None),
        ((0.4, 0.9), -1.0, 0.01, None),
        ((0.2, 0.3), 0.0, 1.0, None),
    ],
)
def test_when_there_is_an_alarm(
    interval: tuple[float, float], fit_is: float, p: float, why: str | None
) -> None:
    found = Drift("n", 0.5, Interval(*interval), Interval(0.3, 0.8), fit_is, -2.0, p)
    assert found.why == why
    assert found.told()["alarm"] is (why is not None)


def test_drift_needs_the_subset_and_three_models() -> None:
    made, _ = simulate(Irt(models=4, episodes=20), 0)
    with pytest.raises(InputError, match="no verdict on 4 of the 4 episodes of the subset"):
        drift(Problem(made, 4), selector("psi"), NewModel("new", {}), 0)
    two = made.only([0, 1])
    with pytest.raises(InputError, match="three reference models"):
        drift(Problem(two, 4), selector("psi"), new_model(two, made.passed[3]), 0)


def test_the_bootstrap_draws_episodes_and_looks_at_the_others() -> None:
    made, _ = simulate(Irt(episodes=60), 0)
    found = bootstrap(Problem(made, 12), selector("psi"), 0, 40, QUIET)
    assert found is not None
    assert found["resamples"] == 40
    low, high = found["spearman_unseen_ci"]
    assert low <= found["spearman_unseen"] <= high
    assert found["spearman_unseen"] < found["spearman"]
    assert bootstrap(Problem(made, 12), selector("psi"), 0, 0, QUIET) is None


def test_percentiles_are_those_of_numpy() -> None:
    assert percentiles(np.arange(1001.0)) == pytest.approx([25.0, 975.0])


def test_a_selection_has_numbers_only_and_is_the_same_again() -> None:
    made, _ = simulate(Irt(models=4, episodes=30), 0)
    asked = Asked(0.2, bootstrap=10, draws=50)
    told = choose(made, asked).told
    assert canonical_json(told) == canonical_json(choose(made, asked).told)  # refuses NaN
    assert told["k"] == len(told["subset"]) == 6
    assert sum(row["subset"] for row in told["composition"]) == 6
    assert sum(row["all"] for row in told["composition"]) == 30
    assert told["psi"] == told["selectors"]["psi"]["psi"]
    assert {row["fraction"] for row in told["fractions"]} == {0.1, 0.2, 0.3}
    assert [row["without"] for row in told["ablation"]] == [
        None, "difficulty", "discrimination", "failure density", "complexity",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "rows", [["1111"] * 3, ["0000"] * 3, ["1100"] * 3, ["11", "00"], ["1", "0"]]
)
def test_matrices_without_differences_give_numbers_and_warnings(rows: list[str]) -> None:
    made = matrix(rows, "abab"[: len(rows[0])])
    told = choose(made, Asked(0.5, bootstrap=3, draws=10)).told
    canonical_json(told)
    assert (told["spearman"] == 0.0) == (len(set(rows)) == 1)
    assert bool([w for w in told["warnings"] if "no ranking to keep" in w]) == (len(set(rows)) == 1)


def test_deterministic_selectors_have_no_spread_over_seeds_and_drawn_ones_have() -> None:
    made, _ = simulate(Irt(episodes=60), 0)
    baselines = choose(made, Asked(bootstrap=0, draws=200)).told["baselines"]
    for name, each in baselines.items():
        low, high = each["spearman_ci"]
        assert (low < high) == each["draws"], name


def test_different_seeds_draw_different_subsets_of_the_baselines() -> None:
    made, _ = simulate(Irt(episodes=60), 0)
    first, other = (choose(made, Asked(bootstrap=0, seed=s, draws=20)) for s in (0, 1))
    assert first.told["drawn_sha256"] != other.told["drawn_sha256"]
    # 10, 20 and 30 % of 60; what is asked for is one of them.
    assert set(first.drawn) == {6, 12, 18}
    for k, of_size in first.drawn.items():
        assert {name: rows.shape for name, rows in of_size.items()} == dict.fromkeys(
            ("random", "stratified", "mid-range"), (20, k)
        )
    assert first.episodes == made.episodes
    assert first.told["subset"] == other.told["subset"]


def test_progress_is_told_step_by_step() -> None:
    made, _ = simulate(Irt(models=3, episodes=10), 0)
    seen: list[tuple[int, int]] = []
    select(made, Asked(bootstrap=4, draws=5), [], lambda done, of: seen.append((done, of)))
    (of,) = {of for _, of in seen}
    assert [done for done, _ in seen] == list(range(1, of + 1))


CELLS = [Cell(m, e, (m, e) == ("a", "x"), "r", line=n) for n, (m, e) in enumerate(
    [("b", "y"), ("a", "y"), ("a", "x"), ("b", "x")], 2)]  # fmt: skip


def test_the_order_of_verdicts_says_nothing() -> None:
    first, _ = assemble(CELLS)
    again, _ = assemble(reversed(CELLS))
    assert (first.models, first.episodes) == (("a", "b"), ("x", "y"))
    assert first.passed.tolist() == again.passed.tolist() == [[True, False], [False, False]]


def test_a_new_model_leaves_the_reference_set_and_needs_not_every_episode() -> None:
    cells = [*CELLS, Cell("c", "x", True, "r")]
    made, new = assemble(cells, ["c"])
    assert made.models == ("a", "b")
    assert new == [NewModel("c", {"x": True})]


@pytest.mark.parametrize(
    ("cells", "new", "says"),
    [
        ([*CELLS, CELLS[0]], [], "'b' has the episode 'y' twice; the first is on line 2"),
        (CELLS[:3], [], "'b' has no verdict on 1 of 2 episodes, such as 'x'"),
        ([*CELLS, Cell("c", "x", True, "q")], [], "'c' and 'a' disagree on the episode 'x'"),
        (CELLS, ["d"], "there is no model 'd'; known: a, b"),
        (CELLS[1:3], [], "at least two reference models; here is 1"),
        (CELLS, ["a", "b"], "at least two reference models; here is 0"),
    ],
)
def test_wrong_verdicts_are_refused(cells: list[Cell], new: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        assemble(cells, new)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (Asked(draws=0), "draws|from 1 to 100,000"),
        (Asked(bootstrap=-1), "from 0 to 100,000"),
        (Asked(selector="phi"), "unknown selector 'phi'"),
        (Asked(fraction=2.0), "got 2.0"),
    ],
)
def test_what_cannot_be_asked(asked: Asked, says: str) -> None:
    with pytest.raises(InputError, match=says):
        choose(matrix(["10", "01"]), asked)
