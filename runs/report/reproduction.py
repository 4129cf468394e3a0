"""What is needed to check a run, or to play it again."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from runs.report.grids import Cell, Grid
from scoring.run import Run
from scoring.scorers import SCORER
from simulator.events import Json
from simulator.events.recorded import RootSealed
from simulator.log.bodies import body_of
from simulator.log.rows import RUN_STREAM

MAX_LISTED = 400
"""Rows of a table about arcs or errors; what is left out is counted."""


@dataclass(frozen=True)
class Reproduction:
    """What is needed to check the run, or to run it again.

    Attributes:
        root: Root over all sealed heads.
        sealed: True when the log says the same root.
        trials: Number of sealed trials.
        events: Events in all trials' streams.
        example: Id of a trial to trace.
        packages: Name to version.
        arms: A row an arm, with its settings.
        arcs: A row an arc, with the hashes of script and key.
        suite: The effective suite as JSON.
        scorer: Version of the rules by which all verdicts were given.
    """

    root: str
    sealed: bool
    trials: int
    events: int
    example: str | None
    packages: dict[str, str]
    arms: Grid
    arcs: Grid
    suite: str
    scorer: str


def reproduction(run: Run) -> Reproduction:
    """Return how a run can be checked, and what was played."""
    root = run.log.root()
    recorded = [row for row in run.log.rows(RUN_STREAM) if row.kind == RootSealed.kind]
    arcs = list(run.manifest.arcs.items())
    return Reproduction(
        root=root,
        sealed=any(body_of(row)["root"] == root for row in recorded),
        trials=len(run.sealed),
        events=sum(each.events for each in run.log.streams() if each.trial != RUN_STREAM),
        example=next(iter(run.sealed), None),
        packages=dict(sorted(run.manifest.packages.items())),
        arms=_arms(run.manifest.arms),
        arcs=Grid(
            f"Frozen scripts and keys, by SHA-256.{left_out(arcs)}",
            ["arc", "script", "key"],
            3,
            [
                [Cell(name), Cell(arc["script"]), Cell(arc["key"])]
                for name, arc in arcs[:MAX_LISTED]
            ],
        ),
        suite=json.dumps(run.manifest.suite, indent=2, ensure_ascii=False),
        scorer=SCORER,
    )


def _arms(arms: dict[str, Json]) -> Grid:
    rows = [
        [Cell(name), Cell(json.dumps(options, ensure_ascii=False))]
        for name, options in arms.items()
    ]
    return Grid("Every arm with its effective settings.", ["arm", "settings"], 2, rows)


def left_out(items: Sequence[object]) -> str:
    """Return how many rows a table leaves out, as a sentence; "" for none."""
    more = len(items) - MAX_LISTED
    return f" {more} more are left out." if more > 0 else ""
