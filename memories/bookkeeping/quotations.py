"""Quotation requests: that a passage is to be given word for word."""

from functools import lru_cache

from memories.bookkeeping.grammar import IMPERATIVE, any_of, plain, speaks

_CLAUSE = (
    r"(?:clause|section|sentence|passage|paragraph|article|provision|definition|rule|requirement"
    r"|wording|text|policy|terms?|condition|footnote|instruction|statement|line|language|part"
    r"|charter|lease|contract|agreement|warranty|waiver)"
)
_SMALL = (
    r"(?:clause|sentence|paragraph|passage|wording|definition|section|terms?|rule|text|warning|guarantee"
    r"|part|provision|condition|article|phrase|line|statement|promise|commitment)s?"
)
_COPY = (
    r"(?:copy|reproduce|paste|transcribe|extract|excerpt|cite|give|include|print|take over|insert)"
)
_REQUESTS = any_of(
    rf"{IMPERATIVE}quote\b(?! (?:them|us|him|her|me) an?\b)|\b(?:can|could|would|will|should|must|to)"
    r" (?:you )?(?:please |also )?quote (?:the|from|it|what|that|directly|verbatim|in full|word)",
    r"\b(?:be|have|has|see|get|want|wants|need|needs|like|likes)\b.{0,80}\bquoted\b",
    r"\b(?:direct|literal|exact|verbatim|full|faithful|word[- ]for[- ]word) (?:quotes?|quotations?|citations?"
    r"|excerpts?|copy)\b|\bin quotation marks\b|\bin quotes\b|\bas a (?:literal |direct )?quot",
    r"\bverbatim\b|\bword[- ](?:for|by)[- ]word\b|\b(?:letter|character) (?:by|for) (?:letter|character)\b",
    rf"\b{_COPY}\b.{{0,80}}\bliterally\b|\bliterally\b.{{0,40}}\b{_CLAUSE}\b",
    r"\bin the (?:words|terms|language) (?:of|in which|that|it)\b|\bevery word in place\b|\bin extenso\b|\bas a quote\b"
    r"|\bno interpretation\b|\bwithout touching\b|\b(?:literally|actually) says?\b|\b(?:quote|quoted|cited) with\b",
    rf"\btake\b.{{0,60}}\bover (?:as|just|exactly)\b|\bfaithfully\b|\bactual {_SMALL}\b",
    r"\b(?:exact|precise|original|actual|literal|official|very) (?:words?|wording|text|phrasing|language|sentence"
    r"|formulation)\b|\b(?:'s|its|their) own (?:words|wording|language)\b",
    r"\b(?:exactly |just |precisely )as (?:it is |they are |it's )?(?:written|worded|phrased|stated|printed"
    r"|it (?:stands|reads|appears|says))\b|\bas (?:it|they) (?:stands?|reads?|is written|are written)\b",
    r"\bno (?:rewording|paraphras\w+|rephrasing|rewriting)\b|\b(?:do not|don't|never|nobody|without|not|rather than|instead of) (?:be )?(?:to )?(?:paraphras|rephras"
    r"|reword|summari[sz]|abridg|shorten)",
    rf"\b{_COPY}\b.{{0,80}}\b(?:unchanged|unaltered|unabridged|in full|without (?:any )?chang\w+|as is)\b",
    rf"\b{_CLAUSE}\b.{{0,40}}\b(?:as is|unchanged|unaltered|unabridged|in full|speaks? for itself)\b"
    r"|\blet\b.{0,40}\bspeak for (?:itself|themselves)\b",
    rf"\b(?:transcribe|reproduce|excerpt)\b.{{0,80}}\b{_CLAUSE}\b|\bthe (?:text|passage|clause|words) itself\b",
    r"\bhow (?:the|it|its|that|this)\b.{0,40}\b(?:phrased|worded|written)\b",
    r"\b(?:a |any )?(?:summary|paraphrase)\b.{0,50}\b(?:won't|will not|is not|isn't|wouldn't|would not|does not"
    r"|doesn't)\b",
    rf"\b(?:reworded|rephrased|paraphrased)\b.{{0,50}}\b{_CLAUSE}\b",
    r"\b(?:every|each) (?:single )?(?:word|comma)\b.{0,50}\b(?:counts?|matters?)\b"
    r"|\bwording\b.{0,60}\b(?:matters|counts|is (?:important|what))\b",
)
_LITERAL = any_of(
    r"\bin (?:other|different|new|fresh|somebody(?: else)?'s|someone(?: else)?'s|his|her|their|our|your) words\b",
    r"\b(?:exact(?:ly)?|literal(?:ly)?|unedited|unabridged|faithful(?:ly)?|to the letter|one to one|1:1)\b",
    r"\b(?:the|in the) (?:same|very) words\b|\b(?:itself|themselves)\b.{0,20}\bnot\b|\bnot (?:your|a|my|our) (?:version"
    r"|rendering|summary|paraphrase|gist)\b|\bno (?:rewording|paraphras\w+|rephrasing|summar\w+)\b",
    r"\b(?:as|the way|just like|exactly like) (?:the |its |their |it's |it is |it was )?(?:\w+ )?(?:has|have|had|puts?|wrote"
    r"|writes?|says?|printed|words?) ?(?:it|them)?\b|\bstraight (?:from|out of)\b|\bfrom the (?:original|source)\b"
    r"|\bthe original when\b|\buse quotes\b|\bquotes? for\b|\bput .{1,40}\bin quotes\b|\bthe source (?:sentence|text)\b",
)
_UNIT = any_of(rf"\b{_SMALL}\b")


@lru_cache(maxsize=4096)
def asks_to_quote(sentence: str) -> bool:
    """Tell whether a sentence asks that a text be given in its own words."""
    text = plain(sentence)
    if not speaks(text):
        return False
    return bool(_REQUESTS.search(text) or (_LITERAL.search(text) and _UNIT.search(text)))
