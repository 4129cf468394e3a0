"""Prompts for the clerk, written by hand, and what it does with them to the end."""

from dataclasses import dataclass, field
from typing import Any

from environments.workspace import Workspace
from memories.paging import Paging
from simulator.agents.actions import Answer, Call, parse_action
from simulator.effects.environment import Tool
from simulator.effects.prompts import Prompt
from simulator.events import Surface
from simulator.models.port import CompletionRequest
from simulator.models.rendering import render_plain
from simulator.models.scripted.clerk.reader import Clerk, ClerkOptions

CONTRACT = (
    'document DOC-1002 "Contract with Norlin", version v1 of v1, owner P-2001, approval open '
    "(P-2002): This contract renews for 12 months. Either party may give notice by 30 September."
)
PRICES = (
    'document DOC-1001 "Prices of finance", version v1 of v1, owner P-2002, approval not needed: '
    "Norlin charges finance $4.10 a unit."
)
DRAFT = (
    'document DOC-1003 "Draft of a new contract", version v1 of v1, owner P-2001, approval not '
    "needed: Norlin would cut the unit price by 8 percent."
)
READ = tuple(f"tool: {each}" for each in (CONTRACT, PRICES, DRAFT))
REQUEST = "Finalize the recommendation on the renewal and set up the next steps with P-2009."


@dataclass
class Work:
    """What the clerk did at one request."""

    calls: list[Call] = field(default_factory=list)
    answer: str = ""

    @property
    def tools(self) -> list[str]:
        return [call.tool for call in self.calls]

    @property
    def report(self) -> dict[str, Any]:
        (report,) = [call.arguments for call in self.calls if call.tool == "submit_report"]
        return report

    def claims(self, status: str = "supported") -> list[tuple[str, list[str]]]:
        claims = self.report["claims"]
        return [(each["text"], each["sources"]) for each in claims if each["status"] == status]

    @property
    def said(self) -> str:
        return " ".join(text for text, _ in self.claims())


def prompt(
    request: str,
    memory: tuple[str, ...] = (),
    session: tuple[str, ...] = (),
    steps: tuple[Surface, ...] = (),
    tools: tuple[Tool, ...] = Workspace.tools,
) -> Prompt:
    block = "\n".join(["From earlier sessions:", *(f"[2025-03-03] {line}" for line in memory)])
    return Prompt(
        instructions=Workspace.instructions,
        tools=tools,
        examples=Workspace.examples,
        block=block if memory else "",
        context=tuple(surface(line) for line in session),
        request=request,
        steps=steps,
    )


def surface(line: str) -> Surface:
    who, _, text = line.partition(": ")
    role, _, tool = who.partition(" ")
    fields = {
        "id": "e/1",
        "role": role,
        "tool": tool or None,
        "text": text,
        "time": 1_741_165_200_000,
    }
    return Surface.model_validate(fields)


def say(asked: Prompt, **options: Any) -> str:
    clerk = Clerk(ClerkOptions(**options))
    return clerk.complete(CompletionRequest(asked, render_plain(asked), "", 96, 0)).text


def work(
    *session: str,
    request: str = REQUEST,
    memory: tuple[str, ...] = READ,
    results: dict[str, str] | None = None,
    tools: tuple[Tool, ...] = Workspace.tools,
    **options: Any,
) -> Work:
    """Let the clerk act to the end; a call of a tool returns what `results` has for it."""
    done = Work()
    steps: list[Surface] = []
    for _ in range(12):
        said = say(prompt(request, memory, session, tuple(steps), tools), **options)
        action = parse_action(said)
        if not isinstance(action, Call):
            assert isinstance(action, Answer)
            done.answer = action.text
            return done
        done.calls.append(action)
        text = (results or {}).get(action.tool, "ok")
        steps += [surface(f"assistant: {said}"), surface(f"tool: {text}")]
    raise AssertionError("the clerk comes to no end")


PAGED = (*Workspace.tools, *Paging.tools)
