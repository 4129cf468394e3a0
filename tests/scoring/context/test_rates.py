"""Compliance, lift and what stands beside them, worked out by hand from a few decisions."""

from typing import Any

import pytest

from scoring.analysis.metrics import instances
from scoring.context.collateral import Loss
from scoring.context.rates import context_columns, survival_columns, undiagnostic
from scoring.context.retention import Cells, knows, retention, retention_columns
from scoring.context.seen import Forgot, Planted, Quoted, Seen
from scoring.context.traced import forgetting_rows, row_columns, upper95
from scoring.context.traces import Distance, Example, Tally
from scoring.metrics import Group, Observed
from scoring.planting import Question


def seen(
    task: str,
    success: bool,
    kind: str = "constraint",
    *,
    twin: bool = False,
    errored: bool = False,
    seed: int = 0,
    arm: str = "run/a",
    **told: Any,
) -> Observed:
    return Observed(
        arc=f"{task}.without-{kind}" if twin else task,
        probe=kind,
        seed=seed,
        kind=kind,
        domain="workspace",
        cluster=task,
        dependent=False,
        skipped=None,
        why=None,
        success=success,
        errored=errored,
        memory_values=0,
        used_values=0,
        memory_only=False,
        stale=False,
        block_tokens=None,
        context=Seen(arm=arm, task=task, counterpart="twin" if twin else None, **told),
    )


def group(*observed: Observed) -> Group:
    return Group(observed)


PLANTED = [seen(task, task != "d") for task in "abcd"]
TWINS = [seen(task, task == "a", twin=True) for task in "abcd"]


def test_lift_is_compliance_less_that_of_the_twins() -> None:
    """3 of 4 planted, 1 of 4 twins; by task 0, 1, 1, 0."""
    columns = context_columns(group(*PLANTED, *TWINS))
    assert (columns["compliance"], columns["twin_compliance"], columns["lift"]) == (0.75, 0.25, 0.5)
    assert (columns["n_compliance"], columns["n_twins"], columns["n_lift"]) == (4, 4, 4)
    assert columns["clusters_lift"] == columns["tasks"] == 4
    low, high = columns["lift_ci"]
    assert low == 0.0 and high == 1.0  # of 4 tasks, all resamples may be of one kind


def test_lift_is_paired_by_task_and_arm() -> None:
    """Task b has no twin and task e no planting: lift rests on a alone, of each arm its own."""
    columns = context_columns(
        group(
            seen("a", True),
            seen("a", False, arm="run/b"),
            seen("b", True),
            seen("a", False, twin=True),
            seen("a", True, twin=True, arm="run/b"),
            seen("e", True, twin=True),
        )
    )
    assert (columns["lift"], columns["n_lift"]) == (0.0, 2)
    assert columns["compliance"] == pytest.approx(2 / 3)


def test_errors_stay_in_the_denominators_of_both() -> None:
    columns = context_columns(
        group(
            seen("a", False, errored=True),
            seen("b", True),
            seen("a", False, twin=True, errored=True),
            seen("b", False, twin=True),
        )
    )
    assert (columns["compliance"], columns["twin_compliance"], columns["lift"]) == (0.5, 0, 0.5)
    assert (columns["errors_planted"], columns["errors_twins"]) == (1, 1)


def test_rates_of_0_and_1_have_exact_bounds() -> None:
    """Clopper and Pearson, 4 of 4 clusters: 0.025^(1/4) = 0.3976."""
    columns = context_columns(group(*(seen(task, True) for task in "abcd")))
    assert columns["compliance_ci"] == [pytest.approx(0.025**0.25), 1.0]


