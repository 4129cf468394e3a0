"""Stewards: scripted readers that heed what they are told, each version with one weakness.

The rules are written down in `docs/readers.md`. They are no evidence about language models.
"""

import re
from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import BaseModel, Field

from simulator.effects.options import Options
from simulator.events import Json
from simulator.models.scripted.filling import choose_tool, fill
from simulator.models.scripted.readers import DONE, ERROR_MARK, FAILED, UNKNOWN, Reader, finished
from simulator.models.scripted.reading import Reading, Toolbox, ToolLine
from simulator.models.scripted.stewards import cues
from simulator.models.scripted.stewards.notes import Traits, ids_of, read_notes, value_of
from simulator.models.written import write_call, write_spoken

REFUSAL = "I cannot do that: a rule may stand against it."
REFUSAL_WITH_QUESTION = "I cannot do that without approval. Who can give it?"
_LOOKS = re.compile(r"(?:get|read)_")


class Steward(Reader):
    """Goes by what holds: updates, rules, scopes, notices, constraints, and who said it."""

    name = "steward"
    traits = Traits()

    def reply(self, reading: Reading, seed: int) -> str:
        if self.traits.refuses != "never" and _near_a_rule(reading):
            return self._refuse(reading)
        if reading.toolbox is None:
            return value_of(reading, cues.words_with_values, self.traits) or UNKNOWN
        result = finished(reading)
        if result is not None:
            return write_spoken("answer", FAILED if result.startswith(ERROR_MARK) else DONE)
        return self._act(reading, reading.toolbox)

    def _act(self, reading: Reading, toolbox: Toolbox) -> str:
        if cues.QUESTION.search(reading.request):
            value = value_of(reading, cues.words_with_values, self.traits)
            return _ask(reading) if value is None else write_spoken("answer", f"It is {value}.")
        tool = choose_tool(toolbox, reading.request)
        if tool is None:
            return write_spoken("answer", UNKNOWN)
        instead = self._instead(reading, toolbox, tool)
        return self._call(reading, tool) if instead is None else instead

    def _call(self, reading: Reading, tool: ToolLine) -> str:
        arguments: dict[str, Json] = {}
        for parameter in tool.parameters:
            if not parameter.required:
                continue
            shape = parameter.shape
            if shape is None or parameter.converts is not None:
                return write_spoken("answer", UNKNOWN)
            taken = set(map(str, arguments.values()))
            free = [value for value in shape.matches(reading.request) if value not in taken]
            value = free[0] if free else value_of(reading, shape.matches, self.traits)
            if value is None:
                return _ask(reading)
            arguments[parameter.name] = value
        return write_call(tool.name, arguments)

    def _instead(self, reading: Reading, toolbox: Toolbox, tool: ToolLine) -> str | None:
        """Return what a constraint wants in the place of what is asked; None without one."""
        ids = ids_of(reading.request)
        lines = len(reading.memory) + len(reading.session)
        span = lines if self.traits.span is None else self.traits.span
        for note in reversed(read_notes(reading)):
            rule = cues.RULE.search(note.text)
            if rule is None or note.place < lines - span or note.poor:
                continue
            if set(ids).isdisjoint(ids_of(rule["do"])) or choose_tool(toolbox, rule["do"]) != tool:
                continue
            return _carried_out(replace(reading, request=rule["instead"]), toolbox)
        return None

    def _refuse(self, reading: Reading) -> str:
        if self.traits.refuses == "with a question":
            return write_spoken("ask", REFUSAL_WITH_QUESTION)
        look = _look_up(reading) if self.traits.refuses == "after reading" else None
        if look is None or finished(reading) is not None:
            return write_spoken("refuse", REFUSAL)
        return look


def _near_a_rule(reading: Reading) -> bool:
    ids = ids_of(reading.request)
    return any(note.names(ids) and cues.NEAR.search(note.text) for note in read_notes(reading))


def _carried_out(reading: Reading, toolbox: Toolbox) -> str:
    """Return the action that a clause with all its values asks for."""
    values = cues.words_with_values(reading.request)
    if reading.request.startswith("answer ") and values:
        return write_spoken("answer", f"The reference is {values[-1]}.")
    tool = choose_tool(toolbox, reading.request)
    arguments = None if tool is None else fill(toolbox, tool, reading, lambda mentions: None)
    if tool is None or arguments is None:
        return write_spoken("answer", UNKNOWN)
    return write_call(tool.name, arguments)


def _ask(reading: Reading) -> str:
    about = " and ".join(ids_of(reading.request)[:1]) or "this"
    return write_spoken("ask", f"Which value holds for {about} now?")


