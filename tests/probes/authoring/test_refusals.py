"""What is no task is refused with file, line and field, and with what would be right."""

from pathlib import Path

import pytest

from probes.authoring.form import VERBS
from probes.linting.lint import lint
from simulator.events.errors import InputError
from tests.probes.authoring.tasks import (
    ASK,
    CONSTRAIN,
    CONTRACT,
    CORRECT,
    DELETE,
    DRAFT,
    IDEAL,
    OBLIGE,
    PRICES,
    QUOTE,
    REQUEST,
    REVOKE,
    TASK,
    WORK,
    edited,
    refused,
    written,
)

STEP = "sessions.1.steps"
Row = tuple[str, str, int, str | None, str | None]

# What is edited, into what, the line, the field, and how the message begins.
FORM: list[Row] = [
    ("task: renewal", "tusk: renewal", 1, "tusk", "unknown field 'tusk'; did you mean 'task'?"),
    ("task: renewal", "task: re newal", 1, "task", "String should match pattern"),
    ("me: P-2001", "twin: yes", 2, "twin", "'yes' is none of the known words; known: false, true"),
    ("me: P-2001", "tier: esay", 2, "tier", "'esay' is none of the known words; did you mean 'easy'"),
    ("me: P-2001", "window: 0", 2, "window", "Input should be greater than or equal to 1"),
    ("me: P-2001", "me:", 2, "me", "nothing stands here"),
    ("me: P-2001", "me: P-2001\nfactors: {sessions: 2}", 3, "factors.sessions", "this is counted; leave it out"),
    ("- revoke:", "- revoek:", REVOKE, f"{STEP}.0", "unknown verb 'revoek'; did you mean 'revoke'?"),
    ("- compact\n      - oblige", "- ask\n      - oblige", 14, "sessions.0.steps.5.ask", "nothing stands here"),
    ("- compact\n      - oblige", "- kompact\n      - oblige", 14, "sessions.0.steps.5", "a step is one verb and what it takes"),
    ("- compact\n      - oblige", "- {say: a, compact: }\n      - oblige", 14, "sessions.0.steps.5", "a step is one verb and what it takes; this one has 'say' and 'compact'"),
    ("- compact\n      - oblige", "- grant: DOC-1001\n      - oblige", 14, "sessions.0.steps.5.grant", "'grant' takes fields (name: value), no text alone"),
    ("- compact\n      - oblige", "- say: [a]\n      - oblige", 14, "sessions.0.steps.5.say", "'say' takes fields (name: value)"),
    ("- compact\n      - oblige", "- say: {text: a, rôle: b}\n      - oblige", 14, "sessions.0.steps.5.say.rôle", "unknown field 'rôle'; did you mean 'role'?"),
    ("values: [$4.37]", "values: $4.37", REVOKE, f"{STEP}.0.revoke.values", "a list is expected here"),
    ("was: $910.00, ", "", CORRECT, f"{STEP}.1.correct.was", "this field is required"),
    ("say: DOC-1001 is closed to you.", "phrasing: shouted, say: x", REVOKE, f"{STEP}.0.revoke.phrasing", "'shouted' is none of the known words"),
    ("check: cites,", "check: sites,", WORK, f"{STEP}.5.ask.task.0.check", "unknown check 'sites'; did you mean 'cites'?"),
    ("      - delete: {document: DOC-1003,", "      - delete: &x {document: DOC-1003,", DELETE, None, "the anchor &x is refused"),
    ("say: DOC-1003 was deleted.", "say: !!str x", DELETE, None, "the tag"),
    ("  - at: 2025-03-05T14:20", "  - at: soon", 16, "sessions.1.at", "'soon' is neither a time"),
    ("  - at: 2025-03-05T14:20\n", "  - id: s1\n    at: 2025-03-05T14:20\n", 16, "sessions.1.id", "another session is called 's1'"),
    ("  - at: 2025-03-05T14:20", "  - at: 9999-01-01T00:00", CORRECT, f"{STEP}.1.correct", "this comes after the last date"),
]  # fmt: skip

