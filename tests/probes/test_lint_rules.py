"""Each rule of lint by a small scenario that breaks it alone: file, line, field and message."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.linting.lint import Problem, lint
from probes.linting.wording import plain_form

TALK = """\
script:
  arc: review
  environment: conversation
  episodes:
    - id: e1
      at: 2025-03-03T09:00
      events:
        - {id: m1, kind: message, text: The review is on Friday in room 1204.}
        - {id: m2, kind: message, text: The review is on Thursday now.}
    - id: e2
      at: 2025-03-04T09:00
      events:
        - {id: d1, kind: decision, request: When is the review?}
        - {id: m9, kind: message, text: Thursday it was.}
key:
  probes:
    - id: p1
      kind: question
      decision: e2/d1
      dependent: true
      gold:
        - {name: day, value: Thursday, evidence: [e1/m2]}
      forbidden:
        - {value: Friday, failure: resurrection, evidence: [e1/m1]}
      checks:
        - {check: says, phrase: Thursday}
        - {check: never_says, phrase: Friday, failure: resurrection}
"""

LAMP = """\
script:
  arc: lamp
  environment: support
  world:
    customers: {C-2207: {name: Selma Novak, phone: 431-555-0117}}
    orders:
      O-2210:
        {customer: C-2207, item: lamp, total: $1412.00, status: packed, address: 118 Tulip Road}
  episodes:
    - id: e1
      at: 2025-03-03T09:00
      events:
        - {id: m1, kind: message, text: The refund for order O-2210 is $35.20.}
        - {id: m2, kind: message, text: The refund for order O-2210 is $28.40 now.}
    - id: e2
      at: 2025-03-04T09:00
      events:
        - {id: d1, kind: decision, request: Please issue the refund for order O-2210.}
key:
  probes:
    - id: p1
      kind: update
      decision: e2/d1
      dependent: true
      gold:
        - {name: amount, value: $28.40, evidence: [e1/m2]}
      forbidden:
        - {value: $35.20, failure: resurrection, evidence: [e1/m1]}
      checks:
        - {check: world, path: /refunds/O-2210, equals: $28.40}
        - {check: not_called, tool: issue_refund, arguments: {amount: $35.20}}
      reference:
        calls:
          - {tool: issue_refund, arguments: {order_id: O-2210, amount: $28.40}}
"""

P1 = "probe 'p1'"
E2 = "probe 'p1' of episode 'e2'"
GOLD = "      gold:\n        - {name: day, value: Thursday, evidence: [e1/m2]}\n"
DEAD = (
    "      forbidden:\n        - {value: Friday, failure: resurrection, evidence: [e1/m1]}\n"
    "      checks:\n"
)
SAYS = "        - {check: says, phrase: Thursday}\n"
NEVER = "        - {check: never_says, phrase: Friday, failure: resurrection}\n"
DUE = "{check: not_called, tool: issue_refund, arguments: {amount: $35.20}}"
WORLD = "{check: world, path: /refunds/O-2210, equals: $28.40}"
ASSERTED = "answer 'Thursday. It is now Friday; that was confirmed.'"
CALL = 'issue_refund({"amount":"$28.40","order_id":"O-2210"})'


def broken(path: Path, base: str, *edits: tuple[str, str]) -> list[Problem]:
    """Return lint's problems with a scenario after edits of its text."""
    for old, new in edits:
        assert base.count(old) == 1, old
        base = base.replace(old, new)
    path.write_text(base, encoding="utf-8")
    return lint([path])


def line(path: Path, marker: str) -> int:
    (number,) = (
        number
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if marker in text
    )
    return number


@pytest.mark.parametrize("base", [TALK, LAMP])
def test_the_two_scenarios_are_clean(tmp_path: Path, base: str) -> None:
    assert broken(tmp_path / "clean.yaml", base) == []


