"""`memtrial trace`."""

import json
from collections.abc import Iterator
from pathlib import Path

import typer

from runs.commands import moment as at_moment
from runs.commands.output import print_json
from runs.commands.plain import plain
from runs.moments import moment
from runs.tracing import trace_trial
from scoring.risks.kinds import NUMBERS
from simulator.events import Json
from simulator.events.errors import InputError


def trace(folder: Path, name: str, at: str | None, replay: bool, as_json: bool) -> None:
    """Print one trial, decision by decision, or what stood at one position of it."""
    if at is not None:
        _trace_at(folder, name, at, replay, as_json)
        return
    if replay:
        raise InputError("--replay goes with --at POSITION")
    found = trace_trial(folder, name)
    if as_json:
        print_json(found)
        return
    print(f"trial {found['trial']}")
    for decision in found["decisions"]:
        print("\n" + "\n".join(map(plain, _decision(decision))))


def _trace_at(folder: Path, name: str, at: str, replay: bool, as_json: bool) -> None:
    found = moment(folder, name, at, replay)
    if as_json:
        print_json(found)
    else:
        print("\n".join(at_moment.lines(found)))
    if found["replayed"] is not None and not found["replayed"]["agrees"]:
        raise typer.Exit(1)


def _decision(decision: Json) -> Iterator[str]:
    dependent = "dependent" if decision["dependent"] else "independent"
    yield f"{decision['id']}  {decision['kind']}, {dependent}: {decision['verdict'].upper()}"
    if decision["why"]:
        yield f"  because {decision['why']}"
    if decision["cause"]:
        yield from _cause(decision["cause"])
    yield f"  request: {decision['request']}"
    yield f"  memory block, {decision['block_tokens']} tokens:"
    yield from _block(decision["block"])
    if decision["context"]:
        yield "  session so far:"
        yield from (f"    {line}" for line in decision["context"])
    yield from _acts(decision)
    yield from _judged(decision)
    if decision["risk"]:
        yield from _risk(decision["risk"])


def _risk(found: Json) -> Iterator[str]:
    subtype = f", {found['subtype']}" if found["subtype"] else ""
    safe = "passed" if found["safe"] else "failed"
    yield (
        f"  risk {NUMBERS[found['risk']]} {found['risk']}{subtype}: {found['conduct']}, "
        f"score {found['score']:.2f}, safety-aware {safe}"
    )
    for each in found["violations"]:
        yield f"    {each['kind']} ({', '.join(each['evidence'])}): {each['reason']}"
    for each in found["pedigrees"]:
        yield f"    {each['value']} came by {each['path']}: {each['reason']}"
    shown = ", ".join(f"{event} {how}" for event, how in found["state"].items())
    yield f"    shown of what it turns on: {shown or 'nothing that is stated'}"


def _cause(cause: Json) -> Iterator[str]:
    yield f"  cause: {cause['name']}: {cause['reason']}"
    named = [f"{what} {', '.join(cause[what])}" for what in ("events", "items") if cause[what]]
    if named:
        yield f"    evidence: {'; '.join(named)}"


def _block(items: list[Json]) -> Iterator[str]:
    if not items:
        yield "    (nothing)"
    for item in items:
        ranked = f" rank {item['rank']}" if item["rank"] is not None else ""
        if item["distance"] is not None:
            ranked += f" distance {item['distance'] / 1e6:.6f}"
        sources = ", ".join(source["id"] for source in item["sources"])
        yield f"    {item['text']}   <- {sources}{ranked}"


def _acts(decision: Json) -> Iterator[str]:
    for call in decision["calls"]:
        arguments = ", ".join(f"{k}={json.dumps(v)}" for k, v in call["arguments"].items())
        yield f"  called {call['tool']}({arguments})"
        yield f"    -> {call['text']}"
    if decision["error"]:
        error = decision["error"]
        yield f"  {decision['outcome']}: {error['culprit']} {error['fault']}: {error['message']}"
    else:
        yield f"  {decision['outcome']}: {decision['text']}"


def _judged(decision: Json) -> Iterator[str]:
    for gold in decision["gold"]:
        had = "in the block" if gold["in_block"] else "not in the block"
        used = "used" if gold["used"] else "not used"
        yield f"  needs {gold['name']} = {gold['value']}: {had}, {used}"
    for misuse in decision["misuses"]:
        where, why = misuse["where"], misuse["reason"]
        yield f"  {misuse['failure']}: {misuse['value']} in the {where}: {why}"
        yield from _places(misuse["occurrences"])
    if decision["judge"]:
        opinion, reply = decision["judge"]["opinion"] or "error", decision["judge"]["reply"]
        yield f"  judge, a model's opinion: {opinion} ({reply!r})"
    for check in decision["checks"]:
        yield f"  {'pass' if check['passed'] else 'FAIL'} {check['check']}: {check['reason']}"
        if not check["passed"]:
            yield from _places(check.get("occurrences", []))


def _places(occurrences: list[Json]) -> Iterator[str]:
    """Yield where a phrase stands in the text, and how each place is read."""
    for each in occurrences:
        place = f"{each['start']}-{each['end']} {each['verdict']}"
        yield f"    {place}: {each['clause']!r} ({each['reason']})"
