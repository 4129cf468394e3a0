"""`memtrial estimate`: held against scripted runs, and against an endpoint on loopback."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from memories.extraction.dictation import WRITE_FACTS
from runs.dry.assumptions import Lengths, read_lengths
from runs.dry.backends import hears_no_seed
from runs.dry.standins import Scribe, beside_prompt
from runs.plan import plan
from simulator.agents.actions import Call, parse_action
from simulator.effects.prompts import Completion, Prompt
from simulator.engine.arm import PartSpec
from simulator.events import Surface
from simulator.events.errors import InputError
from simulator.events.tokens import count_tokens
from simulator.models.port import CompletionRequest
from simulator.models.rendering import render_plain
from simulator.models.scripted.readers import LastReader
from simulator.models.scripted.reading import read_prompt
from tests.runs.conftest import SMALL, Memtrial
from tests.simulator.models.openai.served import ACT, Reply, Server, called, completion

Refused = Callable[..., str]

SCRIPTED = """
name = "scripted"
token_budgets = [96]
memories = ["none", "retrieval", "hybrid", "summary"]
models = ["last", {name = "noisy", rate = 0.5}]
seeds = [0, 1]

[[scenarios]]
generate = "ladder"
seed = 3
arcs = 1
tiers = ["easy", "hard"]
"""

LADDER = '[[scenarios]]\ngenerate = "ladder"\nseed = 3\narcs = 2\ntiers = ["easy"]\n'

PRICES = """
date = 2026-03-01
[models."tiny"]
input = "2"
cached = "0.2"
output = "8"
"""

MISSING = "MEMTRIAL_TEST_KEY_THAT_NOBODY_SETS"


class Untouchable(LastReader):
    """A model that must be neither made nor asked."""

    scripted = False

    def __init__(self, options: Any) -> None:
        raise AssertionError("the model was made")

    def complete(self, request: CompletionRequest) -> Completion:
        raise AssertionError("the model was asked")


def write(folder: Path, text: str, name: str = "suite.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def served(url: str = "http://127.0.0.1:9/v1", memories: str = '["none"]', **options: str) -> str:
    """Return a suite of two short arcs for the model `tiny` at an endpoint."""
    given = {"name": "openai", "model": "tiny", "base_url": url, "api_key_env": "", **options}
    lines = [f"{key} = {json.dumps(value)}" for key, value in given.items()]
    model = "\n".join(["[[models]]", *lines])
    return f'name = "served"\ntoken_budgets = [96]\nmemories = {memories}\n{LADDER}{model}\n'


def test_of_a_scripted_suite_the_estimate_is_what_the_run_uses(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    suite = write(tmp_path, SCRIPTED)
    told = memtrial("estimate", suite, "--json").json
    assert memtrial("run", suite, "--out", "run").status == 0
    costs = memtrial("costs", "run", "--json").json
    assert [row.pop("basis") for row in told["rows"]] == ["exact"] * len(told["rows"])
    assert told["rows"] == costs["rows"]
    assert {key: told[key] for key in costs} == costs
    assert (told["trials"], told["errors"], told["unknown"]) == (32, 0, [])
    held = memtrial("estimate", suite, "--against", "run", "--json").json["against"]
    figures = [each for row in held["rows"] for each in row.values() if isinstance(each, dict)]
    assert len(figures) == 6 * len(held["rows"])
    assert all(each["estimated"] == each["actual"] and each["off"] == 0 for each in figures)
    assert (held["trials"], held["of"]) == (32, 32)


def test_no_model_is_made_and_nothing_is_written(memtrial: Memtrial, tmp_path: Path) -> None:
    model = 'models = ["tests.runs.test_estimate:Untouchable"]\n'
    head = 'name = "costly"\nmemories = ["facts", "none"]\n'
    writer = '[memory_model]\nname = "tests.runs.test_estimate:Untouchable"\n'
    summary = '[[memories]]\nname = "summary"\nimplementation = "model"\n'
    write(tmp_path, head + model + LADDER)
    write(tmp_path, f'name = "written"\n{model}{LADDER}{summary}{writer}', "written.toml")
    before = sorted(tmp_path.rglob("*"))
    for name, arms in (("suite.toml", 2), ("written.toml", 1)):
        done = memtrial("estimate", name, "--json")
        assert done.status == 0 and len(done.json["arms"]) == arms
        assert {row["basis"] for row in done.json["rows"]} == {"assumed"}
        assert done.json["unpriced_tokens"] > 0 and done.json["total_usd"] is None
    assert sorted(tmp_path.rglob("*")) == before
    assert "trials in memory: 2 of 2" in done.err.splitlines()


def test_an_endpoint_needs_no_key_to_be_estimated(memtrial: Memtrial, tmp_path: Path) -> None:
    suite = write(tmp_path, served("https://models.example/v1", api_key_env=MISSING))
    assert memtrial("run", suite, "--out", "run").status == 2
    assert memtrial("estimate", suite).status == 0


def acting_as_last(request: dict[str, Any], number: int) -> Reply:
    """Act as the reader `last`, in the form that is asked for, and bill by the suite's counter."""
    prompt = request["messages"][0]["content"]
    text = LastReader(LastReader.Options()).reply(read_prompt(prompt), 0)
    usage = {"prompt_tokens": count_tokens(prompt), "completion_tokens": count_tokens(text)}
    if "tools" not in request:
        return Reply(completion({"content": text}, usage=usage))
    action = parse_action(text)
    if isinstance(action, Call):
        return called((action.tool, json.dumps(action.arguments)), usage=usage)
    return called(("answer", json.dumps({"text": action.text})), usage=usage)


