"""Obligations: what must still be done, later than the moment at which it is said.

An order that is carried out at once ("Please read the contract.") is none.
"""

from functools import lru_cache

from memories.bookkeeping.grammar import DELIVERABLE, IMPERATIVE, any_of, bare, plain, speaks

_INCLUDE = r"(?:include|mention|spell out|append|flag|highlight|point out|account for|attach|cover)"
_ACT = (
    rf"(?:{_INCLUDE}|address|state|list|name|add|put|give|show|enclose|note|record|specify|set out"
    r"|explain|tell|send|write|inform|notify|ask|check|double-check|verify|confirm|update|file|close"
    r"|open|call|e-?mail|mail|copy|cc|remind|return|report|hand|get back|follow up|let|schedule|book"
    r"|register|log|archive|collect|compare|bring|prepare|create|make|draft|submit|forward|thank"
    r"|invite|arrange|order|pay|settle|renew|cancel|review|compile|circulate|share|upload|sign"
    r"|jot down|thank|lead with|round off|round it off|bring up|wrap up|conclude|tack on|throw in|insert|tally"
    r"|pass on|relay|drop|ring|nudge|chase|sort out|look into|lead|round|tick off|fill in|set down"
    r"|say|answer|enter|work out|look up|break down|talk to|speak to|come back|contact|keep|use)"
)
_DONE = (
    rf"(?:{_INCLUDE.replace('include', 'included')}|included|listed|mentioned|attached|named|sent|added"
    r"|covered|stated|flagged|filed|informed|told|noted|recorded|shown|explained|confirmed|copied"
    r"|spelled out|answered|addressed|updated|returned|paid|settled|checked|part of|in there"
    r"|on file|reported|specified|compared|asked)"
)
_HINGE = (
    r"(?:when|once|after|as soon as|before|whenever|if|every time|each time|at the (?:very )?end"
    r"|by the end|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|by tomorrow|in the (?:report|end|memo)"
    r"|afterwards?|at that point|finally|later|in your|at the latest|for the|with the|until)"
)
_OBJECT = (
    r"(?:an?|the|my|our|your|his|her|their|its|this|that|these|those|it|me|us|him|them|every\w*|all"
    r"|each|who\w*|what|that|when|how|why|where|about|to|on|in|with|down|back|[A-Z\d][\w-]*|\w+)"
)
_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|noon|tonight|the (?:end|deadline|\d))"
)

