"""`memtrial generate ladder`: writes arcs of the ladder as scenario files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from probes.corruption import KINDS, versions
from probes.ladder import ladder, shortfalls
from probes.ladder.paraphrase import Paraphrased
from probes.ladder.shapes import DEPENDENT
from probes.scenario import write_scenario
from runs.commands.output import print_json, progress, refuse_used
from runs.rewriting import rewrite
from scoring.keys import TIERS, CorruptionMode, Tier
from simulator.effects.registry import lookup
from simulator.events.errors import InputError, nearest


@dataclass(frozen=True)
class Wanted:
    """What is asked for, as it was given.

    Attributes:
        out: Folder to write into.
        seed: Generation seed.
        environment: Environment of the tasks.
        arcs: Arcs a tier.
        tiers: Tiers, separated by commas.
        dependent: Share of sessions that end in a probe, or None for the usual one.
        distractors: Sessions an arc that state facts nobody asks for.
        corruption: Versions of the arcs, separated by commas.
        rate: Share of the wanted values that get a wrong record.
        corruption_mode: How the records come in.
        paraphrase_model: Who says facts in other words, `NAME[,option=value,…]`, or None.
    """

    out: Path
    seed: int
    environment: str
    arcs: int
    tiers: str
    dependent: float | None
    distractors: int
    corruption: str
    rate: float | None
    corruption_mode: str
    paraphrase_model: str | None


def generate(wanted: Wanted, as_json: bool) -> None:
    """Write arcs of the ladder as YAML files."""
    lookup("environment", wanted.environment)
    refuse_used(wanted.out)
    tiers = [_word(name, TIERS, "tiers") for name in wanted.tiers.split(",")]
    kinds = [_word(name, KINDS, "corruption") for name in wanted.corruption.split(",")]
    mode = _word(wanted.corruption_mode, get_args(CorruptionMode), "corruption_mode")
    made = ladder(
        wanted.environment,
        wanted.seed,
        wanted.arcs,
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
    wanted.out.mkdir(parents=True, exist_ok=True)
    for scenario in made:
        write_scenario(scenario, wanted.out / f"{scenario.script.arc}.yaml")
    arcs = [each.script.arc for each in made]
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
    return shortfalls(wanted.environment, wanted.seed, wanted.arcs, tiers, dependent=share)


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
