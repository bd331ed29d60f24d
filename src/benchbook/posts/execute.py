"""A study becomes a post: papermill executes its template, display.py cleans it."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
from nbformat import NotebookNode
from pyarrow import parquet

from benchbook.audit.bound import Source
from benchbook.files import replacing
from benchbook.measure.launch import wants_measuring
from benchbook.measure.spec import find_config
from benchbook.posts import freshness, kept, thumbnail
from benchbook.posts.clean import (
    ANSWER,
    FRONT,
    Head,
    answer_text,
    cleaned,
    finding,
    framed,
    keep_hand_written,
    with_texts,
)
from benchbook.posts.folds import HAND_WRITTEN, folded_text
from benchbook.posts.listed import listed_fields
from benchbook.project import Project
from benchbook.results import evidence
from benchbook.results.collect import collect
from benchbook.runs.folder import ENV
from benchbook.secret import without_secrets
from benchbook.study.study import Study, load_study
from benchmath.errors import UserError

OWN = ("study", "measure")  # parameters that study.yml does not set


def post(
    study_path: Path | str, project: Project, measure: bool = True, force: bool = False,
    discard: bool = False,
) -> Path:  # fmt: skip
    """Execute a study's template into posts/<slug>/index.ipynb, if anything changed.

    Where that is its title or description alone they are written, and nothing executed.
    UserError where somebody edited what that would write over, unless ``discard``.
    """
    study = load_study(study_path)
    notebook = study.folder / "index.ipynb"
    measure = (
        measure and not freshness.is_frozen(study) and wants_measuring(study, project)
    )
    if not (force or measure) and freshness.is_fresh(study, project):
        return notebook
    before = _read(notebook) if notebook.is_file() else None
    if before and not discard:
        kept.check_edits(before, _relative(notebook, project), study.template)
    words = not (force or measure) and freshness.is_reworded(study, project)
    if before and words and (written := _reworded(before, study)):
        _record(written, study, project, before)
        _replace(notebook, written)
        return notebook
    template = template_of(study, project)
    check_parameters(template, study.parameters, study.path)
    parameters = executed_with(study, project, measure)
    made = cleaned(_execute(template, study, project, parameters))
    keep_hand_written(made, before)
    _write_data(study, project)
    written = as_page(made, study, project, before)
    _record(written, study, project, before)
    _replace(notebook, written)
    _write_thumbnail(study.folder / thumbnail.NAME, made)
    return notebook


def _reworded(before: NotebookNode, study: Study) -> NotebookNode | None:
    """The page with the study's title and description; None where it has no place."""
    cells = {cell.id: cell for cell in before.cells}
    if bool(study.description) != (ANSWER in cells):
        return None
    page = deepcopy(before)
    texts = {"title": study.title}
    if study.description:
        bound = Source(
            before, lambda: frames_of(study)["metric"], study.base,
            f"posts/{study.slug}",
        )  # fmt: skip
        texts["description"] = bound.filled(study.description, keep=False)
    for cell in page.cells:
        if cell.id == FRONT:
            cell.source = with_texts(cell.source, texts)
        elif cell.id == ANSWER:
            cell.source = answer_text(texts["description"])
    return page


def _record(
    page: NotebookNode, study: Study, project: Project, before: NotebookNode | None
) -> None:
    """What the page was made from, and what was written into each cell."""
    page.metadata["benchbook"] = {
        **asdict(freshness.made_from(study, project)),
        kept.RECORD: kept.record(page, before),
    }


def executed_with(study: Study, project: Project, measure: bool) -> dict[str, Any]:
    """The parameters of a study's template."""
    own = {"study": _relative(study.path, project), "measure": measure}
    return own | study.parameters


