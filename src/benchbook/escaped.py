"""Names as they may stand in a terminal, a spreadsheet or Markdown: never as its code.

A name comes from a file of somebody's; nothing in it may become markup, a formula or a
control sequence of whatever shows it.
"""

import re

_UNSEEN = "\N{REPLACEMENT CHARACTER}"
_LONGEST = 200  # characters of a name that are shown


def printable(text: object) -> str:
    """On one line, without characters that a terminal obeys or that reorder others."""
    return "".join(c if c.isprintable() else _UNSEEN for c in str(text))


def markdown_code(text: object, most: int = _LONGEST) -> str:
    """A code span: no markup, link, mention or HTML in it is one. Long texts are cut."""
    name = printable(text) or " "
    name = name if len(name) <= most else f"{name[: most - 1]}…"
    longest = max(map(len, re.findall("`+", name)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if name[0] in "` " or name[-1] in "` " else ""
    return f"{fence}{pad}{name}{pad}{fence}"


def markdown_cell(text: object) -> str:
    """A code span in a table, whose cells a bare ``|`` would end."""
    return markdown_code(text).replace("|", "\\|")


def xml_text(text: object) -> str:
    """Without the characters that XML 1.0 cannot hold; its writer escapes the others."""
    return "".join(
        c if c in "\n\t" or (c >= " " and not "\ud800" <= c <= "\udfff" and c < "\ufffe")
        or c >= "\U00010000" else _UNSEEN
        for c in str(text)
    )  # fmt: skip
