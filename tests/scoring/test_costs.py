from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from scoring.compare import compare
from scoring.costs import USES, Line, costs, spending
from scoring.keys import Probe, SaysCheck
from scoring.pricing import pricing
from scoring.run import Forked
from simulator.events.errors import InputError

PROBE = Probe(
    id="p1", kind="recall", decision="ask/d", dependent=True, checks=(SaysCheck(phrase="45"),)
)
GGUF = {"model": "SmolLM2 135M", "gguf_sha256": "0" * 64, "scripted": False}
HOSTED = {"model": "gpt-4.1", "scripted": False}
LEXICAL = {"name": "lexical", "version": 1}
PRICES = """
date = 2026-03-01
[models."gpt-4.1"]
input = "2"
cached = "0.2"
output = "8"
[models."llama-cpp"]
input = 0
output = 0
[models.strange]
input = "1"
"""


def one_trial(maker: Callable[..., Any], model: str, identities: Any, **suite: Any) -> Any:
    made = maker(**suite)
    made.arc("a1", [PROBE])
    made.arm("arm", memory="retrieval", model=model, memory_model="last")
    tape = made.tape("a1", "arm", identities=identities)
    tape.session("plant")
    tape.embedding(500, "write")
    tape.completion((200, 0, 20), "write", "memory_model")
    tape.session("ask")
    tape.embedding(50, "read")
    tape.completion((1000, 400, 0), "act")
    tape.completion((1000, 0, 100), "act")
    return made


def rows(found: Any) -> dict[tuple[str, str], tuple[Any, ...]]:
    columns = ("calls", "input_tokens", "cached_tokens", "output_tokens", "usd", "usd_as_if")
    return {
        (row["purpose"], row["role"]): tuple(row[column] for column in columns)
        for row in found["rows"]
    }


def test_scripted_runs_are_free_and_priced_as_if(maker: Callable[..., Any]) -> None:
    scripted = {"name": "last", "scripted": True}
    roles = {"agent_model": scripted, "memory_model": scripted, "embedder": LEXICAL}
    with one_trial(maker, "last", roles).write() as run:
        found = costs(run)
    # gpt-4.1-mini: $0.4/M read, $0.1/M cached, $1.6/M written; embeddings $0.02/M.
    assert rows(found) == {
        # 600 × 0.4 + 400 × 0.1 = 280; 1000 × 0.4 + 100 × 1.6 = 560; together 840 millionths.
        ("act", "agent_model"): (2, 2000, 400, 100, "0", "0.00084"),
        ("read", "embedder"): (1, 50, 0, 0, "0", "0.000001"),
        ("write", "embedder"): (1, 500, 0, 0, "0", "0.00001"),
        ("write", "memory_model"): (1, 200, 0, 20, "0", "0.000112"),
    }
    assert (found["total_usd"], found["total_usd_as_if"]) == ("0", "0.000963")
    assert (found["unpriced_tokens"], found["complete"]) == (0, True)
    assert found["as"] == "gpt-4.1-mini"
    assert "genai-prices" in found["prices"]


def test_the_models_of_the_users_own_machine_are_free(maker: Callable[..., Any]) -> None:
    roles = {"agent_model": GGUF, "memory_model": GGUF, "embedder": LEXICAL}
    with one_trial(maker, "llama-cpp", roles).write() as run:
        found = costs(run, as_model="gpt-4.1")
    # $2/M, cached $0.5/M, $8/M: 600 × 2 + 400 × 0.5 + 1000 × 2 + 100 × 8 = 4200 millionths.
    # A memory model called `last` that is not scripted is no part that we know to be free.
    assert rows(found)["act", "agent_model"][-2:] == ("0", "0.0042")
    assert rows(found)["write", "memory_model"][-2] is None
    assert found["unpriced_tokens"] == 220


