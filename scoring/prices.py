"""Price books: US dollars for tokens, dated, in exact decimals."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from decimal import Context, Decimal, Inexact, InvalidOperation, Overflow
from pathlib import Path
from typing import Any

from genai_prices import Usage, __version__, calc_price
from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import ModelPrice, TieredPrices

from simulator.events.errors import InputError, alike, nearest

EXACT = Context(prec=60, traps=[Inexact, InvalidOperation, Overflow])
"""All money is computed here: a result that would have to be rounded raises."""

PRICED_ON = date(2026, 11, 1)
"""The day whose prices are used unless another is named; never today, or results would move."""

ZERO = Decimal(0)
_FIELDS = ("input", "cached", "output")


@dataclass(frozen=True)
class Band:
    """US dollars for a million tokens; None where the book has no price.

    Attributes:
        above: The band holds for calls with more input tokens than this.
        input: Tokens read and not cached.
        cached: Cached tokens; None means that they cost what others cost.
        output: Tokens written.
    """

    above: int
    input: Decimal | None
    cached: Decimal | None
    output: Decimal | None


@dataclass(frozen=True)
class Rate:
    """What one model costs.

    Attributes:
        model: The model as the book names it.
        bands: By `above`, rising; the first is above -1.
    """

    model: str
    bands: tuple[Band, ...]

    def price(self, input_tokens: int, cached_tokens: int, output_tokens: int) -> Decimal | None:
        """Return the price of one call in US dollars; None where a needed price is unknown.

        Cached tokens are a part of the input tokens and are paid once, at their own price.

        Raises:
            InputError: when more tokens are cached than read, or a count is negative.
        """
        if not 0 <= cached_tokens <= input_tokens or output_tokens < 0:
            raise InputError(
                f"usage of {self.model}: {cached_tokens} cached of {input_tokens} input tokens, "
                f"{output_tokens} output; cached is a part of input and none is negative"
            )
        band = [each for each in self.bands if input_tokens > each.above][-1]
        cached = band.input if band.cached is None else band.cached
        parts = (
            (input_tokens - cached_tokens, band.input),
            (cached_tokens, cached),
            (output_tokens, band.output),
        )
        total = ZERO
        for tokens, usd in parts:
            if tokens and usd is None:
                return None
            total = EXACT.add(total, EXACT.multiply(Decimal(tokens), usd or ZERO))
        return EXACT.scaleb(total, -6)


FREE = Rate("nothing is charged", (Band(-1, ZERO, ZERO, ZERO),))


@dataclass(frozen=True)
class PublicPrices:
    """The prices that the installed `genai-prices` holds, as of a day; nothing is downloaded.

    A model may be named with its provider: `openai:gpt-4.1-mini`.
    """

    day: date = PRICED_ON
    _found: dict[tuple[str, str], Rate | None] = field(default_factory=dict, repr=False)

    @property
    def title(self) -> str:
        """Name, version and date."""
        return f"genai-prices {__version__} as of {self.day.isoformat()}"

    def rate(self, model: str, endpoint: str = "") -> Rate | None:
        """Return a model's rate, or None when it is not listed.

        A model behind an `endpoint` (URL) has the rate of the provider whose URL that is: the
        same name costs something else, or nothing, elsewhere.
        """
        asked = (model, endpoint)
        if asked not in self._found:
            self._found[asked] = self._look_up(model, endpoint)
        return self._found[asked]

    def like(self, model: str) -> str:
        """Return `; did you mean 'x'?` for a listed model of nearly this name, else nothing."""
        listed = (each.id for provider in get_snapshot().providers for each in provider.models)
        return alike(model, listed)

    def _look_up(self, model: str, endpoint: str) -> Rate | None:
        provider, colon, name = ("", "", model) if endpoint else model.rpartition(":")
        try:
            found = calc_price(
                Usage(input_tokens=0, output_tokens=0),
                name,
                provider_id=provider if colon else None,
                provider_api_url=endpoint or None,
                genai_request_timestamp=datetime.combine(self.day, time(), UTC),
            )
        except LookupError:
            return None
        return Rate(f"{found.provider.id}:{found.model.id}", _bands(found.model_price))


def _bands(price: ModelPrice) -> tuple[Band, ...]:
    found = (price.input_mtok, price.cache_read_mtok, price.output_mtok)
    edges = {tier.start for each in found if isinstance(each, TieredPrices) for tier in each.tiers}
    return tuple(Band(edge, *(_at(each, edge) for each in found)) for edge in (-1, *sorted(edges)))


def _at(price: Any, edge: int) -> Decimal | None:
    if not isinstance(price, TieredPrices):
        return None if price is None else Decimal(price)
    reached = [tier.price for tier in price.tiers if tier.start <= edge]
    return Decimal(reached[-1] if reached else price.base)


@dataclass(frozen=True)
class FilePrices:
    """A user's own prices; what the file does not name is looked up in the public ones."""

    title: str
    own: Mapping[str, Rate]
    public: PublicPrices

    def rate(self, model: str, endpoint: str = "") -> Rate | None:
        """Return a model's rate, or None when neither knows it."""
        return self.own.get(model.casefold()) or self.public.rate(model, endpoint)

    def like(self, model: str) -> str:
        """Return `; did you mean 'x'?` for a model of nearly this name, the user's own first."""
        return alike(model, (each.model for each in self.own.values())) or self.public.like(model)


