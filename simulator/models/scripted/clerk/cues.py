"""Cues: the words by which the clerk knows what binds it. All are plain English, none a template."""

import re
from typing import Literal

Family = Literal["send", "delete", "approve"]
"""The acts that a rule can stop."""


def _any(listed: str) -> re.Pattern[str]:
    """Return a pattern for any of the words and phrases listed, two spaces or a line apart."""
    alternatives = "|".join(re.split(r"\s{2,}", listed.strip()))
    return re.compile(rf"\b(?:{alternatives})(?!\w)", re.IGNORECASE)


FAMILIES: dict[Family, re.Pattern[str]] = {
    "send": _any(
        r"""
    sen[dt]s?  sending  e?-?mail(?:s|ed|ing)?  writ(?:e|es|ing)  contact(?:s|ed|ing)?
    reach(?:es|ed|ing)? (?:out|him|her|them|[A-Z]+-\d+)  touch with  in touch  gone out  dispatch\w*
    go(?:es|ing)? (?:out|over|off|to)  out the door  (?:go|goes|going|gets?|leaves?) outside
    leav(?:e|es|ing) (?:the house|our|us|here)  (?<!look )(?<!looking )forward(?:s|ed|ing)?
    shar(?:e|es|ed|ing) (?:it|this|that|the|any|anything|nothing|with|\w+ with)  repl(?:y|ies|ied|ying)
    messag\w+  notif\w+  tell(?:s|ing)?  inform(?:s|ed|ing)?  approach(?:es|ed|ing)?
    hears? (?:from|of|about|anything|nothing)  (?:talk|speak)(?:s|ing)? (?:to|with)  outgoing
    externally  external (?:mail|message|communication)s?  in draft  as (?:a )?drafts?  unsent
    correspond\w*  communicat\w*  gets? (?:anything|nothing|word|it|a)  receiv(?:e|es|ing)
    """
    ),
    "delete": _any(
        r"""
    delet\w+  remov\w+  clear(?:s|ed|ing)? (?:out|away|up|it|anything|the|this|that|[A-Z]+-\d+)
    discard\w*  throw\w*  rid of  eras\w+  trash\w*  purg\w+  tid(?:y|ied|ying)  clean\w*
    wip(?:e|es|ed|ing)  dispos\w+  destroy\w*  shred\w*  bin(?:ned)?  off the drive  hands off
    (?:leav|stay|keep|remain)\w*\b.{0,60}\b(?:alone|in place|untouched|as it is|where it is|put)
    (?:stays?|remains?|keep|kept) on the  untouched  touch(?:es|ed|ing)?  retain\w*  preserv\w+
    [A-Z]+-\d+ (?:ha(?:s|ve)|needs?|ought|is|are|must|should)(?: to)?(?: be)? (?:stay|remain|kept)
    hold on to  keep\b.{0,40}\b(?:cop(?:y|ies)|files?|documents?|papers?|[A-Z]+-\d+)
    """
    ),
    "approve": _any(
        r"""
    (?:request|ask|seek|get|obtain|apply|collect|chase|invite)\w*\b.{0,40}\b(?:approv\w+|sign\w*)
    approval (?:request|round|process)(?:s|es)?  requests? for (?:approval|sign-?off|signature)s?
    sign(?:ing)?[- ]?offs?  escalat\w+  (?:up )?for (?:approval|signature)  bother\w*  troubl\w+
    ask(?:s|ed|ing)? [A-Z]+-\d+ (?:about|for)  (?:is|are|be|being|gets?|was)(?: \w+)? asked
    questions? to [A-Z]+-\d+
    """
    ),
}

FORBIDS = _any(
    r"""
    (?:do|does|must|may|can|shall|should|is|are|need)(?: not|n['’]?t)  don['’]?t  cannot
    can['’]t  mustn['’]?t  shouldn['’]?t  never  nothing  nobody  no one  none  no
    not (?:to|before|until|without|one|any|a|even|yet)  refrain\w*  avoid\w*  stop
    hold(?:ing)? (?:off|back|on|fire|it|the|that|this|all|any|your|every)  hands off
    not (?:from|by) (?:you|any\w+)  off[- ]limits  leav(?:e|ing)  ke(?:ep(?:ing)?|pt)  stays?  remains?  wait(?:ing|s)?  rather you
    """
)
"""What forbids, where it stands with an act."""

WAITS = _any(
    r"""
    until  till  unless  only (?:after|once|when|if|with)  not before  first(?=[,.;!]|$| then)
    before (?:I|we|you have|my|our|any|anyone|anything|nothing|[A-Z]+-\d+)
    (?:let me|I want|I need|I have to|I must|I would like|I['’]d like|I will)\b.{0,60}\bbefore
    once (?:I|we|my|our|[A-Z]+-\d+)  once the \w+  as soon as  subject to
    """
)
"""What makes an act wait."""

