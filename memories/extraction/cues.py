"""Cues: words that say what a value is, with the attribute they name and the shapes it can have.

A general lexicon of service, logistics, office and operations English. Where one thing has
several names ("refund", "reimburse", "money back"), all lead to one attribute.
"""

import re
from dataclasses import dataclass

_MONEY = frozenset(("money", "number", "percent"))
_CODE = frozenset(("code", "number", "phone"))
_AMOUNT = frozenset(("money", "number", "percent", "quantity"))
_DAY = frozenset(("date",))
_WHEN = frozenset(("date", "time"))
_PLACE = frozenset(("address",))
_HOST = frozenset(("host",))
_TIME = frozenset(("time",))
_SPOT = frozenset(("place",))
_PHONE = frozenset(("phone", "number"))
_OWN_WORDS = ""
"""As attribute: the words themselves, with at most one word before them."""

# (words, attribute, shapes)
_LEXICON: list[tuple[str, str, frozenset[str]]] = [
    (
        r"refund\w*|reimburs\w+|repa(?:y|id)\w*|compensat\w+|money back|back",
        "refund amount",
        _MONEY,
    ),
    (r"amount|sum|figure", "amount", _AMOUNT),
    (
        r"returns? (?:code|authori[sz]ation(?: code| number)?|number|label|reference)"
        r"|RMA(?: code| number)?(?![\w-])|send (?:it|them) back",
        "return code",
        _CODE,
    ),
    (r"tracking(?: number| code| id)?", "tracking number", _CODE),
    (r"(?:coupon|promo|voucher|discount)(?: code)?", "voucher code", frozenset(("code",))),
    (
        r"(?:access|gate|door|entry|security|verification|confirmation|activation|unlock|pickup"
        r"|booking|reservation|reference|case|error|serial|model|part|account|invoice|policy"
        r"|purchase order|po|change|ticket|badge|meeting|conference) (?:code|number|reference|pin|id)",
        _OWN_WORDS,
        _CODE,
    ),
    (r"pin|passcode|password|pager|badge|licen[cs]e plate", _OWN_WORDS, _CODE),
    (r"(?:billing|invoice|home|office|work|return|pickup|mailing) address", _OWN_WORDS, _PLACE),
    (
        r"deliver\w*(?: address)?|ship\w*(?: address| to)?|dispatch\w*|drop (?:it|them) off"
        r"|send (?:it|them|everything|the \w+)|parcel|package|mail (?:it|them)",
        "delivery address",
        _PLACE,
    ),
    (r"address|live[sd]? (?:at|on)|based (?:at|on)|located (?:at|on)", "address", _PLACE),
    (
        r"deliver\w*(?: date)?|arriv\w+|ship\w*|dispatch\w*|get(?:s)? here|expected|eta"
        r"|turn(?:s)? up|show(?:s)? up|drop(?:s|ped)? off",
        "delivery date",
        _DAY,
    ),
    (r"deadline|due(?: date)?", "deadline", _DAY),
    (r"date", _OWN_WORDS, _DAY),
    (r"start(?:s|ed|ing)?(?: time)?|begins?|beginning|kicks? off", "start time", _TIME),
    (r"arriv\w+(?: time)?|land(?:s|ing)(?: time)?", "arrival time", _TIME),
    (r"depart\w+(?: time)?|leav(?:es|ing)(?: time)?", "departure time", _TIME),
    (r"end(?:s|ed|ing)?(?: time)?|finish(?:es)?(?: time)?", "end time", _TIME),
    (r"(?:check-?in|check-?out|pick-?up|boarding|opening|closing) time", _OWN_WORDS, _TIME),
    (r"appointment|meeting|interview|visit|inspection|maintenance(?: window)?", _OWN_WORDS, _WHEN),
    (
        r"renew\w*|expir\w+|start(?:s|ed)?|moved(?! to\b| from\b)|bought|ordered|signed|cancel\w+",
        _OWN_WORDS,
        _DAY,
    ),
    (
        r"call(?:ing)? (?:\w+ )?back|callback(?: number)?|reach(?:ed)?(?: me| us| her| him| them)?"
        r"|call (?:me|us|her|him|them)|ring (?:me|us)|contact number",
        "callback number",
        _PHONE,
    ),
    (r"(?:phone|mobile|cell|telephone)(?: number)?", "phone number", _PHONE),
    (r"(?:fax|extension|room|desk|seat|gate|port|table|locker)(?: number)?", _OWN_WORDS, _CODE),
    (r"host(?: ?name)?|server|node|machine|endpoint|domain", _OWN_WORDS, _HOST),
    (r"moved?|runs?|running|hosted|deploy\w*|migrat\w+", "host", _HOST),
    (r"room|venue|meet(?:s|ing)?|visit\w*", "room", _SPOT),
    (r"seat|desk|gate|platform|bay|locker|table|floor|hall|studio|suite", _OWN_WORDS, _SPOT),
    (r"e-?mail(?: address)?|write to", "email", frozenset(("email",))),
    (
        r"fee|price|cost|charge|deposit|budget|limit|balance|salary|rent|allowance|premium|quote"
        r"|total|surcharge|bonus|penalty|threshold|ceiling|cap",
        _OWN_WORDS,
        _AMOUNT,
    ),
    (r"discount|credit|commission|tax|rate|interest", _OWN_WORDS, _AMOUNT),
    (r"version|release|upgrad\w+|running|pinned", "version", frozenset(("version", "number"))),
    (r"(?:code|reference)(?: number)?", _OWN_WORDS, _CODE),
    (r"quantity|headcount|capacity|retention|timeout|party", _OWN_WORDS, _AMOUNT),
]

