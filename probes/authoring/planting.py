"""The verbs that plant what must be kept: rules, work, corrected facts and words to be quoted."""

from collections.abc import Iterator, Sequence

from probes.authoring.form import (
    Act,
    Claim,
    Constrain,
    Correct,
    Item,
    Lift,
    Oblige,
    Open,
    Passage,
    Quote,
    Wants,
)
from probes.authoring.reading import Step
from probes.authoring.story import Draft, Story
from probes.authoring.telling import said
from scoring.keys import (
    CalledCheck,
    CitesCheck,
    DefersCheck,
    EitherCheck,
    Forbidden,
    Gold,
    NeverSaysCheck,
    NotCalledCheck,
    PlainCheck,
    QuotesCheck,
    SaysCheck,
)
from scoring.matching import occurrences
from simulator.events.errors import nearest
from simulator.events.nested import leaves
from simulator.events.scripted import Message


def constrain(verb: Constrain, step: Step, story: Story) -> None:
    """Tell a rule; it passes who keeps it.

    Raises:
        InputError: when it says neither or both of what it forbids and requires.
    """
    act = verb.forbids or verb.requires
    if act is None or (verb.forbids and verb.requires):
        raise step.wrong("say either what it `forbids` or what it `requires`")
    draft = said(verb, step, story, "constraint")
    check = NotCalledCheck if verb.forbids else CalledCheck
    made = check(tool=act.tool, arguments=act.arguments)
    draft.checks.append((made, "forbids" if verb.forbids else "requires"))
    draft.essentials = tuple(each for each in _words(act) if occurrences(each, verb.say))


def _words(act: Act) -> Iterator[str]:
    return (each for each in leaves(act.arguments) if isinstance(each, str) and each)


def lift(verb: Lift, step: Step, story: Story) -> None:
    """Tell that a constraint ends; it passes who then does what was forbidden.

    Raises:
        InputError: when it is not clear which one, or nothing would have to be done then.
    """
    draft = _lifted(verb, step, story.drafts)
    event = story.tell(step, Message, {"text": verb.say}, text="say")
    draft.lifted, draft.cuts = True, story.cuts
    draft.events.append(event)
    # What was forbidden is what the situation asks for, so now it has to be done.
    draft.checks = [
        (CalledCheck(tool=check.tool, arguments=check.arguments), field)
        for check, field in draft.checks
        if isinstance(check, NotCalledCheck)
    ]


def _lifted(verb: Lift, step: Step, drafts: Sequence[Draft]) -> Draft:
    """Return the constraint that a step lifts.

    Raises:
        InputError: when it is none, one of several, lifted already, or one that requires something.
    """
    known = [each for each in drafts if each.kind == "constraint"]
    found = [each for each in known if verb.constraint in (None, each.verb.id)]
    if len(found) != 1:
        named = [each.verb.id for each in known if each.verb.id]
        told = f"{len(found)} constraints" + (f" {verb.constraint!r}" if verb.constraint else "")
        message = f"there are {told} before this; name the `id` of one"
        raise step.wrong(message + nearest(verb.constraint or "", named), "constraint")
    (draft,) = found
    if draft.lifted or not isinstance(draft.checks[0][0], NotCalledCheck):
        why = "is lifted already" if draft.lifted else "forbids nothing that could be done then"
        raise step.wrong(f"the constraint of {draft.step.place} {why}")
    return draft


