"""An HTML file as a flat list of elements that know what they lie in."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta",
        "source", "track", "wbr"}  # fmt: skip


@dataclass
class Element:
    """A tag, its attributes, the elements around it from the root down, its text."""

    tag: str
    attributes: dict[str, str]
    around: list[Element]
    text: str = ""

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())


@dataclass
class Page:
    """A page of a site."""

    path: Path
    elements: list[Element] = field(default_factory=list)

    def all(self, tag: str, name: str = "") -> list[Element]:
        """The elements of that tag, and of that class if one is given."""
        tagged = [e for e in self.elements if e.tag == tag]
        return [e for e in tagged if not name or name in e.classes]

    @property
    def ids(self) -> list[str]:
        return [e.attributes["id"] for e in self.elements if "id" in e.attributes]


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self.page, self.open = page, []

    def handle_starttag(self, tag, attrs):
        element = Element(tag, {k: v or "" for k, v in attrs}, list(self.open))
        self.page.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        values = {k: v or "" for k, v in attrs}
        self.page.elements.append(Element(tag, values, list(self.open)))

    def handle_endtag(self, tag):
        tags = [e.tag for e in self.open]
        if tag in tags:
            del self.open[len(tags) - 1 - tags[::-1].index(tag) :]

    def handle_data(self, data):
        for element in self.open:
            element.text += data


def read_page(path: Path) -> Page:
    """Parse one file."""
    page = Page(path)
    _Reader(page).feed(path.read_text(encoding="utf-8"))
    return page
