from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import genai_prices
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.prices import (
    EXACT,
    Band,
    PublicPrices,
    Rate,
    read_prices,
    show_usd,
)
from simulator.events.errors import InputError

H24 = Rate("m", (Band(-1, Decimal(2), Decimal("0.2"), Decimal(8)),))
PRICES = """
date = 2026-03-01
[models."my-model"]
input = "2"
cached = "0.2"
output = "8"
[models.free]
input = 0
output = 0
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text(text, "utf-8")
    return path


def test_cost_h24a_cached_tokens_are_paid_once() -> None:
    # 600 × $2/M + 400 × $0.2/M = $0.0012 + $0.00008
    assert H24.price(1000, 400, 0) == Decimal("0.00128")
    assert H24.price(1000, 400, 10) == Decimal("0.00136")
    assert H24.price(0, 0, 0) == 0


def test_cost_h24a_more_cached_than_read_is_an_error() -> None:
    with pytest.raises(InputError, match="1001 cached of 1000"):
        H24.price(1000, 1001, 0)
    with pytest.raises(InputError, match="none is negative"):
        H24.price(1000, -1, 0)


def test_cost_h24b_an_unknown_price_is_none_and_a_real_zero_is_zero() -> None:
    assert PublicPrices().rate("no-such-model-anywhere") is None
    assert Rate("m", (Band(-1, Decimal(2), None, None),)).price(10, 0, 1) is None
    assert Rate("m", (Band(-1, Decimal(0), None, Decimal(0)),)).price(10, 5, 1) == 0


def test_cost_h24c_money_does_not_round() -> None:
    total = Decimal(0)
    for _ in range(10):
        total = EXACT.add(total, Decimal("0.10"))
    assert show_usd(total) == "1"


def test_without_a_cached_price_cached_tokens_cost_what_others_cost() -> None:
    assert Rate("m", (Band(-1, Decimal(2), None, None),)).price(10, 5, 0) == Decimal("0.00002")


def test_long_prompts_pay_the_higher_band_for_all_tokens() -> None:
    low = Band(-1, Decimal(1), None, Decimal(10))
    rate = Rate("m", (low, Band(200_000, Decimal(2), None, Decimal(15))))
    assert rate.price(200_000, 0, 1) == Decimal("0.20001")
    assert rate.price(200_001, 0, 1) == Decimal("0.400017")


@pytest.mark.parametrize(
    ("amount", "shown"),
    [("0.00128000", "0.00128"), ("0", "0"), ("0E-6", "0"), ("1E+2", "100"), ("1.10", "1.1")],
)
def test_amounts_are_plain_decimals(amount: str, shown: str) -> None:
    assert show_usd(Decimal(amount)) == shown


@pytest.mark.parametrize("model", ["gpt-4.1-mini", "gpt-4.1", "claude-haiku-4-5", "gemini-2.5-pro"])
@given(st.integers(0, 400_000), st.integers(0, 100), st.integers(0, 9_000))
def test_public_prices_are_what_the_library_computes(
    model: str, tokens: int, cached_percent: int, output: int
) -> None:
    book = PublicPrices()
    cached = tokens * cached_percent // 100
    rate = book.rate(model)
    assert rate is not None
    theirs = genai_prices.calc_price(
        genai_prices.Usage(input_tokens=tokens, cache_read_tokens=cached, output_tokens=output),
        model,
        genai_request_timestamp=datetime(book.day.year, book.day.month, book.day.day, tzinfo=UTC),
    )
    assert rate.price(tokens, cached, output) == theirs.total_price


def test_a_provider_may_be_named() -> None:
    rate = PublicPrices().rate("openai:text-embedding-3-small")
    assert rate is not None
    assert rate.price(1_000_000, 0, 0) == Decimal("0.02")
    assert "genai-prices" in PublicPrices().title
    assert "2026-11-01" in PublicPrices().title


def test_a_model_behind_an_endpoint_has_the_price_of_whose_it_is_h24() -> None:
    book = PublicPrices()
    at_openai = book.rate("gpt-4.1-mini", "https://api.openai.com/v1")
    at_groq = book.rate("llama-3.1-8b-instant", "https://api.groq.com/openai/v1")
    assert at_openai is not None and at_groq is not None
    assert at_openai.model == "openai:gpt-4.1-mini"
    assert at_openai.price(1_000_000, 0, 0) == Decimal("0.4")
    assert at_groq.model == "groq:llama-3.1-8b-instant"
    assert book.rate("gpt-4.1-mini", "http://127.0.0.1:8000/v1") is None
    assert book.rate("llama-3.1-8b-instant", "https://api.openai.com/v1") is None


def test_a_price_file_goes_before_the_public_book(tmp_path: Path) -> None:
    book = read_prices(written(tmp_path, PRICES + '[models."gpt-4.1-mini"]\ninput = 1.50\n'))
    assert book.title == "prices.toml of 2026-03-01"
    own, mini, free = book.rate("My-Model"), book.rate("gpt-4.1-mini"), book.rate("free")
    assert own is not None
    assert own.price(1000, 400, 0) == Decimal("0.00128")
    assert mini is not None
    assert mini.price(1_000_000, 0, 0) == Decimal("1.50")
    assert free is not None
    assert free.price(5, 0, 5) == 0
    assert book.rate("gpt-4.1") == PublicPrices().rate("gpt-4.1")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('input = "2"', 'input = "-2"', "models.my-model.input: a price cannot be negative"),
        ('input = "2"', "input = true", "no amount of dollars"),
        ('input = "2"', 'input = "two"', "no amount of dollars"),
        ('input = "2"', "input = nan", "no amount of dollars"),
        ('input = "2"', "inputs = 2", "unknown key 'inputs'; did you mean 'input'"),
        ('input = "2"\n', "", "models.my-model.input: a price is needed"),
        ("[models.free]", '[models."MY-MODEL"]', "has a price already"),
        ("[models.free]", '[models."my-model"]', "no valid TOML"),
        ("date = 2026-03-01", "", "date: a date is needed"),
        ("date = 2026-03-01", "date = 2026-03-01T10:00:00", "date: a date is needed"),
        ("date =", "dates = 1\ndate =", "unknown key 'dates'; did you mean 'date'"),
        ("date = 2026-03-01", "date = [", "no valid TOML"),
    ],
)
def test_wrong_price_files_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = written(tmp_path, PRICES.replace(old, new, 1))
    with pytest.raises(InputError) as raised:
        read_prices(path)
    assert message in str(raised.value)
    assert str(path) in str(raised.value)


def test_a_missing_price_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the price file"):
        read_prices(tmp_path / "none.toml")
    with pytest.raises(InputError, match="a table of models"):
        read_prices(written(tmp_path, "date = 2026-03-01\nmodels = 3\n"))
    with pytest.raises(InputError, match="a table of prices"):
        read_prices(written(tmp_path, "date = 2026-03-01\n[models]\nm = 3\n"))


def test_the_price_file_of_the_docs_is_accepted(tmp_path: Path) -> None:
    docs = Path(__file__).parents[2] / "docs" / "scoring.md"
    example = docs.read_text("utf-8").split("```toml\n")[1].split("```")[0]
    rate = read_prices(written(tmp_path, example)).rate("my-model")
    assert rate is not None
    assert rate.price(1000, 400, 0) == Decimal("0.00128")
