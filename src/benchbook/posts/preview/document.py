"""Pandoc's document as JSON: its nodes, and the words of some of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Node = dict[str, Any]


def nodes(tree: Any) -> Iterator[Node]:
    """Every node of the document, in reading order."""
    ahead = [tree]
    while ahead:
        part = ahead.pop()
        if isinstance(part, dict):
            if "t" in part:
                yield part
            ahead += reversed(part.values())
        elif isinstance(part, list):
            ahead += reversed(part)


def words(inlines: Any) -> str:
    """Words and code of a line of text, without its marks."""
    return " ".join("".join(map(_word, nodes(inlines))).split())


def _word(node: Node) -> str:
    if node["t"] == "Str":
        return str(node["c"])
    return str(node["c"][1]) if node["t"] == "Code" else " "
