"""What `benchbook sets` prints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from benchbook.imports.manifest import Manifest, read_manifest
from benchbook.project import Project
from benchbook.prose import aligned
from benchbook.store.query import query
from benchbook.versions import in_version_order

SHOWN = 4  # metrics that are named

Table = list[Sequence[object]]


def sets_text(project: Project) -> str:
    """Every set of the view metric, and the series that imports brought beside it."""
    found = query("sets", project=project)
    manifests = _manifests(project.imported)
    rows: Table = [("set", "kind", "rows", "engines", "versions", "metrics", "source")]
    for (name, kind, file), part in found.groupby(["set", "kind", "file"]):
        source = _source(name, kind, file)
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


def _source(name: str, kind: str, file: str) -> str:
    if kind == "study":
        return f"data/raw/{name}"
    return f"data/{file}" if kind == "published table" else f"data/imported/{file}"


def _manifests(folder: Path) -> list[Manifest]:
    found = map(read_manifest, sorted(folder.glob("*.manifest.json")))
    return [manifest for manifest in found if manifest]


def _series_rows(manifest: Manifest) -> Table:
    """Samples of each series of an import."""
    return [
        (manifest.set, "series", count, "", "", name,
         f"data/imported/series/{manifest.set}.{name}.parquet")
        for name, count in manifest.series.items()
    ]  # fmt: skip
