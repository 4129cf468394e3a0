"""Constraints: what must not be done, or not before something else."""

from functools import lru_cache

from memories.bookkeeping.grammar import (
    ACT,
    APPROVED,
    CONSENT,
    IMPERATIVE,
    LEAD,
    REACH,
    any_of,
    plain,
    speaks,
)

_IDLE = (
    r"(?:worry|hesitate|know|mind|think|forget|bother|hurry|panic|be (?:afraid|shy|surprised|sorry)"
    r"|get me wrong|you|understand|see|have|need|remember|believe|care|feel|like|take it|i|we)\b"
)
_EPISTEMIC = (
    r"(?:take|be (?:a problem|hard|difficult|long|too|missing|left|forgotten|omitted|surpris)"
    r"|matter|cost|hurt|have (?:been|\w+ed)|complain|forget|be lacking|lack)"
)
_CANNOT = rf"(?:be (?:sent|shared|told|used|published|released|changed|deleted)|have any|{REACH})"
_THINGS = (
    r"(?:e-?mails?|mails?|messages?|letters?|calls?|offers?|contacts?|changes?|edits?|deletions?"
    r"|payments?|purchases?|orders?|bookings?|announcements?|exceptions?|promises|commitments?"
    r"|discounts?|invitations?|copies|attachments?|names|spending|mention|publication|outreach"
    r"|figures|numbers|quotes|drafts|documents|data|statements?|signatures?)"
)
_PLACE = (
    r"(?:out of|internal|confidential|private|secret|between us|to yourself|quiet|under wraps"
    r"|as (?:it is|they are|is)|alone|untouched|unchanged|in (?:the )?drafts?|unsent|closed|locked"
    r"|in draft|from (?:the|everyone|everybody|anyone)|within)"
)
_SECRET = r"(?:confidential|secret|classified|embargoed|not public|not for sharing)"