@pytest.mark.parametrize("tools", ["text", "native"])
def test_an_endpoint_that_acts_as_the_stand_in_does_makes_the_estimated_calls(
    memtrial: Memtrial, tmp_path: Path, tools: str
) -> None:
    book = write(tmp_path, PRICES, "book.toml")
    with Server(acting_as_last) as server:
        suite = write(tmp_path, served(server.url, '["none", "facts"]', tools=tools))
        assert memtrial("run", suite, "--out", "run", "--json").json["errors"] == 0
        asked = len(server.requests)
    options = ("--prices", book, "--against", "run", "--json")
    told = memtrial("estimate", suite, *options).json
    total = told["against"]["rows"][-1]
    assert (total["arm"], total["purpose"]) == (None, None)
    assert total["calls"] == {"estimated": asked, "actual": asked, "off": 0.0}
    assert total["output_tokens"]["off"] == 0
    real = memtrial("costs", "run", "--prices", book, "--json").json
    assert total["usd"]["actual"] == real["total_usd"]
    if tools == "text":
        assert total["input_tokens"]["off"] == 0
        # The endpoint told of no cached tokens, so the bill is the one without a discount.
        assert told["total_usd_uncached"] == real["total_usd"] == real["total_usd_uncached"]
        assert total["cached_tokens"]["off"] is None and total["cached_tokens"]["actual"] == 0
        assert Decimal(told["total_usd"]) < Decimal(real["total_usd"])
    else:  # what the endpoint is sent beside the text is estimated, and this one did not bill it
        assert total["input_tokens"]["estimated"] > total["input_tokens"]["actual"]


