"""What the acceptance tests share: suites over everything registered, runs, and logged decisions."""

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from probes.ladder.domains import DOMAINS
from runs.plan import plan
from runs.runner import RunResult, run_plan
from scoring.keys import TIERS
from scoring.run import Event, Run, Trial
from simulator.effects.registry import lookup, names
from simulator.events import canonical_json

TALK = Path(__file__).with_name("talk.yaml")
DESK = Path(__file__).with_name("desk.yaml")

NEED_EXTRA = {"model": {"llama-cpp", "openai"}, "embedder": {"minilm"}}
"""Registered parts that need an extra, by port; everything else is played."""

Memory = dict[str, str | int | bool]
"""A memory as a suite names it: its name and some of its options."""

SUPPORT = {"support": TIERS}
EVERYWHERE = dict.fromkeys(DOMAINS, TIERS)
VARIED = {"support": ("easy",), "itops": ("medium",), "assistant": ("hard",)}
"""Environments that have a ladder, with their tiers."""

READERS = sorted(set(names("model")) - NEED_EXTRA["model"])


def memories() -> list[Memory]:
    """Return every registered memory in every implementation that needs no extra."""
    found: list[Memory] = []
    for name in names("memory"):
        field = lookup("memory", name).Options.model_fields.get("implementation")
        for value in get_args(field.annotation) if field else ():
            if value not in NEED_EXTRA["embedder"]:
                found.append({"name": name, "implementation": value})
        if field is None:
            found.append({"name": name})
    # An implementation of one half of it, which the option of that name does not choose.
    return [*found, {"name": "hybrid", "extractor": "model"}]


def suite(
    folder: Path,
    *,
    arcs: int,
    models: Sequence[str],
    memories: Iterable[Memory],
    seed: int = 11,
    hard: int = 0,
    talk: bool = False,
    desk: bool = False,
    environments: Mapping[str, Sequence[str]] = SUPPORT,
    corruption: str = "",
    more: str = "",
) -> Path:
    """Write a suite over `arcs` ladder arcs a tier, a block of 96 tokens; return its path.

    `environments` has the tiers of each environment, `corruption` the lines of a suite that corrupt
    their arcs; `hard` adds arcs of support's hard tier,
    `talk` the one that is answered in text, `desk` the one whose world is announced to change.
    """
    lines = ['name = "acceptance"', "token_budgets = [96]", more]
    for environment, tiers in environments.items():
        lines += ["[[scenarios]]", 'generate = "ladder"', f"seed = {seed}", f"arcs = {arcs}"]
        lines += [f'environment = "{environment}"', f"tiers = {canonical_json(list(tiers))}"]
        lines += [corruption]
    if hard:
        lines += ["[[scenarios]]", 'generate = "ladder"', f"seed = {seed + 1}"]
        lines += [f"arcs = {hard}", 'tiers = ["hard"]', corruption]
    if talk:
        lines += ["[[scenarios]]", f"files = [{canonical_json(str(TALK))}]"]
    if desk:
        lines += ["[[scenarios]]", f"files = [{canonical_json(str(DESK))}]"]
    for memory in memories:
        lines += [
            "[[memories]]",
            *(f"{key} = {canonical_json(value)}" for key, value in memory.items()),
        ]
    for model in models:
        lines += ["[[models]]", f'name = "{model}"']
    lines += ["[memory_model]", 'name = "tests.acceptance.parts:Scribe"']
    path = folder / "suite.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def play(path: Path, out: Path, workers: int = 1) -> RunResult:
    """Run a suite in this process."""
    return run_plan(plan(str(path)), out, workers=workers, report=lambda done, of: None)


def command(code: str, *arguments: str | Path) -> list[str]:
    """Return the command line of `memtrial` in a process that runs `code` before anything else."""
    main = f"{code}\nfrom runs.cli import main\nmain()"
    return [sys.executable, "-P", "-c", main, *map(str, arguments)]


def memtrial(
    *arguments: str | Path, code: str = "", env: Mapping[str, str] | None = None, cwd: Path
) -> "subprocess.CompletedProcess[str]":
    """Run `memtrial` in a process of its own."""
    return subprocess.run(
        command(code, *arguments), env=env, cwd=cwd, capture_output=True, text=True, check=False
    )


@dataclass(frozen=True)
class Decision:
    """One decision as the log tells it.

    Attributes:
        trial: The trial's name.
        id: `episode/event` of the decision.
        block: The block that the memory gave back.
        events: Its events up to and with what ended it.
    """

    trial: Trial
    id: str
    block: str
    events: tuple[Event, ...]

    @property
    def first(self) -> dict[str, Any] | None:
        """The body of its first completion, if there was one."""
        return next((each.body for each in self.events if each.kind == "completion"), None)


_ENDS = ("answer", "clarification", "refusal", "error")


def decisions(run: Run) -> Iterator[Decision]:
    """Yield every decision of every sealed trial."""
    for trial in run.trials():
        opened: str | None = None
        events: list[Event] = []
        block = ""
        for event in trial.events:
            if event.kind == "decision":
                opened, events, block = event.id, [], ""
            events.append(event)
            if event.kind == "memory_read":
                block = trial.text(event.body["block"])
            if event.kind in _ENDS and event.body["decision"] == opened and opened:
                yield Decision(trial, opened, block, tuple(events))
                opened = None
