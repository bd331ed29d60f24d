"""Names as they may stand in a terminal, a spreadsheet or Markdown: never as its code.

A name comes from a file of somebody's; nothing in it may become markup, a formula or a
control sequence of whatever shows it.
"""

import html
import re

_UNSEEN = "\N{REPLACEMENT CHARACTER}"
_LONGEST = 200  # characters of a name that are shown
_ASIDE = 0xF0000  # a private plane of Unicode, as large as that of all usual characters

# What Markdown, a shortcode of Quarto's or HTML may be made of. Bounds in brackets, which
# sentences have many of, are nothing; nor is `_` or an apostrophe inside a word.
_OBEYED = re.compile(
    r"""(?P<bounds> \[ [-+−\d.,%\ \u00a0]+ \] (?![(\[{:]) )
    | [\[\]\\`*<{}|$^@"] | & (?=[#\w]) | ~ (?![\ \u00a0])
    | (?<![^\W_]) [_'] | [_'] (?![^\W_])
    | - (?=-) | \. (?=\.\.)                                 # dashes, an ellipsis
    | : (?=//) | (?<=script) :                              # links without brackets
    | ^\ | \ $ | ^[#>:%=] | ^[-+] (?=\ ) | ^\(?\w{1,4}[.)] (?=\s)    # beginnings
    | [\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ue000-\uf8ff\ufeff]
    """,
    re.VERBOSE,
)
_SET_ASIDE = re.compile(f"[{chr(_ASIDE)}-{chr(_ASIDE + 0xFFFF)}]")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


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


def markdown_text(name: object) -> str:
    """A name that is seen in Markdown, and so in a head and in HTML, but not obeyed."""
    return shown(set_aside(str(name)))


def plain_text(markdown: str) -> str:
    """Text in which the characters of names are themselves again."""
    return html.unescape(markdown)


def set_aside(name: str) -> str:
    """The name with all that might be obeyed in a private plane, whence ``shown`` and
    ``taken_back`` fetch it: what is composed of it in between is nobody's markup."""

    def moved(found: re.Match[str]) -> str:
        return found["bounds"] or "".join(chr(ord(c) + _ASIDE) for c in found[0])

    return _OBEYED.sub(moved, name)


def coded(text: str) -> str:
    """A text that was set aside whole, what stands between its backticks being code."""
    mark = chr(_ASIDE + ord("`"))
    return re.sub(f"(?<!{mark}){mark}([^{mark}\n]+){mark}(?!{mark})", r"`\1`", text)


def taken_back(text: str) -> str:
    """The text as it was before ``set_aside``."""
    return _SET_ASIDE.sub(_own, text)


def shown(text: str) -> str:
    """Markdown with what was set aside as characters that are seen and not obeyed."""
    if not _SET_ASIDE.search(text):
        return text
    return _SET_ASIDE.sub(_entity, _CODE.sub(_code, text))


def _own(character: re.Match[str]) -> str:
    return chr(ord(character[0]) - _ASIDE)


def _entity(character: re.Match[str]) -> str:
    """Not a backslash: lists of posts put fields of a head into HTML as they are."""
    seen = printable(_own(character))
    return seen if seen == _UNSEEN else f"&#{ord(seen)};"


def _code(span: re.Match[str]) -> str:
    """In a code span nothing can be escaped; in HTML's it can."""
    name = taken_back(span[1])
    if "`" in name or "{{<" in name or not name.isprintable():
        return f"<code>{markdown_text(name)}</code>"
    return f"`{name}`"
