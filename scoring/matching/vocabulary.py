"""The words that the clause rules know. Lower case, as folding leaves them."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PRONOUNS = _words("it he she they we i you this that these those there what here let's")
"""Words that open a clause as its subject, with or without a contracted verb."""

DETERMINERS = _words("the a an our my your their its his her this that these those")

AUXILIARIES = _words(
    "is are was were be been being am has have had will would can could should shall may might"
    " must do does did gets got became becomes remains remained stays stands seems applies"
)

BE_FORMS = _words("is are was were be been being am get gets got getting")

REPORTING = _words(
    "say says said show shows showed state states stated mention mentions mentioned mean means"
    " read reads give gives list lists confirm confirms confirmed indicate indicates suggest"
    " suggests move moved apply applied work works went cost costs start starts end ends take"
    " takes hold holds replaced"
)
"""Other verbs that show that a short subject before them begins a clause."""

SAYING = _words(
    "say says said state states stated mention mentions mentioned show shows showed shown list lists"
    " listed read reads quote quotes quoted cite cites cited claim claims claimed name names named"
)
"""Verbs of somebody's words: `the note says X, which is wrong` rejects X."""

VERBS = _words(
    "go goes went use uses choose chose select keep keeps kept take took pick set charge ship"
    " send book make made proceed switch move stick confirm note please pay call schedule stay"
    " leave try consider see remember say says said picked chosen bill invoice deliver email tell"
    " quote enter record follow adopt assume treat process issue refund order reserve prepare run"
    " start open close give offer accept approve return"
)
"""Verbs that open a clause without a subject: `not Friday, use Thursday or Saturday`."""

TURNS = _words("now instead then therefore actually thus hence only")
"""Adverbs that turn to another statement after a comma or `and`."""

CLOSERS = _words(
    "but however although though whereas while until till unless therefore thus hence then"
    " meanwhile otherwise nevertheless nonetheless"
)
"""Words that always begin a clause of their own."""

REASONS = _words("because since so before")
"""Words that begin a clause unless a cue stands right before them: `not because of X`."""

SOFT_ABBREVIATIONS = _words("inc ltd corp co etc jr sr")
"""Words whose full stop ends a sentence only where a subject follows."""

ABBREVIATIONS = _words("mr mrs ms dr prof st vs approx cf fig eq sec dept est")
"""Words whose full stop ends no sentence."""

ADVERBS = _words(
    "ever even to going have also just really please simply be one can could will would should may"
)
"""Words that may stand between a cue and the verb that it turns round."""

NEGATORS = _words(
    "not never no cannot neither nor none nobody nothing nowhere without hardly barely scarcely"
    " lack lacks lacking unlikely unable rarely seldom"
    " cant dont isnt wasnt wont doesnt didnt arent werent hasnt havent hadnt shouldnt wouldnt"
    " couldnt mustnt"
)
"""Cues that rule out what follows, up to the end of their clause; so does any `…n't`."""

HARMLESS_AFTER_NOT = _words(
    "only just merely simply solely least surprisingly until till before unlike unless forgetting"
)
HARMLESS_PAIRS = frozenset(
    {
        ("to", "mention"),
        ("in", "doubt"),
        ("in", "question"),
        ("in", "dispute"),
        ("a", "problem"),
        ("an", "issue"),
        ("a", "secret"),
        ("go", "wrong"),
    }
)
HARMLESS_AFTER_NO = _words(
    "doubt problem problems matter wonder question surprise worries mistake denying change"
    " changes issue issues brainer kidding objection objections reservations secret alternative"
    " alternatives substitute"
)
DOUBTS = _words("doubt question fail exception delay ado")
REASONED = _words("leave drop move doubt think believe worry")
"""What there is no reason to do where a thing holds, besides changing and discarding it."""

NEWS = _words("change changes update updates correction corrections revision revisions")
"""Of what there is none where a thing holds: `I know of no change to X`."""

BOUNDING = _words("above below over under beyond past")
BOUNDED = _words("go goes be get gets cost costs pay charge come run take a one single")
"""Words that may stand between a negation and `more than X` or `above X`."""

COMPARATIVES = _words("later earlier sooner more less fewer greater higher lower longer better")
"""`no later than X` bounds by X; it does not rule X out."""

KEEPING = _words(
    "miss missed overlook overlooked omit omitted skip skipped neglect neglected hesitate lose"
    " lost affect affects affected change changes changed alter altered mind fail fails failed"
    " doubt exceed deny"
    " dispute disputes disputed question questions regret stress overstate emphasize afraid"
    " deviate stray depart disagree object objects objected oppose opposes opposed contest contests"
    " late surprised alarmed panic worry worried prevent prevents hinder hinders"
    " beat beats tops"
)
"""Verbs that assert their object when negated: `do not miss X`, `this does not change X`."""

