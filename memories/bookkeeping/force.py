"""Force: how strongly a sentence limits or asks, by the features that it has, each with a weight.

What no single pattern of the readers knows can still be told by several weak signs together: a
negation, a word that makes something wait, a word of secrecy, of consent, of expectation. The
weights are set by hand; a sentence counts from `ENOUGH` on.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from memories.bookkeeping.grammar import ACT, CONSENT, DELIVERABLE, IMPERATIVE, plain, speaks

ENOUGH = 3.0
"""From which sum on a sentence counts."""


class Force(NamedTuple):
    """How strongly a sentence limits what may be done, and asks for something to be done."""

    limit: float
    demand: float


_AT_ONCE = (
    r"(?:read|find|look|open|search|summari[sz]e|fetch|draft|write|get|(?:show|give|send|bring) me|pull up|check if|tell me"
    r" (?:who|what|where|which|if)|explain|translate|compare|list|calculate|finali[sz]e|go on|continue"
    r"|proceed|start|begin|set up|help|review|work on|prepare|create|make|send|submit)"
)
_VERB = (
    r"(?:add|answer|append|apply|archive|arrange|ask|assign|attach|avoid|back|balance|base|book|break"
    r"|bring|build|call|check|choose|circulate|clean|clear|close|collect|combine|compile|complete|confirm"
    r"|consider|copy|count|cover|cut|deal|deliver|describe|discuss|distribute|divide|document|double-check"
    r"|end|enter|estimate|exclude|extend|file|fill|finish|flag|focus|follow|format|forward|gather|get|give"
    r"|go|handle|have|highlight|hold|identify|ignore|include|inform|invite|involve|keep|leave|let|limit"
    r"|link|list|log|look|maintain|make|mark|measure|meet|mention|move|name|note|notify|number|offer|order"
    r"|organi[sz]e|pay|pick|place|plan|point|post|present|print|protect|provide|publish|put|raise|rank"
    r"|record|refer|release|remind|remove|repeat|replace|report|request|reserve|respect|restrict|return"
    r"|route|save|say|schedule|seek|set|share|show|sign|spare|spell|split|state|stay|stick|stop|store"
    r"|support|take|tell|thank|tick|track|treat|turn|update|upload|use|verify|wait|warn|watch|work)"
)
_GATE = (
    r"(?:until|till|unless|before|at (?:this|that) (?:stage|point)|for (?:now|the moment|the time being)|yet"
    r"|at present|this time|so far|as long as|beforehand|in advance|too (?:early|soon)|prematurely?|first"
    r"|meanwhile|still being|not (?:ready|final)|provisional(?:ly)?)"
)
_SECRET = (
    r"(?:confidential(?:ly)?|secret|embargo(?:ed)?|in the dark|between us|silent|silence|quiet(?:ly)?"
    r"|get wind|leaks?|private(?:ly)?|discreet(?:ly)?|discretion|under wraps|tight-lipped|mum|sensitive"
    r"|delicate|internal|behind closed doors|off the record|undisclosed|anonymous(?:ly)?|hear about"
    r"|find out|learn (?:of|about)|surprise|rumou?rs?|gossip|need-to-know)"
)
_HOLD = (
    r"(?:waits?|holds?|stays?|keep|keeps|remains?|stop|pause|freeze|frozen|withhold|postpone|refrain"
    r"|avoid|spare|restricted?|limited|steer|locked|parked|on hold|reserved|shelved|untouched)"
)
_ONLY = (
    r"(?:only|(?:nobody|no one|nothing|anyone|anybody) else|alone|solely|exclusively|strictly|at most"
    r"|no more than|(?:over|across) (?:my|our|his|her|their) desks?|through (?:me|us|her|him)"
    r"|'s (?:call|decision|business|prerogative)|(?:my|her|his|their|our) (?:call|decision|business))"
)
_UNEASY = (
    r"(?:comfortable|nervous|uneasy|worried|worries|wary|careful|cautious|upset|furious|awkward|risky?"
    r"|dangerous|trouble|harm|damage|burned|burnt|regret|hate|sorry if|important|please"
    r"|jump the gun|cost us|mistake|out of the question|not an option|red line|matters|bad idea)"
)
_ANYTHING = r"(?:whatever|everything|anything|anyone|anybody|any|every|everyone|always|all|whoever|wherever)"

_LIMITS: tuple[tuple[str, float], ...] = (
    (r"\b(?:not|never|no|nobody|no one|nothing|none|neither|without|cannot)\b|n't\b", 2.0),
    (rf"\b{_GATE}\b", 1.5),
    (rf"\b{_SECRET}\b", 2.0),
    (rf"\b{_HOLD}\b", 2.0),
    (rf"(?:\b|(?='s)){_ONLY}\b", 1.5),
    (r"\blet's not\b|\baren't to\b|\bisn't to\b|\b(?:is|are) (?:not|never) to\b", 1.5),
    # From here on, what only adds.
    (
        rf"\b(?:{CONSENT}|allowed|approv\w+|decid\w+|decision|authori\w+|(?:its|their|his|her|my) say)\b",
        1.5,
    ),
    (rf"\b{ACT}(?:s|ed|ing)?\b", 1.0),
    (rf"\b{_ANYTHING}\b", 1.0),
    (rf"\b{_UNEASY}\b", 1.5),
    (rf"{IMPERATIVE}(?:{_VERB}|let's)\b", 1.5),
)
_DEMANDS: tuple[tuple[str, float], ...] = (
    (
        r"\b(?:must|should|shall|ought|needs?(?! \d)|has to|have to|(?:is|are) to|deserves?|is due"
        r"|required|got to)\b",
        2.0,
    ),
    (
        r"\b(?:wants?|expects?|insists?|curious|interested|waiting|waits for|promised|owes?|counts? on"
        r"|looks? forward|will ask|likes? to see|would like|hopes?|cares? about|keen|needed)\b"
        r"|\basked (?:me|us|for|again|twice|whether|that)\b|\btold (?:\w+ ){1,3}(?:that )?(?:we|i|you|he"
        r"|she|they)(?:'d|'ll| would| will)\b|\b(?:reads?|accepts?|takes?|signs?)\b.{0,40}\bwithout\b",
        2.0,
    ),
    (
        r"\b(?:include|mention|list|listed|included|mentioned|note|add|put|state|stated|cover|covered"
        r"|count|attach|appears?|spell|shown?|explain|explained|named?|notified|informed|told|answer"
        r"|answered|top|headline|alongside|broken down|break down|section|line on|paragraph|as well|too)\b"
        r"|\b(?:work|fit|slip|squeeze) (?:it|that|this|them) in\b"
        r"|\b(?:close|open|start|end|finish|begin) with\b",
        1.5,
    ),
    (rf"{IMPERATIVE}(?!{_AT_ONCE}\b){_VERB}\b", 1.5),
    (
        r"\b(?:forget|remember|slip|overlook|lose sight|cracks|missing|incomplete|leave out|left out|omit)\b",
        1.5,
    ),
    # From here on, what only adds.
    (rf"\b(?:{DELIVERABLE}|chapter|version|result|figure|in there)s?\b", 1.0),
    (
        rf"\b(?:in|into|to|on|for) (?:the|your|this|that|our) (?:\w+ ){{0,2}}?(?:{DELIVERABLE}|chapter"
        r"|version)\b",
        0.5,
    ),
    (
        r"\b(?:when(?!\?)|once|after|as soon as|at the end|in the end|while you're at it|later|within \w+"
        r" (?:days?|hours?|weeks?)|finally|afterwards?|alongside|by (?:mon|tues|wednes|thurs|fri)day"
        r"|by tomorrow|each|every)\b",
        1.0,
    ),
    (r"\b(?:you|your|for me|for us|from us|on us)\b", 1.0),
    (
        r"\bplease\b|\balso\b|\b(?:one more|another|one last|one other) (?:thing|point|request|wish)\b"
        r"|\bdon't let\b|\bwhat (?:i|we) (?:still )?(?:miss|lack)\b",
        1.0,
    ),
)
_MODAL = (
    r"\b(?:must|should|shall|ought|may|can|will|needs?|has to|have to|(?:is|are|aren't|isn't) to|please"
    r"|let's|i want|i'd|'ll|deserves?|until|till|unless|wants?|expects?|insists?)\b"
)
_PAST = re.compile(
    r"\b(?:has|have)(?:n't| not)\b|\b(?:was|were|had|did|didn't|couldn't|wouldn't|wasn't|weren't|hadn't|went|came|got|took|made|said"
    r"|found|saw|spent|fell|brought|ran|gave|lost|met|sent|wrote|paid|knew|thought|felt|used to|sold|won)\b"
    r"|(?<!\bbe )(?<!\bis )(?<!\bas )(?<!\bare )(?<!\bbeen )(?<!\bget )(?<!n't )(?<!\bnot )\b\w{2,}ed\b"
)
_BOUND = re.compile(_MODAL + rf"|{IMPERATIVE}(?:do not|don't|never|{_VERB})\b")
_IDLE = re.compile(
    r"\b(?:don't|do not|never|can't|cannot|won't|didn't|couldn't) (?:worry|hesitate|know|mind|think|bother"
    r"|hurry|panic|believe|care|feel|remember|understand|see|have|complain|get me wrong|wait to)\b"
    r"|\bi (?:must|have to|should) (?:say|admit|confess|go|run|leave)\b|\bno (?:problem|idea|doubt|wonder|worries"
    r"|rush|hurry|thanks)\b|\blet me\b|\bi (?:also |really |still )?(?:need|have|must|should|want|wanted) to (?!see|know|hear)"
    r"|\bnote(?::| that)|\bplease note\b|\bthank(?:s| you)\b|\bnot (?:easy|sure|bad|far|what|that|a problem)\b"
    r"|\b(?:has|have)(?: not|n't| never) (?:been to|seen|heard|met)\b|\bmay not\b"
)
_START = re.compile(
    rf"^(?:please |also |and |so |then |now |ok(?:ay)?,? |(?:can|could|would|will) you (?:please )?)*{_AT_ONCE}\b"
)
Signs = tuple[tuple[re.Pattern[str], float, bool], ...]
"""Pattern, weight, and whether it can carry a sentence; the others only add."""


def _compiled(shapes: tuple[tuple[str, float], ...], weak: int) -> Signs:
    """Return signs; the last `weak` of them carry no sentence."""
    strong = len(shapes) - weak
    return tuple(
        (re.compile(shape), worth, at < strong) for at, (shape, worth) in enumerate(shapes)
    )


_SIGNS = _compiled(_LIMITS, weak=5)
_WISHES = _compiled(_DEMANDS, weak=5)
_AGAINST = 3.0
_IDLE_WORDS = 2.0


@lru_cache(maxsize=4096)
def force(sentence: str) -> Force:
    """Return how strongly a sentence limits and demands; 0 for questions and suppositions."""
    text = plain(sentence)
    if not speaks(text):
        return Force(0.0, 0.0)
    against = _AGAINST if _PAST.search(text) and not _BOUND.search(text) else 0.0
    against += _IDLE_WORDS if _IDLE.search(text) else 0.0
    at_once = _AGAINST if _START.search(text) else 0.0
    return Force(_sum(_SIGNS, text) - against, _sum(_WISHES, text) - against - at_once)


def _sum(signs: Signs, text: str) -> float:
    """Return what the signs of a text are worth together; without a strong one, nothing."""
    found = [(worth, strong) for shape, worth, strong in signs if shape.search(text)]
    return sum(worth for worth, _ in found) if any(strong for _, strong in found) else 0.0