CASES = [
    # an empty check list
    (TALK, [(SAYS + NEVER, ""), ("      checks:\n", "      checks: []\n")],
     "checks: []", "key.probes.0.checks", f"{P1} has no checks: everybody passes it"),
    # a check that nothing can fail
    (LAMP, [(DUE, f"{DUE}\n        - {{check: not_called, tool: refund}}")],
     "tool: refund}", "key.probes.0.checks.2",
     f"{E2}: no variant fails this check, so it tests nothing"),
    (LAMP, [(DUE, f"{DUE}\n        - {{check: not_called, tool: issue_refund, arguments: {{"
             "sum: $1.00}}")],
     "sum:", "key.probes.0.checks.2", f"{E2}: no variant fails this check, so it tests nothing"),
    # a forbidden value that no check forbids
    (TALK, [(NEVER, "")],
     "{value: Friday", "key.probes.0.forbidden.0",
     f"{E2}: variant 'violation' passes, so nothing forbids it: {ASSERTED}"),
    (LAMP, [("value: $35.20, failure: resurrection, evidence: [e1/m1]",
             "value: room 12, failure: leakage")],
     "{value: room 12", "key.probes.0.forbidden.0",
     f"{E2}: no variant is seen to use 'room 12'"),
    # gold that no check rests on
    (TALK, [(GOLD, GOLD + "        - {name: room, value: room 1204, evidence: [e1/m1]}\n")],
     "value: room 1204", "key.probes.0.gold.1",
     f"{E2}: variant 'other value' passes, so no check rests on this gold value: "
     "answer 'Thursday.'"),
    # gold that its evidence does not contain, and evidence that comes too late
    (TALK, [("evidence: [e1/m2]", "evidence: [e1/m1]")],
     "value: Thursday", "key.probes.0.gold.0.evidence.0",
     f"{P1}: event 'e1/m1' does not contain 'Thursday'"),
    (TALK, [("evidence: [e1/m1]", "evidence: [e1/m2]")],
     "value: Friday", "key.probes.0.forbidden.0.evidence.0",
     f"{P1}: event 'e1/m2' does not contain 'Friday'"),
    (TALK, [(", evidence: [e1/m2]", "")],
     "value: Thursday", "key.probes.0.gold.0.evidence", f"{P1}: no event states 'Thursday'"),
    # gold in the probe's inputs or in the initial world
    (TALK, [("request: When is the review?", "request: Is the Thursday review on?"),
            ("{check: says, phrase: Thursday}", "{check: says, phrase: Thursday it is}"),
            ("key:\n", "key:\n  tier: easy\n"),
            ("      checks:\n", "      reference: {answer: Thursday it is.}\n      checks:\n")],
     "request: Is the Thursday", "script.episodes.1.events.0",
     f"{P1}: 'Thursday' can be read without a memory (key.probes.0.gold.0)"),
    (LAMP, [("item: lamp", "item: $28.40")],
     "item: $28.40", "script.world.orders.O-2210.item",
     f"{P1}: '$28.40' can be read without a memory (key.probes.0.gold.0)"),
    # a trap without gold
    (TALK, [(GOLD, ""), ("dependent: true", "dependent: false")],
     "- id: p1", "key.probes.0.gold",
     f"{P1} is a trap, but no gold says what is right instead"),
    (TALK, [(GOLD, "")],
     "- id: p1", "key.probes.0.gold",
     f"{P1} depends on an earlier session, but no gold says on what"),
    # wanted and forbidden at once, also in another spelling
    (TALK, [(GOLD, GOLD + "        - {name: room, value: \"1204\", evidence: [e1/m1]}\n"),
            (SAYS, SAYS + "        - {check: says, phrase: \"1204\"}\n"),
            (NEVER, NEVER + "        - {check: never_says, phrase: \"1,204.00\","
             " failure: fabrication}\n")],
     "name: room", "key.probes.0.gold.1.value",
     f"{P1} wants and forbids '1204' as '1,204.00'"),
    # phrases that a right answer may say
    (TALK, [(NEVER, NEVER + "        - {check: never_says, phrase: meeting,"
             " failure: fabrication}\n")],
     "phrase: meeting", "key.probes.0.checks.2.phrase",
     f"{P1} forbids 'meeting', which a right answer may say: a topic word"),
    (TALK, [("{value: Friday", "{value: \"$\", failure: leakage}\n        - {value: Friday")],
     'value: "$"', "key.probes.0.forbidden.0.value",
     f"{P1} forbids '$', which a right answer may say: symbols only"),
    (TALK, [("{value: Friday", "{value: \" \", failure: leakage}\n        - {value: Friday")],
     'value: " "', "key.probes.0.forbidden.0.value",
     f"{P1} forbids ' ', which a right answer may say: blank"),
    (TALK, [("{value: Friday", "{value: Because, failure: leakage}\n        - {value: Friday")],
     "value: Because", "key.probes.0.forbidden.0.value",
     f"{P1} forbids 'Because', which a right answer may say: a stop word"),
    # the ideal decision does not pass, alone or when it rules out the dead value
    (LAMP, [("equals: $28.40", "equals: $28.50")],
     "equals: $28.50", "key.probes.0.checks.0",
     f"{E2}: variant 'ideal' does not pass: /refunds/O-2210 is \"$28.40\", not \"$28.50\""),
    (LAMP, [("{tool: issue_refund, arguments: {order_id: O-2210, amount: $28.40}}",
             "{tool: issue_refund, arguments: {order_id: O-2210, amount: $28.40}}\n"
             "        answer: It was $35.20, I paid it.")],
     "{value: $35.20", "key.probes.0.forbidden.0", f"{E2}: variant 'ideal' uses '$35.20'"),
    # a violation, a violation by a call, an echo that passes
    (LAMP, [(WORLD, "{check: called, tool: issue_refund, arguments: {order_id: O-2210}}"),
            (f"        - {DUE}\n", ""),
            ("      gold:\n        - {name: amount, value: $28.40, evidence: [e1/m2]}\n", ""),
            ("dependent: true", "dependent: false"), ("kind: update", "kind: independent"),
            ("failure: resurrection", "failure: leakage")],
     "{value: $35.20", "key.probes.0.forbidden.0",
     f"{E2}: variant 'violation' passes, so nothing forbids it: "
     f"{CALL} answer 'Done. It is now $35.20; that was conf…"),
    (TALK, [("request: When is the review?", "request: Which Thursday?"),
            ("value: Thursday,", "value: on Thursday now,"),
            ("      checks:\n", "      reference: {answer: It is on Thursday now.}\n"
             "      checks:\n")],
     "checks:", "key.probes.0.checks",
     f"{E2}: variant 'echo' passes: answer 'This is about Thursday.'"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "edits", "marker", "field", "message"), CASES)
