"""A run full of values that do not survive careless hands, and of texts that attack a reader."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from memories.none import NoMemory
from probes.scenario import Scenario, write_scenario
from runs.plan import plan
from runs.runner import run_plan
from scoring.keys import Gold, Key, Probe, SaysCheck
from simulator.effects.environment import Tool, ToolOutcome
from simulator.effects.memory import Ask, Block
from simulator.effects.prompts import Completion, Usage
from simulator.effects.steps import Steps
from simulator.events import Episode, Json, Script
from simulator.events.scripted import Decision, Message, ScriptedEvent, ToolResult
from simulator.models.port import CompletionRequest
from simulator.models.scripted.readers import LastReader
from simulator.models.written import write_call, write_spoken

VAULT = "tests.runs.hostile:Vault"

TEXTS = (
    *(
        "0012",
        "15E2621",
        "1e3",
        "a\x00b",
        "\\u0000",
        "\U0001f642",
        "\u05e9\u05dc\u05d5\u05dd \u0639",
    ),
    *("caf\u00e9", "cafe\u0301", "\ufeff", "\u200d", "a\rb", "tab\tand\nline", " x "),
)
"""Digits that look like numbers, U+0000, an emoji, right to left, both accent forms, white space."""

NUMBERS = (2**53 + 1, 2**63, 0.1, -0.0, 10**400)

PAYLOADS = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"'><svg onload=\"document.title='owned'\">",
    "</style></title></textarea><script>document.title='owned'</script>",
    "<!--",
    "]]>",
    "{{ 7 * 191 }}{% raw %}",
    "&lt;b&gt;",
    "javascript:document.title='owned'",
)

ESCAPES = ("\x1b[31mred\x1b[0m", "\x1b]0;owned\x07", "\x9b2J", "\u202egnp.exe", "\x08\x7f")
"""What steers a terminal: colours, the window's title, clearing, direction, deletion."""

ALL = (*TEXTS, *PAYLOADS, *ESCAPES)
SEPARATOR = " \u2042 "
JOINED = SEPARATOR.join(("first", *ALL, "last"))


class Vault:
    """Keeps whatever it is given, and tells it back."""

    tools: ClassVar[tuple[Tool, ...]] = (
        Tool(
            name="keep",
            description="Keep a value.",
            parameters={
                "type": "object",
                "properties": {"value": {"examples": ["x"]}},
                "required": ["value"],
                "additionalProperties": False,
            },
            read_only=False,
        ),
    )
    instructions: ClassVar[str] = "You mind a vault."
    examples: ClassVar[tuple[str, ...]] = ()

    def check_world(self, world: Json) -> None:
        """Any world will do."""

    def call(self, world: Json, tool: str, arguments: dict[str, Any], now: int) -> ToolOutcome:
        change: Json = {"op": "add", "path": "/kept", "value": arguments["value"]}
        return ToolOutcome(ok=True, text=JOINED, changes=(change,))


class Caller(LastReader):
    """A model that hands over every value in one call and then says every text."""

    def complete(self, request: CompletionRequest) -> Completion:
        text = write_call("keep", {"value": [*NUMBERS, *ALL]})
        if request.prompt.steps:
            text = write_spoken("answer", JOINED)
        return Completion(text=text, finish="stop", usage=Usage(input=1, output=1))


class Broken(NoMemory):
    """A memory that fails with a hostile message."""

    def read(self, ask: Ask) -> Steps[Block]:
        raise RuntimeError(PAYLOADS[1] + ESCAPES[0])


def scenario() -> Scenario:
    """Every text is said, reported and asked about; the world holds every value that one may."""
    events: list[ScriptedEvent] = [
        Message(id=f"m{number}", at=number, text=text, causes=(f"m{number - 1}",) if number else ())
        for number, text in enumerate(ALL)
    ]
    reported = ToolResult(id="t", at=500, tool=PAYLOADS[0], text=JOINED)
    asked = Decision(id="d", at=1_000, request=JOINED)
    script = Script(
        arc="hostile",
        environment=VAULT,
        world={"given": [value for value in (*NUMBERS, *ALL) if not isinstance(value, float)]},
        episodes=(
            Episode(id="e1", events=(*events, reported)),
            Episode(id="e2", events=(asked,)),
        ),
    )
    probe = Probe(
        id="p",
        kind="recall",
        decision="e2/d",
        dependent=False,
        gold=tuple(Gold(name=text, value=text, evidence=("e1/m0",)) for text in PAYLOADS),
        checks=(SaysCheck(phrase="what nobody says"),),
    )
    key = Key(
        arc="hostile",
        domain=PAYLOADS[1] + ESCAPES[1] + "[/bold]",
        cluster=PAYLOADS[2],
        probes=(probe,),
    )
    return Scenario(script=script, key=key)


def play(folder: Path, memories: Iterable[str] = ("replay", "tests.runs.hostile:Broken")) -> Path:
    """Write the scenario and its suite, run them, and return the run's folder."""
    write_scenario(scenario(), folder / "hostile.yaml")
    listed = ", ".join(f'"{memory}"' for memory in memories)
    (folder / "hostile.toml").write_text(
        f'name = "hostile"\nmemories = [{listed}]\nmodels = ["tests.runs.hostile:Caller"]\n'
        f"token_budgets = [5_000]\ndescription = '''{PAYLOADS[0]}'''\n"
        '[[scenarios]]\nfiles = ["hostile.yaml"]\n',
        encoding="utf-8",
    )
    run_plan(plan(str(folder / "hostile.toml")), folder / "run", report=lambda done, of: None)
    return folder / "run"
