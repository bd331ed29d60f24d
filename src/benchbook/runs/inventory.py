"""What lies in data/raw: finished runs by study and by name, and deleting a study's."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchbook.project import Project
from benchbook.runs.folder import ENV, SPEC, contradicted, manifests, records_of
from benchbook.study.study import Study
from benchmath.errors import UserError

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


@dataclass(frozen=True)
class OnDisk:
    """The finished runs in data/raw, read once where they are asked for, by folder.

    Made once for a command and handed on: what is measured meanwhile is not in it.
    """

    project: Project
    _read: dict[str, list[Filed]] = field(default_factory=dict)

    def named(self, study: str = "*") -> list[Filed]:
        """Of one study (default: of all)."""
        if study not in self._read:
            found = map(_filed, manifests(self.project.raw, study))
            self._read[study] = [run for run in found if run]
        return self._read[study]

    def that_serve(self, study: Study) -> list[Filed]:
        """Of the study, and of all others where it takes theirs."""
        return self.named("*" if study.reuse else study.slug)


def _filed(manifest: Path) -> Filed | None:
    """None where the folder is being removed, or cannot be believed: `load` says why."""
    folder = manifest.parent
    try:
        outcome = json.loads(manifest.read_text())
        spec = json.loads((folder / SPEC).read_text())
        env = json.loads((folder / ENV).read_text())
        run = Filed(folder, spec, outcome["status"], outcome.get("reason", ""))
        _ = run.key
        if contradicted(spec, env):
            return None
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


def made_all(run: Filed) -> bool:
    """Did it make all steps of its cell?"""
    return not run.spec.get("left_out")


def find_run(name: str, project: Project) -> Filed:
    """The one run whose folder is, or whose path contains, ``name``."""
    folder = Path(name).resolve()
    runs = OnDisk(project).named()
    matches = [r for r in runs if r.folder.resolve() == folder] or [
        r for r in runs if name in str(r.folder.relative_to(project.raw))
    ]
    if len(matches) == 1:
        return matches[0]
    if not matches:
        raise UserError(f"no finished run matches {name!r} in {project.raw}")
    some = ", ".join(str(r.folder.relative_to(project.raw)) for r in matches[:3])
    raise UserError(f"{len(matches)} runs match {name!r}, for example {some}; say more")


def driver_lines(folder: Path) -> list[str]:
    """The driver's JSON lines of a finished run; none of one that failed before it."""
    from benchbook.runs.samples import open_lines  # brings pyarrow: `status` needs it not

    file = records_of(folder)
    if file is None:
        return []
    with open_lines(file) as lines:
        return lines.read().decode().splitlines()


def rm_study(name: str, project: Project) -> str:
    """Delete data/raw/<study> and its status; the next load drops it from the store."""
    folder = raw_folder(project, name)
    shutil.rmtree(folder)
    for file in project.status.glob(f"{name}.*"):
        if file.stem == name:  # not those of the A/A study name.aa
            file.unlink()
    return f"deleted {folder}"
