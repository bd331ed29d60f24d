"""An HTML file as a flat list of elements that know what they lie in."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta",
        "source", "track", "wbr"}  # fmt: skip
SHOWN = 40  # letters of an element that a message shows


@dataclass(eq=False, repr=False)
class Element:
    """A tag, its attributes, the elements around it from the root down, its text.

    The elements around it have some around them in turn: all of them in a message of a
    failed test, or compared one by one, would double with each level of the page.
    """

    tag: str
    attributes: dict[str, str]
    around: list[Element]
    text: str = ""

    def __repr__(self) -> str:
        named = {k: v for k, v in self.attributes.items() if k in ("id", "class", "href")}
        marks = "".join(f" {name}={_cut(value)!r}" for name, value in named.items())
        return f"<{self.tag}{marks}> {_cut(self.text)!r}"

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())


@dataclass
class Page:
    """A page of a site."""

    path: Path
    elements: list[Element] = field(default_factory=list, repr=False)

    def all(self, tag: str, name: str = "") -> list[Element]:
        """The elements of that tag, and of that class if one is given."""
        tagged = [e for e in self.elements if e.tag == tag]
        return [e for e in tagged if not name or name in e.classes]

    @property
    def ids(self) -> list[str]:
        return [e.attributes["id"] for e in self.elements if "id" in e.attributes]


def _cut(text: str) -> str:
    """Its beginning, in one line."""
    words = " ".join(text[: 2 * SHOWN].split())
    return words if len(words) <= SHOWN else f"{words[:SHOWN]}…"


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