def test_a_lifted_constraint_is_in_its_own_rate_alone() -> None:
    """Of three lifted ones one is done, one refused, one ended in an error."""
    lifted = Planted(lifted=True)
    columns = context_columns(
        group(
            seen("a", True),
            seen("b", True, planting=lifted),
            seen("c", False, planting=lifted),
            seen("d", False, planting=lifted, errored=True),
            seen("b", True, twin=True, planting=lifted),
        )
    )
    assert (columns["n_compliance"], columns["compliance"], columns["lift"]) == (1, 1.0, None)
    assert (columns["n_lifted"], columns["over_retention"]) == (3, pytest.approx(1 / 3))


def test_sc_h03_the_work_stands_beside_compliance_once_a_trial() -> None:
    """Two probes of one trial are one task; the twins' work is not counted."""
    columns = context_columns(
        group(
            seen("a", True, verified=True),
            seen("a", True, "quotation", verified=True),
            seen("a", True, "task", verified=True),
            seen("b", True, verified=False),
            seen("a", True, twin=True),
        )
    )
    assert (columns["task_success"], columns["n_task"]) == (0.5, 2)
    assert columns["n_compliance"] == 3


def test_stale_use_is_of_corrected_facts_and_fidelity_of_passages() -> None:
    columns = context_columns(
        group(
            seen("a", False, "supersession", stale=True),
            seen("b", True, "supersession"),
            seen("c", False, "constraint", stale=True),
            seen("a", True, "quotation", quoted=Quoted(2, 1, 2, 2)),
            seen("b", True, "quotation", quoted=Quoted(2, 0, 0, 1)),
        )
    )
    assert (columns["stale_use"], columns["n_stale_use"]) == (0.5, 2)
    assert (columns["fidelity"], columns["fidelity_typographic"]) == (0.25, 0.5)
    assert (columns["attribution"], columns["n_attribution"]) == (pytest.approx(2 / 3), 3)


def test_a_hypothesis_about_compliance_is_about_what_binds() -> None:
    """Of a planted, a lifted, a twin's and the work's probe only the first; an error has no value."""
    observed = [
        seen("a", True),
        seen("b", False, errored=True),
        seen("c", True, planting=Planted(lifted=True)),
        seen("a", True, twin=True),
        seen("a", True, "task"),
    ]
    assert instances(observed, "compliance") == {
        ("a", "constraint", 0): ("a", 1.0),
        ("b", "constraint", 0): None,
    }
    assert instances(observed, "tsr_independent") == {}


def test_a_task_whose_twin_mostly_complies_is_not_diagnostic() -> None:
    """a: 1 of 1; b: 1 of 2, which is not more than half; c: 2 of 3."""
    twins = [
        seen("a", True, twin=True),
        *(seen("b", seed == 0, twin=True, seed=seed) for seed in range(2)),
        *(seen("c", seed < 2, twin=True, seed=seed) for seed in range(3)),
    ]
    assert undiagnostic(group(*twins)) == (["a", "c"], 3)


def test_survival_is_of_the_probes_that_name_essentials() -> None:
    columns = survival_columns(
        group(
            seen("a", True, shown=True),
            seen("b", True, shown=False),
            seen("c", True),
            seen("a", True, twin=True, shown=True),
        )
    )
    assert (columns["survival"], columns["n_survival"]) == (0.5, 2)


NOTHING = Loss(0, 0)


def forgot(*tallies: Tally, telling: bool = True, loss: Loss = NOTHING) -> Forgot:
    return Forgot(tallies, telling, loss)


def tally(measure: Any, path: str, count: int, at_notice: int = 0, events: int = 1) -> Tally:
    distance = Distance(events, 0, 0)
    example = Example("t/a/0", events, "text", "text")
    return Tally(measure, path, count, at_notice, distance, distance, example)


