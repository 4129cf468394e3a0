"""`--max-usd`: every call that costs something is paid for in advance, at the most it may cost.

What a run has spent and what its outstanding calls may still cost are shared by its processes.
A call that does not fit into what is left is not made, and no further one is.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from multiprocessing import get_context
from multiprocessing.sharedctypes import RawArray
from typing import NamedTuple

from runs.plan import TrialPlan
from runs.stops import OutOfMoney
from scoring.costs import paid_so_far
from scoring.prices import EXACT, ZERO, Rate, show_usd
from scoring.pricing import Pricing
from scoring.run import Run
from simulator.effects.prompts import Completion, Service, Usage
from simulator.effects.steps import Vector
from simulator.engine.arm import Arm, PartSpec
from simulator.engine.sources import ModelRole, Sources
from simulator.events import Json, canonical_json
from simulator.events.errors import InputError
from simulator.events.tokens import count_tokens
from simulator.models.port import CallFault, CompletionRequest

Rates = Mapping[str, Mapping[str, Rate]]
"""Arm id to role to rate."""

_STATE_BYTES = 1024
_OWN_FUNCTIONS = 2048
"""More bytes than a back end's own functions (`answer`, `ask`, `refuse`) have as schemas."""
_FRAME_TOKENS = 16
"""More than any chat template spends on the marks around one message."""


class Account(NamedTuple):
    """Where a run stands, USD.

    Attributes:
        spent: Cost of all calls that were answered.
        held: The most that outstanding calls may cost.
        refused: The most that the first call that did not fit may have cost; None before.
    """

    spent: Decimal
    held: Decimal = ZERO
    refused: Decimal | None = None


@dataclass(frozen=True)
class Budget:
    """What a run may spend.

    Attributes:
        limit: USD.
        priced: At which prices.
    """

    limit: Decimal
    priced: Pricing

    def till(
        self,
        trials: Iterable[TrialPlan],
        identities: Mapping[str, Mapping[str, Json]],
        run: Run | None,
    ) -> "Till":
        """Return the account of a run that plays `trials`, after what its log holds already.

        Raises:
            InputError: when a call, past or to come, has no price.
        """
        spent = ZERO if run is None else paid_so_far(run, self.priced)
        if spent is None:
            raise InputError("--max-usd needs prices, and the log holds calls that have none")
        arms = {trial.arm.id: trial.arm for trial in trials}
        return Till(self.limit, spent, rates(arms.values(), identities, self.priced))


class Till:
    """One account for all processes of a run; workers get it when they are started."""

    def __init__(self, limit: Decimal, spent: Decimal, rates: Rates) -> None:
        self._limit = limit
        self._rates = rates
        self._changed = get_context("spawn").Condition()
        self._state = RawArray("c", _STATE_BYTES)
        self._write(Account(spent))

    @property
    def account(self) -> Account:
        """Where the run stands."""
        with self._changed:
            return self._read()

    def metered(self, arm: Arm, live: Sources) -> Sources:
        """Return live sources whose calls are paid from here."""
        return Metered(live, self, self._rates[arm.id], most_requests(arm))

    @contextmanager
    def held(self, bound: Decimal) -> Iterator[Callable[[Decimal], None]]:
        """Hold `bound` for one call; the function given takes what it really cost.

        It may take several costs: a call that failed, or was asked again, has one for each request
        that the endpoint has an account of.

        Raises:
            OutOfMoney: when the call does not fit into what is left.
        """
        if not bound:
            yield lambda cost: None
            return
        costs: list[Decimal] = []
        self._hold(bound)
        try:
            yield costs.append
        finally:
            with self._changed:
                spent, held, refused = self._read()
                for cost in costs:
                    spent = EXACT.add(spent, cost)
                self._write(Account(spent, EXACT.subtract(held, bound), refused))
                self._changed.notify_all()

    def _hold(self, bound: Decimal) -> None:
        """Take `bound`, if need be after outstanding calls have turned out cheaper."""
        with self._changed:
            while True:
                spent, held, refused = self._read()
                if refused is not None:
                    raise OutOfMoney(bound)
                if EXACT.add(spent, bound) > self._limit:
                    self._write(Account(spent, held, bound))
                    self._changed.notify_all()
                    raise OutOfMoney(bound)
                if EXACT.add(EXACT.add(spent, held), bound) <= self._limit:
                    self._write(Account(spent, EXACT.add(held, bound), refused))
                    return
                self._changed.wait()

    def said(self) -> str:
        """Say where the run stands and why it stopped."""
        spent, _, refused = self.account
        return (
            f"stopped before overspending: {show_usd(spent)} USD spent, the next call may cost "
            f"up to {show_usd(refused or ZERO)}, the limit is {show_usd(self._limit)}"
        )

    def _read(self) -> Account:
        spent, held, refused = json.loads(self._state.value)
        return Account(Decimal(spent), Decimal(held), None if refused is None else Decimal(refused))

    def _write(self, account: Account) -> None:
        amounts = [None if each is None else str(each) for each in account]
        self._state.value = canonical_json(amounts).encode()


