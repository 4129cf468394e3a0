"""Suites: TOML files that name scenarios, memories, models, budgets, seeds and the analysis."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator

from probes.context.factors import FAMILIES
from runs.lines import Place, line_of, place_of
from scoring.analysis.declared import Analysis, Hypothesis
from scoring.keys import CorruptionMode, Tier
from scoring.risks.kinds import RISKS, Risk
from simulator.effects.options import Options, explain
from simulator.engine.arm import Compaction
from simulator.events import Json
from simulator.events.errors import InputError, nearest
from simulator.events.residues import Forgetting

SHIPPED = Path(__file__).parent / "suites"
_LARGEST = 1_000_000
_MOST_ARCS = 10_000

FileName = Annotated[str, Field(min_length=1, max_length=4_096, pattern=r"^[^\x00]+$")]
"""Path of a file; no system takes U+0000 in one."""


class Ladder(Options):
    """Scenarios made by the `ladder` generator.

    Attributes:
        environment: Registered name of the environment.
        seed: Generation seed; it belongs to the arcs, not to the trials.
        arcs: Arcs a tier.
        tiers: Difficulties.
        dependent: Share of sessions that end in a probe.
        distractors: Sessions an arc, beyond the 4 to 6, that state facts nobody asks for.
        corruption: Versions of the arcs: `none`, and kinds of wrong records put into them.
        rate: Share of the wanted values that get a wrong record (0.3).
        corruption_mode: Whether a record is said (`event`) or put into the memory (`injected`).
    """

    generate: Literal["ladder"]
    environment: str = "support"
    seed: int = 1
    arcs: int = Field(default=4, ge=1, le=_MOST_ARCS)
    tiers: tuple[Tier, ...] = ("easy", "medium", "hard")
    dependent: float = 0.4
    distractors: int = 0
    corruption: tuple[Literal["none", "stale", "contradictory", "distractor"], ...] = ("none",)
    rate: float | None = None
    corruption_mode: CorruptionMode = "event"


class Context(Options):
    """Tasks made by the `context` generator, each with its twins.

    Attributes:
        seed: Generation seed; it belongs to the tasks, not to the trials.
        tasks: How many tasks of the design, the first ones; None takes all.
        full: The full crossing instead of the design.
        families: Whose tasks are taken.
        twins: Whether each task is followed by a version without each thing that was planted.
        influence: Whether each task is followed by versions with other withdrawn content.
        refill: Least tokens of new work between two cuts.
    """

    generate: Literal["context"]
    seed: int = 1
    tasks: int | None = None
    full: bool = False
    families: tuple[str, ...] = FAMILIES
    twins: bool = True
    influence: bool = False
    refill: int = 320


class Risks(Options):
    """Scenarios made by the `risks` generator.

    Attributes:
        seed: Generation seed; it belongs to the arcs, not to the trials.
        arcs: Arcs a risk and tier.
        risks: Which risks.
    """

    generate: Literal["risks"]
    seed: int = 1
    arcs: int = Field(default=8, ge=1, le=300)
    risks: tuple[Risk, ...] = Field(default=RISKS, min_length=1)


class Files(Options):
    """Scenario files.

    Attributes:
        files: Paths of YAML files or folders, relative to the suite.
        influence: Whether tasks with withdrawn values are followed by versions with other content.
    """

    files: tuple[FileName, ...] = Field(min_length=1)
    influence: bool = False


class StateBench(Options):
    """StateBench timelines, read from `$MEMTRIAL_DATA/statebench/`.

    Attributes:
        statebench: File names.
        per_arc: Timelines that share one memory.
        sample: Number of timelines, stratified by track and template; None takes all.
        seed: Seed of the sample and of the grouping.
    """

    statebench: tuple[FileName, ...] = Field(min_length=1)
    per_arc: int = Field(default=1, ge=1)
    sample: int | None = Field(default=None, ge=1)
    seed: int = 0


Source = Ladder | Context | Risks | Files | StateBench


class Part(Options):
    """A pluggable part and its options: every key besides `name` is one of the part's own."""

    name: str
    options: dict[str, Json] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _gather(cls, values: Any) -> Any:
        if isinstance(values, str):
            return {"name": values}
        if isinstance(values, dict) and "options" not in values:
            own = {key: value for key, value in values.items() if key in cls.model_fields}
            rest = {key: value for key, value in values.items() if key not in own}
            return {**own, "options": rest}
        return values


