"""What lies in data/raw: read from spec.json and manifest.json of every finished run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchbook.errors import UserError
from benchbook.project import Project

Key = tuple[str, str, str, int]  # machine, machine_id, cell_id, trial


@dataclass(frozen=True)
class Filed:
    """A finished run folder; ``status`` is ok or failed."""

    folder: Path
    spec: dict[str, Any]
    status: str
    reason: str

    @property
    def key(self) -> Key:
        """What resuming asks for."""
        spec = self.spec
        trial = int(spec["trial"])
        return spec["machine"], spec["machine_id"], spec["cell_id"], trial


def raw_folder(project: Project, study: str) -> Path:
    """The folder of a study's runs; UserError where there is none of that name."""
    folder = project.raw / study
    if folder.parent != project.raw or study == ".." or not folder.is_dir():
        raise UserError(f"no raw runs of {study!r} in {project.raw}")
    return folder


def filed_runs(project: Project, study: str | None = None) -> Iterator[Filed]:
    """Every finished run of one study (default: of all), sorted by folder."""
    top = project.raw / study if study else project.raw
    depth = "*/*/*/manifest.json" if study else "*/*/*/*/manifest.json"
    for manifest in sorted(top.glob(depth)):
        run = _read(manifest)
        if run:
            yield run


def _read(manifest: Path) -> Filed | None:
    """None where the folder is being removed or its files are damaged: `load` says so."""
    folder = manifest.parent
    if folder.name.startswith("."):
        return None
    try:
        found = json.loads(manifest.read_text())
        spec = json.loads((folder / "spec.json").read_text())
        run = Filed(folder, spec, found["status"], found.get("reason", ""))
        _ = run.key
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return run


def attempts(runs: Iterable[Filed]) -> dict[Key, list[Filed]]:
    """Runs by what they are runs of, overridden ones left out."""
    by_key: dict[Key, list[Filed]] = {}
    for run in runs:
        if not run.spec.get("overridden"):
            by_key.setdefault(run.key, []).append(run)
    return by_key
