"""The site from the posts there are: Quarto's wherever it is found, else the preview."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from benchbook.errors import UserError
from benchbook.posts import preview
from benchbook.project import Project
from benchbook.raw_html import VEGALITE_VERSION

RENDERERS = ("quarto", "preview")


def build_site(
    project: Project, out: Path | None = None, renderer: str | None = None
) -> Path:
    """Render into ``out`` (default _site/); returns its index.html."""
    out = (out or project.site).resolve()
    quarto = shutil.which("quarto")
    chosen = renderer or ("quarto" if quarto else "preview")
    if chosen not in RENDERERS:
        raise UserError(f"no renderer {chosen!r}; available: {', '.join(RENDERERS)}")
    if chosen == "preview":
        preview.render(project.root, out)
    elif quarto:
        _quarto(quarto, project, out)
    else:
        raise UserError("quarto is not on PATH; install it, or render the preview")
    _write_vega(out / "site")
    return out / "index.html"


def _quarto(program: str, project: Project, out: Path) -> None:
    command = [program, "render", str(project.root), "--output-dir", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        last = next((line for line in said if "ERROR" in line), " ".join(said[-1:]))
        raise UserError(f"quarto render failed: {last.strip()}", exit_code=1)


def _write_vega(folder: Path) -> None:
    """Vega, Vega-Lite and Vega-Embed in one file, of the version that drew the SVGs."""
    import vl_convert

    folder.mkdir(parents=True, exist_ok=True)
    bundle = vl_convert.javascript_bundle(
        "window.vegaEmbed = vegaEmbed;", vl_version=VEGALITE_VERSION
    )
    (folder / "vega.js").write_text(bundle, encoding="utf-8")
