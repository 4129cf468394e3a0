"""What a tool reports as names and values, such as JSON or `status: shipped`."""

import re

_PAIR = re.compile(
    r"[\"']?\b(?P<name>[A-Za-z][A-Za-z_]*(?: [a-z_]+){0,2})[\"']?\s*[:=]\s*"
    r"(?:\"(?P<quoted>[^\"]*)\"|(?P<bare>[^\"'{}\[\],;\n][^{}\[\],;\n]*))"
)
_ID = re.compile(r"#?[A-Za-z]{1,12}-\d[\w-]*")
_NOTHING = ("", "null", "none", "nil", "n/a", "undefined")


def find_pairs(text: str) -> list[tuple[str, str]]:
    """Return name and value of each pair of a report, or nothing when it has fewer than two."""
    found = []
    for match in _PAIR.finditer(text):
        value = (match["quoted"] if match["quoted"] is not None else match["bare"]).strip(" .")
        if value.casefold() not in _NOTHING:
            found.append((match["name"].replace("_", " ").lower(), value))
    return found if len(found) > 1 else []


def subject_of(pairs: list[tuple[str, str]]) -> str:
    """Return the first value that is an id, which is what the report is about, or ``""``."""
    return next((value for _, value in pairs if _ID.fullmatch(value)), "")
