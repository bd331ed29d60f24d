"""Files that are whole or as they were: replaced in one step, synced, locked."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FULL = re.compile("no space left|disk is full|disk full|quota exceeded", re.IGNORECASE)
LEAST_FREE = 2**20  # bytes; with less a run folder cannot be written


def says_full(text: str) -> bool:
    """Does a message, of the system or of an engine, say that a disk is full?"""
    return _FULL.search(text) is not None


def is_full(folder: Path) -> bool:
    """Is there no room for another file? False where the folder is not there."""
    try:
        return shutil.disk_usage(folder).free < LEAST_FREE
    except OSError:
        return False


def full_sentence(folder: Path) -> str:
    """What is wrong, where, what to do."""
    return (
        f"disk full: no space is left for {folder}; free some (`benchbook du` says what "
        "takes how much), then run the same command again"
    )


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path beside ``path`` to write to; it becomes ``path`` if all goes well.

    Its name is of this process, so that two writers do not meet in one file. Errors:
    OSError, and whatever the block raises; then ``path`` is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def replace_text(path: Path, text: str) -> None:
    """Write the whole text or leave the old one: readers never see half of it."""
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait for the file's lock and hold it; the kernel frees that of a dead process."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
