"""Reviews by people: how many tasks have one, and what is not scored since a task is unsound."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.keys import Key

UNSOUND = "a reviewer found the task unsound"


class Reviews(NamedTuple):
    """How many tasks were reviewed.

    Attributes:
        tasks: All of them; a twin or a corrupted version is no task of its own.
        reviewed: Those with a verdict.
        unsound: Those that were found unsound.
    """

    tasks: int
    reviewed: int
    unsound: int

    def __str__(self) -> str:
        return f"{self.reviewed} of {self.tasks} tasks reviewed, {self.unsound} unsound"


def is_task(key: Key) -> bool:
    """Return whether an arc is a task of its own: no counterpart and no corrupted version."""
    return key.counterpart is None and key.clean is None


def counted(verdicts: Iterable[str | None]) -> Reviews:
    """Return how many tasks were reviewed, from the verdict of each, None where there is none."""
    found = list(verdicts)
    return Reviews(len(found), len(found) - found.count(None), found.count("unsound"))


def without_unsound(keys: Sequence[Key]) -> list[Key]:
    """Return keys in which every probe of an unsound task is `excluded`, with what the person said.

    What holds of a task holds of its twins and other versions among these keys.
    """
    said = {
        key.arc: key.review.note
        for key in keys
        if key.review is not None and key.review.verdict == "unsound"
    }
    return [_excluded(key, said) for key in keys]


def _excluded(key: Key, said: dict[str, str]) -> Key:
    others = (key.counterpart.of if key.counterpart else None, key.clean)
    found = next((name for name in (key.arc, *others) if name in said), None)
    if found is None:
        return key
    reason = f"{UNSOUND}: {said[found]}" if said[found] else UNSOUND
    probes = (
        probe if probe.excluded else probe.model_copy(update={"excluded": reason})
        for probe in key.probes
    )
    # Built anew, since a copy would keep the hash of the old key.
    fields = {name: getattr(key, name) for name in Key.model_fields}
    return Key(**fields | {"probes": tuple(probes)})