DEFAULTS = {
    "money": "amount",
    "percent": "percentage",
    "address": "address",
    "phone": "phone number",
    "email": "email",
}
"""What a value is called by its shape alone, where no cue says more."""

GENERIC = frozenset((*DEFAULTS.values(), "code", "reference", "date"))
"""Names that say no more than the shape does; in context they may stand for a fuller name."""

_NO_MODIFIER = frozenset(
    """a an the my our your his her their its this that new old current same total of for on in to
    and or is was be now please use set make put no any some each per with at by as it i we you
    right correct updated final actual original previous first next only from until around about over under above below
    his then than also not are were has have had will would can""".split()
)


@dataclass(frozen=True)
class Cue:
    """Words in a sentence that name an attribute, and where they stand."""

    attribute: str
    start: int
    end: int


_LAST_WORD = re.compile(r"\b([A-Za-z]+) $")
_FIXED = {str(number): name for number, (_, name, _) in enumerate(_LEXICON)}


def _pattern(kind: str) -> re.Pattern[str]:
    options = []
    for number, (words, _, kinds) in enumerate(_LEXICON):
        if kind in kinds:
            options.append(f"(?P<c{number}>{words})")
    return re.compile(rf"\b(?:{'|'.join(options)})\b", re.IGNORECASE)


_PATTERNS = {kind: _pattern(kind) for kind in frozenset().union(*(each[2] for each in _LEXICON))}


def find_cues(sentence: str, kind: str) -> list[Cue]:
    """Return the cues of a sentence that values of one shape can belong to, left to right."""
    pattern = _PATTERNS.get(kind)
    return [_cue(match, sentence) for match in pattern.finditer(sentence)] if pattern else []


def _cue(match: re.Match[str], sentence: str) -> Cue:
    attribute = _FIXED[str(match.lastgroup)[1:]] or _with_modifier(match, sentence)
    return Cue(attribute, match.start(), match.end())


def _with_modifier(match: re.Match[str], sentence: str) -> str:
    words = match.group().lower()
    before = _LAST_WORD.search(sentence, max(0, match.start() - 20), match.start())
    modifier = before[1].lower() if before else ""
    return words if len(modifier) < 3 or modifier in _NO_MODIFIER else f"{modifier} {words}"
