"""Sources that checks name: do they stand for something, and does a quotation stand in its own?"""

from collections.abc import Iterator

from probes.scenario.structure import Fault, plain_checks
from scoring.keys import CitesCheck, FlagsCheck, NeverCitesCheck, Probe, QuotesCheck
from scoring.quoting import unwrapped
from simulator.events import Json
from simulator.events.errors import nearest


def sourcing_faults(probe: Probe, world: Json) -> Iterator[Fault]:
    """Yield sources that are nothing in the initial world, and passages that theirs does not have.

    Places are relative to the probe. A source is an entry of any collection of the world.
    """
    entries = {
        name: entry
        for collection in (world.values() if isinstance(world, dict) else ())
        if isinstance(collection, dict)
        for name, entry in collection.items()
    }
    for place, check in plain_checks(probe):
        if not isinstance(check, CitesCheck | NeverCitesCheck | FlagsCheck | QuotesCheck):
            continue
        if check.source not in entries:
            message = f"there is no {check.source!r} in the world{nearest(check.source, entries)}"
            yield Fault(f"{place}.source", f"probe {probe.id!r}: {message}")
        elif isinstance(check, QuotesCheck) and not _holds(entries[check.source], check.text):
            message = f"{check.source} has no passage {check.text!r}"
            yield Fault(f"{place}.text", f"probe {probe.id!r}: {message}")


def _holds(entry: Json, passage: str) -> bool:
    """Return whether an entry has a passage: one with versions in one of them, as they are read."""
    if isinstance(entry, dict):
        entry = entry["versions"] if "versions" in entry else list(entry.values())
    if isinstance(entry, list):
        return any(_holds(each, passage) for each in entry)
    return isinstance(entry, str) and unwrapped(passage) in unwrapped(entry)
