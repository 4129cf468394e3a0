"""Notices of the platform: what was withdrawn, deleted or granted, and of which things it speaks."""

import re
from functools import lru_cache
from typing import Literal

from memories.bookkeeping.grammar import any_of, plain

Change = Literal["withdrawn", "deleted", "granted"]

_ID = re.compile(r"\b[A-Z][A-Za-z]{0,11}-\d[\w-]*")
_GRANTED = any_of(
    r"\brenewed\b|\b(?:seal|block|ban|lock|hold|restriction)\b.{0,20}\b(?:removed|lifted|ended)\b"
    r"|\b(?:restored|granted|reinstated|regained|unlocked|re-?opened|given back|readmitted)\b"
    r"|\b(?:come|came|is|are) back\b|\b(?:again|once more|as before|anew)\b|\bagain allowed\b"
)
_NOT = any_of(
    r"(?:\b(?:not|never|no)|n't) (?:been )?(?:restored|granted|reinstated|given)\b",
    r"\b(?:cannot|can't|not|never|no longer)\b.{0,30}\b(?:again|once more|anew)\b",
)
_WITHDRAWN_FROM = any_of(r"\bremoved you\b|\byou (?:were|are|have been) removed\b")
_DELETED = any_of(
    r"\bthere is no\b.{0,40}\b(?:any ?more|any longer)\b|\bstruck (?:from|off)\b",
    r"\b(?:deleted|erased|purged|destroyed|removed|gone|emptied|wiped|shredded|discarded)\b"
    r"|\b(?:no longer|not) exists?\b|\b(?:cannot|can't|not) be recovered\b|\bwritten over\b|\btaken off\b|\bfor good\b|\bdoes not exist any\b|\bceased to exist\b",
)
_WITHDRAWN = any_of(
    r"\b(?:no (?:longer|more|further)|lost|without|denied|cut|ended)\b.{0,30}\b(?:access|rights?|permission|read"
    r"|see|open|use|available)\b|\bno access\b",
    r"\b(?:revoked|withdrawn|withdrew|expired|blocked|suspended|stopped|closed|locked|barred|restricted)\b",
    r"\b(?:ended|outside (?:of )?your|beyond your|taken from you|ceased|lapsed|over)\b",
    r"\b(?:out of (?:your )?reach|shut you out|shut out|under seal|off the list|sealed|hidden from|kept from)\b",
    r"\bmay (?:not|no longer)\b|\bcan(?:not|'t| no longer)\b|\bnot allowed\b|\boff limits\b",
)


@lru_cache(maxsize=1024)
def announces(sentence: str) -> Change | None:
    """Return what a text of the platform announces, or None where its words do not tell."""
    text = plain(sentence)
    if _GRANTED.search(text) and not _NOT.search(text):
        return "granted"
    if _WITHDRAWN_FROM.search(text):
        return "withdrawn"
    if _DELETED.search(text):
        return "deleted"
    return "withdrawn" if _WITHDRAWN.search(text) else None


def named_things(text: str) -> frozenset[str]:
    """Return the ids of things that a text names, such as `DOC-1002`."""
    return frozenset(_ID.findall(text))
