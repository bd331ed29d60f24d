"""Digests of large files, read once as long as size and time stay the same."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from benchbook.identity import short_digest
from benchbook.project import Project


def digest_of(files: Iterable[Path], root: Path, project: Project) -> str:
    """Digest of the names (below ``root``) and the bytes of files.

    A server's program has 200 MB and is asked about for every cell, so what was read is
    remembered in build/: a file is known by its path, size and time of change.
    """
    memory = project.build / "file-digests.json"
    known = _read(memory)
    before = len(known)
    lines = []
    for file in sorted(files):
        stat = file.stat()
        key = f"{file}|{stat.st_size}|{stat.st_mtime_ns}"
        if key not in known:
            with file.open("rb") as stream:
                known[key] = hashlib.file_digest(stream, "sha256").hexdigest()
        inside = file.is_relative_to(root)
        name = file.relative_to(root).as_posix() if inside else file.name
        lines.append(f"{name} {known[key]}")
    if len(known) > before:
        _write(memory, known)
    return short_digest("\n".join(lines))


def _read(memory: Path) -> dict[str, str]:
    try:
        found = json.loads(memory.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(memory: Path, known: dict[str, str]) -> None:
    """A memory that cannot be kept costs time, nothing else."""
    with suppress(OSError):
        memory.parent.mkdir(parents=True, exist_ok=True)
        partial = memory.with_name(f"{memory.name}.{os.getpid()}")
        partial.write_text(json.dumps(known, indent=0))
        partial.replace(memory)
