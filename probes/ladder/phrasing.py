"""How things are said: at least six ways for each act.

A sentence that states or revises a fact names the subject's id and the value, and no other value
of that form, except that some revisions also name the value they replace.
"""

from random import Random

PLANTS = (
    "{Fact} is {value}.",
    "Please note that {fact} is {value}.",
    "For later, {fact} will be {value}.",
    "We settled on {value} as {fact}.",
    "As to {fact}, they confirmed {value}.",
    "Make a note: {value} is {fact}.",
    "Do not act yet, but {fact} is {value}.",
    "I checked it twice, {fact} is {value}.",
)

UPDATES = (
    "Correction: {fact} is now {value}.",
    "{Fact} has changed to {value}.",
    "We had to revise {fact}, it is {value} now.",
    "Scratch what I said before, {fact} is {value}.",
    "{value} takes the place of what we had as {fact}.",
    "{Fact} is {value} instead of {old}.",
    "{Fact} is not {old} but {value}.",
    "{Fact} changes from {old} to {value}.",
)

PROBE_FRAMES = (
    "Please {do} now.",
    "It is time to {do}.",
    "{Do}, as we discussed.",
    "Can you {do} with what you were told?",
    "The client is waiting, so {do}.",
    "Going by our earlier talk, {do}.",
    "You have all you need to {do}.",
    "{Do} by the details from before.",
)

INDEPENDENT_FRAMES = (
    "Please {do}.",
    "New task: {do}.",
    "Could you {do}?",
    "{Do}, that is all.",
    "Before we go on, {do}.",
    "A colleague asks you to {do}.",
    "One more thing for today, {do}.",
)


def say(frames: tuple[str, ...], source: Random, **parts: str) -> str:
    """Return one of the frames, filled in; a part `x` also serves as `X` at a sentence's start."""
    frame = source.choice(frames)
    capital = {name.capitalize(): text[0].upper() + text[1:] for name, text in parts.items()}
    return frame.format(**parts, **capital)
