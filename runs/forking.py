"""Forks a trial of a run folder into a run folder of its own."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from probes.scenario import Scenario
from runs.agents import agent_for
from runs.arms import effective_part, memory_parts, named_fault, part_named
from runs.folder import create_folder, manifest, refuse_used, seal_run
from runs.plan import Plan, TrialPlan
from runs.replaying import recorded_arm
from runs.suite import Suite
from runs.tracing import find_trial
from scoring.names import named
from scoring.run import Run, load_run
from simulator.engine.arm import Arm
from simulator.engine.parts import Backends, make_memory
from simulator.engine.playing import settings
from simulator.engine.sources import LiveSources
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.replay import (
    Change,
    ChangeBudget,
    ChangeMemory,
    ChangeModel,
    Diverged,
    Fork,
    Without,
    fork_trial,
)
from simulator.replay.positions import find_position

Report = Callable[[int, int], None]
"""Told how many decisions are done, of how many."""

_OWN = frozenset({"shard", "forks", "analysis"})
"""What a manifest says of its own run only: a fork is one trial and makes no statement."""


@dataclass(frozen=True)
class Wanted:
    """What is to be changed, as the command line has it; exactly one is not None.

    Attributes:
        memory: A memory: `NAME`, or `NAME,option=value,…`.
        model: A model, likewise.
        token_budget: Most tokens of a memory block.
        without: Id of a scripted event.
    """

    memory: str | None = None
    model: str | None = None
    token_budget: int | None = None
    without: str | None = None


@dataclass(frozen=True)
class ForkResult:
    """What a fork came to.

    Attributes:
        run: The child's folder.
        trial: The child's trial.
        parent: The parent's trial.
        asked_at: The position that was asked for.
        position: Where it was forked: there, or where what is under way there begins.
        event: Id of the parent's event there.
        change: What was changed, as text.
        events: Events of the child.
        errors: Error events among them.
        reused_calls: Calls from the position on that the parent's record answered, embeddings at
            least in part.
        new_calls: Calls that reached a live model or embedder.
        root: Root over the child's one trial.
    """

    run: str
    trial: str
    parent: str
    asked_at: int
    position: int
    event: str
    change: str
    events: int
    errors: int
    reused_calls: int
    new_calls: int
    root: str


def fork_run(
    folder: Path, name: str, at: str, wanted: Wanted, out: Path, report: Report
) -> ForkResult:
    """Fork one trial of a run and write it as a run of its own.

    The child's folder is made whole at the end or not at all.

    Raises:
        InputError: for an unknown trial, position, event or part, no or several changes, a change
            that makes no sense there, a folder in use, or a parent that does not play again as it
            was recorded.
    """
    with load_run(folder) as run, closing(Backends()) as backends:
        trial = find_trial(run, name)
        suite = suite_of(run)
        change, told = _change(wanted, suite)
        refuse_used(out)
        scenario = _scenario(run, trial)

        def sources(arm: Arm) -> LiveSources:
            _check_arm(arm)
            return live_sources(backends, arm)

        try:
            fork = fork_trial(
                run.log,
                trial,
                scenario.script,
                at,
                change,
                sources=sources,
                agent=agent_for(recorded_arm(run.log, trial), lambda: scenario.key),
                report=report,
            )
        except Diverged as diverged:
            raise refused(trial, diverged, folder) from None
        plan = _plan(run, suite, scenario, fork, told)
        rows = list(run.log.rows(trial))
        return ForkResult(
            run=str(out),
            trial=fork.trial,
            parent=trial,
            asked_at=find_position(rows, at),
            position=fork.turn.position,
            event=rows[fork.turn.position].id,
            change=told,
            events=len(fork.rows),
            errors=sum(row.kind == "error" for row in fork.rows),
            reused_calls=len(fork.reused),
            new_calls=fork.asked,
            root=_write(out, plan, fork),
        )


def live_sources(backends: Backends, arm: Arm) -> LiveSources:
    """Return the live sources of an arm.

    Raises:
        InputError: when a part cannot be made; the message names it.
    """
    with named_fault("model", arm.model.name):
        return backends.sources(arm)


def refused(trial: str, diverged: Diverged, folder: Path) -> InputError:
    """Return why a trial that does not play again as it was recorded cannot be forked."""
    message = (
        f"{trial} does not play here as it was recorded: event {diverged.position} "
        "differs; `memtrial replay` shows how"
    )
    return InputError(message, file=str(folder))


def suite_of(run: Run) -> Suite:
    """Return the suite that a run played, for a run that goes off from it.

    Raises:
        InputError: when this version does not know it.
    """
    noted = {k: v for k, v in run.manifest.suite.items() if k not in _OWN}
    try:
        return Suite.model_validate(noted)
    except ValidationError as error:
        message = f"the suite that was played is unknown here: {error.errors()[0]['msg']}"
        raise InputError(message, file=str(run.folder)) from None


def _scenario(run: Run, trial: str) -> Scenario:
    arc = run.trial(trial).arc
    return Scenario(script=run.script(arc), key=run.key(arc))


def _change(wanted: Wanted, suite: Suite) -> tuple[Change, str]:
    """Return the change, and how a person would call it."""
    given = {name: value for name, value in vars(wanted).items() if value is not None}
    if len(given) != 1:
        had = f"; got {', '.join(_flag(name) for name in given)}" if given else ""
        flags = ", ".join(map(_flag, vars(wanted)))
        raise InputError(f"a fork changes exactly one thing: one of {flags}{had}")
    [(name, value)] = given.items()
    told = f"{name.replace('_', ' ')} {value}"
    if wanted.memory is not None:
        memory, writer, embedder = memory_parts(
            suite, part_named(wanted.memory, "memory"), "memory"
        )
        return ChangeMemory(memory, writer, embedder, _unbudgeted(memory.options)), told
    if wanted.model is not None:
        return ChangeModel(
            effective_part("model", part_named(wanted.model, "model"), "model")
        ), told
    if wanted.without is not None:
        return Without(wanted.without), told
    return ChangeBudget(wanted.token_budget), told


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _unbudgeted(options: dict[str, Json]) -> bool:
    return options.get("implementation") == "unbudgeted"


def _check_arm(arm: Arm) -> None:
    if _unbudgeted(arm.memory.options) and arm.token_budget is not None:
        message = f"memory {arm.memory.name!r} is unbudgeted here, so no budget is a change"
        raise InputError(message, field="token_budget")
    with named_fault("memory", arm.memory.name):
        make_memory(arm, f"check/{arm.id}").close()


def _plan(run: Run, suite: Suite, scenario: Scenario, fork: Fork, told: str) -> Plan:
    """Return the plan whose one trial the fork is, for the manifest of its run."""
    turn, arc = fork.turn, scenario.script.arc
    seed = named(fork.trial).seed
    about = f"Fork of {turn.parent} at {turn.position}: {told}. {suite.description}".rstrip()
    noted = {
        "run": run.name,
        "root": run.log.root(),
        "trial": turn.parent,
        "position": turn.position,
        "before": turn.before,
        "change": told,
        "reused": {str(position): tokens for position, tokens in fork.reused.items()},
    }
    arm = settings(turn)
    return Plan(
        suite=suite.model_copy(update={"description": about, "seeds": (seed,)}),
        scenarios={arc: scenario},
        arms=(arm,),
        trials=(TrialPlan(arc, arm, seed),),
        forks={fork.trial: noted},
    )


def _write(out: Path, plan: Plan, fork: Fork) -> str:
    """Write the child's folder and return its root."""
    made = manifest(plan, None, {plan.arms[0].id: fork.turn.identities})
    with _made_whole(out) as folder, create_folder(folder, plan, made) as log:
        fork.write(log)
        return seal_run(log)


@contextmanager
def _made_whole(folder: Path) -> Iterator[Path]:
    """Give a folder to fill, which comes to stand at `folder` when it is whole."""
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    nest = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        yield nest / "run"
        os.rename(nest / "run", folder)
    finally:
        shutil.rmtree(nest)