_PROHIBITED = any_of(
    rf"{IMPERATIVE}(?:do not|don't|dont|never)(?: ever| yet)? (?!{_IDLE})[a-z]",
    r"\b(?:i|we|he|she|they) (?:really )?(?:do not|don't) want (?:you|any|the|this|that|it|them|him|her"
    r"|us|to (?:surprise|upset|alarm|tip|spook|offend|risk|worry|provoke|" + ACT + "))",
    rf"(?<!\bi )\b(?:must|shall|should|ought)(?: not|n't)(?: to)?(?: yet)? (?!{_EPISTEMIC})[a-z]",
    rf"\bmay not(?: yet)? (?:be )?{ACT}",
    rf"(?<!\bi )(?<!they )(?<!\bhe )\b(?:can't|cannot|can not)(?: yet)? {_CANNOT}",
    r"\b(?:is|are|was|am|be)(?: not|n't)(?: yet)? (?:to (?!say|blame|mention)|(?:allowed|permitted"
    r"|authori[sz]ed|supposed|meant|cleared|entitled|ready) (?:to|for)\b)",
    r"\b(?:nobody|no one|no-one|none of (?:them|us|you)|nothing)\b.{0,50}?\b(?:may|must|should|shall|can"
    r"|(?:is|are|gets?) to|leaves?|goes|sees?|hears?|is sent|moves)\b",
    rf"{LEAD}no (?:\w+ ){{0,2}}?{_THINGS}\b",
    rf"{LEAD}no (?!problem|worries|need|idea|doubt|wonder|rush|hurry|one)\w+ .{{0,40}}\b(?:until"
    r"|before|without|unless|outside)\b",
    rf"{LEAD}not (?:a word|before|until|without|outside|yet)\b",
    r"\b(?:forbidden|prohibited|banned|off[- ]limits|taboo|a no-go|out of bounds)\b",
    r"\bmake sure (?:that )?(?:nobody|no one|no |nothing|not |(?:\S+ ){1,3}?(?:do not|don't|does not"
    r"|doesn't|never|is not|isn't|are not|aren't|stays?|remains?) )",
)
_RESTRICTED = any_of(
    r"\b(?:say|tell|give|show|send|promise|sign|change|share|leak|forward|write|mention)\b (?:\w+ ){0,2}?nothing\b",
    r"\b(?:is|are|remains?|rests?) (?:\w+ )?(?:up to|reserved for|the business of|a matter for) (?!date\b|speed\b|you\b|\d)[a-z]",
    r"\b(?:last|only one|first) (?:one |person )?to (?:hear|know|learn|see)\b|\bnowhere\b|\ba thing of the past\b",
    r"\b(?:stays?|remains?|leave|keep)\b (?:\S+ ){0,4}?(?:exactly |just )?(?:where|as|how) (?:it|they) (?:is|are)\b",
    r"\b(?:is|are) (?:exhausted|used up|spent|full|maxed out)\b|\banonymity\b|\bas if (?:you|nobody|we) had(?: not|n't)\b",
    r"\b(?:i|we|he|she|they) (?:do not|don't|does not|doesn't) wish\b|\b(?:has|have)(?: not|n't)(?: yet)? (?:told|informed"
    r"|announced|shown|shared)\b",
    r"\b(?:nobody|no one|none) (?:gets?|is (?:being )?|are )\w+ed\b|\b(?:for|in|by|to|with) (?:the |my )?\w+ alone\b",
    r"\bleave (?:it|that|this) to (?!you\b)\w+|\b(?:has|have|needs?|ought) to (?:be kept|stay|remain)\b"
    r"|\b(?:is|are) (?:to be )?kept\b",
    r"\b(?:by|from|through) (?:me|us|him|her|them)\b.{0,20}\b(?:nobody|no one|not (?:by|from|through|you))\b",
    r"^only [a-z\d].*\b(?:may|can|is to|are to|should|must|gets? to)\b",
    rf"\b(?:may|must|should) only (?:be )?{ACT}|\bcan only be {ACT}",
    r"\bonly (?:after|with|upon|if|once|when) (?:i|we|you|he|she|they|it|the|my|our|your|his|her|their"
    r"|legal|a|written|prior)\b",
    rf"\b(?:keep|leave|leaving|keeping)\b (?:\S+ ){{1,6}}?{_PLACE}\b",
    r"\bhold(?:ing)? (?:off|back|fire)\b|\bhold (?:\S+ ){1,5}?(?:until|till|back)\b",
    r"\b(?:put|stays?|is|are) (?:\S+ ){0,4}?on (?:hold|ice)\b",
    rf"{IMPERATIVE}wait\b|\b(?:could|can|would|will|should|must) (?:you|we)? ?(?:please )?wait\b",
    r"\b(?:has|needs|have) to wait (?:for|until|till)\b",
    rf"\brefrain\b|\babstain\b|{IMPERATIVE}avoid\b|\b(?:should|must) avoid\b",
    r"\b(?:stay|steer|keep) (?:away|clear|out of|off)\b|\bhands off\b",
    rf"{IMPERATIVE}stop [a-z]+ing\b",
    rf"(?:\b(?:nothing|no|not|never|may|must|should|can|only)|n't)\b.{{0,80}}\bwithout (?:\S+ ){{0,5}}?{CONSENT}\b",
    rf"{IMPERATIVE}(?:ask|check with|consult|talk to|come to|speak to) (?:me|us|\w+) (?:first\b|before\b)",
    rf"{IMPERATIVE}(?:run|get|have|clear|check|show)\b (?:\S+ ){{1,6}}?(?:by|past|with|to|from) (?:me|us"
    r"|\w+)(?: first)? ?(?:first|before)\b",
    rf"\bneeds? (?:\S+ ){{0,4}}?{CONSENT} ?(?:first|before|for|to|from|[.,]|$)",
    rf"\b(?:requires?|subject to|calls? for|takes)\b.{{0,60}}\b{CONSENT}\b",
    r"\bunless (?:otherwise|told|instructed|(?:i|we|you|\w+) (?:explicitly |expressly )?(?:says?|tells?"
    r"|agrees?|approves?|confirms?|signs?|oks?|hears?))\b",
    r"\b(?:until|till|before|unless) (?:\S+ ){1,6}?(?:have|has|'ve|is|are|i've|we've|gives?)"
    rf"(?: been)? (?:given|{APPROVED})\b",
    rf"{IMPERATIVE}(?:stick to|stay (?:within|under|below|inside)|keep (?:to|within|below|under)|limit"
    r"|cap|restrict)\b",
    r"(?:\b(?:not|never)|n't) (?:exceed|go (?:over|above|beyond)|spend more)\b",
    r"\b(?:spend|commit|offer|order|promise|pay|agree)\b.{0,30}\b(?:no more than|at most|up to)\b",
    r"\b(?:is|are|stays?|remains?) (?:frozen|embargoed|blocked|suspended|on hold|locked|under embargo)\b",
    r"\b(?:stays?|remains?) (?:in (?:the )?drafts?|in draft|inside|between us|internal|confidential"
    r"|private|secret|unsent|untouched|with us)\b",
    r"\bstrictly (?:between|confidential|internal|private)\b|\bbetween (?:us|you and me)\b"
    r"|\bin (?:strict |strictest )?confidence\b|\beyes only\b|\binternal (?:use )?only\b|\binternal use\b",
    r"\bnot for (?:external|public|outside|general|circulation|distribution|publication)\b",
    rf"\b(?:is|are|be|as|stays?|remains?) (?:\w+ )?{_SECRET}\b",
    r"\b(?:asked|asks|insists?|insisted|requests?|requested|demands?|demanded|wants?) that (?:all|any"
    r"|every|no|nobody|nothing|we|you)\b",
    r"\b(?:all|any\w*|every\w*|each|whatever)\b.{0,40}\b(?:(?:goes|go|has to go|must go|runs?) through"
    r"|(?:goes|go|comes?|has to go|must go) (?:over|across|past|via|by) (?:me|us|(?:my|our|his|her|their) desks?))\b",
)
_IMPLIED = any_of(
    r"\b(?:would|'d) (?:much |really )?(?:rather|prefer)\b.{0,60}\b(?:not|nobody|no one|nothing|wait|keep"
    r"|first|before|until)\b|\b(?:would|'d) (?:much )?(?:rather|prefer)\b.{0,30}n't\b",
    r"\b(?:would|'d) (?:really )?hate (?:for|to see|if|it if|that)\b",
    r"\b(?:wouldn't|would not|'d not) (?:want|like) (?:to|it|any|the|this|you|them|him|her|anybody)\b",
    r"\b(?:would|'d|might) be (?:far |much |rather |a bit |very )?(?:too early|too soon|premature|unwise"
    r"|awkward|wrong|a mistake|unfortunate|bad|embarrassing|inappropriate|a disaster|risky"
    r"|a shame|better not)\b",
    r"\b(?:is|it's) (?:far |still |much )?(?:too early|too soon|premature)\b|\btoo (?:early|soon) to\b",
    r"\b(?:want|wants|like|likes|need|needs|have|has|insists?|plan|plans|prefers?)\b.{0,30}\b(?:see|check"
    r"|look|review|approve|read|sign|decide|talk|clear|go over|think|speak|hear|go through)\b"
    r".{0,80}\b(?:first\b|before\b)",
    r"\b(?:has|have|is|are|was)(?: not|n't)(?: yet)? (?:been )?(?:given (?:\w+ ){0,3}?"
    rf"{CONSENT}|{APPROVED})\b",
    r"\b(?:the )?(?:less|fewer) (?:\w+ )?(?:knows?|hears?|people)\b",
    r"\b(?:prefers?|preferred) (?:not|that no|that nobody)\b",
    r"\b(?:does not|doesn't|do not|don't) (?:know|suspect)\b.{0,60}\b(?:and|should|keep|stay|yet)\b",
)


@lru_cache(maxsize=4096)
def forbids(sentence: str) -> bool:
    """Tell whether a sentence sets a limit to what may be done."""
    text = plain(sentence)
    if not speaks(text):
        return False
    return any(shape.search(text) for shape in (_PROHIBITED, _RESTRICTED, _IMPLIED))
