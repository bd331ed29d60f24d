"""What makes two runs runs of the same thing: digests and ids."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchbook.files import replace_text
from benchbook.project import Project


def canonical(value: Any) -> str:
    """Canonical JSON: sorted keys, no blanks, every scalar a string."""
    return json.dumps(_strings(value), sort_keys=True, separators=(",", ":"))


def _strings(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _strings(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_strings(v) for v in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def short_digest(text: str | bytes) -> str:
    """First 16 hex digits of sha256."""
    data = text.encode() if isinstance(text, str) else text
    return hashlib.sha256(data).hexdigest()[:16]


def files_digest(root: Path, files: Iterable[Path]) -> str:
    """Digest of the names (below ``root``) and the bytes of files."""
    total = hashlib.sha256()
    for file in sorted(files):
        total.update(file.relative_to(root).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def cell_id(
    declared: Mapping[str, Any], version: str, build_digest: str, config_digest: str
) -> str:
    """Identity of a cell: what it declares, and what that turned out to be here."""
    whole = {
        **declared,
        "version": version,
        "build_digest": build_digest,
        "config_digest": config_digest,
    }
    return short_digest(canonical(whole))


def declared_id(declared: Mapping[str, Any]) -> str:
    """Identity of a cell as the study writes it, the same on every machine.

    A checkout without compilers or install trees finds the runs of a study by it.
    """
    return short_digest(canonical(declared))


def digest_of(files: Iterable[Path], root: Path, project: Project) -> str:
    """Digest of the names (below ``root``) and the bytes of files.

    A server's program has 200 MB and is asked about for every cell, so what was read is
    remembered in build/: a file is known by its path, size and time of change.
    """
    memory = project.build / "file-digests.json"
    digests = _read(memory)
    before = len(digests)
    lines = []
    for file in sorted(files):
        stat = file.stat()
        key = f"{file}|{stat.st_size}|{stat.st_mtime_ns}"
        if key not in digests:
            with file.open("rb") as stream:
                digests[key] = hashlib.file_digest(stream, "sha256").hexdigest()
        inside = file.is_relative_to(root)
        name = file.relative_to(root).as_posix() if inside else file.name
        lines.append(f"{name} {digests[key]}")
    if len(digests) > before:
        _write(memory, digests)
    return short_digest("\n".join(lines))


def _read(memory: Path) -> dict[str, str]:
    try:
        digests = json.loads(memory.read_text())
    except (OSError, ValueError):
        return {}
    return digests if isinstance(digests, dict) else {}


def _write(memory: Path, digests: dict[str, str]) -> None:
    """A memory that cannot be kept costs time, nothing else."""
    with suppress(OSError):
        replace_text(memory, json.dumps(digests, indent=0))
