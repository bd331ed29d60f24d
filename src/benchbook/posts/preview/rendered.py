"""Which pages of a site stand: made of the same sources, by the same library.

The record lies in the site. Of each source it has the digest of what was read and that of
what stands around it on its page: lists of posts, neighbours.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import benchbook
from benchbook.digests import files_digest, short_digest
from benchbook.files import replace_text

RECORD = ".rendered.json"
SEARCH = "search.json"
# Of the library, what pages are made by.
_MAKES = ("posts/preview/*", "escaped.py", "raw_html.py")
_WITH = ("pypandoc_binary", "jinja2", "nbformat")


@dataclass
class Rendered:
    """The site in ``folder`` as it is; ``library`` makes the next one."""

    folder: Path
    library: str
    digests: dict[str, str] = field(default_factory=dict)  # by source
    found: list[dict[str, str]] = field(default_factory=list)  # by a search

    def is_made_of(self, source: str, digest: str) -> bool:
        """Whether the page was made of a source of this digest."""
        return self.digests.get(source, "").startswith(f"{digest} ")

    def digest(self, source: str, href: str) -> str:
        """Of a page that stands: of its source and of what is around it; else empty."""
        return self.digests.get(source, "") if (self.folder / href).is_file() else ""

    def take(self, href: str, out: Path) -> list[dict[str, str]]:
        """Copy a page and what lies beside it; returns what a search finds on it."""
        page = self.folder / href
        (out / href).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(page, out / href)
        files = page.with_name(f"{page.stem}_files")
        if files.is_dir():
            beside = out / files.relative_to(self.folder)
            shutil.copytree(files, beside, dirs_exist_ok=True)
        return [one for one in self.found if one["href"].partition("#")[0] == href]


def rendered(folder: Path, shared: Iterable[Path]) -> Rendered:
    """What stands in a site; nothing where ``shared`` files or the library differ."""
    package = Path(benchbook.__file__).parent
    files = [file for glob in _MAKES for file in package.glob(glob) if file.is_file()]
    versions = [f"{name} {version(name)}" for name in _WITH]
    own = [path.read_text(encoding="utf-8") for path in shared]
    library = short_digest("\n".join([files_digest(package, files), *versions, *own]))
    site = Rendered(folder, library)
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        found = json.loads((folder / SEARCH).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return site
    if isinstance(record, dict) and record.get("library") == library:
        site.digests, site.found = record["pages"], found
    return site


def keep(out: Path, library: str, digests: dict[str, str]) -> None:
    """Write the record of the site in ``out``."""
    text = json.dumps({"library": library, "pages": digests}, indent=1)
    replace_text(out / RECORD, f"{text}\n")
