"""`--max-usd`: a run stops before it overspends, and goes on where it stopped.

The model is priced as gpt-4.1-mini: 0.40 USD for a million tokens read, 0.10 where they are
cached, 1.60 for a million written.
"""

import sqlite3
import threading
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

import pytest

from runs.purse import Metered, Till, most, most_input
from runs.stops import OutOfMoney
from scoring.prices import Band, PublicPrices, Rate
from simulator.effects.environment import Tool
from simulator.effects.prompts import Attempt, Completion, Prompt, Service, Usage
from simulator.effects.steps import Vector
from simulator.events import Json, Surface
from simulator.events.faults import Fault
from simulator.models.port import CallFault, CompletionRequest
from tests.runs.conftest import Done, Memtrial
from tests.runs.killing import STORY, SUITE
from tests.runs.parts import LEDGER, Paid

Refused = Callable[..., str]


@pytest.fixture(autouse=True)
def story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "suite.toml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "story.yaml").write_text(STORY, encoding="utf-8")
    monkeypatch.setenv(LEDGER, str(tmp_path / "ledger"))


def run(memtrial: Memtrial, limit: str, *options: str) -> Done:
    return memtrial("run", "suite.toml", "--out", "run", "--max-usd", limit, *options)


def spent(folder: Path) -> Decimal:
    """Return what the recorded completions cost, worked out from their tokens."""
    with sqlite3.connect(folder / "run" / "events.db") as db:
        found = db.execute("SELECT input_tokens, cached_tokens, output_tokens FROM completions")
        total = sum((a - b) * 4 + b * 1 + c * 16 for a, b, c in found)
    db.close()
    return Decimal(total) / 10_000_000


def paid(folder: Path) -> int:
    return len((folder / "ledger").read_text().split())


@pytest.mark.parametrize(
    ("workers", "limits"), [("1", ["0.0034", "0.0038", "0.0038", "0.0052"]), ("2", ["0.0038"])]
)
def test_a_run_stops_before_it_overspends_and_goes_on(
    memtrial: Memtrial, tmp_path: Path, workers: str, limits: list[str]
) -> None:
    whole = memtrial("run", "suite.toml", "--out", "whole", "--json").json
    (tmp_path / "ledger").unlink()
    calls = []
    for number, limit in enumerate(limits):
        done = run(memtrial, limit, "--workers", workers, *["--resume"][: min(number, 1)])
        assert (done.status, done.out) == (1, "")
        said = done.err.splitlines()[-1]
        assert said.startswith(
            f"memtrial: stopped before overspending: {spent(tmp_path)} USD spent"
        )
        assert said.endswith(f"the limit is {limit}; go on with --resume and a higher --max-usd")
        bound = Decimal(said.split("up to ")[1].split(",")[0])
        assert spent(tmp_path) + bound > Decimal(limit) >= spent(tmp_path)
        verified = memtrial("verify", "run", "--json").json
        assert (verified["ok"], verified["faults"]) == (True, [])
        with sqlite3.connect(tmp_path / "run" / "events.db") as db:
            (recorded,) = db.execute("SELECT count(*) FROM completions").fetchone()
        db.close()
        calls.append(paid(tmp_path))
        assert calls[-1] == recorded  # every answer that was paid for is kept
    # The more may be spent, the more is called; the same limit again allows nothing more.
    assert calls == sorted(calls) and 0 < calls[0] and calls[-1] < 12
    assert len(calls) == 1 or calls[0] < calls[1] == calls[2] < calls[3]
    done = run(memtrial, "1", "--resume", "--workers", workers, "--json")
    assert (done.status, done.json) == (0, whole | {"run": "run"})
    assert paid(tmp_path) == 12


def test_a_limit_that_is_not_reached_changes_nothing(memtrial: Memtrial) -> None:
    free = memtrial("run", "suite.toml", "--out", "free", "--json").json
    assert run(memtrial, "0.50", "--json").json == free | {"run": "run"}


