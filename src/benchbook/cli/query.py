"""`benchbook sets` and `sql`: what the store holds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import click
import pandas as pd

from benchbook.cli.options import say
from benchbook.cli.report import inert_frame
from benchbook.imports.manifest import Manifest, read_manifest
from benchbook.project import Project
from benchbook.published.figures import published_file
from benchbook.store.load import load_files
from benchbook.store.query import query
from benchmath.errors import UserError
from benchmath.prose import aligned
from benchmath.versions import in_version_order

SHOWN = 4  # metrics that are named

Table = list[Sequence[object]]


@click.command()
def sets() -> None:
    """List what the view metric holds: studies, imports, published tables."""
    project = Project.find()
    _bring_in(project)
    click.echo(sets_text(project))


@click.command()
@click.argument("query")
@click.option("--csv", "form", flag_value="csv", help="Comma-separated values.")
@click.option("--json", "form", flag_value="json", help="One JSON object per line.")
@click.option(
    "--parquet", "form", flag_value="parquet", help="Parquet on standard output."
)
def sql(query: str, form: str | None) -> None:
    """Run SQL (the text, or a file) on the store; read-only."""
    project = Project.find()
    _bring_in(project)
    print_query(query, form or "table", project, sys.stdout)


def _bring_in(project: Project) -> None:
    """The files of data/imported and data/published as they are now."""
    for problem in load_files(project).refused:
        say(f"refused: {problem}")


def sets_text(project: Project) -> str:
    """Every set of the view metric, and the series that imports brought beside it."""
    contents = query("sets", project=project)
    manifests = _manifests(project.imported)
    rows: Table = [("set", "kind", "rows", "engines", "versions", "metrics", "source")]
    for (name, kind, file), part in contents.groupby(["set", "kind", "file"]):
        source = _source(name, kind, file, project)
        rows.append((name, kind, part["rows"].sum(), *_contents(part), source))
    for manifest in manifests:
        rows += _series_rows(manifest)
    return aligned(rows) if len(rows) > 1 else "no set yet: measure, or import a folder"


def _contents(part: pd.DataFrame) -> tuple[str, str, str]:
    """Engines, versions with their number, first and last, and metrics."""
    spans = {e: _span(v) for e, v in zip(part["engine"], part["versions"], strict=True)}
    engines = ", ".join(filter(None, spans))
    if len(spans) == 1:
        versions = next(iter(spans.values()))
    else:
        versions = ", ".join(f"{engine} {span}".strip() for engine, span in spans.items())
    metrics = sorted({metric for row in part["metrics"] for metric in row})
    more = f" and {len(metrics) - SHOWN} more" if len(metrics) > SHOWN else ""
    return engines, versions, ", ".join(metrics[:SHOWN]) + more


def _span(versions: Sequence[str]) -> str:
    ordered = in_version_order(sorted(filter(None, versions)))
    if len(ordered) < 2:
        return "".join(ordered)
    return f"{ordered[0]}..{ordered[-1]} ({len(ordered)})"


def _source(name: str, kind: str, file: str, project: Project) -> str:
    if kind == "study":
        return f"data/raw/{name}"
    if kind == "published table":
        return f"data/{file}"
    table = published_file(name, project)
    before = f", before {table.relative_to(project.root)}" if table.is_file() else ""
    return f"data/imported/{file}{before}"


def _manifests(folder: Path) -> list[Manifest]:
    manifests = map(read_manifest, sorted(folder.glob("*.manifest.json")))
    return [manifest for manifest in manifests if manifest]


def _series_rows(manifest: Manifest) -> Table:
    """Samples of each series of an import."""
    return [
        (manifest.set, "series", count, "", "", name,
         f"data/imported/series/{manifest.set}.{name}.parquet")
        for name, count in manifest.series.items()
    ]  # fmt: skip


def print_query(text: str, form: str, project: Project, out: TextIO) -> None:
    """Run SQL text or a file of it; write the rows in the asked-for form."""
    file = Path(text)
    if len(text) < 4096 and file.suffix == ".sql":
        if not file.is_file():
            raise UserError(f"{file}: no such file")
        text = file.read_text()
    frame = query(text, project=project)
    if form == "csv":
        inert_frame(frame).to_csv(out, index=False)
    elif form == "json":
        frame.to_json(out, orient="records", lines=True, date_format="iso")
    elif form == "parquet":
        out.flush()
        frame.to_parquet(out.buffer)
    else:
        out.write(frame.to_string(index=False) + "\n")
