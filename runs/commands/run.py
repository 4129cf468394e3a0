"""`memtrial run`."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from runs.commands.output import print_json, progress
from runs.folder import DEFAULT_HOME
from runs.judging import Judge, JudgeResult, open_judge
from runs.plan import Plan, plan
from runs.runner import RunResult, run_plan
from runs.stops import ControlFailed, SpendingStopped
from runs.suite import Suite, in_suite
from simulator.events.errors import InputError

if TYPE_CHECKING:
    from runs.admission import Gate
    from runs.purse import Budget


@dataclass(frozen=True)
class RunOptions:
    """The options of the command, as they were given.

    Attributes:
        out: Folder of the run; None is the default one.
        workers: Processes.
        resume: Go on with a run that was cut off.
        max_usd: What the run may spend, as it was written.
        prices: Price book for `max_usd`.
        shard: `I/N`, or None.
        gate: Play replay controls first, and nothing else with a model that fails its own.
        strict: Exit with 1 when there are errors.
        as_json: Print JSON.
    """

    out: Path | None
    workers: int
    resume: bool
    max_usd: str | None
    prices: Path | None
    shard: str | None
    gate: bool
    strict: bool
    as_json: bool


def run(suite: str, options: RunOptions) -> None:
    """Play a suite and say what came of it."""
    planned = plan(suite)
    folder = options.out or DEFAULT_HOME / planned.suite.name
    budget = budget_of(options.max_usd, options.prices, planned.suite)
    gate = _gate(planned, suite) if options.gate else None
    try:
        with open_judge(planned, budget) as judge:
            with progress("trials") as report:
                result = run_plan(
                    planned,
                    folder,
                    workers=options.workers,
                    part=options.shard,
                    resume=options.resume,
                    budget=budget,
                    gate=gate,
                    report=report,
                    tell=_tell,
                )
            judged = None if judge is None else _judge(judge, folder)
    except (SpendingStopped, ControlFailed) as stopped:
        _tell(str(stopped))
        raise typer.Exit(1) from None
    if options.as_json:
        print_json({"run": str(folder), **vars(result), "judge": judged and vars(judged)})
    else:
        print("\n".join(_ending(result, judged, folder)))
    if options.strict and (result.errors or (judged and judged.errors)):
        raise typer.Exit(1)


def _gate(planned: Plan, suite: str) -> "Gate":
    # Imported here because most runs are not gated.
    from runs.admission import gate_of

    try:
        return gate_of(planned)
    except InputError as error:
        raise in_suite(error, suite) from None


def _judge(judge: Judge, folder: Path) -> JudgeResult:
    with progress("answers judged") as report:
        return judge.judge(folder, report)


def _tell(line: str) -> None:
    print(f"memtrial: {line}", file=sys.stderr, flush=True)


def budget_of(max_usd: str | None, prices: Path | None, suite: Suite) -> "Budget | None":
    """Return what a run may spend; None where `max_usd` sets no limit.

    Raises:
        InputError: for what is no amount, and for prices without a limit.
    """
    if max_usd is None:
        if prices is not None:
            raise InputError("prices of a run are for its limit; give --max-usd too, or neither")
        return None
    # Imported here because the price book takes 0.15 s to load.
    from runs.purse import Budget
    from scoring.prices import PublicPrices, read_prices
    from scoring.pricing import Pricing

    limit = _dollars(max_usd)
    book = PublicPrices() if prices is None else read_prices(prices)
    return Budget(limit, Pricing(book, suite.prices.as_model))


def _dollars(text: str) -> Decimal:
    try:
        limit = Decimal(text)
    except InvalidOperation:
        limit = Decimal("NaN")
    if not limit.is_finite() or limit < 0:
        raise InputError(f"--max-usd is an amount of US dollars, such as 2.50; got {text!r}")
    return limit


def _ending(result: RunResult, judged: JudgeResult | None, folder: Path) -> Iterator[str]:
    yield f"{result.trials} trials, {result.events} events, {result.errors} errors in {folder}"
    yield f"root {result.root}"
    if result.errors:
        yield "errors stay in every denominator; `memtrial compare` counts them beside each arm"
    if judged is not None:
        yield (
            f"the judge was asked about {judged.answers} answers: {judged.undecided} undecided, "
            f"{judged.errors} errors; its opinions enter no headline"
        )
    yield f"next: memtrial compare {folder}"
