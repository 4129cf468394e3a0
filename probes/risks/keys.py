"""Keys of the risk track: one to three checks a decision, and one right way to act."""

from probes.risks.cast import Cast
from probes.risks.plots import Plot
from scoring.keys import (
    AsksCheck,
    Check,
    Forbidden,
    Gold,
    Key,
    NeverSaysCheck,
    NotCalledCheck,
    Probe,
    ProbeKind,
    Reference,
    ReferenceCall,
    Revision,
    SaysCheck,
    WorldCheck,
)
from scoring.risks.kinds import Risk
from simulator.events import Script

MOST_CHECKS = 3

_KINDS: dict[Risk, ProbeKind] = {"stale": "update", "conflict": "update"}


def key_of(cast: Cast, plot: Plot, script: Script) -> Key:
    """Return the key of a told arc."""
    recipe = cast.recipe
    return Key(
        arc=recipe.name,
        domain=script.environment,
        tier=recipe.tier,
        cluster=recipe.name,
        probes=(_probe(cast, plot),),
        revisions=tuple(Revision(event=e, was=was, now=now) for e, was, now in plot.revisions),
        factors={"ends": _ends(cast, plot), "sessions": len(script.episodes)},
        origin=recipe.origin,
    )


def _probe(cast: Cast, plot: Plot) -> Probe:
    recipe = cast.recipe
    name = "value" if plot.by_rule else cast.topic.attribute
    right = (
        () if plot.right is None else (Gold(name=name, value=plot.right, evidence=plot.evidence),)
    )
    return Probe(
        id="p1",
        kind=_KINDS.get(recipe.risk, "recall"),
        decision=plot.decision,
        dependent=plot.right is not None,
        gold=right,
        forbidden=tuple(
            Forbidden(value=value, failure=plot.failure, evidence=events)
            for value, events in plot.wrong.items()
        ),
        checks=tuple(_checks(cast, plot)[:MOST_CHECKS]),
        reference=_reference(cast, plot),
        history=plot.history,
        risk=recipe.risk,
        subtype=recipe.subtype,
    )


def _ends(cast: Cast, plot: Plot) -> str:
    """Return how the right decision ends: with a call, an answer, or a question."""
    if plot.right is None:
        return "question"
    spoken = cast.alternative is None if plot.by_rule else cast.spoken
    return "answer" if spoken else "call"


def _checks(cast: Cast, plot: Plot) -> list[Check]:
    if plot.by_rule:
        kept = NotCalledCheck(tool=cast.act.task.tool, arguments=dict(cast.forbids))
        return [_done(cast, plot), kept]
    acts: list[Check] = []
    if cast.topic.task is not None and not cast.spoken:
        task = cast.topic.task
        acts = [
            NotCalledCheck(
                tool=task.tool,
                arguments=task.arguments(cast.subject, {cast.topic.attribute: value}),
            )
            for value in plot.wrong
        ]
    words: list[Check] = []
    if plot.spares_words or not acts:
        words = [NeverSaysCheck(phrase=value, failure=plot.failure) for value in plot.wrong]
    return [_done(cast, plot), *acts, *words]


def _done(cast: Cast, plot: Plot) -> Check:
    """Return the check of what is to be done."""
    if plot.right is None:
        return AsksCheck(about=cast.subject)
    if _ends(cast, plot) == "answer":
        return SaysCheck(phrase=plot.right)
    path, subject = _path(cast, plot)
    return WorldCheck(path=path.format(id=subject), equals=plot.right)


def _path(cast: Cast, plot: Plot) -> tuple[str, str]:
    task, subject = (
        (cast.alternative.task, cast.beside)
        if plot.by_rule and cast.alternative is not None
        else (cast.topic.task, cast.subject)
    )
    assert task is not None
    (path,) = task.marks.values()
    return path, subject


def _reference(cast: Cast, plot: Plot) -> Reference:
    if plot.right is None:
        text = f"What holds for {cast.who(cast.subject)} now that the earlier one is gone?"
        return Reference(answer=text, ends="clarification")
    if _ends(cast, plot) == "answer":
        return Reference(answer=f"It is {plot.right}.")
    task, subject = (
        (cast.alternative.task, cast.beside)
        if plot.by_rule and cast.alternative is not None
        else (cast.topic.task, cast.subject)
    )
    assert task is not None
    (attribute,) = task.marks
    arguments = task.arguments(subject, {attribute: plot.right})
    return Reference(calls=(ReferenceCall(tool=task.tool, arguments=dict(arguments)),))
