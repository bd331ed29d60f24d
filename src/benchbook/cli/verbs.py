"""What the command's verbs do, as functions: names in, text or results out."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TextIO

from benchbook.errors import UserError
from benchbook.project import Project
from benchbook.prose import joined


def sentence_of(error: OSError) -> str:
    """What the system refused, where, and what to do: for errors nobody foresaw."""
    where = f" ({error.filename})" if error.filename else ""
    advice = "free some space" if error.errno == errno.ENOSPC else "repair that"
    return f"{error.strerror}{where}: {advice}, then run the same command again"


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

    known = joined(query("sets", project=project)["set"])
    lists = f"`benchbook sets` lists {known}" if known else "`benchbook sets` lists none"
    return f"no set {name!r}: {lists}; `benchbook import DIR` brings in results of others"