def as_page(
    made: NotebookNode, study: Study, project: Project, before: NotebookNode | None = None
) -> NotebookNode:
    """A cleaned notebook with its front matter and the links to its data.

    And with the cells that somebody added to the page as it was ``before``.
    """
    folder = study.folder / ("evidence" if freshness.is_frozen(study) else "data")
    bound = Source(
        made, lambda: frames_of(study)["metric"], study.base, f"posts/{study.slug}"
    )
    head = _head(study, project, made, bound)
    page = framed(made, head, _data_section(study, folder))
    kept.with_additions(page, before)
    for cell in kept.hand_written(page, before):
        cell.source = bound.filled(cell.source, keep=True)
    return page


def reports(project: Project) -> list[Path]:
    """Every study that has a post, live and frozen, in the order of their names."""
    return sorted(project.posts.glob("*/study.yml"))


def template_of(study: Study, project: Project) -> Path:
    """The template, checked: one `parameters` cell, and ids for what people write."""
    path = project.notebooks / f"{study.template}.ipynb"
    if not path.is_file():
        templates = ", ".join(sorted(p.stem for p in project.notebooks.glob("*.ipynb")))
        raise UserError(
            f"{study.path}: no template {study.template!r} in notebooks/; "
            f"available: {templates or 'none'}"
        )
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    tags = [set(cell["metadata"].get("tags", [])) for cell in cells]
    if sum("parameters" in t for t in tags) != 1:
        raise UserError(f"{path}: exactly one cell must carry the tag `parameters`")
    for cell, cell_tags in zip(cells, tags, strict=True):
        if HAND_WRITTEN in cell_tags and not cell.get("id"):
            raise UserError(
                f"{path}: a `{HAND_WRITTEN}` cell has no id, so its text could not be "
                "kept; save the notebook in nbformat 4.5"
            )
    return path


def check_parameters(template: Path, names: Iterable[str], where: Path) -> None:
    """Refuse a name that the template's parameters cell lacks."""
    from papermill import inspect_notebook

    parameters = list(inspect_notebook(str(template)))
    for name in OWN:
        if name not in parameters:
            raise UserError(f"{template}: the `parameters` cell must define `{name}`")
    refused = [name for name in names if name not in parameters or name in OWN]
    if refused:
        settable = ", ".join(n for n in parameters if n not in OWN) or "none"
        raise UserError(
            f"{where}: parameters: template {template.stem} has no parameter "
            f"{refused[0]!r}; available: {settable}"
        )


def frames_of(study: Study) -> dict[str, Any]:
    """What `collect` gives the notebook, by name: the data behind the post."""
    results = collect(study.path, measure=False)
    every = {field.name: getattr(results, field.name) for field in fields(results)}
    return {k: v for k, v in every.items() if isinstance(v, pd.DataFrame)}


def configs_of(study: Study, project: Project) -> dict[str, str]:
    """The settings files that the cells name, as configs/<engine>/<name>; no secrets."""
    texts = {}
    for cell in study.cells:
        config = find_config(cell, study, project)
        if config.file:
            text = config.file.read_text(encoding="utf-8")
            texts[f"configs/{cell.engine}/{config.name}"] = without_secrets(text)
    return texts


def _execute(
    template: Path, study: Study, project: Project, parameters: Mapping[str, Any]
) -> NotebookNode:
    """The executed notebook; a failed one stays in build/ and the post as it was."""
    from nbclient.exceptions import DeadKernelError
    from papermill import execute_notebook
    from papermill.exceptions import PapermillExecutionError

    partial = project.build / "posts" / f"{study.slug}.ipynb"
    partial.parent.mkdir(parents=True, exist_ok=True)
    try:
        with _temporary(project.build):
            execute_notebook(
                input_path=str(template),
                output_path=str(partial),
                parameters=parameters,
                cwd=str(project.root),
                progress_bar=False,
                # Of the kernel: at ERROR it tells that it was interrupted to end it.
                extra_arguments=["--log-level=CRITICAL"],
            )
    except (PapermillExecutionError, DeadKernelError) as error:
        where = _relative(partial, project)
        raise UserError(f"{_why(error)} (as far as it came: {where})", 1) from None
    notebook = _read(partial)
    partial.unlink()
    return notebook