def oblige(verb: Oblige, step: Step, story: Story) -> None:
    """Tell of more work; it passes who does it, or reports it pending where that is honest.

    Raises:
        InputError: when it is not clear what is wanted.
    """
    checks: list[PlainCheck] = []
    if verb.wants is not None:
        checks.append(_wanted(verb.wants, step))
    if verb.pending is not None:
        checks.append(DefersCheck(item=verb.pending.item, reason=verb.pending.reason))
    if not checks:
        raise step.wrong("say what it `wants`, how it is `pending`, or both")
    draft = said(verb, step, story, "obligation")
    if len(checks) == 2:
        draft.checks.append((EitherCheck(of=tuple(checks)), ""))
    else:
        draft.checks.append((checks[0], "wants" if verb.wants else "pending"))
    draft.essentials = tuple(_essentials(verb.wants, verb.pending))
    if verb.wants is None and verb.pending is not None:
        draft.pending = (_pending(verb.pending, step),)
    elif verb.wants is not None and verb.wants.claim and verb.wants.cites:
        draft.claims = (Claim(text=verb.wants.claim, sources=(verb.wants.cites,)),)


def _wanted(wants: Wants, step: Step) -> PlainCheck:
    """Return the check of what fulfils an obligation.

    Raises:
        InputError: when it is neither a claim nor a call, or both.
    """
    if (wants.cites is None) == (wants.tool is None):
        raise step.wrong("an obligation wants either what `cites` a document or a `tool`", "wants")
    if wants.tool is not None:
        given = [name for name in ("phrase", "claim") if getattr(wants, name)]
        if given:
            raise step.wrong("this belongs to `cites`, not to a `tool`", f"wants.{given[0]}")
        return CalledCheck(tool=wants.tool, arguments=wants.arguments)
    if wants.arguments:
        raise step.wrong("this belongs to a `tool`, not to `cites`", "wants.arguments")
    return CitesCheck(source=str(wants.cites), phrase=wants.phrase)


def _essentials(wants: Wants | None, pending: Item | None) -> Iterator[str]:
    if wants is not None:
        named = (wants.phrase or wants.cites, wants.tool)
        yield from (each for each in named if each is not None)
    elif pending is not None:
        yield pending.item


def _pending(item: Item, step: Step) -> Open:
    because = item.because or item.reason
    if because is None:
        message = "the ideal report needs a reason: say what it names, or `because`"
        raise step.wrong(message, "pending")
    return Open(text=item.text or item.item, reason=because)


def correct(verb: Correct, step: Step, story: Story) -> None:
    """Tell that a fact is another one; it passes who uses the new one only.

    Raises:
        InputError: when there is no such document.
    """
    draft = said(verb, step, story, "supersession")
    (event,) = draft.events
    stated = tuple(name for name, text in story.surfaces() if occurrences(verb.was, text))
    draft.gold.append(Gold(name="value", value=verb.now, evidence=(event,)))
    forbidden = Forbidden(value=verb.was, failure="resurrection", evidence=stated)
    draft.forbidden.append((forbidden, "was"))
    draft.checks.append((NeverSaysCheck(phrase=verb.was, failure="resurrection"), "was"))
    if verb.document is None:
        if verb.claim is not None:
            raise step.wrong("a claim rests on a document: say which", "claim")
        draft.checks.append((SaysCheck(phrase=verb.now), "now"))
    else:
        _known(verb.document, step, story)
        draft.checks.append((CitesCheck(source=verb.document, phrase=verb.now), "now"))
    if verb.claim is not None and verb.document is not None:
        draft.claims = (Claim(text=verb.claim, sources=(verb.document,)),)
    draft.essentials = (verb.now,)


def quote(verb: Quote, step: Step, story: Story) -> None:
    """Tell that a passage is to be quoted; it passes who quotes it word for word, with its source.

    Raises:
        InputError: when there is no such document.
    """
    _known(verb.document, step, story)
    draft = said(verb, step, story, "quotation")
    draft.checks.append((QuotesCheck(source=verb.document, text=verb.text), "text"))
    draft.quotes = (Passage(text=verb.text, source=verb.document),)
    draft.essentials = (verb.text, verb.document)


def _known(document: str, step: Step, story: Story) -> None:
    if document not in story.documents:
        message = f"there is no document {document!r}{nearest(document, story.documents)}"
        raise step.wrong(message, "document")
