"""Filling the key: the probes of a told story, with what can be worked out of it."""

from collections import Counter
from collections.abc import Iterator

from probes.authoring.form import Correct
from probes.authoring.places import Parts
from probes.authoring.story import Asked, Draft, Story
from scoring.keys import Key, Probe, Revision
from scoring.matching import occurrences
from scoring.planting import Planting, Position
from simulator.events.errors import InputError

COUNTED = ("compactions", "sessions")
"""Factors that are worked out from the story."""


def filled(story: Story) -> Key:
    """Return the key of a story that has been told.

    Raises:
        InputError: for two probes of one id, a factor that is counted, or a value that is to be
            dropped and stands in what may still be used.
    """
    head = story.task.head
    for draft in story.drafts:
        _refuse_permitted(draft, story)
    for name in COUNTED:
        if name in head.factors:
            raise InputError("this is counted; leave it out", field=f"factors.{name}")
    probes = tuple(_probes(story))
    return Key(
        arc=head.task,
        domain=head.environment,
        tier=head.tier,
        cluster=head.cluster or head.task,
        probes=probes,
        revisions=tuple(_revisions(story)),
        factors={**head.factors, **_counted(story)},
        critical=head.critical,
        review=head.review,
    )


def position(cuts: int, total: int) -> Position | None:
    """Return where a planting stands, from the cuts before it and those before its decision."""
    if total == 0:
        return None
    return "before" if cuts == 0 else "after" if cuts == total else "between"


def probe_ids(story: Story) -> list[str]:
    """Return the ids of what was planted, in order; one that is left out is the kind and a number.

    Raises:
        InputError: when two are given the same.
    """
    given = Counter(draft.verb.id for draft in story.drafts if draft.verb.id is not None)
    used, ids = set(given), []
    for draft in story.drafts:
        name = draft.verb.id
        if name is None:
            name = _free(draft.kind, used)
        elif given[name] > 1:
            raise draft.step.wrong(f"another probe is called {name!r}", "id")
        used.add(name)
        ids.append(name)
    return ids


def _free(kind: str, used: set[str]) -> str:
    name, number = kind, 1
    while name in used:
        number += 1
        name = f"{kind}-{number}"
    return name


def _probes(story: Story) -> Iterator[Probe]:
    """Yield a probe of the work of each decision, and before the last one's those planted for it."""
    *earlier, last = story.asked
    names = probe_ids(story)
    used = set(names)
    works = []
    for _ in story.asked:
        works.append(_free("task", used))
        used.add(works[-1])
    # The last decision is what a task is for, so its probe has the plain name.
    for name, asked in zip(works[1:], earlier, strict=True):
        yield _work(name, asked, story)
    for name, draft in zip(names, story.drafts, strict=True):
        story.places.probes[name] = _parts(draft, last)
        yield _planted(name, draft, last)
    yield _work(works[0], last, story)


def _planted(name: str, draft: Draft, last: Asked) -> Probe:
    verb = draft.verb
    planting = Planting(
        events=tuple(draft.events),
        essentials=draft.essentials if verb.essentials is None else verb.essentials,
        phrasing=verb.phrasing,
        position=position(draft.cuts, last.cuts),
        lifted=draft.lifted,
        sources=draft.sources,
        question=verb.question,
    )
    return Probe(
        id=name,
        kind=draft.kind,
        decision=last.decision,
        dependent=False,
        gold=tuple(draft.gold),
        forbidden=tuple(each for each, _ in draft.forbidden),
        checks=tuple(each for each, _ in draft.checks),
        reference=last.reference,
        planting=planting,
    )


def _work(name: str, asked: Asked, story: Story) -> Probe:
    parts = {"": asked.step.place, "decision": asked.step.place, "checks": asked.step.at("task")}
    story.places.probes[name] = {**parts, **_ideal(asked)}
    return Probe(
        id=name,
        kind="task",
        decision=asked.decision,
        dependent=False,
        checks=asked.verb.task,
        reference=asked.reference,
    )


def _parts(draft: Draft, last: Asked) -> Parts:
    """Return where the parts of a planted probe were authored."""
    at = draft.step.at
    parts = {"": draft.step.place, "gold": at("now"), **_ideal(last)}
    parts["planting.question"] = at("question")
    parts |= {f"forbidden.{i}": at(field) for i, (_, field) in enumerate(draft.forbidden)}
    parts |= {f"checks.{i}": at(field) for i, (_, field) in enumerate(draft.checks)}
    return parts


def _ideal(asked: Asked) -> Parts:
    return {
        "reference": asked.step.at("ideal"),
        "reference.calls": asked.step.at("ideal.calls"),
    }


def _revisions(story: Story) -> Iterator[Revision]:
    for draft in story.drafts:
        if isinstance(draft.verb, Correct):
            yield Revision(event=draft.events[0], was=draft.verb.was, now=draft.verb.now)


def _counted(story: Story) -> dict[str, str | int]:
    """Return the factors that can be counted: forced cuts before the last decision, sessions."""
    kinds = [event.kind for told in story.sessions.values() for event in told]
    before = kinds[: len(kinds) - kinds[::-1].index("decision")]
    sessions = "one" if len(story.sessions) == 1 else "several"
    return {"compactions": before.count("compaction"), "sessions": sessions}


def _refuse_permitted(draft: Draft, story: Story) -> None:
    """Refuse values to be dropped that something else says which may still be used."""
    dropped = {source for each in story.drafts for source in (*each.sources, *each.things)}
    for value, field in _dropped(draft):
        for name in story.documents:
            if name not in dropped and any(occurrences(value, each) for each in story.texts(name)):
                message = f"{name} says {value!r} too, and may still be used"
                raise draft.step.wrong(message, field)
        for name, text in story.surfaces():
            if name not in dropped and occurrences(value, text):
                place = story.places.events[name][""]
                message = f"{place} says {value!r} too, and may still be used"
                raise draft.step.wrong(message, field)


def _dropped(draft: Draft) -> Iterator[tuple[str, str]]:
    """Yield what nothing that may still be used says, with the field that it comes from."""
    for name in ("values", "only_says"):
        for i, value in enumerate(getattr(draft.verb, name, ())):
            yield value, f"{name}.{i}"
