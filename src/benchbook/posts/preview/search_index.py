"""What a search reads: prose and the heads of tables, by section.

Cells and notes of tables, code and what charts draw are found by nobody who looks for a
subject. Nor is what all posts say in one another's words: one would be found with all.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchbook.posts.preview.document import Node, nodes, words

LEVELS = (1, 2, 3)
ALIKE = (  # sections of posts
    "builds", "caveats", "data", "files-for-other-tools", "machine", "run-it-again",
    "turn-by-turn", "what-the-question-presumes",
)  # fmt: skip
_UNREAD = re.compile(r"<(script|style|svg|pre|tbody|tfoot|summary)\b.*?</\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_SENTENCE = re.compile(r"(?<=[.:!?]) ")
_ADDRESS = re.compile(r"\]\([^)]*\)")  # of a link: no reader sees it
_HEAD = re.compile(r"^#+ .*$", re.MULTILINE)
_WORD = re.compile(r"\w+")


def entries(href: str, title: str, blocks: list[Any]) -> list[dict[str, str]]:
    """One entry per section of a page; what is folded there counts as well."""
    found, texts = [_entry(href, title, "")], [""]
    walk = nodes(blocks)
    for node in walk:
        if node["t"] == "Header" and node["c"][0] in LEVELS and node["c"][1][0]:
            _, (label, _, _), inlines = node["c"]
            for _ in nodes(inlines):
                next(walk)  # the section's name is no text of it
            found.append(_entry(f"{href}#{label}", title, words(inlines)))
            texts.append("")
        else:
            texts[-1] += _text(node)
    alike = {f"{href}#{label}" for label in ALIKE if _is_post(href)}
    return [
        entry | {"text": " ".join(text.split())}
        for entry, text in zip(found, texts, strict=True)
        if entry["href"] not in alike
    ]


def said_by_templates(folder: Path) -> frozenset[str]:
    """The sentences of the templates' Markdown cells, by their words alone."""
    said = (_ADDRESS.sub("]", _HEAD.sub("", text)) for text in _markdown(folder))
    parts = (part for text in said for part in _SENTENCE.split(" ".join(text.split())))
    return frozenset(filter(None, map(_words, parts)))


def unlike(entries: list[dict[str, str]], said: frozenset[str]) -> list[dict[str, str]]:
    """The same entries; of posts without the sentences that a template says on each.

    A section that has nothing else is left out.
    """
    own = (
        entry | {"text": _own(entry["text"], said)} if _is_post(entry["href"]) else entry
        for entry in entries
    )
    return [entry for entry in own if entry["text"] or "#" not in entry["href"]]


def _is_post(href: str) -> bool:
    return href.startswith("posts/")


def _own(text: str, said: frozenset[str]) -> str:
    parts = _SENTENCE.split(text)
    return " ".join(part for part in parts if _words(part) not in said)


def _markdown(folder: Path) -> Iterator[str]:
    for file in sorted(folder.glob("*.ipynb")):
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                yield "".join(cell["source"])


def _words(sentence: str) -> str:
    return " ".join(_WORD.findall(html.unescape(sentence).lower()))


def _entry(href: str, title: str, section: str) -> dict[str, str]:
    return {"href": href, "title": title, "section": section}


def _text(node: Node) -> str:
    """What a reader can see of it, with a blank where a word or a block ends."""
    kind = node["t"]
    if kind == "Str":
        return str(node["c"])
    if kind == "Code":
        return str(node["c"][1])
    if kind in ("RawBlock", "RawInline"):
        return f" {seen(node['c'][1])} "
    return "" if kind in ("Emph", "Strong", "Link", "Quoted") else " "


def seen(markup: str) -> str:
    """What is read of HTML: no code, no picture, no cell of a table."""
    return html.unescape(_TAG.sub(" ", _UNREAD.sub(" ", markup)))
