"""Trials written by hand, event by event with its causes, for what reads logs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scoring.keys import Probe
from simulator.events.recorded import (
    Answered,
    Boundary,
    CompletionRecorded,
    DecisionOpened,
    EmbeddingRecorded,
    MemoryChanged,
    MemoryRead,
    Recorded,
    Refused,
    Said,
    SessionStarted,
    ToolCalled,
    ToolReturned,
    TrialClosed,
    WorldChanged,
)
from tests.scoring.conftest import RunMaker, Tape

REFUND = "My refund is $45.00."
REQUEST = "Please pay it."
SECTIONS = "instructions tools examples block context request steps".split()


def item(name: str, text: str, *sources: str, **more: Any) -> dict[str, Any]:
    """Return an item as a `memory_change` lists it."""
    recorded = {"id": name, "text": text, "sources": sorted(sources), "saw": [], "hidden": False}
    return {**recorded, "scope": "global", "role": "user", **more}


def shown(name: str, text: str, *sources: str) -> dict[str, Any]:
    """Return an item as a `memory_read` lists it."""
    told = {"item": name, "text": text, "sources": list(sources), "tokens": 3}
    return {**told, "rank": None, "distance": None}


FACT = item("i1", "refund = $45.00", "plant/m")
RECALLED = shown("i1", "refund = $45.00", "plant/m")


@dataclass
class Hand:
    """Writes one trial of the arc `a1`: a message, a boundary, a decision, a boundary."""

    tape: Tape
    time: int = 0

    def emit(self, event: Recorded, *causes: str, name: str | None = None) -> str:
        return self.tape.recorder.emit(event, self.time, causes, name)

    def plant(self, *written: Any, embeds: bool = False, heard: bool = True) -> None:
        started = self.emit(SessionStarted(episode="plant"))
        if heard:
            self.emit(Said(source="message", role="user", text=REFUND), name="plant/m")
        self.end(started, ("plant/m",) if heard else (), *written, embeds=embeds)

    def end(
        self,
        started: str,
        transcript: tuple[str, ...],
        *written: Any,
        gone: tuple[str, ...] = (),
        embeds: bool = False,
        held: int = 0,
    ) -> None:
        boundary = self.emit(
            Boundary(why="session_end", asked=self.time, transcript=transcript), started
        )
        if embeds:
            vectors = EmbeddingRecorded(purpose="write", texts=("t",), vectors=(), tokens=4)
            self.emit(vectors, boundary)
        change = MemoryChanged(why="absorb", written=written, gone=gone, held=held or len(written))
        self.emit(change, boundary)

    def open(self, *items: Any, block: str = "", tokens: int = 0) -> str:
        started = self.emit(SessionStarted(episode="ask"))
        self.emit(DecisionOpened(request=REQUEST), name="ask/d")
        content = self.tape.recorder.blob(block)
        read = MemoryRead(query=REQUEST, budget=256, block=content, tokens=tokens, items=items)
        self.emit(read, "ask/d")
        return started

    def complete(self, prompt: str, said: str, step: int = 0) -> str:
        blob = self.tape.recorder.blob
        return self.emit(
            CompletionRecorded(
                purpose="act",
                role="agent_model",
                step=step,
                max_tokens=64,
                seed=step,
                **dict.fromkeys(SECTIONS, blob("")),
                rendered=blob(prompt),
                text=said,
                finish="stop",
                usage={"input": 9, "cached": 0, "output": 3, "reasoning": 0},
            ),
            "ask/d",
        )

    def pay(self, amount: str = "$45.00") -> None:
        arguments = {"amount": amount}
        call = self.emit(ToolCalled(call="ask/d:0", tool="pay", arguments=arguments), "ask/d")
        self.emit(ToolReturned(call="ask/d:0", tool="pay", ok=True, text=f"paid {amount}"), call)
        patch = ({"op": "add", "path": "/paid", "value": amount},)
        self.emit(WorldChanged(call="ask/d:0", patch=patch), call)

    def answer(self, text: str) -> str:
        return self.emit(Answered(decision="ask/d", text=text), "ask/d")

    def refuse(self, text: str) -> str:
        return self.emit(Refused(decision="ask/d", text=text), "ask/d")

    def close(self, complete: bool = True) -> None:
        self.emit(TrialClosed(complete=complete))


def knows(hand: Hand, said: str = "Done.", amount: str = "$45.00") -> None:
    """Write a trial whose memory gives the refund back, and whose agent pays it.

    0 opened, 1 session, 2 plant/m, 3 boundary, 4 change, 5 session, 6 ask/d, 7 read,
    8 completion, 9 call, 10 return, 11 world, 12 completion, 13 answer, 14 boundary, 15 change,
    16 closed.
    """
    hand.plant(FACT)
    started = hand.open(RECALLED, block="refund = $45.00", tokens=3)
    hand.complete("Memory:\nrefund = $45.00\nRequest: pay", f'pay(amount="{amount}")')
    hand.pay(amount)
    hand.complete("Memory:\nrefund = $45.00\nRequest: pay\nPaid.", f'answer("{said}")', 1)
    said = hand.answer(said)
    hand.end(started, ("ask/d", "#9", "#10", said), held=1)
    hand.close()


def knows_nothing(hand: Hand) -> None:
    """Write a trial whose memory embeds, keeps nothing, and whose agent does not know.

    0 opened, 1 session, 2 plant/m, 3 boundary, 4 embedding, 5 change, 6 session, 7 ask/d, 8 read,
    9 completion, 10 answer, 11 boundary, 12 embedding, 13 change, 14 closed.
    """
    hand.plant(embeds=True)
    started = hand.open()
    hand.complete("Request: pay", 'answer("I do not know.")')
    said = hand.answer("I do not know.")
    hand.end(started, ("ask/d", said), embeds=True)
    hand.close()


@dataclass
class Folder:
    """A run folder of such trials, one arm each."""

    maker: RunMaker
    arms: list[str] = field(default_factory=list)

    def trial(self, arm: str, write: Callable[[Hand], None], time: int = 0, **options: Any) -> str:
        """Write a trial and return its id."""
        if not self.arms:
            probe = Probe(id="p", kind="question", decision="ask/d", dependent=False)
            self.maker.arc("a1", [probe], requests={"ask/d": REQUEST})
        self.arms.append(self.maker.arm(arm, **options))
        write(Hand(self.maker.tape("a1", arm), time))
        return f"a1/{arm}/0"

    def done(self) -> Path:
        """Write the folder."""
        self.maker.write().close()
        return self.maker.folder


def begin(folder: Path) -> Folder:
    """Begin a run folder."""
    return Folder(RunMaker(folder))
