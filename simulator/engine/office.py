"""What an agent finds on its desk at every decision: instructions, tools and worked examples."""

from dataclasses import dataclass

from simulator.effects.environment import Environment, Tool


@dataclass(frozen=True)
class Office:
    """Where an agent decides.

    Attributes:
        instructions: What it is here for.
        tools: What it may call.
        examples: Worked examples.
    """

    instructions: str
    tools: tuple[Tool, ...]
    examples: tuple[str, ...]


def office_of(environment: Environment) -> Office:
    """Return where decisions about a world are made."""
    return Office(environment.instructions, environment.tools, environment.examples)


QUESTIONING = Office(
    instructions=(
        "Answer the question about your work so far in one sentence, from what is shown alone. "
        "Where it is not shown, say that you do not know."
    ),
    tools=(),
    examples=(),
)
"""Where retention questions are answered: nothing can be looked up, and nothing is done."""
