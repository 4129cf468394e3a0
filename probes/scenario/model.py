"""A scenario, and a scenario with where everything of it stands."""

from dataclasses import dataclass
from typing import Self

from pydantic import model_validator

from probes.scenario.places import authored_place, nearest_place
from scoring.keys import Key
from simulator.events import Frozen, Script


class Scenario(Frozen):
    """What happens (script) and what it means (key)."""

    script: Script
    key: Key

    @model_validator(mode="after")
    def _same_arc(self) -> Self:
        if self.script.arc != self.key.arc:
            raise ValueError(f"the key is of arc {self.key.arc!r}, not {self.script.arc!r}")
        return self


@dataclass(frozen=True)
class Loaded:
    """A scenario with where everything stands.

    Attributes:
        scenario: The scenario.
        file: Path as it was given.
        lines: Dotted place in the file to its line.
        authored: Place in script or key to the place in the file that it was compiled from; None
            where the file holds script and key themselves.
    """

    scenario: Scenario
    file: str
    lines: dict[str, int]
    authored: dict[str, str] | None = None

    def locate(self, place: str) -> tuple[str, int | None]:
        """Return where a place of script or key stands in the file, and its line.

        A place that is not in the file has the line of the nearest one around it.
        """
        if self.authored is None:
            near = nearest_place(place, self.lines)
            return place, None if near is None else self.lines[near]
        place = authored_place(place, self.authored)
        near = nearest_place(place, self.lines)
        return (place, None) if near is None else (near, self.lines[near])
