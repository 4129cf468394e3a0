"""How things are said: at least twelve ways for each act.

A sentence that says something of a fact names the subject's id and the value, and no other value
of that form, except that some revisions also name the value they replace. Who understands the
sentence knows whether the value holds, held once, or from which day on it held; who only looks for
the first, the last or the most frequent value does not.
"""

from collections.abc import Mapping
from random import Random
from typing import Literal

Act = Literal["state", "revise", "restore", "state_dated", "report_late", "recall_past"]
"""What a sentence does with a value: it holds; it holds instead of another; it holds once more; it
holds from a day on; it held from an earlier day on, which is only now reported; it held once."""

FRAMES: Mapping[Act, tuple[str, ...]] = {
    "state": (
        "{Fact} is {value}.",
        "Please note that {fact} is {value}.",
        "For later, {fact} will be {value}.",
        "We settled on {value} as {fact}.",
        "As to {fact}, they confirmed {value}.",
        "Make a note: {value} is {fact}.",
        "Do not act yet, but {fact} is {value}.",
        "I checked it twice, {fact} is {value}.",
        "Keep in mind that {value} is {fact}.",
        "They wrote back, {fact} is {value}.",
        "{Fact}, as of this morning, is {value}.",
        "Write down {value} as {fact}.",
    ),
    "revise": (
        "Correction: {fact} is now {value}.",
        "{Fact} has changed to {value}.",
        "We had to revise {fact}, it is {value} now.",
        "Scratch what I said before, {fact} is {value}.",
        "{value} takes the place of what we had as {fact}.",
        "{Fact} is {value} instead of {old}.",
        "{Fact} is not {old} but {value}.",
        "{Fact} changes from {old} to {value}.",
        "There is news, {fact} is {value} from now on.",
        "They changed their mind and {fact} is {value}.",
        "Forget the earlier one, {fact} is {value}.",
        "{Fact} was {old}, but it is {value} today.",
    ),
    "restore": (
        "{Fact} goes back to {value}.",
        "We are back at {value} as {fact}.",
        "They reversed it, {fact} is {value} again.",
        "{Fact} is {value} once more.",
        "The change was called off, {fact} is {value} after all.",
        "{Fact} returns from {old} to {value}.",
        "Undo that, {fact} is {value} again and not {old}.",
        "{value} is {fact} again.",
        "{Fact} has been set back to {value}.",
        "As before the change, {fact} is {value}.",
        "It was a mistake to change it, {fact} is {value} after all.",
        "{Fact} stays {value} after all, not {old}.",
    ),
    "state_dated": (
        "From {day} on, {fact} is {value}.",
        "{Fact} is {value} with effect from {day}.",
        "Starting {day}, {fact} is {value}.",
        "As from {day} they use {value} as {fact}.",
        "{Fact} is {value}, beginning on {day}.",
        "Effective {day}, {fact} is {value}.",
        "Note that {fact} is {value} from {day} onwards.",
        "They confirmed {value} as {fact} from {day} on.",
        "{value} is {fact}, valid from {day}.",
        "We go by {value} as {fact} from {day} on.",
        "{Fact} became {value} on {day}.",
        "On {day} {fact} became {value}.",
    ),
    "report_late": (
        "A late report came in: since {day} {fact} is {value}.",
        "Somebody forgot to file this: since {day} {fact} is {value}.",
        "For the record only, since {day} {fact} is {value}, says an old form.",
        "An older note turned up, it says that since {day} {fact} is {value}.",
        "This reached us with delay: {fact} is {value} since {day}.",
        "The post was slow, here it says {fact} is {value} since {day}.",
        "Found in the backlog: since {day} {fact} is {value}.",
        "A form of theirs arrived late, since {day} {fact} is {value}.",
        "Out of order, but here it is: {fact} is {value} since {day}.",
        "The archive sent this today: {fact} is {value} since {day}.",
        "An overdue entry reads: since {day} {fact} is {value}.",
        "Late in the file stands that {fact} is {value} since {day}.",
    ),
    "recall_past": (
        "{Fact} used to be {value}.",
        "Back then {fact} was {value}.",
        "Before the change {fact} was {value}.",
        "At first {fact} was {value}, you may recall.",
        "Until they changed it, {fact} was {value}.",
        "In the old papers {fact} was {value}.",
        "Once upon a time {fact} was {value}.",
        "{value} was {fact} in the past.",
        "Formerly {fact} was {value}.",
        "They still laugh that {fact} was {value} at the start.",
        "Originally {fact} was {value}.",
        "{Fact} had been {value} before that.",
    ),
}

PROBE_FRAMES = (
    "Please {do} now.",
    "It is time to {do}.",
    "{Do}, as we discussed.",
    "Can you {do} with what you were told?",
    "The client is waiting, so {do}.",
    "Going by our earlier talk, {do}.",
    "You have all you need to {do}.",
    "{Do} by the details from before.",
    "Now {do}, you know how it stands.",
    "Would you {do} by what holds today?",
    "Let us get it done: {do}.",
    "It is due today, {do}.",
)

FULL_FRAMES = (
    "Please {do}.",
    "New task: {do}.",
    "Could you {do}?",
    "{Do}, that is all.",
    "Before we go on, {do}.",
    "A colleague asks you to {do}.",
    "One more thing for today, {do}.",
    "Something else came up: {do}.",
    "Quickly, {do}.",
    "When you have a minute, {do}.",
    "Then {do}.",
    "This came by mail: {do}.",
)


def say(frames: tuple[str, ...], source: Random, **parts: str) -> str:
    """Return one of the frames, filled in; a part `x` also serves as `X` at a sentence's start."""
    frame = source.choice(frames)
    capital = {name.capitalize(): text[0].upper() + text[1:] for name, text in parts.items()}
    return frame.format(**parts, **capital)