_DISCARDS = {
    "cancel": "cancels cancelled canceled cancelling canceling",
    "drop": "drops dropped dropping",
    "scrap": "scraps scrapped scrapping",
    "discard": "discards discarded discarding",
    "disregard": "disregards disregarded disregarding",
    "ignore": "ignores ignored ignoring",
    "exclude": "excludes excluded",
    "avoid": "avoids avoided avoiding",
    "abandon": "abandons abandoned abandoning",
    "reject": "rejects rejected rejecting",
    "replace": "replaces replaced replacing",
    "supersede": "supersedes superseded superseding",
    "override": "overrides overrode overridden overriding",
    "overwrite": "overwrites overwrote overwritten overwriting",
    "revoke": "revokes revoked revoking",
    "retract": "retracts retracted retracting",
    "withdraw": "withdraws withdrew withdrawn withdrawing",
    "deny": "denies denied denying",
    "decline": "declines declined declining",
    "forget": "forgets forgot forgetting",
    "remove": "removes removed removing",
    "refuse": "refuses refused refusing",
    "discontinue": "discontinues discontinued discontinuing",
    "rescind": "rescinds rescinded rescinding",
    "repeal": "repeals repealed repealing",
    "annul": "annuls annulled annulling",
    "void": "voids voided voiding",
    "scratch": "scratches scratched scratching",
}
DISCARDING = frozenset(_DISCARDS) | _words(" ".join(_DISCARDS.values()))
"""Verbs that rule out their object: `$47 replaced $45`. Negated, they assert it."""

CHANGES = _words(
    "move moved moves moving change changed changes changing switch switched switching update"
    " updated updating went revise revised correct corrected raise raised lower lowered increase"
    " increased reduce reduced reschedule rescheduled postpone postponed shift shifted migrate"
    " migrated cut push pushed drop dropped up down away differs different rise rises rose risen"
    " grow grows grew grown climb climbed jump jumped fall falls fell fallen decrease decreased"
    " convert converted transition transitioned upgrade upgraded downgrade downgraded relocated"
    " transferred"
)
"""What makes `from X` the thing left behind: `moved from X to Y`, `up from X`."""

PREPOSITIONS = _words(
    "by with to into for on at in from as per via through under over after during about than"
    " toward towards onto"
)
"""Words that end the object of a discarding verb."""

FILLERS = _words(
    "at in on of for the a an set to with as by it was be scheduled planned quoted priced agreed"
    ' booked listed known charged due $ # ( "'
)
"""What may stand between `previously` and the value."""

PAIRED_CUES = {
    ("rather", "than"): "rather than",
    ("instead", "of"): "instead of",
    ("opposed", "to"): "as opposed to",
    ("far", "from"): "far from",
    ("anything", "but"): "anything but",
    ("everything", "but"): "everything but",
    ("all", "but"): "all but",
    ("other", "than"): "other than",
    ("apart", "from"): "apart from",
    ("place", "of"): "in place of",
    ("lieu", "of"): "in lieu of",
    ("free", "of"): "free of",
    ("decided", "against"): "decided against",
    ("ruled", "against"): "ruled against",
    ("advise", "against"): "advise against",
    ("recommend", "against"): "recommend against",
    ("advised", "against"): "advised against",
    ("as", "against"): "as against",
    ("refuse", "to"): "refuse to",
    ("refuses", "to"): "refuses to",
    ("refused", "to"): "refused to",
    ("refrain", "from"): "refrain from",
    ("refrains", "from"): "refrains from",
    ("refrained", "from"): "refrained from",
}
PHRASAL = frozenset(
    {
        *((word, "down") for word in ("turn", "turns", "turned", "turning")),
        *((word, "off") for word in ("call", "calls", "called", "calling")),
        *((word, "back") for word in ("roll", "rolls", "rolled", "rolling")),
        *((word, "out") for word in ("phase", "phased", "cross", "crossed", "struck", "threw")),
    }
)
"""Verbs of two words that rule out their object: `they turned down X`."""

SINGLE_EXCLUDERS = _words("except excluding excepting barring unlike")
CEASING = _words("stop stops stopped stopping cease ceases ceased ceasing quit quits")
"""Verbs that rule out what an -ing form behind them takes: `we stopped charging X`."""

RELATIVES = _words("that which who whose what")
"""Words that begin a relative clause: `the day that is not free is X`."""

CLAIMS = _words("false untrue wrong incorrect mistaken")
"""Adjectives that rule out a clause which `that` or `to` joins to them."""

DOUBTERS = _words("i we they he she you would seriously really strongly highly to")
EARLIER = _words("previously formerly originally initially")

OUTDATED = _words("old older previous former original earlier prior outdated obsolete superseded")
"""Adjectives after which a comma names the thing again: `not the old date, Friday`."""

CUE_STARTS = (
    NEGATORS
    | DISCARDING
    | SINGLE_EXCLUDERS
    | CLAIMS
    | EARLIER
    | CEASING
    | frozenset(first for first, _ in PHRASAL)
    | frozenset(first for first, _ in PAIRED_CUES)
    | _words("doubt doubts used fail fails failed out from non was")
)
"""Every word that a cue can begin with, besides any `…n't`: other words need no second look."""
