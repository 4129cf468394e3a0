"""Ten thousand single-byte changes to a log: is every one found, and named where it is?

Ten thousand are made in stored values, by an owner who drops the triggers and makes them again,
and ten thousand in raw bytes of the file. Misattributed would be a finding that names a trial or
an event where nothing was changed. A raw byte may lie in unused space: then every stored value
must be equal. (Measurements are in no hash, by design; here there are none.) Untouched logs, in
every state that a log can be in, must raise no alarm.
"""

import multiprocessing
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

from benchmarks.means.flipping import BYTES, SHARES, Original, contents_of, outcome
from runs.backup import back_up
from runs.plan import plan
from runs.runner import run_plan
from simulator.log.rows import RUN_STREAM
from simulator.log.store import EventLog
from simulator.log.verify import verify

FLIPS = 10_000
WORKERS = 2
AT_ONCE = 250
OUTCOMES = ("found", "refused", "equal", "missed", "misattributed")

SUITE = """
name = "flips"
token_budgets = [64]
models = ["last"]
memories = ["none", "retrieval", "facts"]

[[scenarios]]
generate = "ladder"
seed = 3
arcs = 1
tiers = ["easy"]
"""


def write_run(folder: Path) -> Path:
    """Play a small suite and return the run's folder."""
    suite = folder / "small.toml"
    suite.write_text(SUITE, encoding="utf-8")
    run_plan(plan(str(suite)), folder / "run", report=lambda done, of: None)
    return folder / "run"


def outcomes(source: Path, share: str, seeds: Sequence[int]) -> Counter[str]:
    """Return what came of one change a seed, each made in a fresh copy of `source`."""
    original, counted = Original(source), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.db"
        for seed in seeds:
            shutil.copyfile(source, path)
            counted[outcome(original, path, share, Random(f"{share} {seed}"))] += 1
    return counted


def tasks() -> Iterator[tuple[str, range]]:
    """Yield each share's seeds, some at once."""
    for share in (*SHARES, BYTES):
        seeds = FLIPS if share == BYTES else FLIPS // len(SHARES)
        for start in range(0, seeds, AT_ONCE):
            yield share, range(start, min(start + AT_ONCE, seeds))


def alarms(run: Path, folder: Path) -> Counter[str]:
    """Return for each state of an untouched log how often it was verified, and what was wrong."""
    found: Counter[str] = Counter()

    def look(state: str, path: Path) -> None:
        verified = verify(path)
        found[state] += 1
        found["alarms"] += len(verified.faults)

    source, path = run / "events.db", folder / "growing.db"
    EventLog.create(path).close()
    with EventLog.open(source) as whole:
        # The root that the run's own stream ends with speaks of all trials, so it comes last.
        for stream in sorted(whole.streams(), key=lambda each: each.trial == RUN_STREAM):
            rows = list(whole.rows(stream.trial))
            with EventLog.open(path, write=True) as log:
                log.begin(stream.trial, whole.genesis(stream.trial))
                for row in rows:
                    blobs = {each: whole.blob(each) for each in contents_of(row.blobs)}
                    log.append(stream.trial, [row], blobs)
                    look("being written", path)
                log.seal(stream.trial)
            look("closed", path)
    back_up(run, folder / "copy.db", lambda done, of: None)
    look("finished", source)
    look("backup", folder / "copy.db")
    return found


def main() -> None:
    """Make all changes and print what came of them."""
    counted: dict[str, Counter[str]] = {share: Counter() for share in (*SHARES, BYTES)}
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as place:
        run = write_run(Path(place))
        size = (run / "events.db").stat().st_size
        with ProcessPoolExecutor(WORKERS, mp_context=context) as pool:
            made = [
                (share, pool.submit(outcomes, run / "events.db", share, seeds))
                for share, seeds in tasks()
            ]
            for share, future in made:
                counted[share] += future.result()
        states = alarms(run, Path(place))
    print(f"a log of {size:,} bytes; one byte changed each time")
    print(f"{'':<12}{'changes':>9}" + "".join(f"{name:>15}" for name in OUTCOMES))
    for share, found in counted.items():
        print(
            f"{share:<12}{found.total():>9,}" + "".join(f"{found[each]:>15,}" for each in OUTCOMES)
        )
    wrong = states.pop("alarms", 0)
    told = ", ".join(f"{count:,} {state}" for state, count in states.items())
    print(f"untouched logs: {told}; {wrong} false alarms")


if __name__ == "__main__":
    main()
