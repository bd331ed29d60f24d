"""A post of somebody's figures: one file becomes a set and a study that shows it."""

from __future__ import annotations

import io
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from benchbook.imports.importer import import_dir, preview_dir
from benchbook.imports.manifest import Skipped
from benchbook.imports.naming import naming_of
from benchbook.project import Project
from benchbook.study.find import new_file
from benchmath.errors import UserError

FIGURES = "figures"  # the folder beside study.yml that keeps the file
TEMPLATE = "versions"
_HEAD = """# Figures of {file}, kept in {folder}/. The set is made again by
#   {command}
"""


def set_name(slug: str) -> str:
    """The set of a post: a study and a set cannot have one name."""
    return f"{slug}.{FIGURES}"


def post_of_figures(
    slug: str,
    file: Path,
    project: Project,
    columns: str | None = None,
    fixed: Sequence[tuple[str, str]] = (),
    machine: str | None = None,
) -> Path:
    """Import a table of figures and write posts/<slug>/study.yml; returns that file.

    ``columns``, ``fixed`` and ``machine`` are as in ``import_dir``. The base is the first
    version that the file names. UserError, and nothing written, for a file that cannot be
    read and for one with fewer than two versions.
    """
    target = new_file(slug, project)
    if not file.is_file():
        raise UserError(f"there is no file {file}")
    naming = naming_of(None, fixed)
    versions = _versions(file, columns, fixed, machine)
    kept = target.parent / FIGURES
    made = not target.parent.exists()
    kept.mkdir(parents=True)
    try:
        shutil.copyfile(file, kept / file.name)
        import_dir(kept, project, set_name(slug), machine, naming=naming, columns=columns)
        again = _command(slug, kept.relative_to(project.root), columns, fixed, machine)
        text = _HEAD.format(file=file.name, folder=FIGURES, command=again)
        target.write_text(text + _study(slug, versions[0]), encoding="utf-8")
    except BaseException:
        shutil.rmtree(target.parent if made else kept, ignore_errors=True)
        raise
    return target


def _versions(
    file: Path,
    columns: str | None,
    fixed: Sequence[tuple[str, str]],
    machine: str | None,
) -> tuple[str, ...]:
    """The versions that the file has figures of, in their order; two or more."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copyfile(file, Path(folder) / file.name)
        naming = naming_of(None, fixed)
        found = preview_dir(Path(folder), machine, None, naming, columns)
    wrong = [p.result.reason for p in found if isinstance(p.result, Skipped)]
    if wrong or not found:
        raise UserError(f"{file}: {wrong[0] if wrong else 'nothing to read'}")
    mains = found[0].mains
    if not mains:
        raise UserError(
            f"{file}: nothing says which column is the figure of the post: say it with "
            "--columns values=COLUMN, and what else holds what"
        )
    unknown = [metric for metric, way in mains.items() if way == "none"]
    if unknown and "better=" not in (columns or "").replace(" ", ""):
        raise UserError(
            f"{file}: nothing tells which way {unknown[0]} is better: say better=higher, "
            "lower or none in --columns"
        )
    versions = found[0].values.get("version", ())
    if len(versions) < 2:
        there = f"only {versions[0]}" if versions else "none"
        raise UserError(
            f"{file}: a post compares versions, and the file has {there}: say which "
            "column they are, with --columns version=COLUMN"
        )
    return versions


def _command(
    slug: str,
    folder: Path,
    columns: str | None,
    fixed: Sequence[tuple[str, str]],
    machine: str | None,
) -> str:
    """The line that imports the figures again, as a shell takes it; on one line."""
    words = ["benchbook", "import", folder.as_posix(), "--as", set_name(slug)]
    words += ["--columns", columns] if columns else []
    words += ["--machine", machine] if machine else []
    for name, value in fixed:
        named = name in ("engine", "version")
        words += [f"--{name}", value] if named else ["--dim", f"{name}={value}"]
    return " ".join(shlex.join(words).split())


def _study(slug: str, base: str) -> str:
    says = {
        "title": f"Which versions changed in {slug}?",
        "template": TEMPLATE,
        "driver": "published",
        "data": [set_name(slug)],
        "base": {"version": base},
    }
    written = io.StringIO()
    writer: Any = YAML(typ="safe", pure=True)
    writer.default_flow_style = False
    writer.sort_base_mapping_type_on_output = False
    writer.dump(says, written)
    return written.getvalue()