@contextmanager
def _temporary(build: Path) -> Iterator[None]:
    """Temporary files, such as a kernel's, in a folder of this process.

    That of a process that was killed goes with the next one.
    """
    for folder in build.glob("kernel-*"):
        if not Path("/proc", folder.name.partition("-")[2]).exists():
            shutil.rmtree(folder, ignore_errors=True)
    before, own = tempfile.tempdir, build / f"kernel-{os.getpid()}"
    own.mkdir(parents=True, exist_ok=True)
    tempfile.tempdir = str(own)
    try:
        yield
    finally:
        tempfile.tempdir = before
        shutil.rmtree(own, ignore_errors=True)


def _why(error: Exception) -> str:
    """The sentence of a user error as it stands; of any other its kind and text too."""
    kind = getattr(error, "ename", "")
    text = (getattr(error, "evalue", "") or "the kernel died").splitlines()[0]
    if kind == "UserError":
        return str(text).rstrip(".")
    return f"a cell failed: {kind + ': ' if kind else ''}{text}".rstrip(".")


def _head(study: Study, project: Project, notebook: NotebookNode, bound: Source) -> Head:
    return Head(
        title=study.title,
        description=bound.filled(study.description, keep=False) or finding(notebook),
        date=study.date or _last_day(study, project),
        categories=study.categories,
        label=study.label,
        listed=listed_fields(study, notebook),
        answer=bool(study.description),
        sources=study.sources,
    )


def _last_day(study: Study, project: Project) -> str:
    """The day of the newest run, so that the same runs make the same page."""
    if freshness.is_frozen(study):
        text = (study.folder / "evidence" / evidence.MANIFEST).read_text(encoding="utf-8")
        return str(json.loads(text).get("date", ""))
    days = []
    for manifest in freshness.run_manifests(study, project):
        environment = manifest.with_name(ENV)
        if environment.is_file():
            started = json.loads(environment.read_text(encoding="utf-8"))["started_utc"]
            days.append(started[:10])
    return max(days, default="")


def _write_data(study: Study, project: Project) -> None:
    """The data of a live post, beside it; a frozen one has its evidence."""
    if freshness.is_frozen(study):
        return
    configs, day = configs_of(study, project), _last_day(study, project)
    evidence.write(study.folder / "data", frames_of(study), configs, date=day)


def _write_thumbnail(path: Path, made: NotebookNode) -> None:
    chart = thumbnail.first_chart(made)
    if chart is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(thumbnail.picture(chart[1]))


def _data_section(study: Study, data: Path) -> str:
    """Links to all that the page was made from."""
    template = f"[{study.template}.ipynb](../../notebooks/{study.template}.ipynb)"
    configs = sorted(p for p in (data / "configs").rglob("*") if p.is_file())
    lines = [
        f"- The study: [study.yml](study.yml), executed through {template}",
        f"- Configuration: {_links(configs, study)}" if configs else "",
        f"- Frames as Parquet: {_links(_with_rows(data), study)}",
    ]
    links = "\n".join(filter(None, lines))
    return f"## Data\n\n{folded_text('the study, its settings, its frames', links)}"


def _with_rows(data: Path) -> list[Path]:
    """The frames that have a row."""
    paths = sorted(data.glob("*.parquet"))
    return [path for path in paths if parquet.read_metadata(path).num_rows]


def _links(paths: list[Path], study: Study) -> str:
    where = [p.relative_to(study.folder).as_posix() for p in paths]
    return ", ".join(f"[{p.stem}]({to})" for p, to in zip(paths, where, strict=True))


def _read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def _replace(path: Path, notebook: NotebookNode) -> None:
    """The whole notebook or the old one, never half of it."""
    nbformat.validate(notebook)
    with replacing(path) as partial:
        nbformat.write(notebook, partial)


def _relative(path: Path, project: Project) -> str:
    return Path(os.path.relpath(path, project.root)).as_posix()
