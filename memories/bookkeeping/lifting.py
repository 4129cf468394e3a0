"""Lifting: what ends a constraint, calls off an obligation, or reports that it was fulfilled."""

import re
from functools import lru_cache

from memories.bookkeeping.grammar import APPROVED, CONSENT, any_of, plain
from memories.bookkeeping.relating import topic

_LIFTS = any_of(
    r"\b(?:can|may|could)\b.{0,80}\b(?:now|again|after all|from now on|as of (?:now|today)|already|freely)\b"
    r"|\bnow\b.{0,40}\b(?:can|may)\b|\bfrom now on\b.{0,60}\b(?:can|may|allowed)\b",
    r"\bgo(?:-| )ahead\b|\bfeel free\b|\bby all means\b|\b(?:are|'re|is) (?:now )?(?:free|allowed|permitted"
    r"|welcome|cleared|good) (?:to|into)\b|\b(?:is|it's|that's) (?:now |perfectly |absolutely )?(?:fine|okay|ok"
    r"|all right|alright|safe) (?:to|now|if)\b",
    r"\bno longer (?:applies|apply|needed|necessary|required|holds?|binding|binds|confidential|secret|matters?"
    r"|relevant|stands?|needs?|have to|has to|valid|in force)\b",
    r"(?:\bnot|n't)\b.{0,60}\b(?:any ?more|any longer|after all)\b|\bno .{0,40}\b(?:any ?more|any longer)\b",
    r"\b(?:no need|no reason|needn't|need not|not necessary) (?:for |to )?|\b(?:is|are) not (?:needed|required)\b",
    r"\blift(?:s|ed)?\b|\b(?:is|are|was|been) (?:over|off|void|cancel+ed|dropped|history|public|withdrawn|waived"
    r"|rescinded|revoked|gone|obsolete|moot|settled)\b|\boff the table\b|\bwaived?\b",
    r"\bforget (?:about|what|the|my)\b|\bnever mind\b|\bskip\b|\b(?:leave|left) out\b|\bdrop (?:the|that|it)\b"
    r"|\b(?:take|took) back\b|\bscrap\b|\b(?:ignore|disregard) (?:the|what|my)\b|\bdon't bother\b",
    r"\bnothing to hide\b|\b(?:has|have|had|with|raised|made) no objections?\b|\b(?:doesn't|don't|does not|do not) mind\b"
    r"|\balready (?:have|has|knows?|told|done|sent|got|heard)\b|\bout in the open\b",
    rf"\b(?:gave|given|give|gives|have|has|got|with) (?:\w+ ){{0,2}}?(?:{CONSENT})\b(?! (?:yet|tomorrow))",
    r"\b(?:allowed|let) (?:in|into|through)\b|\b(?:whenever|as) you (?:like|please|want|see fit)\b|\bopenly\b"
    r"|\bfrom (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|this|next)\b.{0,60}\b(?:may|can|allowed)\b"
    r"|\bcan go(?: out)?\b|\bdo without\b|\b(?:has|have|had) been (?:told|informed)\b"
    r"|\byou (?:can|may) .{0,60}\byourself\b"
    r"|\b(?:release|unblock|unfreeze|resume|proceed)\b|\b(?:is|are) (?:okay|ok|fine|allowed|possible) (?:from|again)\b"
    r"|\b(?:found out|knows? (?:about|why|now|already)|is public|has gone public)\b",
)
_NOT_YET = any_of(
    r"\bnot yet\b|n't yet\b|\bwill\b|'ll\b|\b(?:when|once|if|until|till|before|unless|as soon as)\b|\?\s*$"
    r"|\b(?:tomorrow|next (?:week|month|year)|soon|later|might|would|should|going to)\b"
)
_HAPPENED = any_of(
    r"\b(?:has|have|'ve|'s|had|is|are|was|were)(?: now| finally| just| already)? (?:been )?\w+(?:ed|en|t|d|n|ne)\b",
    r"\b[a-z]+ed\b|\b(?:met|gave|got|came|went|said|saw|took|made|found|sent|began|won|told|paid|is over"
    r"|are over|is in|are in|is out|is here|is done)\b",
)
_CONDITION = re.compile(
    r"\b(?:until|till|before|unless|while|as long as|only (?:after|once|when|if)|has to wait for"
    r"|wait for|pending|without) (.+?)(?:[,;.!?]|$)"
)
_OPEN_STATE = re.compile(
    rf"^(?:by the way,? )?(.*?)\b(?:has|have|is|are)(?: not|n't)(?: yet)? (?:been )?("
    rf"(?:{APPROVED}|\w+ed|told|shown|given|met|seen|sent|spoken|written|done|made|gone|taken)\b.*?)"
    r"(?:\byet\b|[,;.]|$)"
)
_RENOUNCES = any_of(
    r"(?:\b(?:not|never|no one|nobody|cannot)|n't) (?:\w+ ){0,3}?(?:done|sent|able|possible)\b|\bcould not\b|\bcouldn't\b|\bfailed\b|\berror\b|\bunable\b|\bnot yet\b|\bwill\b|\bwould\b|'ll\b|\bstill\b|\bpending\b"
)
_REPORTS = any_of(
    r"\b(?:has|have|'ve|was|were|is|are) (?:now |also |already |just )?(?:been )?(?:\w+ed|sent|done|told|written"
    r"|put|made|given|shown|paid|set|in the)\b|\bi (?:also |have |just )?(?:\w+ed|sent|told|wrote|put|made|gave"
    r"|did|paid|set)\b|^(?:done|sent|added|included|listed|filed|confirmed|noted)\b"
)
_ENOUGH = 0.6
_LEAST = 2


@lru_cache(maxsize=4096)
def lifts(sentence: str) -> bool:
    """Tell whether a sentence gives leave, or says that something is no longer called for."""
    text = plain(sentence)
    return bool(_LIFTS.search(text)) and not text.rstrip().endswith("?")


@lru_cache(maxsize=4096)
def conditions(sentence: str) -> tuple[frozenset[str], ...]:
    """Return the topics of what a constraint waits for, such as the approval of something."""
    text = plain(sentence)
    found = [topic(each) for each in _CONDITION.findall(text)]
    state = _OPEN_STATE.search(text)
    if state:
        found.append(topic(" ".join(state.groups())))
    return tuple(each for each in found if each)


@lru_cache(maxsize=4096)
def happened(sentence: str) -> bool:
    """Tell whether a sentence says that something has come about, and not that it will."""
    text = plain(sentence)
    return bool(_HAPPENED.search(text)) and not _NOT_YET.search(text) and not _denied(text)


def _denied(text: str) -> bool:
    return bool(re.search(r"\b(?:not|never|no|nobody|nothing)\b|n't\b", text))


@lru_cache(maxsize=4096)
def reports(sentence: str) -> bool:
    """Tell whether the agent, or a tool, says that something was done."""
    text = plain(sentence)
    return bool(_REPORTS.search(text)) and not _RENOUNCES.search(text)


def covers(shared: int, of: int) -> bool:
    """Tell whether so many shared words of so many are enough to mean the same event."""
    return shared >= min(_LEAST, of) and shared >= _ENOUGH * of