PriceBook = PublicPrices | FilePrices
"""Says what models cost; `title` names the book and its date."""


def read_prices(path: Path) -> FilePrices:
    """Read a TOML price file: a `date`, and USD for a million tokens by model.

    ```toml
    date = 2026-03-01
    [models."my-model"]
    input = "2"
    cached = "0.2"
    output = "8"
    ```

    Raises:
        InputError: for a missing date, a price that is negative or no number, a model named
            twice, or an unknown key.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
    except OSError as error:
        raise InputError(f"cannot read the price file: {error.strerror}", file=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, InvalidOperation) as error:
        raise InputError(f"no valid TOML: {error}", file=str(path)) from None
    _known(data, ("date", "models"), str(path), None)
    day = data.get("date")
    if not isinstance(day, date) or isinstance(day, datetime):
        raise InputError("a date is needed, such as 2026-03-01", file=str(path), field="date")
    models = data.get("models")
    if not isinstance(models, dict):
        raise InputError("a table of models is needed", file=str(path), field="models")
    title = f"{path.name} of {day.isoformat()}"
    return FilePrices(title, _own_rates(models, str(path)), PublicPrices(day))


def _own_rates(models: dict[str, Any], file: str) -> dict[str, Rate]:
    rates: dict[str, Rate] = {}
    for name, prices in models.items():
        place = f"models.{name}"
        if name.casefold() in rates:
            raise InputError("the model has a price already", file=file, field=place)
        if not isinstance(prices, dict):
            raise InputError("a table of prices is needed", file=file, field=place)
        _known(prices, _FIELDS, file, place)
        found = {key: _usd(prices.get(key), file, f"{place}.{key}") for key in _FIELDS}
        if found["input"] is None:
            raise InputError("a price is needed", file=file, field=f"{place}.input")
        rates[name.casefold()] = Rate(name, (Band(-1, **found),))
    return rates


def _usd(value: Any, file: str, place: str) -> Decimal | None:
    if value is None:
        return None
    try:
        usd = Decimal(value) if isinstance(value, str | int | Decimal) else None
    except InvalidOperation:
        usd = None
    if usd is None or isinstance(value, bool) or not usd.is_finite():
        raise InputError(f"{value!r} is no amount of dollars", file=file, field=place)
    if usd < 0:
        raise InputError(f"a price cannot be negative (got {value})", file=file, field=place)
    return usd


def _known(table: dict[str, Any], names: tuple[str, ...], file: str, place: str | None) -> None:
    for key in table:
        if key not in names:
            raise InputError(f"unknown key {key!r}{nearest(key, names)}", file=file, field=place)


def show_usd(amount: Decimal) -> str:
    """Write an amount without an exponent and without zeros at its end, such as `0.00128`."""
    text = format(amount, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