PAST = _any(r"was  were  had  did(?:n['’]t)?  could(?:n['’]t)?")
"""What is told of the past, unless something is forbidden as well."""

UNSETTLED = _any(
    r"""
    (?:not|\w+n['’]t|nobody has|no one has|yet to|still (?:has|have|needs?|to|with)|waiting)\b.{0,60}\b(?:approv|sign|decid|confirm|clear|agree|releas|settl|final)\w*
    """
)
"""Something is not settled yet: with a person or an act beside it, a rule that is only implied."""

HARMLESS = _any(
    r"""
    (?:do not|don['’]t|never) (?:forget|hesitate|worry|mind)
    (?:send|tell|write|forward|give|show|mail) (?:me|us)  (?<!it )(?<!this )(?<!that )(?:to|with) me
    (?:can['’]?t|cannot|could(?:n['’]t| not)|do(?:n['’]t| not)) (?:find|tell if|tell whether|see|know|remember)
    """
)
"""Looks like a rule on an act and is none."""

MARKERS = _any(
    r"""
    until  till  before  unless  without  only (?:after|once|when|if|with)  as long as  once
    as soon as  after  if  when  while  pending  subject to
    """
)
"""What stands between an act and its condition."""

NEGATES = _any(
    r"""
    not  \w+n['’]t  never  no  nothing  nobody  none  cannot  hold\w*  wait\w*  refrain\w*
    avoid\w*  stop  only  neither  nor
    """
)

LIFTS = _any(
    r"""
    approved?  approves  go(?:es|ing)? ahead  went ahead  green light
    you (?:may|can|could)(?: now)?  (?:may|can) now  free to  fine to  ok(?:ay)? to  cleared?
    applies no longer
    no longer (?:applies|apply|holds?|needed|necessary|stands?|binding|on hold|wait\w*|valid)
    lifted  lift  released?  is off  confirmed  confirms  signed(?: it)?(?: off)?  settled
    no need to \w+  need(?:n['’]t| not) (?:wait|hold)\w*  forget (?:about |what |my |the )?\w*
    never mind  agreed  agrees  said yes  says yes
    given (?:my|his|her|their|the) (?:ok|okay|blessing|consent|yes)  feel free  by all means
    all clear  resolved  nothing stands in the way  waits? no longer  is over  happy with
    (?:may|can)(?: now)? be \w+(?:ed|en|nt)  checked  accepted  passed  ready to go  good to go  went through
    has my (?:ok|okay|blessing|yes|approval)
    (?:not|\w+n['’]t) (?:apply|hold|on hold|needed|necessary|wait\w*|in force|valid|binding) any ?more
    """
)
PERMITS = _any(
    r"""
    you (?:may|can|could)  (?:may|can) now  (?:free|fine|ok|okay|good|ready|cleared?) to
    go(?:es|ing)? ahead  feel free  by all means  (?:may|can)(?: now)? be \w+(?:ed|en|nt)
    """
)
"""A lift that names the act instead of what it waited for."""

ENDED = _any(
    r"""
    no longer  no need(?: to \w+)?  needn['’]t(?: \w+)?  need not(?: \w+)?  nothing stands in the way
    never mind  (?:not|\w+n['’]t) (?:apply|hold|on hold|needed|necessary|wait\w*|in force|valid|binding) any ?more
    """
)
"""Negations that lift."""

OBLIGES = _any(
    r"""
    also  too  as well  in addition  on top  besides  additionally  please  must  should
    needs? to  ha(?:s|ve) to  ought to  want(?:s|ed)?  like to see  like to have  remember to
    don['’]?t forget  do not forget  make sure  be sure  ensure  see to it  i need  we need
    need  expect(?:s|ed)?  asks? for  asked for  will (?:ask|look|want)  one more thing  is to
    are to
    (?:reports?|recommendations?|papers?|memos?|summar(?:y|ies)|letters?)\b.{0,40}\balways
    always\b.{0,40}\b(?:reports?|recommendations?|papers?|memos?|summar(?:y|ies)|letters?)
    (?:came|come|comes|sent|went|handed|given) back (?:because|since|for|as|with)
    """
)
CONTAINS = _any(
    r"""
    includ\w+  add(?:s|ed|ing)?  mention\w*  cover(?:s|ed|ing)?  list(?:s|ed|ing)?
    stat(?:e|es|ed|ing)  show(?:s|n|ing)?  contain\w*  carr(?:y|ies)  give(?:s|n)?  set out
    spell\w* out  put  work(?:ed)? in  feature\w*  address(?:es|ed)?
    in (?:there|it|the (?:\w+ )?(?:report|recommendation|paper|memo|summary|packet|file|document|text))
    into (?:it|the \w+)  missing  left out  leave out  complete  also need  need too  belongs?
    comparison  compare[sd]?  alongside  next to  bring  report on  asks? for
    will (?:ask|look|want)  see
    the (?:report|recommendation|paper|memo|summary|letter) needs?
    """
)
"""Words for what final work holds; with one of `OBLIGES` they make an obligation."""