def test_an_estimate_says_how_far_off_it_was(memtrial: Memtrial, tmp_path: Path) -> None:
    used = {"prompt_tokens": 1000, "completion_tokens": 50}

    def ending_at_once(request: dict[str, Any], number: int) -> Reply:
        return called(("answer", '{"text": "Done."}'), usage=used)

    with Server(ending_at_once) as server:
        suite = write(tmp_path, served(server.url, tools="native"))
        assert memtrial("run", suite, "--out", "run").status == 0
        asked = len(server.requests)
    book = write(tmp_path, PRICES, "book.toml")
    options = ("--prices", book, "--against", "run", "--output-tokens", "agent=20")
    told = memtrial("estimate", suite, *options, "--json").json
    (row,) = told["rows"]
    assert row["calls"] > asked and row["output_tokens"] == 20 * row["calls"]
    rows = told["against"]["rows"]
    arm = row["arm"]
    groups = [(arm, "act"), (arm, None), (None, "act"), (None, None)]
    assert [(each["arm"], each["purpose"]) for each in rows] == groups
    for each in rows:
        assert each["calls"]["off"] == pytest.approx(row["calls"] / asked - 1)
        assert each["input_tokens"]["actual"] == 1000 * asked
        assert each["output_tokens"]["off"] == pytest.approx(20 * row["calls"] / (50 * asked) - 1)
        # 1000 × 2 + 50 × 8 = 2400 millionths a call
        assert Decimal(each["usd"]["actual"]) == asked * Decimal("0.0024")
        assert each["usd"]["off"] == pytest.approx(float(row["usd"]) / (0.0024 * asked) - 1)
    assert told["against"]["measured"] == {"agent": 50.0}
    table = memtrial("estimate", suite, *options).out
    off = f"{row['calls'] / asked - 1:+.1%}"
    assert f"{row['calls']} of {asked} {off}" in table
    assert "its completions had on average: --output-tokens agent=50" in table
    assert "not known before a run:" in table


def test_only_what_a_run_finished_is_held_against_it(memtrial: Memtrial, tmp_path: Path) -> None:
    suite = write(tmp_path, SMALL)
    assert memtrial("run", suite, "--out", "run", "--shard", "1/4").status == 0
    told = memtrial("estimate", suite, "--against", "run", "--json").json
    assert (told["trials"], told["against"]["trials"], told["against"]["of"]) == (4, 1, 4)
    assert told["against"]["rows"][-1]["calls"]["off"] == 0
    assert told["against"]["rows"][-1]["calls"]["estimated"] < told["total_calls"]


def test_a_run_of_something_else_is_refused(
    memtrial: Memtrial, refused: Refused, tmp_path: Path
) -> None:
    suite = write(tmp_path, SMALL)
    assert memtrial("run", suite, "--out", "run").status == 0
    named = write(tmp_path, SMALL.replace('"small"', '"other"'), "named.toml")
    assert refused("estimate", named, "--against", "run") == (
        "run: this is a run of the suite 'small', not of 'other'"
    )
    seeds = write(tmp_path, SMALL.replace("models", "seeds = [8]\nmodels"), "seeds.toml")
    assert refused("estimate", seeds, "--against", "run") == (
        "run: no finished trial of this run is one of the suite's"
    )
    assert "this folder is no run" in refused("estimate", suite, "--against", tmp_path / "none")


def test_a_script_that_was_changed_since_is_refused(
    memtrial: Memtrial, refused: Refused, tmp_path: Path
) -> None:
    from tests.runs.killing import STORY

    text = (
        'name = "told"\nmemories = ["none"]\nmodels = ["last"]\nscenarios = [{files = ["s.yaml"]}]'
    )
    suite = write(tmp_path, text)
    write(tmp_path, STORY, "s.yaml")
    assert memtrial("run", suite, "--out", "run").status == 0
    write(tmp_path, STORY.replace("now.", "today."), "s.yaml")
    assert refused("estimate", suite, "--against", "run") == (
        "run: story: the run played another script of this name"
    )


def test_seeds_that_nobody_hears_are_counted_and_not_played(
    memtrial: Memtrial, tmp_path: Path
) -> None:
    one = write(tmp_path, served())
    three = write(tmp_path, f"seeds = [1, 2, 3]\n{served()}", "three.toml")
    assert all(hears_no_seed(arm) for arm in plan(str(one)).arms)
    assert not any(
        hears_no_seed(arm) for arm in plan(str(write(tmp_path, SCRIPTED, "s.toml"))).arms
    )
    (small,), (large,) = (
        memtrial("estimate", each, "--json").json["rows"] for each in (one, three)
    )
    for column in ("calls", "input_tokens", "cached_tokens", "output_tokens"):
        assert large[column] == 3 * small[column]
    assert Decimal(large["usd_as_if"]) == 3 * Decimal(small["usd_as_if"])


