"""Quarto as the renderer: the pages that changed, and what it warned about.

Freezing would save nothing: it keeps what executing gives, and posts hold that already.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from ruamel.yaml import YAML

from benchbook.digests import canonical, short_digest
from benchbook.files import replace_text
from benchbook.posts.search import slim
from benchmath.errors import UserError

RENDERED = ".rendered.json"  # in the site: the digest of each source that it was made of
# Part of every page, or of what lies beside them all.
SHARED = ("_quarto.yml", "posts/_metadata.yml", "site/*", "site/explore/*")

logger = logging.getLogger(__name__)


def render(
    program: str, root: Path, out: Path, default: Path, only: str = ""
) -> list[UserError]:
    """Bring the site in ``out`` up to date; returns what is wrong with posts that failed.

    In ``default``, the folder that _quarto.yml names, only posts that changed since the
    last time are rendered, and the pages that list them; each page by itself too where
    one of them keeps Quarto from rendering all. With ``only``, the source of a post, that
    one and those that list it.
    """
    if only and out != default:
        raise UserError(f"--out is for the whole site: Quarto puts one page in {default}")
    now, before = _digests(root), _recorded(out)
    names = _changed(before, now) if out == default else None
    if only:
        names = [only, *(name for name in now if _lists(root / name))]
    if names is None:
        try:
            _run([program, "render", str(root), "--output-dir", str(out)])
            names = []
        except UserError:
            names = sorted(filter(None, now), key=_is_post, reverse=True)
            if out != default or not any(map(_is_post, names)):
                raise
    wrong = {}
    for name in names:
        try:
            _run([program, "render", str(root / name)])
        except UserError as error:
            if not _is_post(name):
                raise
            wrong[name] = UserError(f"{name}: {error}")
    slim(out, root / "notebooks")
    fresh = set(names) if only else set(now)
    done = {
        name: digest if name in fresh else before[name]
        for name, digest in now.items()
        if name not in wrong and (name in fresh or name in before)
    }
    replace_text(out / RENDERED, json.dumps(done, indent=1) + "\n")
    return list(wrong.values())


def _changed(before: dict[str, str], now: dict[str, str]) -> list[str] | None:
    """The sources to render again, posts before what lists them; None: the whole site."""
    changed = [name for name in now if now[name] != before.get(name)]
    if not changed:
        return []
    if "" in changed:
        return None
    return sorted(changed, key=_is_post, reverse=True)


def _recorded(out: Path) -> dict[str, str]:
    file = out / RENDERED
    if not (file.is_file() and (out / "index.html").is_file()):
        return {}
    digests: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return digests


def _digests(root: Path) -> dict[str, str]:
    """Of each post with the files beside it, of each other page, and, as "", of the rest.

    A page that lists posts has what it shows of them in its own.

    The rest is part of every page; so may be the titles of other posts.
    """
    globs = YAML(typ="safe").load(root / "_quarto.yml")["project"]["render"]
    paths = [path for glob in globs for path in root.glob(glob.removeprefix("/"))]
    names = {path.relative_to(root).as_posix(): path for path in paths}
    listed = "".join(_listed(path) for name, path in names.items() if _is_post(name))
    digests = {
        name: _digest(path.parent.rglob("*") if _is_post(name) else [path])
        + (short_digest(listed) if _lists(path) else "")
        for name, path in names.items()
    }
    shared = _digest(path for glob in SHARED for path in root.glob(glob))
    titles = {name: _title(path) for name, path in names.items() if _is_post(name)}
    rest = json.dumps([shared, *sorted(titles.items())])
    return {"": hashlib.sha256(rest.encode()).hexdigest()[:16], **digests}


def _is_post(name: str) -> bool:
    return name.endswith(".ipynb")


def _lists(page: Path) -> bool:
    """Does the page list posts? Its front matter says so."""
    return page.suffix == ".qmd" and "\nlisting:" in page.read_text(encoding="utf-8")


def _listed(notebook: Path) -> str:
    """What lists show of a post: its first cell, which is its front matter; a picture."""
    try:
        first = json.loads(notebook.read_text(encoding="utf-8")).get("cells", [])[:1]
    except ValueError:
        first = []
    return canonical(first) + _digest([notebook.with_name("thumbnail.png")])


def _title(notebook: Path) -> str:
    """Of its front matter, which is its first cell."""
    found = re.search(r'"title: .*', notebook.read_text(encoding="utf-8"))
    return found[0] if found else ""


def _digest(paths: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for path in sorted(p for p in paths if p.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.name} {content}\n".encode())
    return total.hexdigest()[:16]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in done.stderr.splitlines()]
    if done.returncode != 0:
        lines = [line for line in said if line.strip()]
        last = next((line for line in lines if "ERROR" in line), " ".join(lines[-1:]))
        raise UserError(f"quarto render failed: {last.strip()}", exit_code=1)
    for line in dict.fromkeys(said):
        if re.match(r"\W*WARN", line):
            logger.warning("quarto: %s", line.strip())
