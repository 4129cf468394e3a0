"""Inflections of a phrase's last word, which are reported apart and decide nothing."""

import re

_LAST = re.compile(r"(.*?)([a-z]{3,})", re.DOTALL)


def inflections(phrase: str) -> tuple[str, ...]:
    """Return the plural, singular and -ing forms of a folded phrase, without the phrase itself.

    Only its last word changes, and only when it has three letters or more.
    """
    match = _LAST.fullmatch(phrase)
    if match is None or (match[1] and match[1][-1].isalnum()):
        return ()
    before, word = match.groups()
    forms = {*_plurals(word), *_singulars(word), *_gerunds(word), *_bases(word)} - {word}
    return tuple(before + form for form in sorted(forms))


def _plurals(word: str) -> set[str]:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return {word + "es"}
    return {word[:-1] + "ies"} if re.search(r"[^aeiou]y$", word) else {word + "s"}


def _singulars(word: str) -> set[str]:
    if word.endswith("ies"):
        return {word[:-3] + "y"}
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return {word[:-2], word[:-1]}
    return {word[:-1]} if word.endswith("s") and not word.endswith("ss") else set()


def _gerunds(word: str) -> set[str]:
    if word.endswith("ing"):
        return set()
    stem = word[:-1] if word.endswith("e") and not word.endswith("ee") else word
    doubled = stem + stem[-1] if re.search(r"[^aeiou][aeiou][bdgmnprt]$", stem) else stem
    return {stem + "ing", doubled + "ing"}


def _bases(word: str) -> set[str]:
    if not word.endswith("ing") or len(word) < 6:
        return set()
    stem = word[:-3]
    single = {stem[:-1]} if stem[-1] == stem[-2] else set()
    return {stem, stem + "e"} | single
