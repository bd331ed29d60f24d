"""Quarto's search index, of prose and heads of tables alone, as the preview's is.

`python -m benchbook.posts.search` comes after `quarto render`, which puts all that a page
has into it: cells of tables, code, and the text of flame graphs.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

from benchbook.files import replace_text
from benchbook.posts.preview.search_index import ALIKE, said_by_templates, seen, unlike
from benchbook.project import Project

INDEX = "search.json"
# An id for another search engine; the names of the pages above, which are the title's.
_ONLY_OTHERS = ("objectID", "crumbs")
_MAIN = re.compile(r"<main\b.*?</main>", re.DOTALL)
_HEADER = re.compile(r"<header\b.*?</header>|<nav\b.*?</nav>", re.DOTALL)
_SECTION = re.compile(r'<section id="([^"]+)" class="level2')
_HEADING = re.compile(r"<h2\b.*?</h2>", re.DOTALL)


def slim(site: Path, templates: Path) -> None:
    """Keep of each entry what a search is for; none of what all posts say alike."""
    file = site / INDEX
    if not file.is_file():
        return
    entries = json.loads(file.read_text(encoding="utf-8"))
    pages: dict[str, dict[str, str]] = {}
    kept = []
    for entry in entries:
        href, _, section = entry["href"].partition("#")
        if href.startswith("posts/") and section in ALIKE:
            continue
        if href not in pages:
            pages[href] = sections(site / href)
        text = pages[href].get(section, "")
        if text:
            kept.append({k: v for k, v in entry.items() if k not in _ONLY_OTHERS}
                        | {"text": html.escape(text, quote=False)})  # fmt: skip
    kept = unlike(kept, said_by_templates(templates))
    replace_text(file, json.dumps(kept, ensure_ascii=False, separators=(",", ":")))


def sections(page: Path) -> dict[str, str]:
    """What can be read in each section of a page, by its id; of the rest by ''."""
    if not page.is_file():
        return {}
    found = _MAIN.search(page.read_text(encoding="utf-8"))
    parts = _SECTION.split(_HEADER.sub(" ", found[0] if found else ""))
    texts = {"": seen(parts[0])}
    for name, part in zip(parts[1::2], parts[2::2], strict=True):
        texts[name] = seen(_HEADING.sub(" ", part.partition(">")[2], count=1))
    return {name: " ".join(text.split()) for name, text in texts.items()}


if __name__ == "__main__":
    project = Project.find()
    slim(project.site, project.notebooks)
