"""What the command's verbs do, as functions: names in, text or results out."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TextIO

from benchbook.errors import UserError
from benchbook.measure.run import check_writable
from benchbook.project import Project
from benchbook.runs.inventory import raw_folder
from benchbook.study.study import Study

UNITS_S = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}


def sentence_of(error: OSError) -> str:
    """What the system refused, where, and what to do: for errors nobody foresaw."""
    where = f" ({error.filename})" if error.filename else ""
    advice = "free some space" if error.errno == errno.ENOSPC else "repair that"
    return f"{error.strerror}{where}: {advice}, then run the same command again"


def study_path(name: str, project: Project) -> Path:
    """The study.yml of a slug, a post folder or a file."""
    for path in (Path(name), project.posts / name, project.root / name):
        if path.is_file():
            return path
        if (path / "study.yml").is_file():
            return path / "study.yml"
    there = sorted(p.parent.name for p in project.posts.glob("*/study.yml"))
    raise UserError(
        f"no study {name!r}; there is: {', '.join(there) or 'none yet (benchbook new)'}"
    )


def new_study(slug: str, template: str, project: Project) -> Path:
    """Write posts/<slug>/study.yml: the example study that lies beside a template."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", slug):
        raise UserError(f"slug {slug!r}: use lower-case letters, digits and dashes")
    notebook = project.notebooks / f"{template}.ipynb"
    if not notebook.is_file():
        there = sorted(p.stem for p in project.notebooks.glob("*.ipynb"))
        raise UserError(f"no template {template!r}; there is: {', '.join(there)}")
    target = project.posts / slug / "study.yml"
    if target.exists():
        raise UserError(f"{target} exists already; edit it, or choose another slug")
    example = notebook.with_suffix(".study.yml")
    if not example.is_file():
        raise UserError(f"{notebook} has no example study: {example} is missing")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(example, target)
    return target


def seconds_of(text: str | None) -> float | None:
    """90s, 30m, 8h or 2d in seconds."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|min|h|d)", text)
    if not found:
        raise UserError(f"--budget {text!r}: write 90s, 30m, 8h or 2d")
    return float(found[1]) * UNITS_S[found[2]]


def detach(arguments: list[str], study: Study, project: Project) -> str:
    """Start the same call again as a process of its own, with a log beside the status."""
    check_writable(project)
    project.status.mkdir(parents=True, exist_ok=True)
    log = project.status / f"{study.slug}.log"
    words = [a for a in arguments if a != "--detach"]
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "benchbook", *words],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
            cwd=Path.cwd(),
            env=os.environ | {"BENCHBOOK_ROOT": str(project.root)},
        )
    return (
        f"measuring {study.slug} in process {process.pid}; "
        f"`benchbook status` tells how far it is, {log} what it said"
    )


def print_query(text: str, form: str, project: Project, out: TextIO) -> None:
    """Run SQL text or a file of it; write the rows in the asked-for form."""
    from benchbook.store.query import query

    file = Path(text)
    if len(text) < 4096 and file.suffix == ".sql":
        if not file.is_file():
            raise UserError(f"{file}: no such file")
        text = file.read_text()
    frame = query(text, project=project)
    if form == "csv":
        frame.to_csv(out, index=False)
    elif form == "json":
        frame.to_json(out, orient="records", lines=True, date_format="iso")
    elif form == "parquet":
        out.flush()
        frame.to_parquet(out.buffer)
    else:
        out.write(frame.to_string(index=False) + "\n")


def compare_text(
    name: str, study: str, metric: str, csv: bool, compatible: bool, base: str,
    others: tuple[str, ...], project: Project,
) -> tuple[str, tuple[str, ...]]:  # fmt: skip
    """The table of `benchbook compare`, and what a CSV has to tell beside its lines."""
    from benchbook.cli.compare import compare
    from benchbook.store.query import expand_dims, query

    chosen = name or Path(study).name
    if not chosen:
        raise UserError("say what to compare: --study STUDY, or --set NAME")
    frame = expand_dims(query("metric_of_set", project=project, set=chosen))
    if frame.empty and name:
        raise UserError(_no_set(name, project))
    if frame.empty:
        raise UserError(
            f"no measured runs of {chosen!r}: `benchbook run` and `load` first"
        )
    try:
        found = compare(frame, base, others, metric, csv=csv, compatible=compatible)
    except ValueError as error:  # figures that do not belong into one table
        raise UserError(f"{chosen} cannot be compared: {error}") from error
    return found.text, found.notes if csv else ()


def _no_set(name: str, project: Project) -> str:
    from benchbook.store.query import query

    known = ", ".join(dict.fromkeys(query("sets", project=project)["set"]))
    lists = f"`benchbook sets` lists {known}" if known else "`benchbook sets` lists none"
    return f"no set {name!r}: {lists}; `benchbook import DIR` brings in results of others"


def rm_study(name: str, project: Project) -> str:
    """Delete data/raw/<study> and its status; the next load drops it from the store."""
    folder = raw_folder(project, name)
    shutil.rmtree(folder)
    for file in project.status.glob(f"{name}.*"):
        if file.stem == name:  # not those of the A/A study name.aa
            file.unlink()
    return f"deleted {folder}"
