"""One pass over the sealed trials of a run, in this process or spread over several."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from scoring.run import Run, Trial, load_run

T = TypeVar("T")

SPREAD_FROM = 1_000
"""Trials from which on other processes are worth their start, about a second."""

_AT_ONCE = 32
"""Trials that are sent together."""

_AHEAD = 4
"""Such lots that are under way for each process: what is finished waits in memory."""

Make = Callable[[Run], Callable[[Trial], T]]


def each_trial(run: Run, make: Make[T], workers: int = 1) -> Iterator[T]:
    """Yield what `make(run)` makes of every sealed trial, in the order of `run.trials()`.

    With several workers `make` is called in each, with a run of its own; it must be a function
    of a module, or a partial of one, and what it makes of a trial must be picklable.

    Raises:
        ChildProcessError: when a worker was killed.
    """
    if workers == 1 or len(run.sealed) < SPREAD_FROM:
        yield from map(make(run), run.trials())
    else:
        yield from _spread(run, make, workers)


def _spread(run: Run, make: Make[T], workers: int) -> Iterator[T]:
    pool = ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_open,
        initargs=(run.folder, make),
    )
    try:
        lots = (pool.submit(_do, names) for names in _lots(run.sealed))
        waiting: deque[Future[list[T]]] = deque(islice(lots, _AHEAD * workers))
        while waiting:
            yield from waiting.popleft().result()
            waiting.extend(islice(lots, 1))
    except BrokenProcessPool:
        raise ChildProcessError("a worker process was killed; nothing was written") from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _lots(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), _AT_ONCE):
        yield names[start : start + _AT_ONCE]


class _Worker:
    """What a worker process keeps between lots."""

    run: Run
    work: Callable[[Trial], Any]


def _open(folder: Path, make: Make[Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that waits for it is interrupted
    _Worker.run = load_run(folder)
    _Worker.work = staticmethod(make(_Worker.run))


def _do(names: Sequence[str]) -> list[Any]:
    return [_Worker.work(_Worker.run.trial(name)) for name in names]
