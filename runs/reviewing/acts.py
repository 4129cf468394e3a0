"""What a decision does, a line each: calls, the parts of a report, how it ends."""

from collections import Counter
from collections.abc import Iterator, Sequence

from probes.linting.variants import Variant
from scoring.keys import ReferenceCall
from scoring.reports import SUBMIT
from simulator.events import Json, canonical_json

_PARTS = {
    "claims": ("text", "status", "sources"),
    "quotes": ("text", "source"),
    "pending": ("text", "reason"),
}


def act_lines(variant: Variant) -> list[str]:
    """Return what a variant does, in order."""
    return [
        *(line for call in variant.calls for line in _call(call)),
        f"{variant.outcome}: {variant.text}",
    ]


def differences(wrong: Sequence[str], right: Sequence[str]) -> list[str]:
    """Return the lines that a wrong way to act lacks, with a minus, and those it has besides."""
    lacking, more = Counter(right) - Counter(wrong), Counter(wrong) - Counter(right)
    return [
        *(f"- {line}" for line in right if lacking[line]),
        *(f"+ {line}" for line in wrong if more[line]),
    ]


def _call(call: ReferenceCall) -> Iterator[str]:
    if call.tool != SUBMIT or not _is_report(call.arguments):
        yield f"{call.tool} {canonical_json(call.arguments)}"
        return
    yield call.tool
    for name, (text, *others) in _PARTS.items():
        for entry in call.arguments.get(name, []):
            told = ", ".join(_shown(entry[other]) for other in others)
            yield f"  {name} ({told}): {entry[text]}"


def _is_report(arguments: dict[str, Json]) -> bool:
    """Return whether arguments have the form of a report, which a wrong reference may not have."""
    return arguments.keys() <= _PARTS.keys() and all(
        isinstance(entries, list)
        and all(isinstance(each, dict) and set(_PARTS[name]) == each.keys() for each in entries)
        for name, entries in arguments.items()
    )


def _shown(value: Json) -> str:
    if isinstance(value, list):
        return "from " + (", ".join(map(str, value)) or "nothing")
    return str(value)
