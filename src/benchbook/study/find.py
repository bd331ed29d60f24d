"""A study by its name, and a new one from a template's example."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from benchbook.project import Project
from benchmath.errors import UserError

FILE = "study.yml"


def find_study(name: str | Path, project: Project | None = None) -> Path:
    """The study.yml of a slug, a post folder or a file, here or below the checkout.

    ``project`` defaults to the checkout around this folder (a notebook's may differ).
    """
    if file := study_file(name, project):
        return file
    there = studies_of(project or Project.find())
    raise UserError(
        f"no study {str(name)!r}; available: {', '.join(there) or 'none yet'}"
        f"{'' if there else ' (benchbook new)'}"
    )


def studies_of(project: Project) -> list[str]:
    """The names of the studies under posts/, sorted."""
    return sorted(path.parent.name for path in project.posts.glob(f"*/{FILE}"))


def study_file(name: str | Path, project: Project | None = None) -> Path | None:
    """The study.yml that ``find_study`` finds; None where it refuses."""
    for path in _places(Path(name), project):
        if path.is_file():
            return path
        if (path / FILE).is_file():
            return path / FILE
    return None


def _places(name: Path, project: Project | None) -> Iterator[Path]:
    yield name
    checkout = project or Project.find()  # asked only where the name alone is no study
    yield checkout.posts / name
    yield checkout.root / name


def new_study(slug: str, template: str, project: Project) -> Path:
    """Write posts/<slug>/study.yml: an example study of notebooks/, by its name."""
    target = new_file(slug, project)
    example = project.notebooks / f"{template}.{FILE}"
    if not example.is_file():
        there = ", ".join(examples(project))
        raise UserError(f"no example study {template!r}; available: {there}")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(example, target)
    return target


def examples(project: Project) -> list[str]:
    """The names that `benchbook new --from` takes: most are those of their templates."""
    files = project.notebooks.glob(f"*.{FILE}")
    return sorted(file.name.removesuffix(f".{FILE}") for file in files)


def new_file(slug: str, project: Project) -> Path:
    """Where the study of a new post will be; UserError where it cannot be so called."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", slug):
        raise UserError(f"slug {slug!r}: use lower-case letters, digits and dashes")
    target = project.posts / slug / FILE
    if target.exists():
        raise UserError(f"{target} exists already; edit it, or choose another slug")
    return target
