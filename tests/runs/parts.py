"""Parts of the tests' suites, named `tests.runs.parts:Class` like anybody's own."""

import os
import re
from collections.abc import Sequence
from typing import ClassVar

from pydantic import BaseModel

from memories.replay import Replay, ReplayOptions
from simulator.effects.memory import Ask, Block, MemorySetup
from simulator.effects.options import Options
from simulator.effects.prompts import Completion
from simulator.effects.steps import Steps
from simulator.events import Json, Surface
from simulator.events.canonical import sha256_text
from simulator.models.port import CompletionRequest
from simulator.models.scripted.readers import LastReader
from simulator.models.scripted.reading import Reading
from simulator.models.written import write_call, write_spoken


class Speechless(LastReader):
    """A model that says nothing, which is an error of its own."""

    def complete(self, request: CompletionRequest) -> Completion:
        return super().complete(request).model_copy(update={"text": ""})


class ForgetfulOptions(Options):
    slow: bool = False


class Forgetful(Replay):
    """A memory that can be made to lose something with every read."""

    Options: ClassVar[type[BaseModel]] = ForgetfulOptions

    def __init__(self, options: ForgetfulOptions, setup: MemorySetup) -> None:
        super().__init__(ReplayOptions(), setup)
        self._slow = options.slow

    def read(self, ask: Ask) -> Steps[Block]:
        block = yield from super().read(ask)
        if self._slow and block.items:
            self.shelf.drop([block.items[0].item])
        return block


class Squeamish(Replay):
    """A memory that fails where it has to take in a dear price."""

    def absorb(self, transcript: Sequence[Surface]) -> Steps[None]:
        if any("$5.21" in each.text for each in transcript):
            raise ValueError("too dear")
        yield from super().absorb(transcript)


class Paid(LastReader):
    """A reader that counts as a hosted model: each call is paid, priced and kept at once.

    It writes one line a call into the file that `LEDGER` names, when it is asked and before it
    answers: so what a killed run paid for can be told from what it recorded.
    """

    scripted: ClassVar[bool] = False

    def identity(self) -> dict[str, Json]:
        return {**super().identity(), "model": "gpt-4.1-mini"}

    def complete(self, request: CompletionRequest) -> Completion:
        if os.environ.get(LEDGER):
            asked = sha256_text(f"{request.seed} {request.rendered}")
            handle = os.open(os.environ[LEDGER], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(handle, f"{asked}\n".encode())
            os.close(handle)
        return super().complete(request)


LEDGER = "MEMTRIAL_TEST_LEDGER"


class Idle(Paid):
    """A paid model that never acts, whatever it is shown."""

    def identity(self) -> dict[str, Json]:
        return {**super().identity(), "habit": "idle"}

    def complete(self, request: CompletionRequest) -> Completion:
        done = super().complete(request)
        return done.model_copy(update={"text": 'answer("I would rather not.")'})


class Weigher(LastReader):
    """A reader that a price moves without ever being named: dear, cheap, or no price at all."""

    name = "weigher"

    def reply(self, reading: Reading, seed: int) -> str:
        prices = re.findall(r"\$([0-9.]+[0-9])", "\n".join((*reading.memory, *reading.session)))
        word = ("dear" if float(prices[-1]) > 5 else "cheap") if prices else "fine"
        return write_spoken("answer", f"The offer is {word}.")


class Fainting(LastReader):
    """A reader that breaks off where it reads of a dear price, and else says the last thing shown."""

    def reply(self, reading: Reading, seed: int) -> str:
        said = "\n".join((*reading.memory, *reading.session))
        return "" if "$5.21" in said else write_spoken("answer", "Done.")


class Once(LastReader):
    """A reader that says what it was told only when it is asked what something costs."""

    name = "once"

    def reply(self, reading: Reading, seed: int) -> str:
        said = reading.session[1] if "cost" in reading.request else "Hello."
        return write_spoken("answer", said)


class Planner(LastReader):
    """A reader that plans a meeting about a price when asked for costs, and else looks up meetings."""

    name = "planner"

    def reply(self, reading: Reading, seed: int) -> str:
        done = len([line for line in reading.steps if line.startswith("Action")])
        prices = re.findall(r"unit is (\$[0-9.]+[0-9])", "\n".join(reading.session))
        offer: dict[str, Json] = {"person_id": "P-2009"}
        offer["subject"] = f"Offer {prices[-1] if prices else 'unknown'}"
        if "cost" in reading.request and done == 0:
            return write_call("draft_invitation", {**offer, "start": "2025-04-07 09:00"})
        if "cost" in reading.request:
            return write_call("send_draft", offer) if done == 1 else write_spoken("answer", "Done.")
        return self.afterwards(reading, offer) if done == 0 else self.finally_(reading)

    def afterwards(self, reading: Reading, offer: dict[str, Json]) -> str:
        return write_call("get_person", {"person_id": "P-2009"})

    def finally_(self, reading: Reading) -> str:
        return write_spoken("answer", reading.steps[-1])


class Repeater(Planner):
    """A planner that goes on writing the price into mails, and is told what it wrote."""

    name = "repeater"

    def afterwards(self, reading: Reading, offer: dict[str, Json]) -> str:
        return write_call("draft_mail", {**offer, "text": "Hello."})

    def finally_(self, reading: Reading) -> str:
        return write_spoken("answer", "Done.")


class Reckoner(LastReader):
    """A reader that names no price but works with it: one unit with a fee of $1.05 on top."""

    name = "reckoner"

    def reply(self, reading: Reading, seed: int) -> str:
        prices = re.findall(r"unit is \$([0-9.]+[0-9])", "\n".join(reading.session))
        total = f"{float(prices[-1]) + 1.05:.2f}" if prices else "nothing"
        return write_spoken("answer", f"With the fee it comes to ${total}.")
