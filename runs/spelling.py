"""Control characters spelled out, for terminals and pages: a logged text never steers either.

Escape sequences can move the cursor, rename the window or hide what follows, and marks of writing
direction can turn a line round. Letters of every script stay as they are.
"""

import re

CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufffe\uffff]"
)
"""Controls other than tab and line feed, marks of direction, halves of surrogate pairs, and the two
characters that no XML may hold."""


def spelled(text: str) -> str:
    r"""Return a text with each control character as `\uXXXX`, which is also how JSON writes it."""
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
