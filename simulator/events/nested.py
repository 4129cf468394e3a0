"""What stands inside a nested JSON value."""

from collections.abc import Iterator

from simulator.events.canonical import Json


def leaves(value: Json) -> Iterator[Json]:
    """Yield the texts, numbers and other plain values of a nested value, in order."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from leaves(each)
    else:
        yield value


def names_and_texts(value: Json) -> Iterator[str]:
    """Yield every text of a nested value and the names in its objects, an object's names first."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from names_and_texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from names_and_texts(each)


def pointed_leaves(value: Json, pointer: str = "") -> Iterator[tuple[str, Json]]:
    """Yield the plain values of a nested value, each behind its JSON Pointer (RFC 6901)."""
    if isinstance(value, dict):
        for name, each in value.items():
            escaped = name.replace("~", "~0").replace("/", "~1")
            yield from pointed_leaves(each, f"{pointer}/{escaped}")
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from pointed_leaves(each, f"{pointer}/{place}")
    else:
        yield pointer, value
