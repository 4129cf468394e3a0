"""What lint asks of tasks beyond their form, of verbs and of scripts with keys: message and line."""

from pathlib import Path

import pytest

from probes.linting.lint import lint
from probes.linting.window import story_tokens
from probes.scenario import load, read_scenario, write_scenario
from simulator.events.tokens import count_tokens
from tests.probes.authoring.tasks import (
    CONSTRAIN,
    CORRECT,
    IDEAL,
    OBLIGE,
    QUOTE,
    TASK,
    edited,
    told,
    written,
)


def in_verbs(folder: Path, *edits: tuple[str, str]) -> list[tuple[int | None, str]]:
    return told(lint([edited(folder, *edits)]))


def as_script(folder: Path, *edits: tuple[str, str]) -> list[tuple[str | None, str, str]]:
    """Return field, message and the line as it stands, of the task as a script with a key."""
    write_scenario(read_scenario(written(folder, TASK)), folder / "script.yaml")
    path = folder / "script.yaml"
    text = path.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    lines = text.splitlines()
    return [
        (each.field, each.message, lines[(each.line or 0) - 1].strip()) for each in lint([path])
    ]


def test_the_task_is_clean_in_both_forms(tmp_path: Path) -> None:
    assert in_verbs(tmp_path) == []
    assert as_script(tmp_path) == []


def test_a_revocation_of_an_unknown_source(tmp_path: Path) -> None:
    # In verbs it is refused before it compiles; see the refusals.
    (found,) = as_script(
        tmp_path,
        (
            "sources: [DOC-1001, s1/e2]\n          text",
            "sources: [DOC-1011, s1/e2]\n          text",
        ),
    )[:1]
    assert found == (
        "script.episodes.1.events.0.sources.0",
        "there is no 'DOC-1011' in this world; did you mean 'DOC-1001'?",
        "sources: [DOC-1011, s1/e2]",
    )
    (found,) = as_script(
        tmp_path, ("[DOC-1001, s1/e2]\n          text", "[DOC-1001, s1/e9]\n          text")
    )
    assert found[0] == "script.episodes.1.events.0.sources.1"
    assert found[1].startswith("there is no event 's1/e9'; did you mean 's1/e")
    assert found[2] == "sources: [DOC-1001, s1/e9]"


def test_a_planting_of_what_nothing_announces(tmp_path: Path) -> None:
    planted = "position: between\n        sources: [{}, s1/e2]"
    found, *_ = as_script(tmp_path, (planted.format("DOC-1001"), planted.format("DOC-1004")))
    assert found == (
        "key.probes.2.planting.sources.0",
        "probe 'revocation': no event that plants it is about 'DOC-1004'; did you mean 'DOC-1001'?",
        "sources: [DOC-1004, s1/e2]",
    )
    found = as_script(
        tmp_path,
        (
            "events: [s2/e1]\n        essentials: [DOC-1001]",
            "events: [s2/e2]\n        essentials: [DOC-1001]",
        ),
    )[0]
    assert found == (
        "key.probes.2.planting.events",
        "probe 'revocation' is a revocation, and no event that plants it withdraws access to anything",
        "events: [s2/e2]",
    )


def test_a_correction_of_what_was_never_stated(tmp_path: Path) -> None:
    message = "event 's2/e2' corrects '$915.00', which no earlier event says and no document has"
    found = in_verbs(
        tmp_path,
        ("$930.00 and not $910.00.", "$930.00 and not $915.00."),
        ("was: $910.00", "was: $915.00"),
    )
    assert found == [(CORRECT, message)]
    (other,) = as_script(tmp_path, ("was: $910.00", "was: $915.00"))
    assert other == ("key.revisions.0.was", message, "was: $915.00")


def test_a_correction_of_what_an_older_version_or_a_message_says(tmp_path: Path) -> None:
    old = "text: We used 640 units for $910.00., read: true"
    path = edited(tmp_path, (old, "versions: [It was $910.00., We used 640 units.], read: true"))
    assert lint([path]) == []
    path = edited(
        tmp_path,
        (old, "text: We used 640 units., read: true"),
        ("say: Name the usage too.", "say: Name the usage for $910.00 too."),
    )
    assert lint([path]) == []


