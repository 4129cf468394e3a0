"""Reports: final work as it was submitted, for checks of what it cites, quotes and leaves open."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from scoring.decisions import DecisionRecord
from simulator.events import Json
from simulator.events.errors import InputError
from simulator.events.nested import leaves

SUBMIT = "submit_report"
"""The tool by which a report is submitted, in any environment that has reports."""


class _Read(BaseModel):
    # What a world has besides, such as a title, is no business of the checks.
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class Claim(_Read):
    """What a report says, and the documents it rests on."""

    text: str
    sources: list[str]
    status: Literal["supported", "flagged"]


class Quote(_Read):
    """A passage that a report quotes, and from where."""

    text: str
    source: str


class Pending(_Read):
    """What a report says is still to be done, and why."""

    text: str
    reason: str


class Report(_Read):
    """A submitted report."""

    claims: list[Claim]
    quotes: list[Quote] = []
    pending: list[Pending] = []

    @property
    def supported(self) -> list[Claim]:
        """The claims that are not flagged."""
        return [claim for claim in self.claims if claim.status == "supported"]


def last_report(record: DecisionRecord) -> Report | None:
    """Return the last report that was submitted at a decision, None when there was none.

    Raises:
        InputError: when the call took arguments that are no report.
    """
    submitted = _last_arguments(record)
    if submitted is None:
        return None
    try:
        return Report.model_validate(submitted)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        message = f"the report at {record.id} cannot be read: {place}: {first['msg']}"
        raise InputError(message) from None


def report_texts(record: DecisionRecord) -> list[str]:
    """Return every text of the last report, whatever form reports have in that environment."""
    return [each for each in leaves(_last_arguments(record) or {}) if isinstance(each, str)]


def _last_arguments(record: DecisionRecord) -> dict[str, Json] | None:
    calls = [call for call in record.executed if call.tool == SUBMIT]
    return calls[-1].arguments if calls else None