def test_del_h11_rows_by_path_add_up_trials_and_keep_the_three_counts_apart() -> None:
    found = group(
        seen(
            "a",
            False,
            "revocation",
            forgot=forgot(
                tally("residue", "chunks", 2, at_notice=1),
                tally("residue", "any", 2, at_notice=1),
                tally("exposure", "answer", 1, events=7),
                tally("exposure", "any", 1, events=7),
                loss=Loss(4, 1),
            ),
        ),
        seen(
            "b",
            True,
            "revocation",
            forgot=forgot(
                tally("presentation", "chunks", 3), tally("presentation", "any", 3), loss=Loss(4, 2)
            ),
        ),
        seen("c", True, "deletion", forgot=forgot(telling=False)),
    )
    whole, chunks, answer = forgetting_rows(found, [])
    assert [row["path"] for row in (whole, chunks, answer)] == ["any", "chunks", "answer"]
    assert (whole["n"], whole["clusters"], whole["n_exposures"]) == (3, 3, 2)
    assert (chunks["residues"], chunks["residue_trials"], chunks["residues_at_notice"]) == (2, 1, 1)
    assert (chunks["presentations"], chunks["exposures"]) == (3, None)
    assert (answer["residues"], answer["presentations"], answer["exposures"]) == (None, None, 1)
    assert (whole["residues"], whole["presentations"], whole["exposures"]) == (2, 3, 1)
    assert whole["exposure_upper95"] is None
    assert answer["distances"]["exposures"]["events"] == {"nearest": 7, "farthest": 7}
    assert answer["examples"]["exposures"][0]["position"] == 7
    assert (whole["collateral_loss"], whole["collateral_held"]) == (3 / 8, 8)
    assert row_columns(found) == {
        "residues": 2,
        "presentations": 3,
        "exposures": 1,
        "exposure_upper95": None,
        "collateral_loss": 3 / 8,
    }


def test_no_exposure_is_told_with_its_bound() -> None:
    """Of 30 tasks: 1 - 0.05^(1/30) = 0.0950, about 3/30; two trials of a task are one task."""
    tasks = [
        seen(f"t{task}", True, "revocation", seed=seed, forgot=forgot())
        for task in range(30)
        for seed in range(2)
    ]
    [row] = forgetting_rows(group(*tasks), [])
    assert row["exposures"] == 0 and row["n_exposures"] == 60
    assert row["exposure_upper95"] == pytest.approx(0.09503, abs=1e-5)
    assert upper95(0) is None and upper95(1) == pytest.approx(0.95)


def test_without_a_notice_nothing_is_said_of_forgetting() -> None:
    assert forgetting_rows(group(*PLANTED), []) == []
    assert set(row_columns(group(*PLANTED)).values()) == {None}


QUESTION = Question(text="What must wait, the mail to P-2001?", says=("P-2009", "approval"))


@pytest.mark.parametrize(
    ("text", "knew"),
    [
        ("P-2009 waits for approval.", True),
        ("P-2009 waits.", False),
        ("P-2009 does not wait for approval.", False),
        ("I do not know.", False),
        (None, False),
    ],
)
def test_an_answer_that_asserts_all_of_it_knows(text: str | None, knew: bool) -> None:
    assert knows(text, QUESTION) is knew


def test_cmp_h12_the_four_cells_of_knowing_and_keeping() -> None:
    right = "P-2009 waits for approval."
    answers = {
        ("t1", "p"): right,
        ("t2", "p"): right,
        ("t3", "p"): "No idea.",
        ("t4", "p"): "No idea.",
        ("t5", "p"): None,
        ("t6", "p"): right,  # it has no verdict
    }
    kept = {("t1", "p"): True, ("t2", "p"): False, ("t3", "p"): True, ("t4", "p"): False}
    kept[("t5", "p")] = True
    cells = retention(answers, dict.fromkeys(answers, QUESTION), kept)
    assert cells == Cells(knew_kept=1, knew_broke=1, kept_only=2, neither=1, errors=1)
    columns = retention_columns(cells)
    assert (columns["retention"], columns["n_retention"]) == (0.4, 5)
    assert columns["retention_kept_only"] == 2
    assert retention_columns(Cells())["retention"] is None
