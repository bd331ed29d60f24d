"""site/explore/: a JSON file per published study and an index; git does not keep them.

`python -m benchbook.explore.files` writes them for those who call `quarto render`.
"""

from __future__ import annotations

import hashlib
import json
from functools import partial
from pathlib import Path
from typing import Any

from benchbook.explore.judged import names_of, study_data
from benchbook.files import replace_text
from benchbook.project import Project
from benchbook.results.evidence import MANIFEST
from benchbook.sets.sets import MetricSet, metric_set
from benchbook.several import each_of

INDEX = "index.json"
_MARK = "published.json"
_LIBRARY = Path(__file__).parents[2]
# Of what the figures depend.
ROOMS = (
    "benchmath", "benchbook/explore", "benchbook/results", "benchbook/sets",
    "benchbook/study",
)  # fmt: skip


def write_explore(project: Project, only: str = "") -> dict[str, int]:
    """Write what has changed, remove what is no longer published; bytes by study.

    A study is computed again when its evidence, its study.yml or the library changed;
    with ``only`` that study alone, and the others stay as they are.
    """
    folder = project.root / "site" / "explore"
    before = {entry["study"]: entry for entry in _read_index(folder)}
    library = _digest(
        sorted(f for room in ROOMS for f in (_LIBRARY / room).rglob("*.py"))
    )
    entries: list[dict[str, Any]] = []
    stale: dict[str, str] = {}
    for mark in sorted(project.posts.glob(f"*/{_MARK}")):
        slug, file = mark.parent.name, folder / f"{mark.parent.name}.json"
        sources = [mark.parent / "study.yml", mark.parent / "evidence" / MANIFEST]
        if not sources[1].is_file():
            continue
        digest = _digest(sources) + library
        known = before.get(slug, {}) if file.is_file() else {}
        if known and (known["digest"] == digest or only not in ("", slug)):
            entries.append(known)
        elif only in ("", slug):
            stale[slug] = digest
    entries += each_of(partial(_one, project), [*stale], [*stale.values()])
    entries.sort(key=lambda entry: entry["study"])
    replace_text(folder / INDEX, _compact(entries))
    kept = {INDEX, *(f"{entry['study']}.json" for entry in entries)}
    for old in folder.glob("*.json"):
        if old.name not in kept:
            old.unlink()
    return {entry["study"]: entry["bytes"] for entry in entries}


def _one(project: Project, slug: str, digest: str) -> dict[str, Any]:
    """Write the study of this digest and say what the page knows of it."""
    chosen = metric_set(slug, project)
    text = _compact(study_data(chosen))
    replace_text(project.root / "site" / "explore" / f"{slug}.json", text)
    return _entry(chosen, text, digest)


def _entry(chosen: MetricSet, text: str, digest: str) -> dict[str, Any]:
    """What the page knows of a study before it is asked for."""
    study = chosen.study
    title, base = (study.title, list(study.base)) if study else ("", [])
    return {
        "study": chosen.name, "title": title, "bytes": len(text.encode()),
        "machines": _values(chosen, "machine"), "engines": _values(chosen, "engine"),
        "names": names_of(chosen, base), "digest": digest,
    }  # fmt: skip


def _values(chosen: MetricSet, column: str) -> list[str]:
    if column not in chosen.metric.columns:
        return []
    return sorted(map(str, chosen.metric[column].dropna().unique()))


def _read_index(folder: Path) -> list[dict[str, Any]]:
    try:
        entries: list[dict[str, Any]] = json.loads((folder / INDEX).read_text("utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):  # half-written: made again
        return []
    return entries


def _compact(value: Any) -> str:
    return json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    ) + "\n"  # fmt: skip


def _digest(files: list[Path]) -> str:
    total = hashlib.sha256()
    for file in files:
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()[:16]


if __name__ == "__main__":
    write_explore(Project.find())
