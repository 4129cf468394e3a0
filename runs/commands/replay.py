"""`memtrial replay`."""

import difflib
import json
import sys
from pathlib import Path

import typer

from runs.commands.output import print_json, progress
from runs.replaying import Divergence, replay_run
from simulator.events import Json


def replay(folder: Path, as_json: bool) -> None:
    """Replay a run; exit 1 at the first event that differs."""
    with progress("replayed trials") as report:
        result = replay_run(folder, report)
    found = result.divergence
    if result.incomplete:
        warning = f"Warning: {folder} is an incomplete copy, see `memtrial verify`."
        print(warning, file=sys.stderr)
    if as_json:
        print_json(
            {
                "ok": found is None,
                "trials": result.trials,
                "events": result.events,
                "unfinished": list(result.unfinished),
                "model_calls": 0,
                "incomplete": result.incomplete,
                "divergence": found and vars(found),
            }
        )
    elif found is None:
        print(f"{result.trials} trials, {result.events} events, all as recorded; 0 model calls")
        if result.unfinished:
            print(f"{len(result.unfinished)} trials were begun and not finished; not replayed")
    else:
        _tell(found)
    if found is not None:
        raise typer.Exit(1)


def _tell(found: Divergence) -> None:
    print(f"{found.trial} differs from its record at event {found.position}:")
    difference = difflib.unified_diff(
        _lines(found.recorded), _lines(found.replayed), "recorded", "replayed", lineterm="", n=2
    )
    for line in difference:
        print(line)


def _lines(event: Json) -> list[str]:
    if event is None:
        return ["(nothing more)"]
    body = dict(event["body"])
    prompt = str(body.pop("prompt", "")).splitlines()
    return [*json.dumps({**event, "body": body}, indent=1).splitlines(), *prompt]
