"""Facts whose value is plain words: "the carrier is now Norpost", preferences, standing rules."""

import re
from dataclasses import dataclass

_HEAD = (
    r"name|surname|codename|colou?r|contact|owner|manager|lead|region|language|time ?zone|tier"
    r"|plan|status|size|carrier|courier|warehouse|supplier|vendor|priority|role|title|team"
    r"|department|location|city|country|birthday|diet|allergy|branch|environment|database|host"
    r"|server|approver|reviewer|assignee|channel|method|brand|material|flavou?r|currency|airline"
    r"|hotel|doctor|reason|nickname|username|login|provider|framework|editor|subscription"
    r"|membership|shift|format|policy|slot|seat|meal|condition|model|gate"
)
_END = (
    r"(?=[,;!?]|\.(?:\s|$)|$|\s(?:instead|not|rather than|because|since|so|but|and|until|while"
    r"|from now on|as of|anymore|over|in place of|for (?:order|customer|ticket|this|that))\b)"
)
_NAME = rf"(?P<name>(?:[a-z-]+\s){{0,2}}?(?:{_HEAD}))(?:\s(?:for|of|on|at)\s[^,;:]{{1,40}}?)?"
_FROM_TO = r"(?:\sfrom\s(?P<old>[^,;.]{1,40}?))?\sto\s"
_VALUE = (
    rf"(?P<value>[^,;!?]{{1,60}}?){_END}"
    r"(?:\s(?:instead of|not|rather than|in place of)\s(?P<dead>[^,;.!?]{1,40}))?"
)
_COPULA = re.compile(
    rf"(?:^|['’]s\s|\b(?:my|our|the|his|her|their|its|your|preferred|favou?rite)\s){_NAME}"
    r"(?:(?:\s(?:is now|is|are|will be|should be|must be|becomes)|:)\s|\s?=\s?"
    r"|\s(?:(?:has been|have been|was|has|is being)\s)?"
    rf"(?:changed|set|updated|moved|switched|renamed){_FROM_TO})(?:now\s)?{_VALUE}",
    re.IGNORECASE,
)
_SET = re.compile(
    rf"\b(?:set|change|update|switch|rename)\s(?:the\s|my\s|our\s)?{_NAME}{_FROM_TO}{_VALUE}",
    re.IGNORECASE,
)
_PREFERS = re.compile(
    r"\b(?:i|we|he|she|they|customer|client|user|[A-Z][\w-]*)"
    r"(?:['’]d|\s(?:would|really|now|always|usually|still))*\sprefers?\s"
    r"(?P<value>[^,;!?]{2,60}?)(?:\s(?:over|to|rather than|instead of|not)\s"
    r"(?P<dead>[^,;.!?]{2,40})|" + _END + r")",
    re.IGNORECASE,
)
_ALLERGIC = re.compile(r"\ballergic to (?P<value>[^,;.!?]{2,40}?)" + _END, re.IGNORECASE)
_RULE = re.compile(
    r"^(?:(?:please|also|and|remember|note|important|from now on)[,:]?\s)*"
    r"(?P<value>(?:always|never|do not|don['’]t|make sure|under no circumstances)\s"
    r"(?!worry|hesitate|know|think|mind|bother)[^?]{4,160}?)[.!]*$",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(
    r"^(?:not|no longer|going|being|still|also|what|that|very|too|wrong|missing|unknown|correct"
    r"|right|fine|good|bad|important|needed|required|the same|different|unclear|a problem)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Phrase:
    """A value in plain words.

    Attributes:
        attribute: What it is.
        value: The words.
        start: Index in the sentence where its statement begins.
        revises: The words it is put in place of, or None.
        beside: True when it does not replace older values of the attribute.
    """

    attribute: str
    value: str
    start: int
    revises: str | None = None
    beside: bool = False


def find_phrases(sentence: str) -> list[Phrase]:
    """Return the facts that a sentence states in plain words; a rule is the whole sentence."""
    rule = _RULE.match(sentence)
    if rule:
        return [Phrase("rule", rule["value"].strip(), 0, beside=True)]
    found = [_named(match) for match in _COPULA.finditer(sentence)]
    found += [_named(match) for match in _SET.finditer(sentence)]
    found += [_beside(match, "preference") for match in _PREFERS.finditer(sentence)]
    found += [_beside(match, "allergy") for match in _ALLERGIC.finditer(sentence)]
    return [phrase for phrase in found if not _NO_VALUE.match(phrase.value)]


def _named(match: re.Match[str]) -> Phrase:
    name = re.sub(r"^(?:the|my|our|new|old|current|updated|correct)\s", "", match["name"].lower())
    return Phrase(name, match["value"].strip(), match.start("name"), match["dead"] or match["old"])


def _beside(match: re.Match[str], attribute: str) -> Phrase:
    revises = match.groupdict().get("dead")
    return Phrase(attribute, match["value"].strip(), match.start(), revises, beside=True)
