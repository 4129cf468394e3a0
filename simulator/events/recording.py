"""What all recorded events share, and how they refer to what is kept beside them."""

from functools import lru_cache
from typing import Annotated, ClassVar

from simulator.events.canonical import Json
from simulator.events.surfaces import GLOBAL, Frozen

BLOB = "blob"
Blob = Annotated[str, BLOB]
"""SHA-256 (64 hex digits) of content stored in the log's `blobs` table."""


class Recorded(Frozen):
    """What all recorded events share: a kind and the scope of the information.

    Attributes:
        later: Names of fields that the kind did not always have: left out of what is hashed where
            they have their defaults, so that older events stay what they were.
        scope: Whose information it is.
    """

    kind: ClassVar[str]
    later: ClassVar[frozenset[str]] = frozenset()
    scope: str = GLOBAL

    def body(self) -> dict[str, Json]:
        """Return the fields as they are recorded; the scope has a column of its own."""
        fields = {name: value for name, value in self.__dict__.items() if name != "scope"}
        for name in self.later:
            if fields[name] == type(self).model_fields[name].default:
                del fields[name]
        return fields

    def blobs(self) -> list[str]:
        """Return the content hashes that this event refers to, in field order."""
        found: list[str] = []
        for name, many in _blob_fields(type(self)):
            value = getattr(self, name)
            found.extend(value if many else [value])
        return found


@lru_cache(maxsize=256)
def _blob_fields(cls: type[Recorded]) -> tuple[tuple[str, bool], ...]:
    fields = []
    for name, info in cls.model_fields.items():
        if BLOB in info.metadata:
            fields.append((name, False))
        elif info.annotation == tuple[Blob, ...]:
            fields.append((name, True))
    return tuple(fields)
