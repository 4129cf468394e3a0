"""Answers to retention questions, read from the run of forks in which they were asked."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from scoring.keys import Key, Probe
from scoring.run import Run, Trial, load_run
from simulator.events.errors import InputError

ASKED = "asked"
"""Name of the folder, in a run's own, that holds the forks in which its questions were asked."""

_ENDS = frozenset({"answer", "clarification", "refusal"})


@dataclass(frozen=True)
class Told:
    """What was said to one retention question.

    Attributes:
        probe: Id of the probe that it is about.
        text: What the agent said; None where an error stands in the place of its words.
    """

    probe: str
    text: str | None


def questioned(key: Key) -> dict[str, tuple[Probe, ...]]:
    """Return decision to the probes whose retention question is asked there, in the key's order.

    Nothing is asked about a twin or another counterpart.
    """
    found: dict[str, tuple[Probe, ...]] = {}
    if key.counterpart is None:
        for probe in key.probes:
            asked = probe.planting is not None and probe.planting.question is not None
            if asked and probe.excluded is None:
                found[probe.decision] = (*found.get(probe.decision, ()), probe)
    return found


def holds_questions(run: Run) -> bool:
    """Return whether a run is one of retention questions, which has no scores of its own."""
    forks = run.manifest.suite.get("forks") or {}
    return bool(forks) and all("probes" in each for each in forks.values())


@contextmanager
def asked_of(run: Run) -> Iterator[Run | None]:
    """Open the run in which a run's questions were asked; None where there is none.

    Raises:
        InputError: when they were asked about another recording.
    """
    folder = run.folder / ASKED
    if not (folder / "events.db").is_file():
        yield None
        return
    with load_run(folder) as asked:
        roots = {each["root"] for each in asked.manifest.suite.get("forks", {}).values()}
        if roots != {run.log.root()}:
            message = "the questions in it were asked about another recording of this run"
            raise InputError(message, file=str(folder))
        yield asked


def answers(asked: Run) -> Iterator[tuple[str, Told]]:
    """Yield the trial of the run that is scored with each answer about it, fork by fork.

    Raises:
        LogDamaged: when an event was changed after it was recorded.
    """
    for name in asked.sealed:
        noted = asked.manifest.suite["forks"][name]
        yield from ((noted["trial"], told) for told in _told(asked.trial(name), noted["probes"]))


def _told(trial: Trial, probes: list[str]) -> Iterator[Told]:
    said = {
        str(event.body["decision"]): str(event.body["text"])
        for event in trial.events
        if event.kind in _ENDS
    }
    opened = (event.id for event in trial.events if event.kind == "decision" and "?" in event.id)
    for probe, decision in zip(probes, opened, strict=False):
        yield Told(probe, said.get(decision))
