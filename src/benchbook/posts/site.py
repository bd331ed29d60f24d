"""The site from the posts there are: Quarto's wherever it is found, else the preview."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from benchbook.explore.files import write_explore
from benchbook.posts import preview, quarto
from benchbook.posts.vega import write_vega
from benchbook.project import Project
from benchmath.errors import UserError

RENDERERS = ("quarto", "preview")


def build_site(
    project: Project,
    out: Path | None = None,
    renderer: str | None = None,
    slug: str = "",
    say: Callable[[str], None] = lambda text: None,
) -> Path:
    """Render into ``out`` (default _site/); returns its index.html.

    With a ``slug`` that post alone, and the pages with lists of posts; returns its page.
    UserError names the posts that could not be rendered, after all others were.
    """
    only = f"posts/{slug}/index.ipynb" if slug else ""
    if only and not (project.root / only).is_file():
        raise UserError(f"{only} is not there yet: `benchbook post {slug}` makes it")
    out = (out or project.site).resolve()
    program = shutil.which("quarto")
    chosen = renderer or ("quarto" if program else "preview")
    if chosen not in RENDERERS:
        raise UserError(f"no renderer {chosen!r}; available: {', '.join(RENDERERS)}")
    if chosen == "quarto" and not program:
        raise UserError("quarto is not on PATH; install it, or render the preview")
    write_vega(project.root / "site")
    write_explore(project, slug)
    if chosen == "quarto" and program:
        wrong = quarto.render(program, project.root, out, project.site.resolve(), only)
    else:
        wrong = preview.render(project.root, out, only, say)
    index = out / Path(only).with_suffix(".html") if only else out / "index.html"
    if wrong:
        raise UserError(f"{'; '.join(map(str, wrong))} (all else is in {index})", 1)
    return index
