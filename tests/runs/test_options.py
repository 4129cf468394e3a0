"""Every option of every command changes what the command does."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from scoring.run import load_run
from tests.runs.conftest import SMALL, Memtrial

FAULTY = SMALL.replace('models = ["last"]', 'models = ["tests.runs.parts:Speechless"]')


def test_out_is_where_the_run_goes(memtrial: Memtrial, small: Path, tmp_path: Path) -> None:
    assert memtrial("run", small, "--out", "deep/er/run").status == 0
    assert (tmp_path / "deep" / "er" / "run" / "events.db").is_file()
    assert not (tmp_path / "memtrial-out").exists()


def test_workers_is_the_number_of_processes(
    memtrial: Memtrial, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    class Pool(ProcessPoolExecutor):
        def __init__(self, workers: int, **rest: Any) -> None:
            asked.append(workers)
            super().__init__(workers, **rest)

    monkeypatch.setattr("runs.runner.ProcessPoolExecutor", Pool)
    one = memtrial("run", small, "--out", "one", "--json").json
    two = memtrial("run", small, "--out", "two", "--workers", "2", "--json").json
    assert asked == [2]
    assert one["root"] == two["root"]


def test_shards_are_disjoint_and_together_everything(memtrial: Memtrial, small: Path) -> None:
    whole = memtrial("run", small, "--out", "whole").status
    assert whole == 0
    heads: dict[str, str] = {}
    for part in ("1", "2"):
        memtrial("run", small, "--out", f"part-{part}", "--shard", f"{part}/2")
        found = memtrial("verify", f"part-{part}", "--json").json["heads"]
        assert not heads.keys() & found.keys()
        assert len(found) == 2
        heads |= found
    assert heads == memtrial("verify", "whole", "--json").json["heads"]


def test_strict_turns_errors_into_status_1(memtrial: Memtrial, tmp_path: Path) -> None:
    (tmp_path / "faulty.toml").write_text(FAULTY, encoding="utf-8")
    lenient = memtrial("run", "faulty.toml", "--out", "a")
    strict = memtrial("run", "faulty.toml", "--out", "b", "--strict")
    assert (lenient.status, strict.status) == (0, 1)
    assert " 0 errors" not in strict.out
    assert "errors stay in every denominator" in strict.out
    assert memtrial("run", "faulty.toml", "--out", "c", "--json").json["errors"] > 0


def test_by_is_what_rows_are_grouped_by(memtrial: Memtrial, small_run: Path) -> None:
    rows = memtrial("compare", small_run, "--by", "tier", "--json").json["rows"]
    assert [(row["tier"], row["memory"]) for row in rows] == [("easy", None), ("hard", None)]
    rows = memtrial("compare", small_run, "--by", "memory, tier", "--json").json["rows"]
    assert len(rows) == 4
    lines = memtrial("compare", small_run, "--by", "memory").out.splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["none", "facts/pattern"]


def test_prices_and_as_change_what_it_would_have_cost(
    memtrial: Memtrial, small_run: Path, tmp_path: Path
) -> None:
    def cost(*options: str) -> dict[str, Any]:
        found: dict[str, Any] = memtrial("costs", small_run, "--json", *options).json
        return found

    mini, large = cost(), cost("--as", "gpt-4.1")
    assert 0 < float(mini["total_usd_as_if"]) < float(large["total_usd_as_if"])
    (tmp_path / "own.toml").write_text(
        'date = 2026-03-01\n[models.last]\ninput = "1000000"\noutput = "0"\n', encoding="utf-8"
    )
    own = cost("--prices", "own.toml")
    tokens = sum(row["input_tokens"] for row in own["rows"])
    assert mini["total_usd"] == "0"
    assert float(own["total_usd"]) == tokens  # a dollar for each token read


def test_html_is_where_the_report_goes(memtrial: Memtrial, small_run: Path, tmp_path: Path) -> None:
    done = memtrial("report", small_run, "--html", "page.html")
    assert done.out.startswith("report: page.html\nroot ")
    assert (tmp_path / "page.html").read_text("utf-8").lstrip().startswith("<!")


def arcs(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.yaml"))


def text_of(folder: Path) -> str:
    return "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.yaml")))


def test_generate_does_what_its_options_say(memtrial: Memtrial, tmp_path: Path) -> None:
    def generated(*options: str) -> Path:
        out = tmp_path / ("x" + "".join(options).replace(",", "-"))
        done = memtrial("generate", "ladder", "--out", out, "--environment", "support", *options)
        assert done.out == f"{len(arcs(out))} scenarios in {out}\n"
        return out

    plain = generated()
    assert len(arcs(plain)) == 12
    few = generated("--arcs", "1")
    assert len(arcs(few)) == 3
    assert set(arcs(few)) < set(arcs(plain))
    hard = generated("--tiers", "hard,easy", "--arcs", "2")
    assert {arc.split("-")[2] for arc in arcs(hard)} == {"hard", "easy"}
    assert len(arcs(hard)) == 4
    other = generated("--seed", "9")
    assert not set(arcs(other)) & set(arcs(plain))
    assert memtrial("lint", few).status == 0
    wrong = generated("--corruption", "none,stale", "--rate", "0.5", "--arcs", "2")
    assert set(arcs(few)) < set(arcs(wrong)) and len(arcs(wrong)) == 12
    assert len([arc for arc in arcs(wrong) if arc.endswith(".stale-50")]) == 6
    put_in = generated("--corruption", "stale", "--corruption-mode", "injected", "--arcs", "1")
    assert all(arc.endswith(".stale-30-injected") for arc in arcs(put_in))
    assert "kind: injected" in text_of(put_in) and "kind: document" not in text_of(put_in)
    more = generated("--distractors", "2", "--arcs", "1")
    assert arcs(more) == arcs(few)
    assert text_of(more).count("kind: decision") == text_of(few).count("kind: decision") + 6
    told = memtrial("generate", "ladder", "--out", tmp_path / "d", "--dependent", "1")
    assert (told.status, told.out.count("sessions end in a probe, not 1:")) == (0, 3)
    again = memtrial("generate", "ladder", "--out", plain)
    assert (again.status, "choose another with --out" in again.err) == (2, True)


def test_generate_context_does_what_its_options_say(memtrial: Memtrial, tmp_path: Path) -> None:
    def generated(*options: str) -> Path:
        out = tmp_path / ("x" + "".join(options))
        done = memtrial("generate", "context", "--out", out, *options)
        assert done.out.startswith(f"{len(arcs(out))} scenarios in {out}\n")
        return out

    plain = generated("--tasks", "2")
    assert len(arcs(plain)) == 14
    alone = generated("--tasks", "2", "--no-twins")
    assert set(arcs(alone)) == {arc for arc in arcs(plain) if ".twin-" not in arc}
    assert memtrial("lint", alone).status == 0
    other = generated("--tasks", "2", "--no-twins", "--seed", "9")
    assert not set(arcs(other)) & set(arcs(alone))
    more = generated("--tasks", "2", "--no-twins", "--refill", "640")
    assert arcs(more) == arcs(alone) and len(text_of(more)) > 1.2 * len(text_of(alone))
    told = memtrial(
        *("generate", "context", "--out", tmp_path / "f", "--full", "--no-twins", "--json"),
        *("--families", "access-audit"),
    ).json
    assert len(told["scenarios"]) == 180 == len(arcs(tmp_path / "f"))
    assert "phrasing x compactions: 3 of 20 degrees of freedom are confounded" not in told["notes"]
    assert [note for note in told["notes"] if note.startswith("position: with one cut")]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--rate", "1.01", "--corruption", "stale"), "rate: a rate lies from 0 to 1, not 1.01"),
        (("--rate", "-0.1", "--corruption", "stale"), "rate: a rate lies from 0 to 1, not -0.1"),
        (("--rate", "0.3"), "rate: a rate is for corrupted arcs"),
        (("--corruption", "none,stail"), "corruption: 'stail' is none of the known words"),
        (("--corruption-mode", "x"), "corruption_mode: 'x' is none of the known words"),
        (("--dependent", "0"), "dependent: a share lies above 0 and up to 1"),
        (("--distractors", "21"), "distractors: from 0 to 20 distractors"),
        (("--tiers", "easy,hrd"), "tiers: 'hrd' is none of the known words"),
        (("--arcs", "0"), "--arcs"),
    ],
)
def test_wrong_options_of_generate_are_named(
    memtrial: Memtrial, tmp_path: Path, options: tuple[str, ...], says: str
) -> None:
    done = memtrial("generate", "ladder", "--out", tmp_path / "arcs", *options)
    assert done.status == 2 and says in done.err
    assert not (tmp_path / "arcs").exists()


# Of these four arcs, 0.35 of the sessions end in a probe.
SHORT = {"seed": 4, "arcs": 4, "tiers": "hard"}


@pytest.mark.parametrize(("dependent", "notes"), [(None, 0), ("0.4", 1), ("0.35", 0)])
def test_generate_tells_a_share_that_was_asked_for_and_not_reached(
    memtrial: Memtrial, tmp_path: Path, dependent: str | None, notes: int
) -> None:
    options = [f"--{name}={value}" for name, value in SHORT.items()]
    options += [f"--dependent={dependent}"] if dependent else []
    told = memtrial("generate", "ladder", "--out", tmp_path / "arcs", "--json", *options).json
    assert [note[:26] for note in told["notes"]] == ["0.35 of the hard sessions "] * notes


@pytest.mark.parametrize(("line", "notes"), [("", 0), ("dependent = 0.4", 1)])
def test_a_run_tells_a_share_that_was_asked_for_and_not_reached(
    memtrial: Memtrial, tmp_path: Path, line: str, notes: int
) -> None:
    suite = tmp_path / "share.toml"
    suite.write_text(
        'name = "share"\nmemories = ["none"]\nmodels = ["last"]\n'
        f'[[scenarios]]\ngenerate = "ladder"\nseed = 4\narcs = 4\ntiers = ["hard"]\n{line}\n'
    )
    done = memtrial("run", suite, "--out", tmp_path / "run")
    assert done.status == 0
    said = "scenarios.0.dependent: 0.35 of the hard sessions end in a probe, not 0.4: every arc"
    assert done.err.count(said) == notes == done.err.count("dependent")


@pytest.mark.data
def test_import_does_what_its_options_say(
    memtrial: Memtrial, tmp_path: Path, statebench: Path
) -> None:
    def imported(*options: str) -> list[str]:
        out = tmp_path / ("x" + "".join(options))
        done = memtrial("import", "statebench", statebench, "--out", out, "--json", *options)
        assert len(arcs(out)) == done.json["arcs"]
        return [path.read_text("utf-8") for path in sorted(out.iterdir())]

    six = imported("--sample", "6")
    assert len(six) == 6
    assert len(imported("--sample", "6", "--per-arc", "3")) == 2
    assert imported("--sample", "6", "--seed", "5") != six


def test_an_option_of_check_reaches_the_part(memtrial: Memtrial) -> None:
    part = "tests.runs.parts:Forgetful"
    assert memtrial("check", "memory", part).status == 0
    done = memtrial("check", "memory", part, "--option", "slow=true")
    assert done.status == 1
    assert "broken: a second read of the same memory gives another block" in done.out


SUITES: list[tuple[str, Callable[[dict[str, Any]], bool]]] = [
    ("token_budgets = [7]", lambda options: options["token_budget"] == 7),
    ('forgetting = ["index"]', lambda options: options["forgetting"] == "index"),
    ('forgetting = ["lineage"]', lambda options: options["forgetting"] == "lineage"),
    ('latency = "none"', lambda options: options["latency"] == "none"),
    ("seeds = [5]", lambda options: True),
    (
        'agent = {name = "scaffold", max_steps = 2}',
        lambda options: options["agent_options"]["max_steps"] == 2,
    ),
    ('memory_model = "first"', lambda options: options["memory_model"] is None),
]


@pytest.mark.parametrize(("line", "reached"), SUITES, ids=[line for line, _ in SUITES])
def test_settings_of_a_suite_reach_the_trials(
    memtrial: Memtrial, tmp_path: Path, line: str, reached: Callable[[dict[str, Any]], bool]
) -> None:
    text = SMALL.replace("token_budgets = [96]", line).replace('"none", "facts"', '"facts"')
    (tmp_path / "set.toml").write_text(text, encoding="utf-8")
    assert memtrial("run", "set.toml", "--out", "run").status == 0
    traced = memtrial("trace", "run", "easy", "--json").json
    assert reached(traced["arm"])
    assert traced["trial"].endswith("/5" if "seeds" in line else "/0")


def test_a_trigger_of_a_memory_cuts_in_native_arms_alone(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    line = 'compaction = ["forced", "native"]\n'
    memory = '[{name = "facts", compact_at = 60}]'
    text = line + SMALL.replace('["none", "facts"]', memory)
    (tmp_path / "set.toml").write_text(text, encoding="utf-8")
    assert memtrial("run", "set.toml", "--out", "run").status == 0
    with load_run(tmp_path / "run") as run:
        cuts = {
            (trial.opened["options"]["compaction"], event.body["why"])
            for trial in run.trials()
            for event in trial.events
            if event.kind == "boundary"
        }
    assert ("native", "native") in cuts and ("native", "forced") not in cuts
    assert ("forced", "native") not in cuts
    rows = memtrial("compare", "run", "--json").json["rows"]
    assert {row["compaction"] for row in rows} == {"forced", "native"}
    assert memtrial("replay", "run").status == 0


def test_a_memory_without_the_option_has_no_native_arm(memtrial: Memtrial, tmp_path: Path) -> None:
    text = 'compaction = ["native"]\n' + SMALL.replace(
        '["none", "facts"]', '["tests.runs.parts:Forgetful"]'
    )
    (tmp_path / "set.toml").write_text(text, encoding="utf-8")
    done = memtrial("run", "set.toml", "--out", "run")
    assert done.status == 2
    assert "has no option `compact_at`; derive its options from `MemoryOptions`" in done.err
