"""How fast the log takes events, as a share of a bare hash-chained `executemany`.

The bare writer makes the same chain and puts the same columns into one table of a WAL file, in
one transaction a trial; it has no key, no trigger, no check, no seal and no contents. The target
is 30 % of it.
"""

import sqlite3
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter, process_time

from simulator.events.canonical import canonical_json, sha256_bytes
from simulator.log.rows import Row, chain_hash, genesis_hash
from simulator.log.store import EventLog
from simulator.log.verify import verify

TRIALS = 500
EVENTS = 30
ROUNDS = 5
BARE = "bare hash-chained executemany"
CONTENTS = 6
GENESIS = {"script": "5c" * 32}

Fields = tuple[int, str, str, int, str, str, str, str]


def story(trial: int, contents: Iterable[str] = ()) -> list[Fields]:
    """Return the events of one trial before they are chained, about 500 bytes each."""
    keys = canonical_json(list(contents))
    body = canonical_json({"text": f"what was said in trial {trial}, and more. " * 8, "ok": True})
    return [
        (number, f"#{number}", "said", number * 1000, "global", f'["#{number - 1}"]', body, keys)
        for number in range(EVENTS)
    ]


def bare(path: Path) -> None:
    """Chain and insert, and nothing else."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute(
        "CREATE TABLE events (trial, position, id, kind, time, scope, causes, body, blobs, hash)"
    )
    for trial in range(TRIALS):
        previous = genesis_hash(str(trial), GENESIS)
        rows = []
        for fields in story(trial):
            previous = chain_hash(previous, fields)
            rows.append((trial, *fields, previous))
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        db.execute("COMMIT")
    db.close()


def chained(trial: int, contents: Iterable[str] = ()) -> list[Row]:
    previous = genesis_hash(str(trial), GENESIS)
    rows = []
    for fields in story(trial, contents):
        previous = chain_hash(previous, fields)
        rows.append(Row(*fields, previous))
    return rows


def a_trial_at_once(path: Path) -> None:
    with EventLog.create(path) as log:
        for trial in range(TRIALS):
            log.write_trial(str(trial), GENESIS, chained(trial), {})


def with_contents(path: Path) -> None:
    """Each trial brings 6 new contents of 2,000 characters, and refers to them 30 times each."""
    with EventLog.create(path) as log:
        for trial in range(TRIALS):
            texts = [
                f"prompt {number} of trial {trial}. ".ljust(2_000, "x")
                for number in range(CONTENTS)
            ]
            blobs = {sha256_bytes(text.encode()): text.encode() for text in texts}
            log.write_trial(str(trial), GENESIS, chained(trial, blobs), blobs)


def an_event_a_commit(path: Path) -> None:
    with EventLog.create(path) as log:
        for trial in range(TRIALS // 10):
            log.begin(str(trial), GENESIS)
            for row in chained(trial):
                log.append(str(trial), [row], {})
            log.seal(str(trial))


def best_times(folder: Path) -> dict[str, tuple[float, float]]:
    """Return microseconds an event by the clock and of CPU, the best of interleaved rounds.

    On a machine that does other things too, the CPU's column is the one to trust.
    """
    work: dict[str, tuple[Callable[[Path], object], int]] = {
        BARE: (bare, TRIALS),
        "log, a trial at once": (a_trial_at_once, TRIALS),
        "log, with new contents": (with_contents, TRIALS),
        "log, one event a commit": (an_event_a_commit, TRIALS // 10),
        "verify, with contents": (verify, TRIALS),
    }
    best = dict.fromkeys(work, (float("inf"), float("inf")))
    for number in range(ROUNDS):
        for name, (task, trials) in work.items():
            written = "log, with new contents" if task is verify else name
            wall, cpu = timed(task, folder / f"{number} {written}.db")
            each = 1e6 / (trials * EVENTS)
            best[name] = min(best[name][0], wall * each), min(best[name][1], cpu * each)
    return best


def timed(work: Callable[[Path], object], path: Path) -> tuple[float, float]:
    wall, cpu = perf_counter(), process_time()
    work(path)
    return perf_counter() - wall, process_time() - cpu


def main() -> None:
    """Print events per second, and the share of the bare rate by the clock and of CPU."""
    with tempfile.TemporaryDirectory() as folder:
        best = best_times(Path(folder))
    print(f"{TRIALS} trials of {EVENTS} events, best of {ROUNDS} rounds")
    print(f"{'':<32}{'events/s':>10}{'share':>8}{'CPU share':>11}")
    for name, (wall, cpu) in best.items():
        share, cpu_share = best[BARE][0] / wall, best[BARE][1] / cpu
        print(f"{name:<32}{1e6 / wall:>10,.0f}{share:>8.0%}{cpu_share:>11.0%}")


if __name__ == "__main__":
    main()
