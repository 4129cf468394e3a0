"""`memtrial generate`: writes arcs of a generator as scenario files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from probes.corruption import KINDS, versions
from probes.ladder import ladder, shortfalls
from probes.ladder.paraphrase import Paraphrased
from probes.ladder.shapes import DEPENDENT
from probes.risks import risks
from probes.risks.generator import ARCS
from probes.scenario import Scenario, write_scenario
from runs.commands.output import print_json, progress, refuse_used
from runs.generating import TRACKS
from runs.rewriting import rewrite
from scoring.keys import TIERS, CorruptionMode, Tier
from scoring.risks.kinds import RISKS
from simulator.effects.registry import lookup
from simulator.events.errors import InputError, nearest


@dataclass(frozen=True)
class Wanted:
    """What is asked for, as it was given.

    Attributes:
        track: The generator.
        out: Folder to write into.
        seed: Generation seed.
        environment: Environment of the tasks.
        arcs: Arcs a tier, or of the risk track a risk and tier; None for the usual number.
        tiers: Tiers, separated by commas.
        dependent: Share of sessions that end in a probe, or None for the usual one.
        distractors: Sessions an arc that state facts nobody asks for.
        corruption: Versions of the arcs, separated by commas.
        rate: Share of the wanted values that get a wrong record.
        corruption_mode: How the records come in.
        risks: Risks of the risk track, separated by commas, or None for all.
        paraphrase_model: Who says facts in other words, `NAME[,option=value,…]`, or None.
    """

    track: str
    out: Path
    seed: int
    environment: str
    arcs: int | None
    tiers: str
    dependent: float | None
    distractors: int
    corruption: str
    rate: float | None
    corruption_mode: str
    risks: str | None
    paraphrase_model: str | None


def generate(wanted: Wanted, as_json: bool) -> None:
    """Write generated scenarios as YAML files, one an arc."""
    if wanted.track not in TRACKS:
        raise InputError(f"unknown generator {wanted.track!r}{nearest(wanted.track, TRACKS)}")
    refuse_used(wanted.out)
    if wanted.track == "risks":
        _tell(wanted, _write(wanted, _risks(wanted)), [], None, as_json)
        return
    lookup("environment", wanted.environment)
    if wanted.risks is not None:
        raise InputError("the ladder has no risks", field="risks")
    tiers = [_word(name, TIERS, "tiers") for name in wanted.tiers.split(",")]
    kinds = [_word(name, KINDS, "corruption") for name in wanted.corruption.split(",")]
    mode = _word(wanted.corruption_mode, get_args(CorruptionMode), "corruption_mode")
    made = ladder(
        wanted.environment,
        wanted.seed,
        _arcs(wanted),
        tiers,
        dependent=DEPENDENT if wanted.dependent is None else wanted.dependent,
        distractors=wanted.distractors,
    )
    notes = _missed(wanted, tiers)
    versions(made, kinds, wanted.rate, wanted.seed, mode)  # refused before a model is asked
    paraphrased = None
    if wanted.paraphrase_model is not None:
        with progress("arcs") as report:
            paraphrased = rewrite(made, wanted.paraphrase_model, report)
        made = paraphrased.scenarios
    made = versions(made, kinds, wanted.rate, wanted.seed, mode)
    _tell(wanted, _write(wanted, made), notes, paraphrased, as_json)


def _arcs(wanted: Wanted) -> int:
    return 4 if wanted.arcs is None else wanted.arcs


def _risks(wanted: Wanted) -> list[Scenario]:
    names = RISKS if wanted.risks is None else wanted.risks.split(",")
    kinds = [_word(name, RISKS, "risks") for name in names]
    return risks(wanted.seed, ARCS if wanted.arcs is None else wanted.arcs, kinds)


def _write(wanted: Wanted, made: Sequence[Scenario]) -> list[str]:
    wanted.out.mkdir(parents=True, exist_ok=True)
    for scenario in made:
        write_scenario(scenario, wanted.out / f"{scenario.script.arc}.yaml")
    return [each.script.arc for each in made]


def _tell(
    wanted: Wanted,
    arcs: Sequence[str],
    notes: Sequence[str],
    paraphrased: Paraphrased | None,
    as_json: bool,
) -> None:
    if as_json:
        counts = paraphrased and _counts(paraphrased)
        told = {"out": str(wanted.out), "scenarios": arcs, "notes": notes, "paraphrased": counts}
        print_json(told)
    else:
        print("\n".join([f"{len(arcs)} scenarios in {wanted.out}", *notes, *_told(paraphrased)]))


def _missed(wanted: Wanted, tiers: list[Tier]) -> list[str]:
    """Return where the share was not reached that somebody asked for."""
    share = wanted.dependent
    if share is None:
        return []
    return shortfalls(wanted.environment, wanted.seed, _arcs(wanted), tiers, dependent=share)


def _word(given: str, known: tuple[Any, ...], field: str) -> Any:
    name = given.strip()
    if name not in known:
        raise InputError(f"{name!r} is none of the known words{nearest(name, known)}", field=field)
    return name


def _counts(done: Paraphrased) -> dict[str, Any]:
    return {
        "sentences": done.sentences,
        "accepted": done.accepted,
        "kept": dict(sorted(done.kept.items())),
    }


def _told(done: Paraphrased | None) -> Iterator[str]:
    if done is None:
        return
    yield f"{done.accepted} of {done.sentences} sentences are put into other words"
    for reason, count in sorted(done.kept.items(), key=lambda each: (-each[1], each[0])):
        yield f"{count:5d}  kept as they were: {reason}"