_ORDERED = any_of(
    r"\b(?:do not|don't|never|please not) forget\b(?! about)|\bforget not\b",
    r"(?:^|please |and |also |but |, ?)(?:do )?remember to\b",
    r"\b(?:make sure|be sure|see to it|make it a point|make a point of)\b|\bsee that (?:you|the|it)\b"
    r"|\bensure\b|\btake care (?:to|that|of)\b|\b(?:keep|bear) in mind (?:to|that (?:you|the))\b",
    r"\bkeep (?:a record|track|a list|a log|notes|me|us)\b",
    rf"\b(?:must|has to|have to|needs? to|ought to|should|shall|(?:is|are) to|still ha(?:s|ve) to)"
    rf"(?: also| always| clearly| then)? be (?:\w+ly )?(?:{_DONE}\b|(?:in|on|part of|under) (?:the|there|it))",
    rf"\b(?:you|we|someone|somebody|it|this|that|{DELIVERABLE}|\w+)(?: also| still| then| really| always)?"
    r" (?:must|has to|have to|needs? to|should|ought to|shall|will have to|are to|is to)"
    rf"(?: also| still| then| always)? (?:{_INCLUDE}|contain|state|list|name|come with|carry|end with"
    r"|begin with|start with|say|answer|show|explain|confirm|inform|notify|record|specify)\b",
    r"\b(?:you|somebody|someone) (?:still |also |then )?(?:must|have to|need to|should|ought to|has to"
    rf"|needs to|are to|will have to) (?:also |still |then )?{_ACT}\b",
    rf"\bneeds? (?:an?|the|one) (?:\w+ ){{0,2}}?(?:line|section|note|paragraph|word|chapter|mention"
    rf"|sentence|column|row|table|reference|signature|copy|{DELIVERABLE})\b",
    rf"{IMPERATIVE}(?:do )?{_INCLUDE}\b|{IMPERATIVE}do (?:thank|tell|send|ask|write|add|put|let|call|check)\b",
    rf"{IMPERATIVE}(?:lead|close|conclude|end|finish|begin|open|start|round (?:it|this|them) off|wrap (?:it|this) up)"
    r" with\b",
    rf"\balso,? (?:please )?{_ACT} {_OBJECT}\b",
    r"\blet (?:me|us|him|her|them|[a-z]+) know\b(?! that)|\breport back\b|\b(?:get|come|circle|write) back"
    r" (?:to|with|on)\b|\bfollow up\b|\bkeep (?:\w+) (?:posted|informed|in the loop|updated)\b",
    r"\b(?:count|counting|rely|relying|depend|depending) on you\b|\byour (?:job|task|duty|responsibility)\b"
    r"|\bup to you to\b",
    rf"^(?:one more|another|one last|one other) (?:thing|point) (?:for|in|on) (?:the|your) (?:\w+ )?{DELIVERABLE}\b",
)
_DEFERRED = any_of(
    rf"^(?:(?:and|also|then|but|please) )*{_HINGE}\b.{{2,120}}?(?:,|;| –| -| —) ?(?:please |also |then |simply )*"
    rf"{_ACT} {_OBJECT}\b",
    r"^(?:please |and )*(?:when|once|after|as soon as) (?:you|we|it|that|this|everything|all)(?: are| is|"
    rf" have|'re|'ve|'s) (?:been )?\w+(?: with (?:it|that|everything))? (?:please |also )*{_ACT} {_OBJECT}\b",
    rf"^(?!note(?::| that)){_ACT}\b.{{3,140}}?\b(?:when(?!\?)|once|as soon as|before (?:you|we|the|it|that)|after (?:you|the|that|we)"
    rf"|by {_DAY}|at the (?:very )?end|afterwards?|every time|each time|whenever|as well|too[.!?]?$"
    rf"|(?:in|to|into|on|under|with) (?:the|your|that|its|each|every|this) (?:\w+ ){{0,2}}?{DELIVERABLE}"
    r"|next to (?:it|the|each|every)|on the first page|if (?:the|it|you|they|any))\b",
    r"\b(?:so|and|please) put (?:it|them|that|this) (?:in|into|on|under|at) (?:the|your)\b",
)
_EXPECTED = any_of(
    r"\bi(?:'ll| will|'d| would)?(?: also| still)? (?:need|want|expect|like|love|require) (?:you to (?!know"
    r"|understand|see)|to (?:see|know|hear)\b|(?:(?!to\b)\S+ ){1,9}?(?:in (?:the|there|it)|as well|too\b"
    r"|by \w|before |with (?:it|the)|next to|alongside|attached|at the end|on top|for the))",
    r"\b(?:want|wants|expects?|needs?|asks?|asked|insists?|likes?|wait|waits|waiting|counts?|counting"
    r"|looks? forward|hopes?|interested)(?: (?:to (?:see|know|hear|read|have|find|get|understand|learn|be told)"
    r"|for (?:the|an?|our|his|her)|in (?:the|what|how|knowing)|on (?:the|an?|it))\b)",
    r"\bwould be (?:very )?(?:glad|happy|pleased|grateful|delighted|thankful) (?:to (?:find|see|have|know|get|read)"
    r"|for|if)\b|\b(?:must|should|has to|ought to) (?:hear|know|learn|be told) (?:about|of)\b",
    r"\b(?:wouldn't|would not|don't|do not|won't|will not) (?:want|like|wish)? ?(?:to )?(?:send|submit|hand|publish|sign|see)"
    r"\b.{0,40}\bwithout\b|\b(?:lacking|lacked)\b|\bwe agreed (?:that|to)\b.{0,60}\b(?:would|to)\b"
    r"|\bstill the (?:matter|question|issue) of\b|\bcan you take (?:that|this|it) on\b",
    r"\bexpects? (?:the|an?|to|us|you|our|every|all)\b",
    rf"\b{DELIVERABLE}s?\b.{{0,30}}\balways (?:{_INCLUDE}s?|states?|lists?|names?|contains?|has|have|gives?|shows?"
    rf"|ends?|begins?)\b|\balways\b.{{0,40}}\bin (?:the|our|every|each|such) (?:\w+ )?{DELIVERABLE}",
    r"\b(?:i|we|jun|you)(?:'ve| have| had)? (?:also )?promised\b|\b(?:was|were|been) promised\b|\bpromised"
    r" (?:him|her|them|\w+) (?:that|the|an?)\b",
    r"\b(?:i|we)(?:'ve| have)? (?:told|assured) \w+ (?:that )?(?:he|she|they|it|you|we|i)(?:'d|'ll| would"
    r"| will)\b|\b(?:i|we|you) (?:still )?owe\b",
    r"\bwould be (?:good|great|nice|helpful|useful|better|best|ideal|wise|worth|kind|appreciated|welcome)\b"
    r".{0,80}\b(?:to|if|having|have|in|with)\b",
    rf"\b(?:an?|any|the|no) (?:\w+ )?(?:{DELIVERABLE})\b.{{0,15}}\bwithout\b.{{0,80}}\b(?:no use|useless"
    r"|worthless|incomplete|won't|will not|sent back|returned|rejected|complained|no good|pointless"
    r"|nobody|cannot|can't)",
    r"\b(?:last (?:time|year|month|quarter)|previous(?:ly)?|the (?:last|previous|first) \w+)\b.{0,80}\b(?:without"
    r"|missing|lacked|left out|forgot|forgotten|omitted|incomplete|did not say|didn't say)\b",
    r"\b(?:should not|shouldn't|must not|mustn't|can't|cannot|may not) be (?:missing|left out|forgotten"
    r"|omitted|lacking)\b",
    rf"\bbelongs? (?:in|on|into|to|under|at) (?:the|every|each|your)\b|\b(?:goes|go) (?:in|into|on) (?:the )?"
    rf"(?:\w+ )?(?:{DELIVERABLE}|there)\b",
    r"\bshould (?:also )?(?:be (?:in|on|part)|appear|figure|feature|go into|come first)\b",
    r"\b(?:won't|will not|cannot|can't|not) (?:sign|accept|approve|read|pass|take|look at)\b.{0,60}\bwithout\b",
)


_LATER = any_of(
    r"^(?:(?:and|also|then|but|please) )*(?:when|once|after|as soon as|before|whenever|every time|each time"
    r"|at the (?:very )?end|by |later)\b",
    rf"\b(?:to|in|into|on) (?:the|our|your|this|that) (?:\w+ ){{0,2}}?{DELIVERABLE}\b",
    r"\b(?:forget|remember)\b|\b(?:when|once|as soon as|after) (?:you|we|it|that|this|they|the|he|she)\b",
)


@lru_cache(maxsize=4096)
def waits(sentence: str) -> bool:
    """Tell whether a sentence says by itself that something is for later."""
    return _LATER.search(plain(sentence)) is not None


@lru_cache(maxsize=4096)
def obliges(sentence: str) -> bool:
    """Tell whether a sentence asks for something that is to be done or handed in later."""
    text = plain(sentence)
    if not speaks(text):
        return False
    if _ORDERED.search(text) or _EXPECTED.search(text) or _DEFERRED.search(text):
        return True
    request = bare(text)
    return request != text and any(shape.search(request) for shape in (_ORDERED, _DEFERRED))
