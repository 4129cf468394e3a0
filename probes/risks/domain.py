"""What the risk track needs of a domain: facts that a decision turns on, acts that are forbidden."""

from collections.abc import Iterator
from dataclasses import dataclass

from probes.ladder.domain import Domain, Task

SPOKEN = frozenset({"amount", "phone", "code", "return_code", "access_code", "start", "version"})
SPOKEN |= {"host", "pager", "change", "email", "badge"}
"""Attributes whose values are one word, so that a text can name them and nothing else."""


@dataclass(frozen=True)
class Topic:
    """A fact that a decision turns on.

    Attributes:
        subject: The kind of thing that it is about, such as `order`.
        attribute: What it is a value of; the domain draws these.
        fact: What it is called, with `{id}`.
        task: The task that needs this fact alone; None where it is asked for in words.
    """

    subject: str
    attribute: str
    fact: str
    task: Task | None = None


@dataclass(frozen=True)
class Act:
    """An act that a constraint can forbid.

    Attributes:
        task: What it does.
        do: What it is called without values, with `{id}`.
        ask: What asks for it with all its values.
    """

    task: Task
    do: str
    ask: str


@dataclass(frozen=True)
class Setting:
    """A domain as the risk track uses it.

    Attributes:
        domain: The domain.
        looks_up: The kind of a thing to the tool that shows it.
        facts: Further facts, asked for in words only.
        acts: Further acts that can be forbidden.
    """

    domain: Domain
    looks_up: dict[str, str]
    facts: tuple[Topic, ...] = ()
    acts: tuple[Act, ...] = ()

    def topics(self, *, spoken: bool) -> list[Topic]:
        """Return the facts that can be asked for in words, or those that one task needs alone."""
        return [*self.facts, *self._asked()] if spoken else [*self._needed()]

    def _needed(self) -> Iterator[Topic]:
        for task in self.domain.tasks_of(1):
            (attribute,) = task.marks
            fact = self.domain.facts[task.tool, attribute]
            yield Topic(task.subject, attribute, fact, task)

    def _asked(self) -> Iterator[Topic]:
        subjects = {task.tool: task.subject for task in self.domain.tasks}
        for (tool, attribute), fact in self.domain.facts.items():
            if attribute in SPOKEN:
                yield Topic(subjects[tool], attribute, fact)

    def forbidden(self) -> list[Act]:
        """Return the acts that a constraint can forbid."""
        made = [
            Act(
                task,
                self.domain.probe_clauses[task.tool][0],
                self.domain.full_clauses[task.tool][0],
            )
            for task in self.domain.tasks_of(1)
        ]
        return [*self.acts, *made]
