"""The files of a path that somebody wants imported, and why others are left out."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from benchbook.imports.manifest import Skipped

LOCK = ".import.lock"  # in the folder that imports write to
UNKNOWN = "not a known format"
_EDITORS = re.compile(r"(?:~|\.swp)$")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class SourceFile:
    """A regular file; ``name`` is its path below the folder, with /."""

    name: str
    path: Path
    parts: tuple[SourceFile, ...] = ()  # further files of the same run

    @property
    def folder(self) -> str:
        return self.name.rpartition("/")[0]

    @property
    def base(self) -> str:
        """Its own name, without the end of a packed file."""
        return self.name.rpartition("/")[2].removesuffix(".gz")


def walk(directory: Path) -> tuple[list[SourceFile], list[Skipped]]:
    """Files in order of name, and what is skipped without being opened.

    Hidden files and folders (.DS_Store, ._x, .git) and editors' copies are junk. Links
    are not followed: what they point to is read under its own name if it lies inside.
    A file alone is a folder with that one file.
    """
    if directory.is_file():
        return [SourceFile(printable(directory.name), directory)], []
    files: list[SourceFile] = []
    skipped: list[Skipped] = []
    _walk(directory, "", files, skipped)
    return files, skipped


def _walk(
    folder: Path, above: str, files: list[SourceFile], skipped: list[Skipped]
) -> None:
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        skipped.append(Skipped(above or ".", unreadable(error)))
        return
    if any(entry.name == LOCK for entry in entries):
        skipped.append(Skipped(above or ".", "what imports wrote"))
        return
    for entry in entries:
        name = above + printable(entry.name)
        if entry.name.startswith(".") or _EDITORS.search(entry.name):
            skipped.append(Skipped(name, "hidden or an editor's copy"))
        elif entry.is_symlink():
            skipped.append(Skipped(name, "a link"))
        elif entry.is_dir(follow_symlinks=False):
            _walk(Path(entry.path), f"{name}/", files, skipped)
        elif entry.is_file(follow_symlinks=False):
            files.append(SourceFile(name, Path(entry.path)))
        else:
            skipped.append(Skipped(name, "not a regular file"))


def unreadable(error: OSError) -> str:
    """Why the system does not let a file be read."""
    return f"cannot be read: {error.strerror or error}"


def printable(name: str) -> str:
    """A file name as text: bytes that are not UTF-8 become U+FFFD."""
    return os.fsencode(name).decode("utf-8", "replace")


def kind_of(name: str, reason: str) -> str:
    """What to call the files that one is an example of, in a summary."""
    if reason != UNKNOWN:
        return reason
    base = _DIGITS.sub("N", name.rpartition("/")[2])
    return f"{reason}: {'.'.join(base.split('.')[:2])}"