class Judge(Part):
    """A model that is asked for its opinion of text answers, once the trials are played.

    Attributes:
        verdict_tokens: Most tokens of a reply; one word is wanted, models that reason first need
            room for that.
    """

    verdict_tokens: int = Field(default=16, ge=1, le=100_000)


class Prices(Options):
    """Prices for what a run would have cost.

    Attributes:
        as_model: Hosted model whose prices `usd_as_if` uses (key `as`).
        judge: Another one for the judge's calls; None prices them like all others.
    """

    as_model: str = Field(default="gpt-4.1-mini", alias="as")
    judge: str | None = None


Budget = Annotated[int, Field(ge=1)]


class Suite(Options):
    """A suite as it is written.

    Attributes:
        name: Name of the run's default folder.
        description: What the suite is for.
        scenarios: Where the arcs come from.
        memories: The architectures compared.
        models: The agent's models.
        memory_model: The model that memories may write with; held fixed over the comparison.
        judge: The model that gives an opinion of text answers; nobody unless it is named.
        embedders: Options of embedders by name, for the memories that embed with them.
        agent: The agent.
        token_budgets: Most tokens of a memory block, one arm a budget.
        compaction: Compaction modes, one arm a mode.
        forgetting: Forgetting modes, one arm a mode.
        latency: Profile of simulated latencies.
        seeds: Trial seeds; they feed agent randomness only.
        prices: How `usd_as_if` is priced.
        analysis: The declared analysis, recorded before the first trial; its own page is
            `docs/statistics.md`.
    """

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")
    description: str = ""
    scenarios: tuple[Source, ...] = Field(min_length=1)
    memories: tuple[Part, ...] = Field(min_length=1)
    models: tuple[Part, ...] = Field(min_length=1)
    memory_model: Part | None = None
    judge: Judge | None = None
    embedders: dict[str, dict[str, Json]] = Field(default_factory=dict)
    agent: Part = Part(name="scaffold")
    token_budgets: tuple[Budget, ...] = Field(default=(256,), min_length=1)
    compaction: tuple[Compaction, ...] = Field(default=("forced",), min_length=1)
    forgetting: tuple[Forgetting, ...] = Field(default=("off",), min_length=1)
    latency: str = "typical"
    seeds: tuple[int, ...] = Field(default=(0,), min_length=1)
    prices: Prices = Prices()
    analysis: Analysis = Analysis()

    @field_validator("seeds")
    @classmethod
    def _once(cls, seeds: tuple[int, ...]) -> tuple[int, ...]:
        if len(set(seeds)) < len(seeds):
            raise ValueError("a seed is named twice")
        return seeds


