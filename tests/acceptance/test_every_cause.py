"""Causes over whole runs, held against a brute-force reading of the same logs."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from runs.plan import plan
from runs.runner import run_plan
from scoring.causes import CAUSES, Cause, causes
from scoring.causes.nearness import nearness
from scoring.causes.past import Past
from scoring.compare import compare
from scoring.decisions import DecisionRecord, decisions
from scoring.run import Run, Trial, load_run
from scoring.verdicts import Verdict, judge_all


@pytest.fixture(scope="session")
def quickstart_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """The shipped quickstart, as everybody plays it first."""
    folder = tmp_path_factory.mktemp("quickstart") / "run"
    run_plan(plan("quickstart"), folder, report=lambda done, of: None)
    with load_run(folder) as run:
        yield run


@pytest.fixture(params=["quickstart_run", "readers_run"])
def run(request: pytest.FixtureRequest) -> Run:
    found: Run = request.getfixturevalue(request.param)
    return found


class Judged(NamedTuple):
    trial: Trial
    record: DecisionRecord
    verdict: Verdict
    cause: Cause | None


def judged(run: Run) -> Iterator[Judged]:
    for trial in run.trials():
        records = decisions(trial)
        verdicts = judge_all(trial, records)
        found = causes(trial, records, verdicts)
        for each in verdicts:
            yield Judged(trial, each.record, each, found.get(each.probe.id))


def test_every_failed_dependent_decision_has_one_cause_and_no_other_has(run: Run) -> None:
    seen = Counter[str]()
    for _, record, verdict, cause in judged(run):
        due = verdict.probe.dependent and not verdict.success and verdict.skipped is None
        assert (cause is not None) == due, (record.trial, record.id)
        if cause is not None:
            assert cause.name in CAUSES
            seen[cause.name] += 1
    assert {"never written", "lost at compaction", "not retrieved", "stale copy used"} <= set(seen)


def read_at(trial: Trial, record: DecisionRecord) -> int:
    """Return the position of the memory read of a decision."""
    return next(
        event.position
        for event in trial.events[record.first :]
        if event.kind == "memory_read" and event.body["query"] == record.request
    )


def texts(trial: Trial, until: int) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the position of each change of the memory and the texts it could give back.

    Each change comes twice: with all that it wrote, and as it left the memory. What one and the same
    change wrote and replaced was held in between.
    """
    held: dict[str, Any] = {}
    for event in trial.events[:until]:
        if event.kind == "memory_change":
            for gone in event.body["gone"]:
                del held[gone]
            held.update((item["id"], item) for item in event.body["written"])
            open_ = {
                name: item["text"]
                for name, item in held.items()
                if not item["hidden"] and item.get("replaced_by") is None
            }
            wrote = {item["id"]: item["text"] for item in event.body["written"]}
            yield event.position, open_ | wrote
            yield event.position, open_


def holders(held: dict[str, str], value: str) -> set[str]:
    return {name for name, text in held.items() if value.casefold() in text.casefold()}


def test_brute_force_over_the_log_agrees_with_every_cause(run: Run) -> None:
    checked = Counter[str]()
    for trial, record, verdict, cause in judged(run):
        if cause is None:
            continue
        checked[cause.name] += 1
        until = read_at(trial, record)
        past = list(texts(trial, until))
        value = str(cause.value)
        shown = "\n".join([record.block, record.request, *(s.text for s in record.context)])
        last = holders(past[-1][1], value) if past else set()
        if cause.name == "never written":
            assert value not in shown
            assert all(not holders(held, value) for _, held in past)
        elif cause.name == "lost at compaction":
            assert value not in shown and not last
            change = max(
                after
                for (_, before), (after, held) in zip(past, past[1:], strict=False)
                if holders(before, value) and not holders(held, value)
            )
            cuts = [event.position for event in trial.events if event.kind == "boundary"]
            assert cause.compaction == sum(cut < change for cut in cuts)
        elif cause.name == "not retrieved":
            assert value not in shown
            assert set(cause.items) == last
        elif cause.name == "retrieved and ignored":
            assert all(gold.value in shown or gold.used for gold in verdict.gold)
        elif cause.name == "stale copy used":
            assert value in shown
            used = [str(v) for call in record.executed for v in call.arguments.values()]
            assert value in used or value in record.text
            assert value not in [gold.value for gold in verdict.gold]
        else:
            raise AssertionError(f"no reading of {cause.name!r} here")
    assert sum(checked.values()) > 100


def test_what_was_shown_has_the_rank_and_distance_that_the_log_recorded(run: Run) -> None:
    """So what was not shown, which the log has no rank of, has the right one too."""
    ranked = 0
    for trial in run.trials():
        records = decisions(trial)
        past = Past(trial, records)
        for record in records:
            read = past.read(record)
            if read is None or not any(item["rank"] for item in record.items):
                continue
            near = nearness(past, record, read)
            for item in record.items:
                if item["rank"] is not None:
                    ranked += 1
                    found = near[item["item"]]
                    assert (found.rank, found.distance) == (item["rank"], item["distance"])
    assert ranked > 500


def test_compare_counts_them_by_arm_and_shares_add_up_to_one(run: Run) -> None:
    counted = Counter[tuple[str, str]]()
    failed = Counter[str]()
    for trial, _, _, cause in judged(run):
        if cause is not None:
            counted[trial.arm, cause.name] += 1
            failed[trial.arm] += 1
    found = compare([run])
    assert {row["arm"] for row in found["causes"]} == set(run.manifest.arms)
    for row in found["causes"]:
        shares = [each["share"] for each in row["causes"].values()]
        assert row["failed_dependent"] == failed[row["arm"]]
        assert list(row["causes"]) == list(CAUSES)
        for name, each in row["causes"].items():
            assert each["n"] == counted[row["arm"], name]
        if failed[row["arm"]]:
            assert sum(shares) == pytest.approx(1)
        else:
            assert set(shares) == {None}
    for row in found["rows"]:
        whole = row["n_dependent"] - round((row["tsr_dependent"] or 0) * row["n_dependent"])
        assert row["failed_dependent"] == whole == sum(c["n"] for c in row["causes"].values())