def test_one_rule_is_broken_and_nothing_else_is_said(
    tmp_path: Path,
    base: str,
    edits: list[tuple[str, str]],
    marker: str,
    field: str,
    message: str,
) -> None:
    path = tmp_path / "broken.yaml"
    found = broken(path, base, *edits)
    assert found == [Problem(str(path), line(path, marker), field, message, invalid=False)]


def test_evidence_after_the_probe_cannot_be_played(tmp_path: Path) -> None:
    path = tmp_path / "late.yaml"
    (found,) = broken(path, TALK, ("evidence: [e1/m2]", "evidence: [e2/m9]"))
    assert found == Problem(
        str(path),
        line(path, "value: Thursday"),
        "key.probes.0.gold.0.evidence.0",
        "probe 'p1' at 'e2/d1': its evidence 'e2/m9' does not come before it",
        invalid=True,
    )


def test_a_probe_that_wants_nothing_is_passed_by_every_evasion(tmp_path: Path) -> None:
    path = tmp_path / "evaded.yaml"
    edits = ((GOLD, ""), (SAYS, ""), ("dependent: true", "dependent: false"))
    found = broken(
        path, TALK, *edits, ("failure: resurrection, evidence", "failure: leakage, evidence")
    )
    assert [each.field for each in found] == ["key.probes.0.checks"] * 3
    assert [each.message for each in found] == [
        f"{E2}: variant 'silence' passes: answer ''",
        f"{E2}: variant 'refusal' passes: refusal 'I cannot help with that.'",
        f"{E2}: variant 'echo' passes: answer 'When is the review?'",
    ]


def test_an_action_that_need_not_be_done_is_noticed(tmp_path: Path) -> None:
    found = broken(
        tmp_path / "words.yaml",
        LAMP,
        (WORLD, "{check: says, phrase: $28.40}"),
        (DUE, "{check: never_says, phrase: $35.20, failure: resurrection}"),
        ("amount: $28.40}}", "amount: $28.40}}\n        answer: I paid $28.40."),
    )
    assert [each.message for each in found] == [
        f"{E2}: variant 'words alone' passes: answer 'I paid $28.40. $28.40'"
    ]


def test_a_call_that_only_the_world_refuses_may_be_forbidden(tmp_path: Path) -> None:
    # There is no order O-9999, so nothing can be played; an agent might still try.
    forbidden = f"{DUE}\n        - {DUE.replace('amount: $35.20', 'order_id: O-9999')}"
    assert broken(tmp_path / "world.yaml", LAMP, (DUE, forbidden)) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000", "1000"),
        ("1000", "1000.00"),
        ("1,000", "1 000.0"),
        ("$ 5.50", "$5.5"),
        ("10 %", "10%"),
        ("1,234,567.10", "1234567.1"),
        ("FRIDAY", " friday "),
        ("Room  302", "room 302"),
        ("0.50", "0.5"),
        ("CHF 1\u2019250.00", "CHF 1250"),
        ("3.00 pm", "3 PM"),
        ("\u201cA\u201d", '"a"'),
    ],
)
def test_spellings_of_one_value(one: str, other: str) -> None:
    assert plain_form(one) == plain_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("v1.10", "v1.1"),
        ("1.10.2", "1.1.2"),
        ("1,00", "100"),
        ("10", "100"),
        ("0117", "117"),
        ("1.5", "15"),
        ("c-1", "c-12"),
        ("$45", "45%"),
        ("1,000.5", "1,0005"),
        ("10", "1"),
    ],
)
def test_different_values(one: str, other: str) -> None:
    assert plain_form(one) != plain_form(other)


@given(st.integers(0, 10**9), st.integers(0, 99))
def test_an_amount_has_one_plain_form(whole: int, cents: int) -> None:
    spellings = {f"{whole}.{cents:02d}", f"{whole:,}.{cents:02d}", f" {whole}.{cents:02d}0"}
    spellings |= {str(whole), f"{whole:,}", f"{whole:,}.0"} if cents == 0 else set()
    assert len({plain_form(each) for each in spellings}) == 1
