r"""Logged text on a terminal: shown as it is, and never obeyed.

A log holds what models, tools and strangers wrote. Control characters and those that turn the
direction of writing come out as escapes, such as `\x1b`; letters of any script stay letters.
"""

import re
import unicodedata

_LINE = 110

_TURNS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_ACTED_ON = re.compile(f"[\x7f-\x9f\u2028\u2029{''.join(sorted(_TURNS))}]")


def plain(text: object) -> str:
    """Return a text on one line, with everything escaped that a terminal would act on."""
    return "".join(map(_safe, str(text)))


def short(text: object, longest: int = _LINE) -> str:
    """Return a plain text of at most `longest` characters, with a mark where it was cut."""
    line = plain(text)
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def harmless(text: str) -> str:
    """Return JSON with all that a terminal would act on as JSON escapes; line breaks stay."""
    return _ACTED_ON.sub(lambda met: f"\\u{ord(met.group()):04x}", text)


def _safe(letter: str) -> str:
    if letter in _TURNS or unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp"):
        return letter.encode("unicode_escape").decode("ascii")
    return letter
