"""Pieces of English that the readers share: where a clause begins, what is a request, what is not.

Patterns are matched on `plain` text: lower case, straight apostrophes. They know modal verbs,
negation, conditions and the common verbs of office work, and no scenario.
"""

import re
from functools import lru_cache

LEAD = r"(?:^|[,;:(–—] ?|- |\b(?:and|but|so|then|also|please|just|though|therefore|hence) )"
"""Where an imperative can begin."""

_LEADING = r"(?:please |also |always |just |then |kindly |simply |again |by the way,? |still )*"
IMPERATIVE = LEAD + _LEADING
"""Where an imperative begins, behind words of courtesy."""

APPROVED = (
    r"(?:approved|signed|cleared|agreed|confirmed|decided|reviewed|okayed|ok'd|accepted|released"
    r"|authori[sz]ed|consented|countersigned|published|finali[sz]ed|settled|ratified)"
)
"""What somebody does who lets a thing pass."""

CONSENT = (
    r"(?:approval|consent|permission|sign-?off|okay|ok|go-ahead|blessing|clearance|say-so"
    r"|authori[sz]ation|agreement|green light|word)"
)

REACH = (
    r"(?:send|contact|share|forward|e-?mail|write|call|phone|tell|show|disclose|publish|release"
    r"|mention|discuss|talk|speak|post|invite|approach|reveal|announce|message|brief|inform"
    r"|notify|alert|ask|promise|offer|leak|circulate|distribute|hand|quote|name)"
)
"""Verbs by which something gets out."""

CHANGE = (
    r"(?:delete|remove|change|alter|edit|use|sign|buy|order|book|spend|pay|approve|commit|touch"
    r"|move|modify|overwrite|copy|print|purchase|hire|cancel|close|merge|deploy|restart|replace"
    r"|submit|file|accept|reject|grant|schedule|rename|archive|cite|rely)"
)
"""Verbs by which something is changed or bound."""

ACT = rf"(?:{REACH}|{CHANGE}|go out|reach out|get in touch)"

DELIVERABLE = (
    r"(?:report|memo|summary|overview|recommendation|write-?up|packet|letter|minutes|brief(?:ing)?"
    r"|presentation|slides?|deck|appendix|annex|conclusions?|file|note|review|analysis|proposal"
    r"|offer|first page|list|table|checklist|e-?mail|mail|dossier|paper|final version|document"
    r"|final|cover|submission|handover|log)"
)
"""What is handed in at the end."""

_ASKED = re.compile(
    r"\b(?:can|could|would|will) (?:you|we|someone|somebody|anyone|anybody)\b|\bplease\b"
    r"|\bwould you mind\b|\b(?:may|might|can) i ask\b"
)
_SUPPOSED = re.compile(
    r"\b(?:what if|suppose|supposing|hypothetical(?:ly)?|imagine|let's say|in theory|pretend"
    r"|for example|for instance|would have|could have|what would|remember (?:when|how|that))\b"
)
_REQUEST = re.compile(
    r"^(?:(?:hi|hello|oh|ok|okay|well|one more thing|another thing|by the way|also|and|so)[,:]? )*"
    r"(?:(?:can|could|would|will) you(?: mind)?|(?:may|might|can) i ask you to"
    r"|i(?:'d| would) (?:like|ask|want) you to|i (?:want|need|expect) you to"
    r"|you (?:should|must|need to|have to|still have to|ought to|will have to|are to|can)"
    r"|we (?:should|must|need to|have to|still have to|ought to)|be so kind as to"
    r"|(?:do )?me a favou?r and|i'd appreciate it if you(?: could| would)?) "
)
_OPENING = re.compile(
    r"^(?:(?:no,? )?wait|hold on|ok(?:ay)?|well|oh|anyway|no|yes|right|sure|great|fine|hm+|(?:just )?fyi|btw"
    r"|good (?:morning|afternoon|evening)|hi|hello|thanks|thank you)(?: \w+)?(?:[,:;.!]+| -| –| —) *"
)
_COURTEOUS = re.compile(r"^(?:please |also |kindly |then |always |now |just )+")


@lru_cache(maxsize=4096)
def plain(sentence: str) -> str:
    """Return a sentence in the form in which the patterns read it, without words of address."""
    return _OPENING.sub("", sentence.replace("’", "'").casefold())


def any_of(*shapes: str) -> re.Pattern[str]:
    """Return one pattern of several shapes."""
    return re.compile("|".join(shapes))


@lru_cache(maxsize=4096)
def speaks(text: str) -> bool:
    """Tell whether plain text says or asks for something: no bare question, no supposition."""
    if _SUPPOSED.search(text):
        return False
    return not text.rstrip("\"') ").endswith("?") or _ASKED.search(text) is not None


def bare(text: str) -> str:
    """Return a request as an imperative: `could you also list …?` becomes `list …?`."""
    request = _REQUEST.match(text)
    return _COURTEOUS.sub("", text[request.end() :] if request else text)
