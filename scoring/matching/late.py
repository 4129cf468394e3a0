"""Cues behind a phrase, in the same clause: `X is no longer current`, `X was superseded`.

A cue behind counts only as the predicate of the phrase itself: between the two stand no more than
the rest of its noun phrase and one parenthesis. The text is read for a bounded length.
"""

import re

_READ = 160

# A word that no noun phrase has: it begins a clause, or is the verb of one.
_OTHER = (
    r"(?!(?:and|or|nor|but|as|because|since|so|when|while|if|that|which|who|then|than|until"
    r"|unless|before|after|once|though|although|whereas|where|whenever|despite|given|with|without"
    r"|provided|assuming|seeing|considering|in\scase|not|no|never|is|are|was|were|has|have|had|it|this|we|you|i|they"
    r"|he|she|there|cannot|\w+n't)\b)"
)
_WORD = rf"{_OTHER}[$#]?\w[\w$%#'/.-]*"
_MARKS = r"(?:'s)?[\"')\]*%`~_]*(?:\s*\([^()]{0,60}\))?"
_ASIDE = (
    rf"(?:,\s(?:{_OTHER}[^,.;:!?()]{{1,30}}|it\sseems|it\sturns\sout|i\sthink|i'm\safraid"
    r"|as\s(?:you|we)\s\w+),)?"
)

# What may still belong to the phrase's own noun phrase: `the $45 fee that you mention`.
_TOLD = (
    r"(?:\s(?:that\s)?(?:i|you|we|they|he|she)(?:\s(?:had|have))?"
    r"\s(?:\w+ed|mention|quote|cite|name|list|say|said|saw|gave|have|had|found|heard|remember|use)"
    r"(?:\s(?:earlier|before|above|there|originally|previously|first))?)?"
)
_AS = r"(?:\sas\s(?:an?|the|our|my|your)\s\w+)?"
_REST = rf"{_MARKS}(?:\s{_WORD}){{0,4}}?{_AS}{_TOLD}{_ASIDE}"
# Behind a comma a verb of the phrase's may be meant: `Friday replaces Thursday, now cancelled`.
_SHORT_REST = rf"{_MARKS}(?:\s{_WORD})?(?:\s(?:per|at|of|on|for|in|a|an)\s{_WORD}(?:\s{_WORD})?)?"
_ITEM = rf"{_WORD}(?:\s{_WORD}){{0,3}}?"
_LIST = rf"(?:\s?,\s{_ITEM}){{0,2}}?\s?,?\s?(?:and|or|nor)\s{_ITEM}"
_ADVERBS = r"(?:\s(?:now|already|since|also|long|just|all|both|each|then|therefore|thus|\w+ly))*"
_BE = (
    r"(?:'s|\s(?:(?:is|are|was|were)(?:\sbeing)?|been|being|became|got|gets"
    r"|(?:has|have|had)(?:\s\w+ly|\ssince|\snow|\salready)?\sbeen"
    r"|(?:will|would|should|must|ought\sto|has\sto|needs\sto|is\sto)(?:\snow)?\sbe"
    r"|turned\sout|turns\sout|proved|proves))"
)
_TO_BE = r"(?:\sto\s(?:be|have\sbeen))?"
_DEAD = (
    r"(?:superseded|replaced|overridden|overruled|overwritten|outdated|obsolete|stale|expired"
    r"|lapsed|void|voided|invalid|invalidated|incorrect|inaccurate|wrong|false|untrue|mistaken"
    r"|in\serror|an?\s(?:mistake|error|typo)|cancell?ed|called\soff|revoked|withdrawn|retracted|rescinded"
    r"|reversed|rejected|declined|denied|dropped|scrapped|shelved|abandoned|discarded|disregarded"
    r"|ignored|removed|deleted|retired|deprecated|dismissed|excluded|annulled|struck|vetoed"
    r"|ruled\sout|out\sof\s(?:date|the\squestion|force|use|the\srunning|play)|off\sthe\stable"
    r"|(?:off|over)(?=[.,;!]|$)|old\snews|discontinued|terminated|nullified|overturned|repealed"
    r"|rolled\sback|phased\sout|crossed\sout|thrown\sout|swapped|postponed|rescheduled"
    r"|inapplicable|irrelevant|unapproved|non-?existent|no\sgood|history|gone|dead|moot|past|behind\sus|a\sthing\sof\sthe\spast|no\smore(?!\s(?:and|or|than)\b)"
    r"|(?:changed|moved|updated|revised|corrected|adjusted|raised|lowered|increased|reduced"
    r"|switched|shifted|migrated)\sto"
    r")\b"
)
_OLD = (
    r"(?:the|an?|our|my|your|their|its)\s(?:old|previous|former|outdated|superseded|obsolete"
    r"|prior|earlier|stale|wrong|cancell?ed|rejected|expired)\b"
)
# As an apposition it must not be the subject of another clause: `X - the old plan was dropped`.
_OLD_ALONE = rf"{_OLD}(?!(?:\s\w+){{1,3}}\s(?:is|are|was|were|has|have|had|will|did|does)\b)"
_DEAD_WHEN_PAST = r"(?:the|an?|our|my|your|their|its)\s(?:original|initial|first)\b"
_STATUS = (
    r"(?:current|correct|right|valid|true|accurate|applicable|available|approved|active|relevant"
    r"|in\s(?:effect|force|use|place|play)|up\sto\sdate|on\sthe\stable|an?\soption|the\scase|it\b"
    r"|so\b|ours|allowed|permitted|acceptable|possible|planned|confirmed|final|agreed|chosen"
    r"|selected|decided|scheduled|offered|set|recorded|mentioned|discussed|given|stated|provided"
    r"|specified|established|to\sbe\s(?!miss|forg|overlook|ignor|chang|mov|skip|under|confus|tak|drop"
    r"|cancel|disreg|delay|neglect|doubt|alter|argu)\w+|happening|going\sahead"
    r"|going\sto\s(?:happen|work|apply)|part\sof|(?:being\s)?used|any\s?more|any\slonger"
    r"|what|how|where|when|who|my|your|our|their"
    r"|taking\splace|on\s(?:file|record|offer)"
    r"|an?\s(?:current|correct|valid|approved|confirmed|fact|figure|value|price|date|option|choice"
    r"|plan|thing|rule|requirement|offer)"
    r"|the(?!\s(?:only|first|last|end|old|previous|former|original|prior|earlier|same|outdated)\b))"
)
_DOES = (
    r"(?:(?:does|do|did|will|would|can|could|should|must|may)(?:n't|\snot|\snever)|won't|can't"
    r"|cannot|never)"
)
_ACTS = (
    r"(?:be\s(?:used|applied|followed|charged|quoted|relied|chosen|selected|considered)"
    r"|(?:apply|applies|applied)(?!\s(?!(?:to|any|anymore|here|now|in|at|as|since|because|and|or|but"
    r"|for|under|once|when|after|if|today|yet|either|\w+ly)\b)\w)|appears?|appeared|hold|holds|held|count|counts|counted|stand|stands|stood|work|works|worked"
    r"|exists?|existed|happen|happened|go\sahead|went\sahead|proceed|materiali[sz]ed?|take\splace"
    r"|took\splace|come\sinto|came\sinto|match|get\s(?:approved|agreed|confirmed)|was|were|became)\b"
)
_ALIVE = (
    r"(?:an?\s(?:problem|issue|question|secret|draft|proposal|guess)|in\s(?:doubt|question|dispute"
    r"|draft)|only|just|than|tentative|provisional|pending|open|optional|disputed|doubtful|negotiable"
    r"|un\w+)\b"
)