TOLD: list[Row] = [
    ("id: DOC-1002, title", "id: DOC-1001, title", CONTRACT, "sessions.0.steps.2.document.id", "another document is called 'DOC-1001'"),
    ("text: The cut is 8 percent., ", "", DRAFT, "sessions.0.steps.3.document", "a document has either a `text` or `versions`"),
    ("text: The cut is 8 percent., ", "text: a, versions: [b], ", DRAFT, "sessions.0.steps.3.document", "a document has either a `text` or `versions`"),
    ("rights: {P-2001: read}, ", "", PRICES, "sessions.0.steps.1.document.read", "it cannot be read here: error: you have no access to document DOC-1001"),
    ("owner: P-2009, rights", "owner: P-2099, rights", PRICES, "sessions.0.steps.1.document.owner", "there is no 'P-2099'"),
    ("id: DOC-1003, title", "id: DRAFT, title", DRAFT, "sessions.0.steps.3.document", "String should match pattern '^DOC-[0-9]{4}$' (got 'DRAFT')"),
    ("me: P-2001", "me: P-2077", 2, "me", "there is no 'P-2077'"),
    ("me: P-2001", "me: P-2001\nenvironment: workspce", 3, "environment", "unknown environment 'workspce'; did you mean 'workspace'?"),
    ("me: P-2001", "me: P-2001\nworld: {people: [a]}", 3, "world.people", "entries by id are expected here"),
    ("forbids: {tool: send_draft, arguments: {person_id: P-2009}}", "phrasing: rule", CONSTRAIN, "sessions.0.steps.0.constrain", "say either what it `forbids` or what it `requires`"),
    ("forbids: {tool:", "requires: {tool: a}, forbids: {tool:", CONSTRAIN, "sessions.0.steps.0.constrain", "say either what it `forbids` or what it `requires`"),
    ("wants: {cites: DOC-1004, phrase: 640 units, claim: We used 640 units.}, pending: {item: usage, reason: report}", "phrasing: rule", OBLIGE, "sessions.0.steps.6.oblige", "say what it `wants`, how it is `pending`, or both"),
    ("wants: {cites: DOC-1004, phrase", "wants: {cites: DOC-1004, tool: a, phrase", OBLIGE, "sessions.0.steps.6.oblige.wants", "an obligation wants either what `cites` a document or a `tool`"),
    ("wants: {cites: DOC-1004, phrase", "wants: {tool: draft_mail, phrase", OBLIGE, "sessions.0.steps.6.oblige.wants.phrase", "this belongs to `cites`, not to a `tool`"),
    ("wants: {cites: DOC-1004, phrase", "wants: {cites: DOC-1004, arguments: {a: b}, phrase", OBLIGE, "sessions.0.steps.6.oblige.wants.arguments", "this belongs to a `tool`, not to `cites`"),
    ("wants: {cites: DOC-1004, phrase: 640 units, claim: We used 640 units.}, pending: {item: usage, reason: report}", "pending: {item: usage}", OBLIGE, "sessions.0.steps.6.oblige.pending", "the ideal report needs a reason"),
    ("revoke: {document: DOC-1001,", "revoke: {document: DOC-1011,", REVOKE, f"{STEP}.0.revoke.document", "there is no 'DOC-1011' in this world; did you mean 'DOC-1001'?"),
    ("revoke: {document: DOC-1001,", "revoke: {document: s1/e2,", REVOKE, f"{STEP}.0.revoke.document", "'s1/e2' is no id of a document"),
    ("values: [$4.37]", "values: [$4.11]", REVOKE, f"{STEP}.0.revoke.values.0", "DOC-1001 does not say '$4.11'"),
    ("say: DOC-1001 is closed to you.", "say: Forget the $4.37.", REVOKE, f"{STEP}.0.revoke.values.0", "sessions.1.steps.0.revoke says '$4.37' too, and may still be used"),
    ("text: We used 640 units for $910.00.", "text: We used 640 units for $910.00 at $4.37.", REVOKE, f"{STEP}.0.revoke.values.0", "DOC-1004 says '$4.37' too, and may still be used"),
    ("request: Please submit the report and write to Ida.", "request: Is it 8 percent?", DELETE, f"{STEP}.3.delete.only_says.0", "sessions.1.steps.5.ask says '8 percent' too, and may still be used"),
    ("only_says: [8 percent]", "only_says: [9 percent]", DELETE, f"{STEP}.3.delete.only_says.0", "DOC-1003 does not say '9 percent'"),
    ("delete: {document: DOC-1003,", "delete: {document: mail,", DELETE, f"{STEP}.3.delete.document", "mail is no document, and only documents are deleted"),
    ("$910.00., document: DOC-1004,", "$910.00., document: DOC-1044,", CORRECT, f"{STEP}.1.correct.document", "there is no document 'DOC-1044'; did you mean 'DOC-1004'?"),
    ("$910.00., document: DOC-1004,", "$910.00.,", CORRECT, f"{STEP}.1.correct.claim", "a claim rests on a document: say which"),
    ("renewal., document: DOC-1002,", "renewal., document: DOC-102,", QUOTE, f"{STEP}.4.quote.document", "there is no document 'DOC-102'; did you mean 'DOC-1002'?"),
    ("say: Quote DOC-1002 on the renewal.", "id: deletion, say: x", QUOTE, None, None),
    ("- compact\n      - delete", "- lift: x\n      - lift: x\n      - delete", DELETE, f"{STEP}.3.lift", "the constraint of sessions.0.steps.0.constrain is lifted already"),
    ("- compact\n      - oblige", "- lift: {say: x, constraint: a}\n      - oblige", 14, "sessions.0.steps.5.lift.constraint", "there are 0 constraints 'a' before this; name the `id` of one"),
    ("      - constrain:", "      - lift: x\n      - constrain:", CONSTRAIN, "sessions.0.steps.0.lift", "there are 0 constraints before this; name the `id` of one"),
    ("      - delete:", "      - grant: {document: DOC-1001, say: x}\n      - delete:", REVOKE, f"{STEP}.0.revoke.values", "access is granted again by sessions.1.steps.3.grant, so this tests nothing; leave it out"),
    ("calls: [{tool: draft_mail", "calls: [{tool: submit_report, arguments: {claims: []}}, {tool: draft_mail", IDEAL, f"{STEP}.5.ask.ideal.claims", "the report stands in `calls`, so its claims belong there"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "field", "message"), FORM + TOLD)