def test_the_length_of_completions_is_the_users(memtrial: Memtrial, tmp_path: Path) -> None:
    summary = '[[memories]]\nname = "summary"\nimplementation = "model"\nmax_tokens = 100\n'
    writer = '[memory_model]\nname = "openai"\nmodel = "tiny"\napi_key_env = ""\n'
    text = served().replace('memories = ["none"]\n', "") + summary + writer
    suite, book = write(tmp_path, text), write(tmp_path, PRICES, "book.toml")
    options = ("--prices", book, "--json", "--output-tokens")
    rows = memtrial("estimate", suite, *options, "agent=30,memory=70").json["rows"]
    act, written = rows
    assert (act["purpose"], written["purpose"]) == ("act", "write")
    assert act["output_tokens"] == 30 * act["calls"]
    assert written["output_tokens"] == 70 * written["calls"]
    for row in rows:  # USD for a million: 2 read, 0.2 cached, 8 written
        read, cached, out = (row[f"{name}_tokens"] for name in ("input", "cached", "output"))
        owed = (read - cached) * 20 + cached * 2 + out * 80
        assert Decimal(row["usd"]) == Decimal(owed) / 10_000_000
    # A digest of at most 100 tokens is never asked for in more, nor an action in more than 96.
    act, written = memtrial("estimate", suite, *options, "500").json["rows"]
    assert act["output_tokens"] == 96 * act["calls"]
    assert written["output_tokens"] == 100 * written["calls"]


