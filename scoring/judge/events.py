"""What the judge's log holds: who judged, and each reply as it was paid for."""

from typing import ClassVar, Literal

from simulator.events import Json
from simulator.events.faults import Culprit, FaultKind
from simulator.events.recorded import Blob, Recorded


class JudgeNamed(Recorded):
    """First event of the log's run-level stream: who judges, with what question.

    Attributes:
        name: Registered name of the model, as the suite names it.
        options: Its effective options, defaults spelled out.
        identity: What it says of itself: model, hash, back end.
        version: Version of the question and of how replies are read.
        verdict_tokens: Most tokens of a reply.
        instructions: Blob of the instructions.
        examples: Blobs of the worked examples.
    """

    kind: ClassVar[str] = "judge_named"
    name: str
    options: Json
    identity: Json
    version: str
    verdict_tokens: int
    instructions: Blob
    examples: tuple[Blob, ...]


class Judgement(Recorded):
    """The judge replied to one question.

    Attributes:
        probe: The probe whose answer was graded.
        decision: Full id of its decision.
        rendered: Blob of the rendered prompt.
        seed: Seed given to the model.
        text: The reply, as it was said; `scoring.judge.question.read_opinion` reads it.
        finish: `stop` or `length`.
        usage: `input`, `cached` (part of input), `output`, `reasoning` (part of output): tokens.
    """

    kind: ClassVar[str] = "judgement"
    probe: str
    decision: str
    rendered: Blob
    seed: int
    text: str
    finish: Literal["stop", "length"]
    usage: dict[str, int]


class JudgementFailed(Recorded):
    """The judge could not be asked; that is an error of its own and no opinion.

    Attributes:
        probe: The probe whose answer was to be graded.
        decision: Full id of its decision.
        rendered: Blob of the rendered prompt.
        seed: Seed given to the model.
    """

    kind: ClassVar[str] = "judgement_failed"
    probe: str
    decision: str
    rendered: Blob
    seed: int
    culprit: Culprit
    fault: FaultKind
    message: str
    detail: str
