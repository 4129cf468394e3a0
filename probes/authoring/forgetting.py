"""The verbs that plant what must be dropped: access that is withdrawn, documents that are deleted."""

from probes.authoring.form import Delete, Planted, Revoke
from probes.authoring.reading import Step
from probes.authoring.story import Draft, Story
from probes.authoring.telling import announced, drafted
from scoring.keys import FlagsCheck, Forbidden, NeverCitesCheck, NeverSaysCheck
from scoring.matching import occurrences
from scoring.planting import ContextKind
from simulator.events.scripted import AccessWithdrawn, DocumentDeleted


def revoke(verb: Revoke, step: Step, story: Story) -> None:
    """Tell that access is withdrawn; it passes who says and cites nothing of it any more.

    Raises:
        InputError: when there is no such document, or it does not say one of the values.
    """
    told = announced(step, story, AccessWithdrawn, verb.document, verb.say)
    draft = _forgotten(verb, step, story, "revocation", told)
    for i, value in enumerate(verb.values):
        field = f"values.{i}"
        _refuse_unsaid(value, step, story, draft, field)
        showed = tuple(name for name in draft.sources[1:] if occurrences(value, _text(story, name)))
        forbidden = Forbidden(value=value, failure="leakage", evidence=showed)
        draft.forbidden.append((forbidden, field))
        draft.checks.append((NeverSaysCheck(phrase=value, failure="leakage"), field))
    _never_cited(draft, story, verb.document)


def delete(verb: Delete, step: Step, story: Story) -> None:
    """Tell that a document is deleted; it passes who cites it nowhere and flags what rests on it.

    Raises:
        InputError: when there is no such document, or it does not say one of the phrases.
    """
    told = announced(step, story, DocumentDeleted, verb.document, verb.say)
    draft = _forgotten(verb, step, story, "deletion", told)
    for i, phrase in enumerate(verb.only_says):
        _refuse_unsaid(phrase, step, story, draft, f"only_says.{i}")
    _never_cited(draft, story, verb.document)
    flags = FlagsCheck(source=verb.document, phrases=verb.only_says)
    draft.checks.append((flags, "only_says" if verb.only_says else "document"))


def _forgotten(
    verb: Planted,
    step: Step,
    story: Story,
    kind: ContextKind,
    told: tuple[str, tuple[str, ...], tuple[str, ...]],
) -> Draft:
    event, sources, things = told
    draft = drafted(verb, step, story, kind, event)
    draft.sources, draft.things, draft.essentials = sources, things, sources[:1]
    return draft


def _never_cited(draft: Draft, story: Story, document: str) -> None:
    if document in story.documents:  # a system, such as the mail, is no source
        draft.checks.append((NeverCitesCheck(source=document), "document"))


def _refuse_unsaid(text: str, step: Step, story: Story, draft: Draft, field: str) -> None:
    """Refuse a value that is in no document that an announcement is about."""
    texts = [each for thing in draft.things for each in story.texts(thing)]
    if not any(occurrences(text, each) for each in texts):
        raise step.wrong(f"{draft.sources[0]} does not say {text!r}", field)


def _text(story: Story, event: str) -> str:
    return next((text for name, text in story.surfaces() if name == event), "")