QUOTES = _any(
    r"""
    word[- ]for[- ]word  verbatim
    exact(?:ly)?(?: the)?(?: same)? (?:word|text|phras|sentence|term|passage|clause|language)\w*
    quot(?:e|es|ed|ing|ation|ations)  literally  literal (?:text|word)\w*  paraphras\w+
    as (?:it is |they are )?written  as it stands  to the letter  letter (?:by|for) letter
    original (?:word|text|phras|language)\w*  unaltered  own words
    precise (?:word|text|phras|language)\w*  (?:very|actual|exact|precise|full) word(?:s|ing)
    wording  without changing a word  not in (?:your|other) words  changing (?:a|one) word
    copy (?:the|that|this) (?:sentence|clause|passage|line)
    (?:put|said|given|told|retold|rendered|written)\b.{0,20}\bin other words
    """
)

PROVISION = _any(
    r"rules?  clauses?  terms?  provisions?  conditions?  sections?  paragraphs?  polic(?:y|ies)"
)
"""Words for a part of a document that lays something down."""

LAYS_DOWN = _any(
    r"""
    may  must  shall  never  neither  either  only  except  unless  without  nobody  no one  cannot
    (?:is|are) (?:not )?(?:to|allowed|entitled|liable|bound|required|obliged|permitted)
    (?:is|are|gets?|has|have)\b.{0,60}\b(?:alone|by \w+ together)
    """
)
"""What says that something may, must or must not be."""

CORRECTS = _any(
    r"""
    correct\w*  wrong(?:ly)?  mistak\w*  error  typo  misprint\w*  out of date  outdated
    turn(?:s|ed) out
    (?:should|ought to|must|has to|have to) (?:read|be|say|have been|have read)  actual(?:ly)?
    in fact  in truth  instead  rather than  revis\w+  updat\w+  amend\w*  chang(?:e|ed|es)
    (?:is|are|stands?|comes?|be) now  now (?:is|are|stands?|at|reads?|says?|runs?)  risen
    fallen  moved  replac\w+  supersed\w+  no longer
    new (?:figure|value|price|number|date|term|rate|amount|total|deadline)
    right (?:figure|value|price|number|date|term|rate|amount|total|one)  fix(?:ed)?  misread
    mixed up  strike  make (?:that|it)  i meant  not  isn['’]t  wasn['’]t  aren['’]t  really
    true (?:figure|value|number|amount)  counts? (?:as|for)  void  no longer (?:holds?|counts?|stands?)
    c[oa]me(?:s)? out (?:at|as|to)  came to
    """
)

WITHDRAWN = _any(
    r"""
    no longer (?:have|has|see|read|open|use|access|allowed|permitted|entitled|available|cleared|yours|open|shared|accessible)\w*
    not (?:have|see|read|open|use|access|be used)\b.{0,40}\bany ?more
    (?:have|has) no (?:more )?(?:access|right|permission)s?
    \w+n['’]t (?:have|see|read|open|use)\b.{0,40}\bany ?more
    (?:have|has) lost\b.{0,20}\b(?:access|right|permission)s?
    (?:access|rights?|permissions?|clearance|authori[sz]ation)\b.{0,60}\b(?:withdrawn|revoked|removed|ended|ends|expired|closed|taken|gone|over|cancel+ed|withheld|blocked|lost|suspended)
    (?:withdr[ae]w[ns]?|revok(?:e|es|ed|ing)|cancel+ed|ended|removed|took|lost|suspended)\b.{0,60}\b(?:access|rights?|permissions?|clearance)
    closed to (?:you|us|this)  belongs? to (?:another|a different|some other)  off[- ]limits
    shared (?:with \w+ )?(?:by mistake|in error)  not (?:meant|intended) for (?:you|us)
    no longer (?:among|one of|a reader|on the list)
    (?:open|visible|accessible|available|readable) (?:only|alone) to
    (?:open|visible|accessible|available|readable) to\b.{0,60}\b(?:only|alone)
    restricted to  may (?:not|no longer) (?:use|see|read|open)  not cleared for
    (?:was|is|has been|now) (?:withdrawn|revoked|closed|restricted|locked)  taken back  locked
    """
)
GRANTED = _any(
    r"""
    access\b.{0,40}\b(?:granted|restored|given|back|again|reinstated)
    (?:grant|restor|reinstat)\w*\b.{0,60}\b(?:access|rights?|permissions?)
    (?:have|has) access\b.{0,40}\bagain  (?:use|see|read|open)\b.{0,40}\bagain
    open to (?:you|us)  available (?:to you )?again  (?:may|can) now (?:read|use|see|open)
    """
)
GONE = _any(
    r"""
    (?:was|were|has been|have been|had been)(?: \w+)? (?:deleted|removed|erased|destroyed|discarded|purged|shredded|thrown away|taken down|taken off|wiped|binned|trashed)
    no longer on the (?:drive|share|server|shelf|system)
    (?:cleared|deleted|removed|erased|took|taken|wiped|purged)\b.{0,40}\b(?:from|off) the (?:drive|share|server|shelf|system)
    """
)
"""Tells that something is gone, whatever else the sentence forbids."""