def test_a_quotation_that_is_not_in_its_document(tmp_path: Path) -> None:
    message = "probe 'quotation': DOC-1002 has no passage 'It renews in June.'"
    edit = (
        "document: DOC-1002, text: It renews in May.",
        "document: DOC-1002, text: It renews in June.",
    )
    assert in_verbs(tmp_path, edit) == [(QUOTE, message)]
    (found,) = as_script(tmp_path, ("text: It renews in May.", "text: It renews in June."))[:1]
    assert found == ("key.probes.5.checks.0.text", message, "text: It renews in June.")
    # A title is no passage. An older version is one, and wraps of lines do not count.
    found_too = in_verbs(tmp_path, (edit[0], "document: DOC-1002, text: Contract"))
    assert found_too == [(QUOTE, "probe 'quotation': DOC-1002 has no passage 'Contract'")]
    assert in_verbs(tmp_path, (edit[0], "document: DOC-1002, text: It does not renew.")) == []
    assert in_verbs(tmp_path, (edit[0], 'document: DOC-1002, text: "It renews\\n  in May."')) == []
    assert len(in_verbs(tmp_path, (edit[0], "document: DOC-1002, text: It renews in may."))) == 1


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("document: DOC-1002, text: It renews in May.", "document: DOC-1001, text: A unit is $4.37.", QUOTE, "probe 'quotation' wants DOC-1001 quoted, which is withdrawn by then"),
        ("document: DOC-1002, text: It renews in May.", "document: DOC-1003, text: The cut is 8 percent.", QUOTE, "probe 'quotation' wants DOC-1003 quoted, which is deleted by then"),
        ("wants: {cites: DOC-1004, phrase: 640 units, claim: We used 640 units.}, pending", "wants: {cites: DOC-1001}, pending", OBLIGE, "probe 'obligation' wants DOC-1001 cited, which is withdrawn by then"),
    ],
)  # fmt: skip
def test_nothing_is_wanted_from_what_is_closed(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    assert (line, message) in in_verbs(tmp_path, (old, new))


def test_a_part_of_what_is_withdrawn_is_closed_too(tmp_path: Path) -> None:
    found = in_verbs(tmp_path, ("id: DOC-1002, title", "id: DOC-1002, within: DOC-1001, title"))
    assert (QUOTE, "probe 'quotation' wants DOC-1002 quoted, which is withdrawn by then") in found


def test_a_probe_that_is_planted_after_its_decision(tmp_path: Path) -> None:
    # In verbs it is refused before it compiles; see the refusals.
    (found,) = as_script(tmp_path, ("events: [s2/e5]", "events: [s2/e6]"))
    assert found == (
        "key.probes.5.planting.events.0",
        "probe 'quotation' at 's2/e6': its planting 's2/e6' does not come before it",
        "events: [s2/e6]",
    )


def test_a_story_that_is_larger_than_its_window(tmp_path: Path) -> None:
    script = read_scenario(written(tmp_path, TASK)).script
    needed = sum(
        count_tokens(surface.text)
        for episode in script.episodes
        for event in episode.events
        if (surface := event.surface(event.id, 0)) is not None
    )
    assert story_tokens(script) == needed and needed > 100
    fits = ("me: P-2001", f"me: P-2001\nwindow: {needed}")
    assert in_verbs(tmp_path, fits) == []
    message = (
        f"the story and its requests have {needed} tokens, and the window is declared with "
        f"{needed - 1}: the arm with full context could not play it"
    )
    assert in_verbs(tmp_path, (fits[0], f"me: P-2001\nwindow: {needed - 1}")) == [(3, message)]
    (found,) = as_script(tmp_path, ("key:\n  arc", f"  window: {needed - 1}\nkey:\n  arc"))
    assert found == ("script.window", message, f"window: {needed - 1}")


def test_large_numbers_of_tokens_are_readable(tmp_path: Path) -> None:
    long = ("say: Name the usage too.", f"say: {'Name the usage too. ' * 400}")
    ((line, message),) = in_verbs(tmp_path, long, ("me: P-2001", "me: P-2001\nwindow: 1000"))
    assert line == 3 and "with 1,000: the arm" in message and "have 2," in message


CALL = '{"person_id":"P-2009"}'


def test_constraints_that_contradict_each_other(tmp_path: Path) -> None:
    other = "constrain: {say: Always write to P-2009., requires: {tool: send_draft, arguments: {person_id: P-2009, subject: renewal}}}"
    found = in_verbs(tmp_path, ("      - revoke:", f"      - {other}\n      - revoke:"))
    wanted = f"probe 'constraint' forbids send_draft with {CALL}, which probe 'constraint-2' wants"
    assert (CONSTRAIN, wanted) in found


def test_a_lifted_constraint_and_a_live_one_about_the_same_call(tmp_path: Path) -> None:
    steps = (
        "      - constrain: {id: second, say: Really nothing to P-2009., forbids: {tool: send_draft, arguments: {person_id: P-2009}}}\n"
        "      - lift: {constraint: second, say: It is fine.}\n      - revoke:"
    )
    found = in_verbs(tmp_path, ("      - revoke:", steps))
    wanted = f"probe 'constraint' forbids send_draft with {CALL}, which probe 'second' wants"
    assert (CONSTRAIN, wanted) in found


def test_an_ideal_that_does_what_is_forbidden(tmp_path: Path) -> None:
    forbids = (
        "forbids: {tool: send_draft, arguments: {person_id: P-2009}}",
        "forbids: {tool: draft_mail, arguments: {person_id: P-2009}}",
    )
    found = in_verbs(tmp_path, forbids)
    message = (
        f"probe 'constraint' forbids draft_mail with {CALL}, "
        "which the reference of its decision does"
    )
    assert found[0] == (CONSTRAIN, message)
    (other,) = as_script(
        tmp_path, ("tool: send_draft\n          arguments", "tool: draft_mail\n          arguments")
    )[:1]
    assert other[0] == "key.probes.0.checks.0" and other[1] == message


def test_what_a_wanted_call_leaves_open_is_no_contradiction(tmp_path: Path) -> None:
    # Some mail to P-2009 is wanted, and only the one about prices is forbidden.
    forbids = (
        "forbids: {tool: send_draft, arguments: {person_id: P-2009}}",
        "forbids: {tool: draft_mail, arguments: {person_id: P-2009, subject: prices}}",
    )
    work = (
        "phrase: renews in May}]",
        "phrase: renews in May}, {check: called, tool: draft_mail, arguments: {person_id: P-2009}}]",
    )
    assert in_verbs(tmp_path, forbids, work) == []


@pytest.mark.parametrize(
    ("named", "probe", "value"),
    [
        ("with the 640 units", "obligation", "640 units"),
        ("with $930.00", "supersession", "$930.00"),
        ("with $930 in it", "supersession", "$930.00"),
        ("with 'It renews\nin May.'", "quotation", "It renews in May."),
        ("of what renews in may", "task", "renews in May"),
    ],
)
def test_a_request_that_names_what_is_wanted_in_any_form(
    tmp_path: Path, named: str, probe: str, value: str
) -> None:
    request = "request: Please submit the report"
    path = edited(tmp_path, (f"{request} and", f'request: "Please submit the report {named} and'))
    path.write_text(path.read_text().replace("write to Ida.\n", 'write to Ida."\n'))
    place = "sessions.1.steps.5.ask.request"
    found = [(each.field, each.message) for each in lint([path])]
    assert (place, f"probe {probe!r}: its request names {value!r}") in found


def test_a_request_that_names_no_more_than_an_unlike_number(tmp_path: Path) -> None:
    path = edited(
        tmp_path, ("request: Please submit", "request: Of $9,300 and 64 units please submit")
    )
    assert lint([path]) == []


def test_a_question_that_holds_its_answer(tmp_path: Path) -> None:
    old = "say: Quote DOC-1002 on the renewal."
    asked = "say: Quote it., question: {text: Is it DOC-1002?, says: [quoted, doc-1002]}"
    ((line, message),) = in_verbs(tmp_path, (old, asked))
    assert line == QUOTE
    assert message == (
        "probe 'quotation': its question names 'doc-1002', which a right answer says"
    )
    (problem,) = lint([tmp_path / "task.yaml"])
    assert problem.field == "sessions.1.steps.4.quote.question.text"


def test_what_is_wrong_with_a_task_and_its_twins_is_told_once(tmp_path: Path) -> None:
    edit = (
        "document: DOC-1002, text: It renews in May.",
        "document: DOC-1002, text: It renews in June.",
    )
    found = in_verbs(tmp_path, edit, ("me: P-2001", "me: P-2001\ntwin: true"))
    assert found == [(QUOTE + 1, "probe 'quotation': DOC-1002 has no passage 'It renews in June.'")]


def test_what_does_not_pass_is_told_at_the_verb(tmp_path: Path) -> None:
    # The ideal says the old value: the correction fails, and lint says so where it was authored.
    found = in_verbs(tmp_path, ("claim: It cost $930.00.", "claim: It cost $910.00."))
    assert [line for line, _ in found] == [CORRECT, CORRECT]
    fields = {each.field for each in lint([tmp_path / "task.yaml"])}
    assert fields <= {f"sessions.1.steps.1.correct.{name}" for name in ("was", "now")}


def test_a_reference_that_fails_is_told_at_the_ideal(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        (
            "{tool: draft_mail, arguments: {person_id: P-2009, subject",
            "{tool: draft_mail, arguments: {person_id: P-2999, subject",
        ),
    )
    problems = lint([path])
    assert all(
        "the reference fails: error: there is no person P-2999" in each.message
        for each in problems[:1]
    )
    field, line = load(path).locate("key.probes.0.reference.calls.0.arguments.person_id")
    assert (field, line) == ("sessions.1.steps.5.ask.ideal.calls.0.arguments.person_id", IDEAL)
    assert problems[0].line == IDEAL