def test_it_is_refused_at_its_line(
    tmp_path: Path, old: str, new: str, line: int, field: str | None, message: str | None
) -> None:
    path = edited(tmp_path, (old, new))
    if message is None:
        # The id of one kind is free for another: numbers are only given where none is.
        assert lint([path]) == []
        return
    error = refused(path)
    assert error.message.startswith(message), error.message
    assert (error.line, error.field) == (line, field)


def test_two_probes_of_one_id(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        ("revoke: {document", "revoke: {id: mine, document"),
        ("quote: {say", "quote: {id: mine, say"),
    )
    error = refused(path)
    assert (error.line, error.field) == (REVOKE, f"{STEP}.0.revoke.id")
    assert error.message == "another probe is called 'mine'"


def test_what_is_planted_after_the_last_decision_is_refused(tmp_path: Path) -> None:
    for step in (
        "constrain: {say: a, forbids: {tool: b}}",
        "quote: {say: a, document: DOC-1002, text: It renews in May.}",
        "revoke: {document: DOC-1001, say: a}",
        "lift: a",
    ):
        error = refused(written(tmp_path, f"{TASK}      - {step}\n"))
        verb = step.partition(":")[0]
        assert (error.line, error.field) == (WORK + 1, f"{STEP}.6.{verb}")
        assert error.message == "this comes after the last `ask`, so no decision tests it"


