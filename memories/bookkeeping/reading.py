"""Reading: what one sentence of a person is to the ledger."""

from functools import lru_cache
from typing import Literal

from memories.bookkeeping.constraints import forbids
from memories.bookkeeping.corrections import corrects
from memories.bookkeeping.force import ENOUGH, force
from memories.bookkeeping.grammar import any_of, plain
from memories.bookkeeping.obligations import obliges
from memories.bookkeeping.quotations import asks_to_quote

Kind = Literal["constraint", "obligation", "quotation", "correction"]

_NOT_TO_MISS = any_of(
    r"\b(?:wouldn't|would not|don't|do not|won't|will not) (?:want to |like to |wish to )?(?:send|submit|hand|publish|sign"
    r"|see)\b.{0,40}\bwithout (?:the|an?|its|their|any)\b",
    r"\b(?:don't|do not|never|must not|shouldn't|should not|not to) (?:let\b.{1,60}\b(?:slip|drop|fall|out of"
    r" sight)|(?:forget|omit|overlook|skip|miss|leave out|lose sight)\b)",
)


@lru_cache(maxsize=4096)
def read(sentence: str) -> Kind | None:
    """Return what a sentence is by the patterns; None for one that they do not know.

    A request for a passage goes before a limit, for it may say "do not paraphrase", and a limit
    before a duty.
    """
    if asks_to_quote(sentence):
        return "quotation"
    if _NOT_TO_MISS.search(plain(sentence)):
        return "obligation"
    if forbids(sentence):
        return "constraint"
    if obliges(sentence):
        return "obligation"
    if corrects(sentence):
        return "correction"
    return None


def suggested(sentence: str) -> Kind | None:
    """Return what weak signs together suggest of a sentence that no pattern knows."""
    limit, demand = force(sentence)
    if max(limit, demand) < ENOUGH:
        return None
    return "constraint" if limit >= demand else "obligation"
