"""Listings of posts as Quarto makes them, of the options that our pages use.

A page's front matter says which posts a list holds, by the fields of their own front
matter, in what order, and what is shown of each; the page says where, by an empty div
of the list's id. An option that is not known here is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from benchbook.escaped import plain_text
from benchmath.errors import UserError

Item = Mapping[str, Any]
KINDS = ("default", "table")
# The last five are Quarto's alone: pages of a list, its buttons, the feed.
OPTIONS = {
    "id", "contents", "type", "include", "exclude", "sort", "fields",
    "field-display-names", "image-align", "date-format", "max-items",
    "page-size", "categories", "sort-ui", "filter-ui", "feed",
}  # fmt: skip


@dataclass(frozen=True)
class Listing:
    """A list to show: its id, its posts in order, and the fields of each."""

    name: str
    kind: str
    fields: tuple[str, ...]
    titles: Mapping[str, str]
    items: tuple[Item, ...]

    def html(self) -> str:
        """The list as it stands on the page."""
        file = Path(__file__).with_name("listing_template.html")
        text = file.read_text(encoding="utf-8")
        template = jinja2.Template(text, autoescape=True, finalize=seen)
        return template.render(listing=self, coded=_coded)


def listings(head: Mapping[str, Any], items: Sequence[Item]) -> list[Listing]:
    """The lists that a page's front matter asks for, of the posts that it may show."""
    asked = head.get("listing", [])
    return [_listing(one, items) for one in ([asked] if _is_one(asked) else asked)]


def seen(value: Any) -> Any:
    """A text of a front matter, which is Markdown, without what escapes its names."""
    return plain_text(value) if type(value) is str else value


def _coded(text: str) -> Markup:
    """Text of a front matter, in which Quarto reads Markdown: its code as such."""
    parts = re.split(r"`([^`]+)`", text)
    parts = [escape(plain_text(part)) for part in parts]
    parts[1::2] = [Markup("<code>") + part + Markup("</code>") for part in parts[1::2]]
    return Markup("").join(parts)


def _is_one(asked: object) -> bool:
    return isinstance(asked, Mapping)


def _listing(asked: Mapping[str, Any], items: Sequence[Item]) -> Listing:
    for name in asked.keys() - OPTIONS:
        raise UserError(f"the preview does not know the listing option {name!r}")
    kind = asked.get("type", "default")
    if kind not in KINDS:
        raise UserError(f"the preview does not know listings of type {kind!r}")
    there = [item for item in items if fnmatchcase(item["path"], asked["contents"])]
    for field, wanted in asked.get("include", {}).items():
        there = [item for item in there if _matches(item.get(field), wanted)]
    for field, unwanted in asked.get("exclude", {}).items():
        there = [item for item in there if not _matches(item.get(field), unwanted)]
    return Listing(
        name=asked.get("id", "listing"),
        kind=kind,
        fields=tuple(asked["fields"]),
        titles=asked.get("field-display-names", {}),
        items=tuple(_sorted(there, asked.get("sort", "title"))[: asked.get("max-items")]),
    )


def _matches(value: Any, wanted: Any) -> bool:
    """Does the field, or one of its values, match what is asked for, or one of that?"""
    values = value if isinstance(value, list) else [value]
    patterns = wanted if isinstance(wanted, list) else [wanted]
    return any(
        fnmatchcase(one, pattern) if isinstance(one, str) else one == pattern
        for one in values
        for pattern in patterns
    )


def _sorted(items: Iterable[Item], sort: str | list[str]) -> list[Item]:
    """By each of ``field`` or ``field desc``, the first counting most."""
    rows = list(items)
    for rule in reversed([sort] if isinstance(sort, str) else sort):
        field, _, direction = rule.partition(" ")
        rows.sort(key=lambda row: str(row.get(field, "")), reverse=direction == "desc")
    return rows
