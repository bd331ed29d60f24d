"""Whether a post must be executed again: digests over all that it is made from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from benchbook.measure import decided
from benchbook.project import Project
from benchbook.published import claims
from benchbook.published.figures import published_file
from benchbook.results import evidence
from benchbook.runs.folder import manifests
from benchbook.study.arms import INSTRUCTIONS, PROFILE
from benchbook.study.file import read_study_file
from benchbook.study.published import explained_with
from benchbook.study.study import Study

# What is below src and can change what a post shows: for every post what makes
# tables, charts and sentences of frames, for a live one also what makes the frames. A new
# parser, driver or verb executes no notebook.
SHOWING = (
    "benchmath",
    *(f"benchbook/{room}" for room in (
        "audit/bound.py", "audit/cells.py", "charts", "escaped.py", "finding.py",
        "findings", "posts/clean.py", "posts/execute.py", "posts/folds.py",
        "posts/kept.py", "posts/listed.py", "posts/thumbnail.py", "published",
        "raw_html.py", "results", "tables", "templates", "views",
    )),
)  # fmt: skip
PROSE = ("title", "description")  # of study.yml: on the page, in nothing executed
COLLECTING = tuple(
    f"benchbook/{room}" for room in ("commands", "runs", "sql", "store", "study")
)


@dataclass(frozen=True)
class Made:
    """What a post is made from: all of it, and what of that is executed, as digests."""

    digest: str
    executed: str


def made_from(study: Study, project: Project) -> Made:
    """Template, study, configs, evidence or runs, sources, lock, others' `explains`."""
    whole, executed = hashlib.sha256(), hashlib.sha256()
    for path in sorted(set(_inputs(study, project))):
        content = path.read_bytes()
        silent = _without_prose(path) if path == study.path else content
        for total, read in ((whole, content), (executed, silent)):
            line = f"{_named(path, project)} {hashlib.sha256(read).hexdigest()}\n"
            total.update(line.encode())
    for one in explained_with(study.slug, (), study.folder.parent):
        for total in (whole, executed):
            total.update(f"{one.post} {one.because} {one.text}\n".encode())
    return Made(whole.hexdigest()[:16], executed.hexdigest()[:16])


def _without_prose(path: Path) -> bytes:
    said = read_study_file(path)
    return json.dumps({k: v for k, v in said.items() if k not in PROSE}).encode()


def recorded(notebook: Path) -> dict[str, Any]:
    """What the executed notebook says of its making; empty if it says nothing."""
    try:
        metadata = json.loads(notebook.read_text(encoding="utf-8"))["metadata"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return metadata.get("benchbook", {})


def is_fresh(study: Study, project: Project) -> bool:
    """Is posts/<slug>/index.ipynb what executing it again would give?"""
    made = recorded(study.folder / "index.ipynb")
    return bool(made) and made.get("digest") == made_from(study, project).digest


def is_reworded(study: Study, project: Project) -> bool:
    """Has nothing changed since it was executed but the prose of study.yml?"""
    made, now = recorded(study.folder / "index.ipynb"), made_from(study, project)
    same = made.get("executed") == now.executed
    return same and made.get("digest") != now.digest


def is_frozen(study: Study) -> bool:
    """A post with evidence is never measured again."""
    return evidence.exists(study.folder / "evidence")


def run_manifests(study: Study, project: Project) -> list[Path]:
    """The manifests of all runs a study may show: timed, A/A, profiled and counted."""
    own = [study.slug, *study.also]
    behind = ("", ".aa", f".{PROFILE}", f".{INSTRUCTIONS}")
    names = ["*"] if study.reuse else [name + end for name in own for end in behind]
    return sorted({path for name in names for path in manifests(project.raw, name)})


def _inputs(study: Study, project: Project) -> Iterator[Path]:
    yield study.path
    yield from _files(study.folder / "configs")
    yield from _sources(SHOWING)
    for path in (
        project.notebooks / f"{study.template}.ipynb",
        project.root / "requirements.lock",
        study.folder / "evidence" / evidence.MANIFEST,
        study.folder / claims.FILE,
        *_compared_with(study),
        *(published_file(one.table, project) for one in study.beside),
        *(published_file(name, project) for name in _shown(study)),
    ):
        yield from [path] if path.is_file() else []
    if is_frozen(study):
        return
    yield from _sources(COLLECTING)
    yield from run_manifests(study, project)
    yield from (project.raw / study.slug).glob(f"*/{decided.FILE}")
    yield from _files(project.imported)
    yield from _files(project.data / "published")
    yield from _files(project.bench / "configs")


def _compared_with(study: Study) -> Iterator[Path]:
    """The evidence of posts that the page tells apart: how fast their machine was."""
    posts = study.folder.parent
    for one in explained_with(study.slug, study.explains, posts):
        for slug in {one.post, one.other} - {study.slug}:
            yield posts / slug / "evidence" / evidence.MANIFEST


def _shown(study: Study) -> list[str]:
    """The published tables that a template's parameter names."""
    return str(study.parameters.get("published", "")).split()


def _sources(rooms: tuple[str, ...]) -> Iterator[Path]:
    for room in rooms:
        place = _library() / room
        files = [place] if place.is_file() else _files(place)
        yield from (p for p in files if p.suffix in {".py", ".sql", ".json"})


def _library() -> Path:
    """Where the packages lie side by side."""
    return Path(str(resources.files("benchbook"))).parent


def _files(folder: Path) -> Iterator[Path]:
    yield from (p for p in folder.rglob("*") if p.is_file())


def _named(path: Path, project: Project) -> str:
    """The same name in every checkout."""
    for root in (project.root, _library()):
        if path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return path.name
