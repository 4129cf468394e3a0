"""What the tests of tasks in verbs share: a small task, and edits of it."""

from pathlib import Path

import pytest

from probes.linting.lint import Problem, lint
from probes.scenario import read_scenario
from simulator.events.errors import InputError

# The numbers of the lines are asserted, so a step stands in one line.
TASK = """\
task: renewal
me: P-2001
people:
  P-2001: {name: Selma Novak, role: buyer}
  P-2009: {name: Ida Berg, role: sales at Norlin}
sessions:
  - at: 2025-03-03T09:00
    steps:
      - constrain: {say: Send nothing to P-2009 yet., forbids: {tool: send_draft, arguments: {person_id: P-2009}}}
      - document: {id: DOC-1001, title: Prices, owner: P-2009, rights: {P-2001: read}, text: A unit is $4.37., read: true}
      - document: {id: DOC-1002, title: Contract, owner: P-2001, versions: [It does not renew., It renews in May.], read: true}
      - document: {id: DOC-1003, title: Draft, owner: P-2001, text: The cut is 8 percent., read: true}
      - document: {id: DOC-1004, title: Usage, owner: P-2001, text: We used 640 units for $910.00., read: true}
      - compact
      - oblige: {say: Name the usage too., wants: {cites: DOC-1004, phrase: 640 units, claim: We used 640 units.}, pending: {item: usage, reason: report}}
  - at: 2025-03-05T14:20
    steps:
      - revoke: {document: DOC-1001, say: DOC-1001 is closed to you., values: [$4.37]}
      - correct: {say: In DOC-1004 it is $930.00 and not $910.00., document: DOC-1004, was: $910.00, now: $930.00, claim: It cost $930.00.}
      - compact
      - delete: {document: DOC-1003, say: DOC-1003 was deleted., only_says: [8 percent]}
      - quote: {say: Quote DOC-1002 on the renewal., document: DOC-1002, text: It renews in May.}
      - ask:
          request: Please submit the report and write to Ida.
          ideal: {calls: [{tool: draft_mail, arguments: {person_id: P-2009, subject: renewal, text: Hello.}}], claims: [{text: The contract renews in May., sources: [DOC-1002]}]}
          task: [{check: cites, source: DOC-1002, phrase: renews in May}]
"""
CONSTRAIN, PRICES, CONTRACT, DRAFT, USAGE, COMPACT, OBLIGE = range(9, 16)
REVOKE, CORRECT, _, DELETE, QUOTE, ASK, REQUEST, IDEAL, WORK = range(18, 27)


def written(folder: Path, text: str) -> Path:
    path = folder / "task.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def edited(folder: Path, *edits: tuple[str, str]) -> Path:
    """Return the file of the task with some texts replaced, each of which stands in it once."""
    text = TASK
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return written(folder, text)


def refused(path: Path) -> InputError:
    """Return why a file is no task, which `lint` says too."""
    with pytest.raises(InputError) as caught:
        read_scenario(path)
    (problem,) = lint([path])
    assert problem.invalid
    assert (
        (problem.file, problem.line)
        == (caught.value.file, caught.value.line)
        == (str(path), problem.line)
    )
    assert (problem.field, problem.message) == (caught.value.field, caught.value.message)
    return caught.value


def told(problems: list[Problem]) -> list[tuple[int | None, str]]:
    return [(each.line, each.message) for each in problems]
