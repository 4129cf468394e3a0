"""The study in the report: its table and plots, held against counts over single decisions."""

from collections import defaultdict
from pathlib import Path

import pytest

from runs.plan import plan
from runs.report.content import Content, content
from runs.report.study import limits
from runs.runner import run_plan
from scoring.compare import Scored, score_runs
from scoring.run import Run, load_run
from simulator.events.recorded import ManifestRecorded

SUITE = """
name = "study"
models = ["first", "last"]
token_budgets = [256]
memories = [
    "none",
    {{ name = "replay", implementation = "newest" }},
    {{ name = "replay", implementation = "unbudgeted" }},
]
{sources}
"""
SOURCE = """
[[scenarios]]
generate = "ladder"
environment = "{environment}"
seed = 7
arcs = {arcs}
tiers = {tiers}
"""
BOTH = "".join(
    SOURCE.format(environment=name, arcs=1, tiers='["easy", "hard"]')
    for name in ("support", "itops")
)
ONE = SOURCE.format(environment="support", arcs=1, tiers='["hard"]')

Study = tuple[Run, Scored, Content]


def played(folder: Path, sources: str, memories: str | None = None) -> Study:
    text = SUITE.format(sources=sources)
    (folder / "suite.toml").write_text(text if memories is None else memories + sources)
    run_plan(plan(str(folder / "suite.toml")), folder / "run", report=lambda done, of: None)
    run = load_run(folder / "run")
    return run, score_runs([run]), content(run)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return played(tmp_path_factory.mktemp("study"), BOTH)


def test_the_table_counts_every_dependent_decision_once(study: Study) -> None:
    run, scored, told = study
    counted: dict[tuple[str, str, str], list[bool]] = defaultdict(list)
    for _, trial in scored.trials:
        for each in trial.observed:
            if each.dependent:
                tier = run.manifest.arcs[trial.arc]["tier"]
                counted[tier, trial.arm, each.domain].append(each.success)
    [grid] = told.study
    domains = grid.columns[2:]
    assert grid.columns[:2] == ["tier", "memory"] and set(domains) == {"itops", "support"}
    assert [row[0].text for row in grid.rows] == ["easy"] * 6 + ["hard"] * 6
    arms = list(dict.fromkeys(arm for _, arm, _ in counted))
    shown = {
        (row[0].text, domain): sorted(
            other[2 + at].of for other in grid.rows if other[0].text == row[0].text
        )
        for row in grid.rows
        for at, domain in enumerate(domains)
    }
    for (tier, domain), cells in shown.items():
        expected = [
            f"{sum(counted[tier, arm, domain])}/{len(counted[tier, arm, domain])}" for arm in arms
        ]
        assert cells == sorted(expected)


def test_plots_show_what_the_run_varied(study: Study) -> None:
    captions = [plot.caption for plot in study[2].study_plots]
    assert [caption.split(",")[0].split(";")[0].split(":")[0] for caption in captions] == [
        "Dependent success by domain on the hard tier",
        "What was needed",
        "Dependent success by implementation of the same memory",
        "Dependent success by model on the hard tier",
    ]


def test_what_was_not_varied_is_neither_tabled_nor_plotted(tmp_path: Path) -> None:
    suite = 'name = "one"\nmodels = ["last"]\nmemories = ["none"]\n'
    _, _, told = played(tmp_path, ONE, suite)
    assert told.study == () and told.study_plots == ()


def test_a_bar_over_seeds_goes_from_the_lowest_to_the_highest(tmp_path: Path) -> None:
    suite = (
        'name = "seeds"\nseeds = [0, 1, 2, 3]\nmemories = [{name = "replay", '
        'implementation = "unbudgeted"}]\n'
        'models = [{name = "noisy", rate = 0.5}]\n'
    )
    _, scored, told = played(tmp_path, ONE.replace("arcs = 1", "arcs = 3"), suite)
    by_seed: dict[int, list[bool]] = defaultdict(list)
    for _, trial in scored.trials:
        by_seed[trial.seed] += [each.success for each in trial.observed if each.dependent]
    rates = [sum(found) / len(found) for found in by_seed.values()]
    everything = [each for found in by_seed.values() for each in found]
    mean = sum(everything) / len(everything)
    [plot] = [plot for plot in told.study_plots if "by model" in plot.caption]
    assert "lowest to the highest seed" in plot.caption
    assert f"{mean:.2f}, {min(rates):.2f} to {max(rates):.2f}" in plot.svg


def test_limits_name_domains_users_implementations_and_arcs(study: Study) -> None:
    [told] = limits(study[0].manifest)
    assert told == (
        "Limits: 2 synthetic domains with scripted users; 1 of 2 memories stand for their family "
        "with a single implementation; 1 arcs in a cell of domain, tier and corruption. Five arcs "
        "or fewer can never be significant."
    )
    assert told in study[2].evidence


def test_stories_without_tiers_have_no_such_limits(study: Study) -> None:
    arcs = {name: {**arc, "tier": None} for name, arc in study[0].manifest.arcs.items()}
    manifest: ManifestRecorded = study[0].manifest.model_copy(update={"arcs": arcs})
    assert limits(manifest) == []
