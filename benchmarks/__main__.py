"""`python -m benchmarks`: run every benchmark and print its table."""

import importlib
import pkgutil
import sys

import benchmarks

LONG = {"flips", "long_log", "selection"}
"""Those that take many minutes; they run when they are named."""


def main() -> None:
    """Run the benchmarks named on the command line, or all that are quick."""
    names = sys.argv[1:] or sorted(
        module.name
        for module in pkgutil.iter_modules(benchmarks.__path__)
        if module.name not in {"__main__", *LONG} and not module.ispkg
    )
    for name in names:
        print(f"== {name}", flush=True)
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
