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
    shown = text.isascii() and text.isprintable()
    if shown and "  " not in text and text.strip() == text:
        return text[:LONGEST]
    unseen = {c for c in set(text) if unicodedata.category(c)[0] == "C" or c.isspace()}
    plain = "".join(" " if c in unseen else c for c in text)
    return " ".join(plain.split())[:LONGEST]