def shipped() -> list[str]:
    """Return the names of the shipped suites."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def find_suite(name: str) -> Path:
    """Return the file of a suite given by path or by shipped name.

    Raises:
        InputError: when there is none; the message names the nearest shipped one.
    """
    path = Path(name)
    if path.suffix == ".toml" or path.exists():
        if path.is_dir():
            raise InputError("this is a folder; a suite is a TOML file", file=name)
        if not path.is_file():
            raise InputError("there is no such suite file", file=name)
        return path
    if name not in shipped():
        raise InputError(f"unknown suite {name!r}{nearest(name, shipped())}")
    return SHIPPED / f"{name}.toml"


def read_suite(name: str) -> Suite:
    """Read a suite by path or shipped name.

    Raises:
        InputError: naming file, line, field and the nearest valid name.
    """
    path = find_suite(name)
    text, values = read_toml(path)
    try:
        return Suite.model_validate(values)
    except ValidationError as error:
        raise _located(error, values, text, path) from None


def in_suite(error: InputError, name: str) -> InputError:
    """Return an error about a suite's field with the file and the line of that field.

    An error that names another file stays as it is.
    """
    if error.file is not None:
        return error
    path = find_suite(name)
    text, values = read_toml(path)
    line = line_of(text, values, place_of(error.field)) if error.field else None
    return InputError(error.message, file=str(path), line=line, field=error.field)


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """Read a TOML file as its text and its values.

    Raises:
        InputError: naming file and line, for what is no TOML, is too large or nested too deeply.
    """
    text = _read_text(path)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else None
        raise InputError(f"this is no TOML: {error}", file=str(path), line=line) from None
    except RecursionError:
        raise InputError("this is no suite: it is nested too deeply", file=str(path)) from None
    except ValueError:  # Python's own limit for whole numbers
        line = _line_of_longest_number(text)
        raise InputError("a number has too many digits", file=str(path), line=line) from None
    for place in _beyond_64_bits(values, ()):
        message = "a whole number of a suite has at most 64 bits, as TOML says"
        line = line_of(text, values, place)
        raise InputError(message, file=str(path), line=line, field=".".join(map(str, place)))
    return text, values


def _beyond_64_bits(value: Any, place: Place) -> Iterator[Place]:
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        yield place
    inside = value.items() if isinstance(value, dict) else ()
    for name, each in enumerate(value) if isinstance(value, list) else inside:
        yield from _beyond_64_bits(each, (*place, name))


def _line_of_longest_number(text: str) -> int:
    found = max(re.finditer(r"[0-9_]+", text), key=lambda each: len(each[0]))
    return text.count("\n", 0, found.start()) + 1


def _read_text(path: Path) -> str:
    if path.stat().st_size > _LARGEST:
        raise InputError("a suite has at most 1 MB", file=str(path))
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"this is no UTF-8 text (byte {error.start})", file=str(path)) from None


_SOURCE_NAMES = {cls.__name__ for cls in (Ladder, Context, Risks, Files, StateBench)}
_TABLES: dict[str, type[Options]] = {"prices": Prices, "judge": Judge}
_GENERATED: dict[str, type[Options]] = {"ladder": Ladder, "context": Context, "risks": Risks}
_MARKS: dict[str, type[Options]] = {"generate": Ladder, "files": Files, "statebench": StateBench}


def _located(error: ValidationError, values: dict[str, Any], text: str, path: Path) -> InputError:
    """Explain the first fault by the innermost part of the suite that it is in."""
    place: Place = tuple(part for part in error.errors()[0]["loc"] if part not in _SOURCE_NAMES)
    message = explain(error, Suite)
    if place[0] == "scenarios" and len(place) > 1:
        message, place = _source_fault(values["scenarios"][place[1]], int(place[1]))
    elif place[0] == "analysis" and len(place) > 1:
        message = analysis_fault(values["analysis"])[0]
    elif place[0] in _TABLES and len(place) > 1:
        message = _fault(_TABLES[str(place[0])], values[str(place[0])])[0]
    field = ".".join(map(str, place))
    line = line_of(text, values, place)
    return InputError(message, file=str(path), line=line, field=field)


def _source_fault(source: Any, index: int) -> tuple[str, Place]:
    """Explain a wrong scenario source by the one kind that its keys show it to be."""
    kinds = [cls for mark, cls in _MARKS.items() if isinstance(source, dict) and mark in source]
    if len(kinds) != 1:
        message = f"name the source with exactly one of {', '.join(sorted(_MARKS))}"
        return message, ("scenarios", index)
    kind, generator = kinds[0], source.get("generate")
    if kind is Ladder and isinstance(generator, str):
        if generator not in _GENERATED:
            message = f"unknown generator {generator!r}{nearest(generator, _GENERATED)}"
            return message, ("scenarios", index, "generate")
        kind = _GENERATED[generator]
    message, inner = _fault(kind, source)
    return message, ("scenarios", index, *inner)


def analysis_fault(value: Any) -> tuple[str, Place]:
    """Return what is wrong with an `[analysis]`, by the hypothesis that it is in, and where."""
    message, place = _fault(Analysis, value)
    if len(place) > 2 and place[0] == "hypotheses":
        message, inner = _fault(Hypothesis, value["hypotheses"][place[1]])
        return message, (*place[:2], *inner)
    return message, place


def _fault(cls: type[Options], value: Any) -> tuple[str, Place]:
    """Return what is wrong with a value of this class, and where inside it."""
    try:
        cls.model_validate(value)
    except ValidationError as error:
        return explain(error, cls), error.errors()[0]["loc"]
    return "this is not understood", ()
