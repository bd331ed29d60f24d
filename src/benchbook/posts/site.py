"""The site from the posts there are: Quarto's wherever it is found, else the preview."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchbook.explore.files import write_explore
from benchbook.posts import preview, quarto
from benchbook.posts.vega import write_vega
from benchbook.project import Project
from benchmath.errors import UserError

RENDERERS = ("quarto", "preview")


def build_site(
    project: Project, out: Path | None = None, renderer: str | None = None
) -> Path:
    """Render into ``out`` (default _site/); returns its index.html.

    UserError names the posts that could not be rendered, after all others were.
    """
    out = (out or project.site).resolve()
    program = shutil.which("quarto")
    chosen = renderer or ("quarto" if program else "preview")
    if chosen not in RENDERERS:
        raise UserError(f"no renderer {chosen!r}; available: {', '.join(RENDERERS)}")
    if chosen == "quarto" and not program:
        raise UserError("quarto is not on PATH; install it, or render the preview")
    write_vega(project.root / "site")
    write_explore(project)
    if chosen == "quarto" and program:
        wrong = quarto.render(program, project.root, out, project.site.resolve())
    else:
        wrong = preview.render(project.root, out)
    index = out / "index.html"
    if wrong:
        raise UserError(f"{'; '.join(map(str, wrong))} (all else is in {index})", 1)
    return index