_NOT = r"(?:n't|\snot|\snever)"
# It has to deny a standing: `The X meeting is no longer in Room 2` asserts X.
_GONE = (
    rf"(?=\s?[,.;:!?)\]\"]|$|(?:\s\w+ly)?\s(?:{_STATUS}|{_ACTS}"
    r"|\w+ed\b(?!\s(?:on|in|at|to|for|with|from)\b))|\s(?:as|since|because|and|but|so|after|since)\b)"
)
_NO_LONGER = (
    rf"(?:no\slonger{_GONE}|no\smore(?!\s(?:and|or|than)\b){_GONE}"
    rf"|not(?:\s(?:{_STATUS}|\w+ed))?\sany\s?(?:more|longer)\b)"
)

_MODAL = r"(?:is|are|was|were|will|would|should|must|can|could|may|does|do)"

_WAYS = (
    # X is no longer current; X no longer applies; X should no longer be used
    rf"{_REST},?\s(?:{_MODAL}{_ADVERBS}\s)?(?P<a>{_NO_LONGER})(?!\s(?:{_ALIVE}|{_DEAD}))",
    # X is superseded; X turned out to be wrong
    rf"{_REST},?(?P<b>{_BE}{_TO_BE}{_ADVERBS}\s(?:{_DEAD}|{_OLD}))",
    rf"{_REST}(?P<c>\swas{_ADVERBS}\s{_DEAD_WHEN_PAST})",
    rf"'s(?P<d>{_ADVERBS}\s(?:{_DEAD}|{_OLD}))",
    # X is not current; X was never agreed; X has not been approved; X is neither right nor new
    rf"{_REST}\s(?P<e>(?:is|are|was|were|has|have|had|will|would){_ADVERBS}{_NOT}(?:\sbeen|\sbe)?{_ADVERBS}"
    rf"\s{_STATUS})",
    rf"{_REST}\s(?P<f>(?:is|are|was|were)\s(?:(?:neither|anything\sbut|far\sfrom|hardly)\s{_STATUS}"
    r"|nowhere\b))",
    rf"{_REST}\s(?P<g>(?:can|could)(?:n't|\snot)\sbe\s{_STATUS}|cannot\sbe\s{_STATUS})",
    rf"{_REST}'s(?P<h>\s(?:not|never){_ADVERBS}\s{_STATUS})",
    # X does not apply; X never happened
    rf"{_REST}\s(?P<i>{_DOES}{_ADVERBS}\s{_ACTS})",
    # X used to be the price; X fell through; X ceased to apply; X has changed to Y
    rf"{_REST}\s(?P<j>used\sto\s|fell\sthrough|expired|lapsed|ended|ceased\sto|stopped\sbeing"
    r"|gave\sway|made\sway|(?:has\s|have\s)?lost\sits|(?:has|have)\sno\s(?:effect|validity|force"
    r"|basis)|can\sbe\s(?:ignored|disregarded|discarded)"
    r"|(?:has|have|had)(?:\ssince)?\s(?:changed|moved|switched|passed|expired|lapsed|gone"
    r"|ended))\b",
    # it was X originally
    rf"{_MARKS}\s(?P<k>previously|formerly|originally|initially|in\sthe\spast)"
    r"(?=\s?[,.;:!?)]|$|\sbut\b|\sand\b)",
)
# Only for a subject, for who used X may say so of it too: `I charged $45, the old price`.
_WAYS_OF_SUBJECTS = (
    # X, no longer current; X, now superseded; X (cancelled); X: out of date; X, which was replaced
    rf"{_SHORT_REST}\s?[,(:-]\s?(?:(?:which|who)(?:'s|\s{_MODAL}){_ADVERBS}\s)?(?P<a>{_NO_LONGER})"
    rf"(?!\s(?:{_ALIVE}|{_DEAD}))",
    rf"{_SHORT_REST}\s?[,(:-]\s?(?:(?:which|who){_BE}\s)?"
    rf"(?P<b>{_ADVERBS}\s?(?:{_DEAD}|{_OLD_ALONE}))",
    rf"{_SHORT_REST},\s(?:which|who)\s(?P<c>(?:is|are|was|were){_NOT}{_ADVERBS}\s{_STATUS})",
    rf"{_SHORT_REST}\sthat{_BE}(?P<d>{_ADVERBS}\s(?:{_DEAD}|{_OLD}))",
    # X and Y are no longer valid: a plural verb has the whole list as its subject.
    rf"{_LIST}\s(?P<e>(?:(?:are|were|have)\s)?{_NO_LONGER}"
    rf"|(?:are|were|have\s(?:since\s)?been){_ADVERBS}\s{_DEAD}"
    rf"|(?:are|were|have){_NOT}(?:\sbeen)?{_ADVERBS}\s{_STATUS}|do(?:n't|\snot)\s{_ACTS})",
)
_LATE = tuple(re.compile(way) for way in _WAYS)
_LATE_OF_SUBJECTS = tuple(re.compile(way) for way in (*_WAYS, *_WAYS_OF_SUBJECTS))
_SUPPOSES = frozenset({"if", "unless", "whether"})


def late_cue(text: str, end: int, stop: int, *, subject: bool) -> str | None:
    """Return the cue behind a phrase that ends at `end`, in a sentence that ends at `stop`.

    A phrase that begins its clause, as its `subject`, shares a plural predicate with its list, and
    what stands right behind it may rule it out.
    """
    behind = text[end : min(stop, end + _READ)]
    for way in _LATE_OF_SUBJECTS if subject else _LATE:
        found = way.match(behind)
        if found is not None:
            return next(cue for cue in found.groups() if cue is not None).strip(" ,(:-")
    return None


def supposes(words: tuple[str, ...], clause: int) -> bool:
    """Return whether a clause only supposes what it says: `if X is wrong`."""
    return words[clause : clause + 1] != () and words[clause] in _SUPPOSES