class Metered:
    """Live sources that ask a till before each call that costs something."""

    def __init__(
        self,
        live: Sources,
        till: Till,
        rates: Mapping[str, Rate],
        requests: Mapping[ModelRole, int],
    ) -> None:
        self._live = live
        self._till = till
        self._rates = rates
        self._requests = requests
        self.identities: dict[str, Json] = live.identities
        self.paid = live.paid

    def complete(self, role: ModelRole, request: CompletionRequest) -> Completion:
        """Ask the model of this role, when the call fits into what is left.

        Raises:
            OutOfMoney: when it does not.
            Fault: culprit `model`.
        """
        rate = self._rates[role]
        bound = most(rate, most_input(request), request.max_tokens)
        with self._till.held(EXACT.multiply(bound, Decimal(self._requests[role]))) as pay:
            try:
                completion = self._live.complete(role, request)
            except CallFault as fault:
                _pay_requests(rate, fault.service, pay)
                raise
            _pay_requests(rate, completion.service, pay)
            pay(_cost(rate, completion.usage))
        return completion

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Ask the embedder, when the call fits into what is left.

        Raises:
            OutOfMoney: when it does not.
            Fault: culprit `embedder`.
        """
        rate = self._rates.get("embedder")
        cost = rate.price(sum(map(count_tokens, texts)), 0, 0) if rate else None
        with self._till.held(cost or ZERO) as pay:
            vectors = self._live.embed(texts)
            pay(cost or ZERO)
        return vectors


def _pay_requests(rate: Rate, service: Service | None, pay: Callable[[Decimal], None]) -> None:
    """Pay for the requests of a call that brought no completion, as its record will."""
    for attempt in service.attempts if service else ():
        if attempt.usage is not None:
            pay(_cost(rate, attempt.usage))


def _cost(rate: Rate, usage: Usage) -> Decimal:
    return rate.price(usage.input, usage.cached, usage.output) or ZERO


def most_requests(arm: Arm) -> dict[ModelRole, int]:
    """Return how many requests one call of each model may take.

    A back end that asks again has the option `max_retries`.
    """
    parts: dict[ModelRole, PartSpec | None] = {
        "agent_model": arm.model,
        "memory_model": arm.memory_model,
    }
    return {
        role: 1 + int(part.options.get("max_retries", 0)) for role, part in parts.items() if part
    }


def most_input(request: CompletionRequest) -> int:
    """Return a number of tokens that no tokenizer exceeds for the prompt of a request.

    A token is at least one byte of text. Back ends may send tools as schemas beside the text, with
    functions of their own for answers and questions, and put marks around messages.
    """
    prompt = request.prompt
    tools = canonical_json([tool.model_dump(mode="json") for tool in prompt.tools])
    messages = 3 + len(prompt.examples) + len(prompt.context) + len(prompt.steps)
    own = _OWN_FUNCTIONS if prompt.tools else 0
    return len(request.rendered.encode()) + len(tools.encode()) + own + _FRAME_TOKENS * messages


def most(rate: Rate, input_tokens: int, output_tokens: int) -> Decimal:
    """Return the most that a call may cost, USD, whichever price band its input falls into."""
    costs = [ZERO]
    for band in rate.bands:
        if input_tokens > band.above:
            read = max(band.input or ZERO, band.cached or ZERO)
            tokens = EXACT.multiply(Decimal(input_tokens), read)
            written = EXACT.multiply(Decimal(output_tokens), band.output or ZERO)
            costs.append(EXACT.scaleb(EXACT.add(tokens, written), -6))
    return max(costs)


def rates(
    arms: Iterable[Arm], identities: Mapping[str, Mapping[str, Json]], priced: Pricing
) -> Rates:
    """Return the rates of every part of `arms`.

    Raises:
        InputError: when a part has no price: what is not known cannot be kept within a limit.
    """
    return {
        arm.id: {
            role: _known(priced.rate(arm.describe(), role, identity), role, identity, arm, priced)
            for role, identity in identities[arm.id].items()
        }
        for arm in arms
    }


def _known(
    rate: Rate | None, role: str, identity: Mapping[str, Json], arm: Arm, priced: Pricing
) -> Rate:
    output = 0 if role == "embedder" else 1
    if rate is None or any(_lacks(rate, band.above, output) for band in rate.bands):
        named = identity.get("model") or identity.get("name")
        raise InputError(
            f"--max-usd needs prices, and {priced.book.title} has none for {named!r}, the "
            f"{role.replace('_', ' ')} of arm {arm.id!r}; name a price book with --prices"
        )
    return rate


def _lacks(rate: Rate, above: int, output: int) -> bool:
    return rate.price(above + 1 or 1, 0, output) is None
