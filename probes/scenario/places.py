"""Dotted places of a file: the nearest one with a line, and where a compiled one was authored."""

from collections.abc import Container, Mapping


def nearest_place(place: str, known: Container[str]) -> str | None:
    """Return a place that is known, or else the nearest one around it that is."""
    while place not in known:
        if "." not in place:
            return None
        place = place.rpartition(".")[0]
    return place


def authored_place(place: str, authored: Mapping[str, str]) -> str:
    """Return where a compiled place was authored: what is below a part is below its own place."""
    known = nearest_place(place, authored)
    return place if known is None else authored[known] + place[len(known) :]