def test_hosted_models_are_paid_at_their_own_price(
    maker: Callable[..., Any], tmp_path: Path
) -> None:
    roles = {"agent_model": HOSTED, "memory_model": HOSTED, "embedder": LEXICAL}
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    with one_trial(maker, "openai", roles).write() as run:
        found = costs(run, path)
    # H24 COST (a): the first call is $0.00128; the second 1000 × $2/M + 100 × $8/M = $0.0028.
    assert rows(found)["act", "agent_model"][-2] == "0.00408"
    assert rows(found)["write", "memory_model"][-2] == "0.00056"
    assert found["total_usd"] == "0.00464"
    assert found["prices"] == "prices.toml of 2026-03-01"


def test_cost_h24b_an_unknown_model_is_unpriced_never_zero(maker: Callable[..., Any]) -> None:
    unknown = {"model": "nobody-knows-it", "scripted": False}
    roles = {"agent_model": unknown, "memory_model": unknown, "embedder": {"name": "mystery"}}
    with one_trial(maker, "mymodel", roles).write() as run:
        found = costs(run)
    assert [row["usd"] for row in found["rows"]] == [None] * 4
    assert [row["unpriced_tokens"] for row in found["rows"]] == [2100, 50, 500, 220]
    assert (found["total_usd"], found["complete"]) == (None, False)
    assert found["unpriced_tokens"] == 2870
    assert found["total_usd_as_if"] == "0.000963"


def test_a_missing_price_for_output_leaves_the_row_unpriced(
    maker: Callable[..., Any], tmp_path: Path
) -> None:
    strange = {"model": "strange", "scripted": False}
    roles = {"agent_model": strange, "memory_model": strange, "embedder": LEXICAL}
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    with one_trial(maker, "openai", roles).write() as run:
        found = costs(run, path)
    assert rows(found)["act", "agent_model"][-2] is None
    assert found["unpriced_tokens"] == 2100 + 220
    assert found["total_usd"] == "0"


def test_the_rows_sum_to_the_total(maker: Callable[..., Any]) -> None:
    made = maker(prices={"as": "gpt-4.1"})
    made.arc("a1", [PROBE])
    made.arm("one")
    made.arm("two", memory="replay")
    for arm in ("one", "two"):
        for seed in range(3):
            tape = made.tape("a1", arm, seed)
            tape.session("ask")
            tape.completion((777 + seed, 33, 11 * seed))
    with made.write() as run:
        found = costs(run)
    assert found["as"] == "gpt-4.1"
    assert [(row["arm"], row["calls"]) for row in found["rows"]] == [("one", 3), ("two", 3)]
    summed = sum(Decimal(row["usd_as_if"]) for row in found["rows"])
    assert Decimal(found["total_usd_as_if"]) == summed
    # $2/M, cached $0.5/M, $8/M: (744 + 745 + 746) × 2 + 3 × 33 × 0.5 + 33 × 8 millionths, twice.
    assert summed == 2 * (Decimal(4470) + Decimal("49.5") + 264) / 1_000_000


def test_impossible_usage_and_unknown_models_are_refused(maker: Callable[..., Any]) -> None:
    made = maker()
    made.arc("a1", [PROBE])
    made.arm("one")
    tape = made.tape("a1", "one")
    tape.completion((100, 101, 1))
    with made.write() as run:
        with pytest.raises(InputError, match="101 cached of 100 input"):
            costs(run)
        with pytest.raises(InputError, match="no price is known for the model 'gtp-9'"):
            costs(run, as_model="gtp-9")


def test_a_run_without_calls_costs_nothing(maker: Callable[..., Any]) -> None:
    made = maker()
    made.arc("a1", [PROBE])
    made.arm("one")
    with made.write() as run:
        found = costs(run)
    assert (found["rows"], found["total_usd"], found["total_usd_as_if"]) == ([], "0", "0")


