"""How long `memtrial --help` takes, beside an interpreter that does nothing.

The command is started the way its console script starts it. The target is 0.4 s.
"""

import subprocess
import sys
from time import perf_counter

ROUNDS = 10
COMMANDS = {
    "python -c pass": ("-c", "pass"),
    "memtrial --help": ("-c", "from runs.cli import main; main()", "--help"),
}


def started(arguments: tuple[str, ...]) -> float:
    """Return the seconds from the start of an interpreter to its end."""
    begun = perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - begun


def main() -> None:
    """Print the best and the median of interleaved rounds."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(ROUNDS):
        for name, arguments in COMMANDS.items():
            times[name].append(started(arguments))
    print(f"{ROUNDS} rounds; target for the help: less than 0.4 s")
    print(f"{'':<18}{'best s':>8}{'median s':>10}{'times bare':>12}")
    bare = min(times["python -c pass"])
    for name, taken in times.items():
        best, median = min(taken), sorted(taken)[ROUNDS // 2]
        print(f"{name:<18}{best:>8.3f}{median:>10.3f}{best / bare:>12.1f}")


if __name__ == "__main__":
    main()