def test_a_task_asks_for_something(tmp_path: Path) -> None:
    text = TASK[: TASK.index("      - ask:")]
    error = refused(written(tmp_path, text))
    assert (error.line, error.field) == (6, "sessions")
    assert error.message == "a task asks for a decision: one step is `ask`"


def test_something_happens_in_each_session(tmp_path: Path) -> None:
    session = "  - at: 2025-03-04T09:00\n    steps:\n      - document: {id: DOC-1, title: a, owner: b, text: c}\n"
    text = TASK.replace("  - at: 2025-03-05", f"{session}  - at: 2025-03-05")
    error = refused(
        written(
            tmp_path,
            text.replace("id: DOC-1,", "id: DOC-1111,").replace("owner: b", "owner: P-2001"),
        )
    )
    assert (error.line, error.field) == (17, "sessions.1.steps")
    assert error.message == "nothing happens in this session"
    for steps in ("[]", "x", "{}"):
        error = refused(written(tmp_path, f"task: a\nsessions:\n  - at: 0\n    steps: {steps}\n"))
        assert error.line in (2, 4)
    error = refused(written(tmp_path, "task: a\nsessions: []\n"))
    assert (error.line, error.message) == (2, "a task has at least one session")
    error = refused(written(tmp_path, "task: a\n"))
    assert (error.line, error.field, error.message) == (1, "sessions", "this field is required")


def test_a_twin_with_too_long_a_name_is_refused(tmp_path: Path) -> None:
    name = "n" * 85
    path = edited(
        tmp_path, ("task: renewal", f"task: {name}"), ("correct: {say", "correct: {twin: true, say")
    )
    error = refused(path)
    assert (error.line, error.field) == (1, "task")
    assert error.message.endswith("has a name of more than 100 characters")


@pytest.mark.parametrize(
    ("edits", "line", "field", "message"),
    [
        (
            [(", values: [$4.37]", ", influence: true")],
            REVOKE,
            "sessions.1.steps.0.revoke.influence",
            "there are no `values` to be others",
        ),
        (
            [(", values: [$4.37]", ""), ("me: P-2001", "influence: true\nme: P-2001")],
            2,
            "influence",
            "no `revoke` has `values`, so there is no influence to measure",
        ),
        (
            [("A unit is $4.37", "A unit is cheap"), ("[$4.37]", "[is cheap], influence: true")],
            REVOKE,
            "sessions.1.steps.0.revoke.values.0",
            "there is no other value of the form of 'is cheap'",
        ),
        (
            [("task: renewal", f"task: {'n' * 85}"), ("[$4.37]", "[$4.37], influence: true")],
            1,
            "task",
            f"its version '{'n' * 85}.absent-revocation' has a name of more than 100 characters",
        ),
    ],
)
def test_influence_that_cannot_be_measured(
    tmp_path: Path, edits: list[tuple[str, str]], line: int, field: str, message: str
) -> None:
    error = refused(edited(tmp_path, *edits))
    assert (error.line, error.field, error.message) == (line, field, message)


def test_a_file_of_both_forms_is_refused(tmp_path: Path) -> None:
    error = refused(written(tmp_path, f"{TASK}script: {{}}\n"))
    assert (error.line, error.field) == (WORK + 1, "script")
    assert error.message.startswith("unknown field 'script'")


def test_every_verb_is_known_with_its_name() -> None:
    assert list(VERBS) == [
        *("say", "document", "compact", "constrain", "lift", "oblige", "revoke", "grant"),
        *("correct", "delete", "quote", "ask"),
    ]


def test_messages_are_of_one_kind(tmp_path: Path) -> None:
    error = refused(
        edited(tmp_path, ("request: Please submit the report and write to Ida.", "reqest: a"))
    )
    assert str(error) == (
        f"{tmp_path}/task.yaml:{REQUEST}: {STEP}.5.ask.reqest: unknown field 'reqest'; "
        "did you mean 'request'?"
    )
    assert isinstance(error, InputError) and ASK == REQUEST - 1