def test_what_a_fork_reused_costs_nothing_and_has_its_price_as_if(
    maker: Callable[..., Any], tmp_path: Path
) -> None:
    hosted = {"name": "e", "model": "embedding", "scripted": False}
    roles = {"agent_model": HOSTED, "memory_model": HOSTED, "embedder": hosted}
    path = tmp_path / "prices.toml"
    path.write_text(PRICES + '[models.embedding]\ninput = "1"\n')
    forked = Forked(
        position=5,
        parent="a1/other/0",
        settings={"identities": roles},
        reused={5: 20, 6: 1000},  # of 50 embedded tokens 20; the first completion whole
    )
    with one_trial(maker, "openai", roles).write() as run:
        trial = run.trial("a1/arm/0")
        assert [trial.events[at].kind for at in (3, 5, 6, 7)] == [
            "completion",
            "embedding",
            "completion",
            "completion",
        ]
        found = spending(replace(trial, forked=forked), pricing(run, path))
        whole = spending(trial, pricing(run, path))
    assert {line: spent.reused for line, spent in found.items()} == {
        Line("write", "embedder"): 1,
        Line("write", "memory_model"): 1,
        Line("read", "embedder"): 0,
        Line("act", "agent_model"): 1,
    }
    assert {found[line].usd for line in found if line.purpose == "write"} == {Decimal(0)}
    assert found[Line("read", "embedder")].usd == Decimal("0.00003")  # 30 × $1/M
    assert found[Line("act", "agent_model")].usd == Decimal("0.0028")  # the second one alone
    assert [spent.usd_as_if for spent in found.values()] == [
        spent.usd_as_if for spent in whole.values()
    ]
    assert [spent.tokens for spent in found.values()] == [spent.tokens for spent in whole.values()]
    assert sum(spent.reused for spent in whole.values()) == 0


def test_what_caching_saved_is_told_apart(maker: Callable[..., Any], tmp_path: Path) -> None:
    book = tmp_path / "prices.toml"
    book.write_text(PRICES, encoding="utf-8")
    roles = {"agent_model": HOSTED, "memory_model": HOSTED, "embedder": LEXICAL}
    with one_trial(maker, "gpt-4.1", roles).write() as run:
        found = costs(run, book, "gpt-4.1")
    (act,) = (row for row in found["rows"] if row["purpose"] == "act")
    # 600 × $2/M + 400 × $0.2/M + 1000 × $2/M + 100 × $8/M, then 2000 × $2/M + 100 × $8/M.
    assert (act["usd"], act["usd_uncached"]) == ("0.00408", "0.0048")
    assert (act["usd_as_if"], act["usd_as_if_uncached"]) == ("0.00408", "0.0048")
    saved = Decimal(found["total_usd_uncached"]) - Decimal(found["total_usd"])
    assert saved == Decimal("0.00072")


def test_money_by_what_it_went_into(maker: Callable[..., Any]) -> None:
    made = one_trial(maker, "last", {"agent_model": {"scripted": True}})
    tape = made.tapes[0][1]
    tape.embedding(7, "rebuild")
    tape.completion((11, 0, 0), "rebuild", "memory_model")
    tape.boundary("forced")
    tape.completion((300, 0, 0), "write", "memory_model")
    tape.embedding(5, "write")
    tape.completion((13, 0, 0), "act")
    tape.boundary("session_end")
    tape.completion((40, 0, 0), "write", "memory_model")
    tape.completion((17, 0, 0), "read", "memory_model")
    with made.write() as run:
        (row,) = compare([run])["rows"]
        table = costs(run)
    tokens = {use: spent["tokens"] for use, spent in row["spend"].items()}
    assert tokens == {
        "act": 1000 + 1100 + 13,
        "absorb": 220 + 40,
        "compact": 300,
        "read": 17,
        "embed": 550 + 7 + 5,
        "rebuild": 11,
    }
    assert tuple(tokens) == USES
    assert sum(tokens.values()) == row["tokens"]
    as_if = [Decimal(spent["usd_as_if"]) for spent in row["spend"].values()]
    assert sum(as_if) == Decimal(row["usd_as_if"]) == Decimal(table["total_usd_as_if"])
    written = {each["purpose"] for each in table["rows"]}
    assert written == {"act", "write", "read", "rebuild"}
