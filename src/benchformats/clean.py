"""Texts of others as one plain line, whatever they hold."""

from __future__ import annotations

import unicodedata

LONGEST = 200  # characters of a name or value that are kept


def one_line(text: str) -> str:
    """Without control and format characters, blanks joined, at most LONGEST characters.

    What turns the direction of writing, erases a terminal's line or ends a line in a
    table is not part of any name.

    >>> one_line("a\\x1b[2J\\n b\\u202e")
    'a [2J b'
    """
    if (
        text.isascii()
        and text.isprintable()
        and "  " not in text
        and text.strip() == text
    ):
        return text[:LONGEST]
    plain = "".join(" " if c.isspace() or _unseen(c) else c for c in text)
    return " ".join(plain.split())[:LONGEST]


def _unseen(character: str) -> bool:
    return unicodedata.category(character)[0] == "C"