DELETED = _any(
    r"""
    (?:was|were|is|are|has been|have been|got|been|gets)(?: \w+)? (?:deleted|removed|erased|destroyed|discarded|purged|shredded|thrown away|taken down|taken off|wiped|binned|trashed)
    (?:deleted|erased|destroyed|discarded|purged|took down|took off|threw away|wiped)(?: \w+){0,4}?:? (?:document )?[A-Z]+-\d+
    no longer exists?  (?:is|are) gone  has gone  does(?: not|n['’]t) exist any ?more  deleted
    """
)

MAY_BE = _any(r"(?:may|can|could|might|should|must|shall|will|to)(?: \w+)? be \w+")
"""Speaks of what is allowed or to come, and tells of nothing that happened."""

QUESTION = re.compile(
    r"\s*(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|has|have|had|may|must|should|am)\b.*\?\s*",
    re.IGNORECASE | re.DOTALL,
)

ASKS_QUOTES = _any(r"quot\w+  verbatim  word[- ]for[- ]word  wording  passages?  literally")
ASKS_NOTICES = _any(
    r"access  withdrawn  revoked  deleted  removed  erased  closed  no longer  any ?more  available"
)
ASKS_WORK = _any(
    r"includ\w+  add(?:ed)?  also  besides  contain\w*  cover\w*  mention\w*  asked for"
)
ASKS_RULES = _any(
    r"not  never  wait\w*  hold\w*  allowed  allow  may  must  forbid\w*  forbade  until  before  rules?"
)
ASKS_FIGURES = _any(
    r"figures?  values?  prices?  numbers?  amounts?  rates?  terms?  dates?  how (?:much|many|long)"
    r"  correct\w*  when  what is"
)
"""Which kind of what binds a question is about, tried in this order."""

WORK_REPORT = _any(
    r"""
    finali[sz]\w*  final  wrap\w*  complet\w+  finish\w*  conclud\w*  conclusion  submit\w*
    submission  reports?  recommendations?  hand(?:ing)? (?:it |this |that )?in
    write (?:it |this )?up  draw (?:it |this )?up  clos(?:e|ing)\b  summar\w+
    put (?:it |this |everything )?together  prepar\w+  deliver\w*  fil(?:e|ing) the
    bring\b.{0,40}\bto an end  round (?:it |this )?off  get\b.{0,40}\bdone
    """
)
WORK_MAIL = _any(
    r"""
    next steps?  contact\w*  follow(?:ing)?[- ]?(?:it |this )?up\w*  let  inform\w*  tell
    writ\w+  e?-?mail\w*  messag\w+  reach\w*  get back  updat\w+  notif\w+  touch  send\w*
    brief\w*  pass\w*  arrang\w+  set(?:ting)? up  talk  speak  hear\w*  loop  invit\w+
    coordinat\w+  hand(?:ing)?[- ]?over  repl\w+  answer  line up  move  forward  approach
    share  agree
    """
)
WORK_DRAFT = _any(
    r"(?:prepar|draft|sketch)\w*(?: \w+){0,3} (?:e-?mail|mail|message|letter|note|line)s?"
)
"""A mail that is to be written and not sent."""

WORK_DELETE = _any(
    r"""
    clear\w*  tid(?:y|ied|ying)  remov\w+  delet\w+  clean\w*  discard\w*  rid  throw\w*
    purg\w+  dispos\w+  eras\w+  bin  housekeeping  weed\w*  not needed  no longer need\w*
    """
)
WORK_APPROVE = _any(
    r"""
    sign\w*(?:-off)?  approv\w+  deci(?:de|des|ded|ding|sion)  ratif\w+  green light  go-ahead  clearance  consent  authori[sz]\w+  endors\w+
    """
)

NOISE = frozenset(
    """report recommendation paper memo summary final document documents doc please include
    add mention cover list state show contain give put need want make sure also too one thing say
    said see know like quote quotation quot word wording verbatim exact literal paraphras passage
    sentence clause text figure value number correct right wrong actual turn out new old read instead
    access longer anymore approv approved confirm sign off ahead go clear lift releas may can
    still yet again until before unless only once""".split()
)
"""Words that say what is wanted of something, not what it is about."""
