"""The verb that asks: a decision, and the right way to act, with what other verbs owe to its report."""

from collections.abc import Iterator, Sequence

from probes.authoring.form import Ask, Claim, Ideal, Open, Passage
from probes.authoring.reading import Step
from probes.authoring.story import Asked, Draft, Story
from scoring.keys import Reference, ReferenceCall
from scoring.quoting import unwrapped
from scoring.reports import SUBMIT
from simulator.events import Json
from simulator.events.scripted import Decision


def ask(verb: Ask, step: Step, story: Story) -> None:
    """Tell a decision.

    Raises:
        InputError: when the ideal report stands in two places.
    """
    # What was planted is tested at the last decision, so only that one's report owes it something.
    drafts = story.drafts if step is last_ask(story) else []
    reference = _reference(verb.ideal, drafts, step)
    now = story.now(step)
    decision = story.tell(step, Decision, {"request": verb.request}, request="request")
    story.stage.act(reference.calls, now)
    story.asked.append(Asked(step, verb, decision, story.cuts, reference))


def last_ask(story: Story) -> Step | None:
    """Return the step of a task's last decision, None when it has none."""
    steps = [step for session in story.task.sessions for step in session.steps]
    return next((step for step in reversed(steps) if isinstance(step.verb, Ask)), None)


def _reference(ideal: Ideal, drafts: Sequence[Draft], step: Step) -> Reference:
    """Return one right way to act: the calls, the report, the answer.

    Raises:
        InputError: when the report stands in the calls and beside them.
    """
    calls = ideal.calls
    if any(call.tool == SUBMIT for call in calls):
        for name in ("claims", "quotes", "pending"):
            if getattr(ideal, name):
                message = f"the report stands in `calls`, so its {name} belong there"
                raise step.wrong(message, f"ideal.{name}")
        return Reference(calls=calls, answer=ideal.answer)
    report = _report(ideal, drafts)
    if any(report.values()):
        calls = (*calls, ReferenceCall(tool=SUBMIT, arguments=report))
    return Reference(calls=calls, answer=ideal.answer)


def _report(ideal: Ideal, drafts: Sequence[Draft]) -> dict[str, Json]:
    claims = [*_claims(ideal.claims, drafts)]
    quotes = [*_quotes(ideal.quotes, drafts)]
    pending = [*_pending(ideal.pending, drafts)]
    report: dict[str, Json] = {"claims": [each.model_dump(mode="json") for each in claims]}
    # A report has claims; the other two parts may be left out.
    if quotes:
        report["quotes"] = [each.model_dump(mode="json") for each in quotes]
    if pending:
        report["pending"] = [each.model_dump(mode="json") for each in pending]
    return report


def _claims(written: Sequence[Claim], drafts: Sequence[Draft]) -> Iterator[Claim]:
    yield from written
    texts = {each.text for each in written}
    yield from (each for draft in drafts for each in draft.claims if each.text not in texts)


def _quotes(written: Sequence[Passage], drafts: Sequence[Draft]) -> Iterator[Passage]:
    yield from written
    passages = {(each.source, unwrapped(each.text)) for each in written}
    for draft in drafts:
        for each in draft.quotes:
            if (each.source, unwrapped(each.text)) not in passages:
                yield each


def _pending(written: Sequence[Open], drafts: Sequence[Draft]) -> Iterator[Open]:
    yield from written
    texts = {each.text for each in written}
    yield from (each for draft in drafts for each in draft.pending if each.text not in texts)