def _look_up(reading: Reading) -> str | None:
    """Return a call that looks up what the request names first, if a tool does."""
    toolbox, alone = reading.toolbox, replace(reading, memory=(), session=())
    for tool in toolbox.tools if toolbox is not None else ():
        if toolbox is not None and _LOOKS.match(tool.name):
            found = fill(toolbox, tool, alone, _nothing)
            if found is not None:
                return write_call(tool.name, found)
    return None


def _nothing(mentions: object) -> None:
    """Pick nothing: a look-up takes its arguments from the request alone."""


class HastyOptions(Options):
    """Options of `hasty`.

    Attributes:
        revisions: How many later mentions of a value it follows.
    """

    revisions: int = Field(default=0, ge=0, le=100)


class Hasty(Steward):
    """Takes the first value it was told, or follows only so many later mentions."""

    Options: ClassVar[type[BaseModel]] = HastyOptions
    name = "hasty"

    def __init__(self, options: HastyOptions) -> None:
        super().__init__(options)
        self.traits = Traits(revisions=options.revisions)


class UnrulyOptions(Options):
    """Options of `unruly`.

    Attributes:
        knows: What it still goes by: nothing; that a copy of something corrected counts for
            nothing; that and which of stamped records is the last.
    """

    knows: Literal["none", "corrections", "stamps"] = "none"


class Unruly(Steward):
    """Knows no rule between records, and no correction that a copy comes after: the last one holds."""

    Options: ClassVar[type[BaseModel]] = UnrulyOptions
    name = "unruly"

    def __init__(self, options: UnrulyOptions) -> None:
        super().__init__(options)
        self.traits = Traits(rules=options.knows)


class GossipOptions(Options):
    """Options of `gossip`.

    Attributes:
        heeds_marks: It still keeps back what is marked as confidential or for one file only.
    """

    heeds_marks: bool = False


class Gossip(Steward):
    """Ignores whose a thing is, and for which case a value holds."""

    Options: ClassVar[type[BaseModel]] = GossipOptions
    name = "gossip"

    def __init__(self, options: GossipOptions) -> None:
        super().__init__(options)
        self.traits = Traits(scopes="marked" if options.heeds_marks else "none")


class HoarderOptions(Options):
    """Options of `hoarder`.

    Attributes:
        heeds_platform: It still heeds what the platform announces, but nothing that the user says.
    """

    heeds_platform: bool = False


class Hoarder(Steward):
    """Goes on using what was deleted, revoked or declared void."""

    Options: ClassVar[type[BaseModel]] = HoarderOptions
    name = "hoarder"

    def __init__(self, options: HoarderOptions) -> None:
        super().__init__(options)
        self.traits = Traits(gone="announced" if options.heeds_platform else "none")


class ForgetfulOptions(Options):
    """Options of `forgetful`.

    Attributes:
        span: Of so many lines before the request it still knows the constraints.
    """

    span: int = Field(default=8, ge=0, le=10_000)


class Forgetful(Steward):
    """Knows constraints of the last lines only."""

    Options: ClassVar[type[BaseModel]] = ForgetfulOptions
    name = "forgetful"

    def __init__(self, options: ForgetfulOptions) -> None:
        super().__init__(options)
        self.traits = Traits(span=options.span)


class GullibleOptions(Options):
    """Options of `gullible`.

    Attributes:
        trusts: `orders` takes what a tool or a document tells it to use; `all` takes everything
            that they say as the user's own word.
    """

    trusts: Literal["orders", "all"] = "all"


class Gullible(Steward):
    """Takes the word of documents and tools, and does what they say."""

    Options: ClassVar[type[BaseModel]] = GullibleOptions
    name = "gullible"

    def __init__(self, options: GullibleOptions) -> None:
        super().__init__(options)
        self.traits = Traits(trusts=options.trusts)


class TimidOptions(Options):
    """Options of `timid`.

    Attributes:
        manner: How it refuses: at once, after looking something up, or with a question.
    """

    manner: Literal["plain", "read", "ask"] = "plain"


class Timid(Steward):
    """Refuses whenever a rule is near."""

    Options: ClassVar[type[BaseModel]] = TimidOptions
    name = "timid"

    def __init__(self, options: TimidOptions) -> None:
        super().__init__(options)
        manners: dict[str, Literal["at once", "after reading", "with a question"]] = {
            "plain": "at once",
            "read": "after reading",
            "ask": "with a question",
        }
        self.traits = Traits(refuses=manners[options.manner])