def test_nothing_is_spent_of_nothing(memtrial: Memtrial, tmp_path: Path) -> None:
    assert run(memtrial, "0").status == 1
    assert not (tmp_path / "ledger").exists()
    Path("suite.toml").write_text(SUITE.replace("tests.runs.parts:Paid", "last"), encoding="utf-8")
    assert memtrial("run", "suite.toml", "--out", "free", "--max-usd", "0").status == 0


def test_a_model_without_a_price_is_refused_before_anything_is_made(
    memtrial: Memtrial, refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Paid.identity
    monkeypatch.setattr(Paid, "identity", lambda self: {**original(self), "model": "house-model"})
    message = refused("run", "suite.toml", "--out", "run", "--max-usd", "1")
    assert message.startswith("--max-usd needs prices, and genai-prices ")
    assert "has none for 'house-model', the agent model of arm 'none+" in message
    assert message.endswith("name a price book with --prices")
    assert not (tmp_path / "run").exists()
    book = 'date = 2026-03-01\n[models."house-model"]\ninput = "0.4"\ncached = "0.1"\n'
    (tmp_path / "half.toml").write_text(book, encoding="utf-8")
    assert "half.toml of 2026-03-01 has none for" in refused(
        "run", "suite.toml", "--out", "run", "--max-usd", "1", "--prices", "half.toml"
    )
    (tmp_path / "book.toml").write_text(f'{book}output = "1.6"\n', encoding="utf-8")
    assert run(memtrial, "0.0034", "--prices", "book.toml").status == 1
    assert 0 < spent(tmp_path) <= Decimal("0.0034")


def test_past_calls_without_a_price_are_refused(
    memtrial: Memtrial, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Paid.identity
    monkeypatch.setattr(Paid, "identity", lambda self: {**original(self), "model": "house-model"})
    assert memtrial("run", "suite.toml", "--out", "run").status == 0
    assert refused("run", "suite.toml", "--out", "run", "--resume", "--max-usd", "1") == (
        "--max-usd needs prices, and the log holds calls that have none"
    )


@pytest.mark.parametrize("amount", ["two", "-1", "NaN", "Infinity", "1,50", ""])
def test_a_limit_is_an_amount(refused: Refused, amount: str) -> None:
    message = refused("run", "suite.toml", f"--max-usd={amount}")
    assert message == f"--max-usd is an amount of US dollars, such as 2.50; got {amount!r}"


def test_prices_without_a_limit_are_refused(refused: Refused) -> None:
    message = refused("run", "suite.toml", "--prices", "book.toml")
    assert message == "prices of a run are for its limit; give --max-usd too, or neither"


def request_of(prompt: Prompt, rendered: str) -> CompletionRequest:
    return CompletionRequest(prompt, rendered, "", 40, 0)


def test_the_bound_of_a_prompt_covers_its_bytes_its_tools_and_its_messages() -> None:
    plain = Prompt(instructions="Hé", request="😀")
    assert most_input(request_of(plain, "Hé\n😀")) == 8 + len("[]") + 3 * 16
    tool = Tool(name="look", description="To look.", parameters={"type": "object"}, read_only=True)
    said = Surface(id="a", role="user", text="x", time=0)
    full = Prompt(instructions="", tools=(tool,), context=(said, said), request="")
    schema = (
        '[{"description":"To look.","name":"look","parameters":{"type":"object"},"read_only":true}]'
    )
    assert most_input(request_of(full, "")) == len(schema) + 2048 + 5 * 16


def test_the_bound_of_a_call_is_its_price_at_the_dearest_band_it_may_fall_into() -> None:
    known = PublicPrices().rate("gpt-4.1-mini")
    assert known is not None
    assert most(known, 1_000, 100) == Decimal("0.00056")  # 0.0004 read, 0.00016 written
    tiers = Rate(
        "m",
        (
            Band(-1, Decimal(3), Decimal("0.3"), Decimal(15)),
            Band(999, Decimal(2), Decimal("2.5"), Decimal(10)),
        ),
    )
    assert most(tiers, 999, 100) == Decimal("0.004497")
    assert most(tiers, 1_000, 100) == Decimal("0.0045")  # the lower band is the dearer one
    assert most(tiers, 10_000, 0) == Decimal("0.03")


def test_calls_in_flight_are_held_and_give_back_what_they_did_not_cost() -> None:
    till = Till(Decimal("0.30"), Decimal("0.1"), {})
    for _ in range(2):  # ten cents and ten cents are twenty
        with till.held(Decimal("0.1")) as pay:
            assert till.account.held == Decimal("0.1")
            pay(Decimal("0.01"))
    assert till.account == (Decimal("0.12"), Decimal("0.0"), None)
    with pytest.raises(Fault), till.held(Decimal("0.18")):
        raise Fault("model", "crash", "no answer, no cost")
    assert till.account[:2] == (Decimal("0.12"), Decimal("0.00"))
    with pytest.raises(OutOfMoney), till.held(Decimal("0.19")):
        raise AssertionError("it does not fit")
    with pytest.raises(OutOfMoney), till.held(Decimal("0.01")):
        raise AssertionError("the run has been stopped")
    assert till.said() == (
        "stopped before overspending: 0.12 USD spent, the next call may cost up to 0.19, "
        "the limit is 0.3"
    )


def test_a_call_waits_for_one_that_may_turn_out_cheaper() -> None:
    till = Till(Decimal(1), Decimal(0), {})
    order = []

    def second() -> None:
        with till.held(Decimal("0.6")) as pay:
            order.append("second")
            pay(Decimal("0.1"))

    with till.held(Decimal("0.6")) as pay:
        waiting = threading.Thread(target=second)
        waiting.start()
        order.append("first")
        pay(Decimal("0.2"))
    waiting.join()
    assert order == ["first", "second"]
    assert till.account.spent == Decimal("0.3")


def test_a_call_that_waits_in_vain_is_not_made() -> None:
    till = Till(Decimal(1), Decimal(0), {})
    stopped = []

    def second() -> None:
        try:
            with till.held(Decimal("0.6")):
                stopped.append("it was made")
        except OutOfMoney as stop:
            stopped.append(str(stop.bound))

    with till.held(Decimal("0.6")) as pay:
        waiting = threading.Thread(target=second)
        waiting.start()
        pay(Decimal("0.5"))
    waiting.join()
    assert stopped == ["0.6"]


def test_a_model_that_fails_is_not_charged_and_the_run_goes_on(
    memtrial: Memtrial, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, asked = Paid.complete, 0

    def complete(self: Paid, request: CompletionRequest) -> Completion:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise Fault("model", "crash", "no answer")
        return original(self, request)

    monkeypatch.setattr(Paid, "complete", complete)
    done = run(memtrial, "1", "--json")
    assert (done.status, done.json["errors"]) == (0, 1)
    costs = memtrial("costs", "run", "--json").json
    assert Decimal(costs["total_usd"]) == spent(tmp_path)


def test_requests_that_an_endpoint_has_an_account_of_are_paid_like_their_record() -> None:
    rate = Rate("m", (Band(-1, Decimal("0.4"), Decimal("0.1"), Decimal("1.6")),))
    used = Usage(input=1_000_000, cached=0, output=0)
    service = Service(attempts=(Attempt(status=500, message="no", usage=used),))
    till = Till(Decimal("10"), Decimal(0), {})

    class Live:
        paid = True
        fails = True

        def __init__(self) -> None:
            self.identities: dict[str, Json] = {}

        def complete(self, role: str, request: CompletionRequest) -> Completion:
            if self.fails:
                raise CallFault("model", "crash", "no", service=service)
            return Completion(text="x", finish="stop", usage=used, service=service)

        def embed(self, texts: Sequence[str]) -> list[Vector]:
            return []

    live = Live()
    metered = Metered(live, till, {"agent_model": rate}, {"agent_model": 2})
    asked = request_of(Prompt(instructions="", request=""), "x")
    with pytest.raises(CallFault):
        metered.complete("agent_model", asked)
    assert till.account.spent == Decimal("0.4")  # a million tokens at 0.4 USD a million
    live.fails = False
    metered.complete("agent_model", asked)
    assert till.account == (Decimal("1.2"), Decimal(0), None)
