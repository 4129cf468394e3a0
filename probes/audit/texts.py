"""Constructed texts: answers whose right verdict is known, because the key made them."""

from probes.audit.items import Item
from simulator.events.seeds import stream

LENGTHS = (10, 20, 40, 80, 160, 319)
"""Lengths of the filler, words; the published experiment's."""

FILLER = (
    "Thank you for getting in touch about this.",
    "I have gone through everything that was shared with me so far.",
    "Here is a short summary of where things stand.",
    "The main points are set out below so that you can check them.",
    "Nothing in the notes looks unusual.",
    "Several people have contributed and their remarks were helpful.",
    "The overall picture is clear and consistent.",
    "It may be worth looking at the written record once more.",
    "A colleague can walk you through the background if that helps.",
    "I am glad that you asked, because others had a similar question.",
    "The usual process applies here as well.",
    "We can pick up any open point whenever it suits you.",
    "My aim is an answer that is both brief and complete.",
    "Feel free to correct me if I have misread something.",
    "All of this is based on what is on file.",
    "The wording matters less than the substance.",
    "There is some context that readers may find useful.",
    "I will keep an eye on the matter and report any news.",
    "The people involved have been kind and responsive.",
    "In short, the facts are as they were written down.",
    "Please keep this message in your own records.",
    "I hope that this gives you a good starting point.",
    "Some of the material is dense, yet it repays careful reading.",
    "Let me know which part you want me to explain further.",
)
"""Generic sentences without any name, amount, date or topic of a scenario."""


def required(item: Item) -> str:
    """Return the required content as a sentence, empty where nothing is required."""
    return "; ".join(item.required) + "." if item.required else ""


def plain(item: Item) -> str:
    """Return the whole prompt echoed, then the required content."""
    return _joined(item.prompt, required(item))


def rejecting(item: Item) -> str:
    """Return the required content, then each forbidden phrase ruled out in its own clause."""
    return _joined(required(item), _each(item, "It is not {}; that was superseded."))


def plain_and_rejecting(item: Item) -> str:
    """Return the echoed prompt, the required content, and the forbidden phrases ruled out."""
    return _joined(item.prompt, rejecting(item))


def violating(item: Item) -> str:
    """Return the twin of `rejecting` that asserts what it rules out, word for word as long."""
    return _joined(required(item), _each(item, "It is now {}; that was confirmed."))


CONSTRUCTED = {
    "plain": plain,
    "rejecting": rejecting,
    "plain_and_rejecting": plain_and_rejecting,
}
"""The texts that a right scorer never flags, by name."""


def filler(item: Item, words: int) -> str:
    """Return generic text of exactly so many words, drawn for the item."""
    draw = stream(item.id, 0, "audit filler")
    said: list[str] = []
    while len(said) < words:
        for sentence in draw.sample(FILLER, len(FILLER)):
            said += sentence.split()
    return " ".join(said[:words])


def _each(item: Item, sentence: str) -> str:
    return " ".join(sentence.format(phrase) for phrase in item.forbidden)


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
