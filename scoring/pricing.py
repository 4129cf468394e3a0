"""Pricing: at which rates the calls of a run are counted."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scoring.prices import FREE, FilePrices, PriceBook, PublicPrices, Rate, read_prices
from scoring.run import Run, Trial
from simulator.events import Json
from simulator.events.errors import InputError

AS_MODEL = "gpt-4.1-mini"
AS_EMBEDDER = "openai:text-embedding-3-small"
LOCAL = frozenset({"llama-cpp", "lexical", "minilm"})
"""Parts that run on the user's own machine, where nobody charges for a token."""

JUDGE = "judge"
"""Purpose and role of the judge's calls."""

Role = str
"""`agent_model`, `memory_model`, `embedder` or `judge`."""


@dataclass(frozen=True)
class Pricing:
    """Which rates a run's calls are priced at.

    Attributes:
        book: The price book.
        as_model: Hosted model whose price every completion gets in `usd_as_if`.
        as_judge: Another one for the judge's; None prices them like all others.
    """

    book: PriceBook
    as_model: str
    as_judge: str | None = None

    def paid(self, trial: Trial, role: Role) -> Rate | None:
        """Return the rate that was really paid for a part of a trial; None where it is not known."""
        return self.rate(trial.opened["options"], role, trial.opened["identities"].get(role, {}))

    def rate(
        self, options: Mapping[str, Json], role: Role, identity: Mapping[str, Json]
    ) -> Rate | None:
        """Return the rate of a part, from its arm's options and its identity, as `paid` does."""
        return self.charged(_part(options, role, identity), identity)

    def charged(self, part: str, identity: Mapping[str, Json]) -> Rate | None:
        """Return what is charged for a registered part; None where it is not known.

        A price of the user's own goes first. Scripted readers and parts that run on the user's
        machine cost nothing. Everything else must be in the book.
        """
        model = str(identity.get("model", part))
        if isinstance(self.book, FilePrices):
            own = self.book.own.get(model.casefold()) or self.book.own.get(part.casefold())
            if own is not None:
                return own
        if identity.get("scripted") or part in LOCAL:
            return FREE
        return self.book.rate(model, str(identity.get("endpoint", "")))

    def as_if(self, role: Role) -> Rate:
        """Return the hosted rate that a role is compared at.

        Raises:
            InputError: when the book has no price for it.
        """
        model, field = self.as_model, "as"
        if role == "embedder":
            model = AS_EMBEDDER
        elif role == JUDGE and self.as_judge is not None:
            model, field = self.as_judge, "judge"
        rate = self.book.rate(model)
        if rate is None:
            raise InputError(f"no price is known for the model {model!r}", field=field)
        return rate


def _part(options: Mapping[str, Json], role: Role, identity: Mapping[str, Json]) -> str:
    named = {"agent_model": options["model"], "memory_model": options["memory_model"]}
    return str(named.get(role) or identity.get("name"))


def pricing(run: Run, prices: Path | None = None, as_model: str | None = None) -> Pricing:
    """Return how a run is priced: by the user's file or the public book.

    Without `as_model` the suite's `prices.as` is taken, and without that `AS_MODEL`; for the judge
    the suite's `prices.judge`, and without that the same.

    Raises:
        InputError: when the file is wrong or the model unknown.
    """
    declared = run.manifest.suite.get("prices") or {}
    book: PriceBook = PublicPrices() if prices is None else read_prices(prices)
    made = Pricing(
        book,
        str(as_model or declared.get("as") or AS_MODEL),
        None if as_model else declared.get(JUDGE),
    )
    made.as_if("agent_model")
    return made