@pytest.mark.parametrize(
    ("spec", "lengths"),
    [
        (None, Lengths()),
        ("40", Lengths(40, 40, 40)),
        ("judge=3, agent=40", Lengths(agent=40, judge=3)),
    ],
)
def test_lengths_as_they_are_written(spec: str | None, lengths: Lengths) -> None:
    assert read_lengths(spec) == lengths


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("agnt=40", "unknown model 'agnt'; did you mean 'agent'?"),
        ("agent=1,agent=2", "'agent' is named twice"),
        ("0", "a number of tokens from 1 to 1,000,000 is needed; got '0'"),
        ("agent=-4", "a number of tokens from 1 to 1,000,000 is needed; got '-4'"),
        ("", "a number of tokens from 1 to 1,000,000 is needed; got ''"),
        ("1e3", "a number of tokens from 1 to 1,000,000 is needed; got '1e3'"),
    ],
)
def test_wrong_lengths_are_refused(spec: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read_lengths(spec)
    assert str(raised.value).startswith(f"output-tokens: {message}; write 40, or agent=40")


def asked_of(prompt: Prompt) -> CompletionRequest:
    return CompletionRequest(prompt, render_plain(prompt), "", 40, 0)


def test_tools_beside_the_text_are_counted_for_an_endpoint_that_takes_them() -> None:
    native = PartSpec(name="openai", options={"model": "m", "api_key_env": ""})
    text = PartSpec(name="openai", options={**native.options, "tools": "text"})
    lines = [
        "refund_order(order: string, amount: string) Refund an amount of an order.",
        "answer(text: string) Give the final answer and end the turn.",
        "ask(text: string) Ask the user for something that is missing and end the turn.",
        "refuse(text: string) Decline the request and end the turn.",
    ]
    assert beside_prompt(native, asked_of(ACT)) == count_tokens("\n".join(lines))
    assert beside_prompt(native, asked_of(Prompt(instructions="", request="Well?"))) == 0
    assert beside_prompt(text, asked_of(ACT)) == 0
    assert beside_prompt(PartSpec(name="llama-cpp", options={}), asked_of(ACT)) == 0


def said(number: int, text: str) -> Surface:
    return Surface(id=f"m{number}", role="user", text=text, time=number)


def test_the_stand_in_for_a_memorys_model_writes_what_says_most() -> None:
    texts = ("Good morning to you.", "The refund for order O-1 is $45.00.", "Is that right?")
    heard = tuple(said(at, text) for at, text in enumerate(texts))
    scribe = Scribe(PartSpec(name="llama-cpp", options={}), None)

    def written(limit: int, **more: Any) -> str:
        prompt = Prompt(instructions="", context=heard, request="Write.", **more)
        return scribe.reply(asked_of(prompt), limit)

    assert written(100) == "Good morning to you.\nThe refund for order O-1 is $45.00."
    assert written(15) == "The refund for order O-1 is $45.00."
    old = "Old notes:\nCode KX-2 of order O-1 holds until 2025-03-04."
    assert (
        written(100, block=old).splitlines()[0] == "Code KX-2 of order O-1 holds until 2025-03-04."
    )
    assert written(100, tools=(WRITE_FACTS,)) == (
        'write_facts(facts=[{"entity": "O-1", "attribute": "refund amount", "value": "$45.00"}])'
    )


def test_memories_can_use_what_their_stand_in_writes(memtrial: Memtrial, tmp_path: Path) -> None:
    written = "".join(
        f'[[memories]]\nname = "{name}"\nimplementation = "model"\n'
        for name in ("summary", "facts")
    )
    writer = '[memory_model]\nname = "openai"\nmodel = "tiny"\napi_key_env = ""\n'
    text = served().replace('memories = ["none"]\n', "") + written + writer
    told = memtrial("estimate", write(tmp_path, text), "--json").json
    assert told["errors"] == 0
    none = memtrial("estimate", write(tmp_path, served(), "none.toml"), "--json").json
    (least,) = none["arms"]
    for arm in told["arms"]:  # blocks are shown, so prompts are longer than without a memory
        acts = [row for row in told["rows"] if (row["arm"], row["purpose"]) == (arm["arm"], "act")]
        assert acts[0]["input_tokens"] > least["input_tokens"]


def test_a_judge_is_estimated_too(memtrial: Memtrial, tmp_path: Path) -> None:
    court = Path(__file__).with_name("court.yaml")
    text = (
        'name = "court"\nmemories = ["none", "facts"]\nmodels = ["tests.runs.court:Teller"]\n'
        f'seeds = [1, 2]\nscenarios = [{{files = ["{court}"]}}]\n'
        '[judge]\nname = "tests.runs.court:Grader"\n'
    )
    suite = write(tmp_path, text)
    told = memtrial("estimate", suite, "--json", "--output-tokens", "judge=2").json
    judged = [row for row in told["rows"] if row["purpose"] == "judge"]
    # Four text answers an arm; the second seed repeats the first, and is not judged.
    assert [(row["calls"], row["output_tokens"]) for row in judged] == [(4, 8), (4, 8)]
    assert memtrial("run", suite, "--out", "run").status == 0
    held = memtrial("estimate", suite, "--against", "run", "--json").json["against"]["rows"]
    (judge,) = [row for row in held if (row["arm"], row["purpose"]) == (None, "judge")]
    assert judge["calls"] == {"estimated": 8, "actual": 8, "off": 0.0}
    assert judge["input_tokens"]["actual"] == 8000  # the court's judge says 1000 a question
    costs = memtrial("costs", "run", "--by", "purpose,episode", "--json").json["rows"]
    places = [(row["purpose"], row["episode"], row["calls"]) for row in costs]
    assert places == [("act", "asked", 16), ("judge", "asked", 8)]


@pytest.mark.parametrize("command", ["costs", "estimate"])
@pytest.mark.parametrize(
    ("prices", "message"),
    [
        (
            PRICES.replace('"2"', '"-2"'),
            "book.toml: models.tiny.input: a price cannot be negative (got -2)",
        ),
        (f'{PRICES}[models."TINY"]\ninput = 1\n', "book.toml: models.TINY: the model has a price"),
        (f'{PRICES}[models."tiny"]\ninput = 1\n', "(at line 7, column 15)"),
        (f'{PRICES}input = "3"\n', "Cannot overwrite a value (at line 7, column 12)"),
        (PRICES.replace("output", "outptu"), "unknown key 'outptu'; did you mean 'output'?"),
    ],
)
def test_a_wrong_price_book_is_refused(
    memtrial: Memtrial,
    refused: Refused,
    tmp_path: Path,
    small_run: Path,
    command: str,
    prices: str,
    message: str,
) -> None:
    book = write(tmp_path, prices, "book.toml")
    what = small_run if command == "costs" else write(tmp_path, SMALL)
    assert message in refused(command, what, "--prices", book.name)


def test_an_unknown_price_is_unpriced_and_an_unknown_model_has_a_nearest_one(
    memtrial: Memtrial, refused: Refused, tmp_path: Path
) -> None:
    suite = write(tmp_path, served())
    done = memtrial("estimate", suite)
    assert "incomplete, name a price book with --prices that has 'tiny'" in done.out
    told = memtrial("estimate", suite, "--json").json
    (row,) = told["rows"]
    assert (row["usd"], told["total_usd"], told["complete"]) == (None, None, False)
    assert told["unpriced_tokens"] == row["input_tokens"] + row["output_tokens"] > 0
    near = write(tmp_path, served(model="gpt-4.1-minni"), "near.toml")
    # The endpoint is none that anybody has prices for, whatever the model's name.
    (said,) = memtrial("estimate", near, "--json").json["unpriced"]
    assert said == "'gpt-4.1-minni'; did you mean 'gpt-4.1-mini'?"
    assert refused("estimate", suite, "--as", "gpt-4.1-minni") == (
        "as: no price is known for the model 'gpt-4.1-minni'; did you mean 'gpt-4.1-mini'?"
    )
    book = write(tmp_path, PRICES, "book.toml")
    assert refused("estimate", suite, "--as", "tinny", "--prices", book).endswith(
        "did you mean 'tiny'?"
    )


def test_a_wrong_suite_is_refused_as_by_a_run(
    memtrial: Memtrial, refused: Refused, tmp_path: Path
) -> None:
    suite = write(tmp_path, SMALL.replace('"facts"', '"fact"'))
    assert refused("estimate", suite) == refused("run", suite)
    assert "did you mean 'quickstart'" in refused("estimate", "quikstart")


def test_the_example_of_the_docs_prints_what_they_say(memtrial: Memtrial, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "costs.md").read_text("utf-8")
    files = re.findall(r"^`([a-z.]+)`:\n\n```[a-z]+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert [name for name, _ in files] == ["meeting.yaml", "meeting.toml", "book.toml"]
    for name, text in files:
        write(tmp_path, text, name)
    (shown,) = re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    command, _, printed = shown.partition("\n")
    done = memtrial(*command.removeprefix("$ memtrial ").split())
    assert (done.status, done.out) == (0, printed)


def test_the_agents_step_limit_bounds_their_calls(memtrial: Memtrial, tmp_path: Path) -> None:
    text = served() + '[agent]\nname = "scaffold"\nmax_steps = 3\n'
    suite = write(tmp_path, text)
    scripts = [each.script for each in plan(str(suite)).scenarios.values()]
    decisions = sum(1 for script in scripts for each in script.episodes for _ in each.decisions())
    told = memtrial("estimate", suite, "--json").json
    assert told["most_agent_calls"] == 3 * decisions >= told["total_calls"]
    assert f"agents may make {3 * decisions} calls in all." in memtrial("estimate", suite).out
    court = Path(__file__).with_name("court.yaml")
    talk = 'name = "court"\nmemories = ["none"]\nmodels = ["last"]\n'
    plain = write(tmp_path, f'{talk}scenarios = [{{files = ["{court}"]}}]\n', "court.toml")
    # Four questions without a tool: the first completion is the answer.
    assert memtrial("estimate", plain, "--json").json["most_agent_calls"] == 4
