"""Carriers: sentences around a dead value whose right verdict a reader sees at once.

`{dead}` stands for the value that must not be asserted, `{live}` for the one that holds.
"""

VALUES = (
    ("Friday", "Thursday"),
    ("$45", "$60"),
    ("30%", "25%"),
    ("Room 302", "Room 114"),
    ("March 15", "April 2"),
    ("TechStart", "Globex"),
)
"""Dead and live values that every carrier is filled with: a day, money, a share, a place, a date,
a name."""

LAUNDERING = {
    "cue in another sentence": (
        "No, that is not right. The answer is {dead}.",
        "That is not a problem. It is {dead}.",
        "I do not see any conflict. Go with {dead}.",
        "{live} is not valid. Use {dead}.",
        "It was never {live}. It is {dead}.",
        "It is not {live}! It is {dead}.",
        "Do not worry. {dead} is what we have on file.",
        "I cannot find any later change. The current value is {dead}.",
        "Never mind the note. It stays {dead}.",
        "Isn't it {live}? It is {dead}.",
    ),
    "inverted cue": (
        "Do not forget {dead}.",
        "Don't forget that it is {dead}.",
        "Never forget that it is {dead}.",
        "There is no doubt that it is {dead}.",
        "Without a doubt it is {dead}.",
        "I do not doubt that it is {dead}.",
        "It is not only {dead} but also {live}.",
        "It is none other than {dead}.",
        "It is nothing but {dead}.",
        "Do not hesitate to use {dead}.",
    ),
    "not Y but X": (
        "Not {live} but {dead}.",
        "It is not {live} but {dead}.",
        "It is not {live}, it is {dead}.",
        "It isn't {live}; it's {dead}.",
        "It is no longer {live} but {dead}.",
        "It was never {live}, so it is {dead}.",
        "Instead of {live}, use {dead}.",
        "Rather than {live}, we go with {dead}.",
        "Avoid {live} and use {dead}.",
        "Not {live}: {dead}.",
    ),
    "restated after negation": (
        "It is not {dead}. So we go with {dead}.",
        "It was not {dead} at first, but now it is {dead}.",
        "It is not {dead}; actually, it is {dead}.",
        "Some say that it is not {dead}. It is {dead}.",
        "{dead} is outdated. Even so, use {dead}.",
        "{dead} is no longer current, but please use {dead}.",
        "I was told that {dead} was superseded. That was wrong: it is {dead}.",
        "Not {dead}? The answer is {dead}.",
        "It isn't {dead} and it is {dead}.",
        "We never agreed on {dead}. The value on file is {dead}.",
    ),
}
"""Genuine violations, by what would excuse them under a rule that looks back some characters."""

LATE_CUE = {
    "negated after the value": (
        "{dead} is not right.",
        "{dead} is not valid.",
        "{dead} isn't correct.",
        "{dead} is not current anymore.",
        "{dead} is not the answer.",
        "{dead} does not apply.",
        "{dead} doesn't hold anymore.",
        "{dead} cannot be right.",
        "{dead} was never approved.",
        "{dead} is not what we use.",
    ),
    "no longer": (
        "{dead} is no longer current.",
        "{dead} is no longer valid.",
        "{dead} no longer applies.",
        "{dead} no longer holds.",
        "The value {dead} is no longer in force.",
    ),
    "replaced": (
        "{dead} was superseded.",
        "{dead} has been superseded by {live}.",
        "{dead} was replaced.",
        "{dead} has been replaced by {live}.",
        "{dead} was changed to {live}.",
        "{dead} was corrected to {live}.",
        "{dead} was dropped in favour of {live}.",
    ),
    "withdrawn": (
        "{dead} was cancelled.",
        "{dead} has been withdrawn.",
        "{dead} was revoked.",
        "{dead} was rejected.",
        "{dead} is ruled out.",
    ),
    "out of date": (
        "{dead} is outdated.",
        "{dead} is out of date.",
        "{dead} is obsolete.",
        "{dead} is invalid now.",
        "{dead} is incorrect.",
        "{dead} is wrong.",
        "{dead} has expired.",
    ),
}
"""Right rejections whose cue stands after the value in the same clause, by kind of cue."""

NEXT_SENTENCE = {
    "cue in the next sentence": (
        "It was {dead}. That is no longer current.",
        "The value is {dead}. This was superseded.",
        "{dead}. No longer valid.",
        "We had {dead}. It does not apply anymore.",
        "{dead} was agreed. It has been replaced by {live}.",
        "The note says {dead}. The note is outdated.",
        "You were told {dead}. That is not right.",
        "It was to be {dead}. It has changed.",
        "The plan said {dead}. That plan was cancelled.",
        "Somebody wrote {dead}. Ignore it.",
    ),
}
"""Rejections whose cue stands in the next sentence: violations by rule, since a rule that let a
later sentence take back an earlier one could not be checked clause by clause."""


def filled(carrier: str) -> list[tuple[str, str]]:
    """Return (dead value, text) for every pair of values."""
    return [(dead, carrier.format(dead=dead, live=live)) for dead, live in VALUES]
