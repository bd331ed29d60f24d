"""One measuring process per machine.

The lock lies outside the checkout, because two checkouts share the machine; the kernel
releases it when its holder dies, however it dies.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchbook.errors import UserError

POLL_S = 1.0


def lock_path() -> Path:
    """BENCHBOOK_LOCK, else one file for all users of this machine."""
    return Path(os.environ.get("BENCHBOOK_LOCK", "/tmp/benchbook-measuring.lock"))


@contextlib.contextmanager
def measuring(study: str, wait: bool, say: Callable[[str], None]) -> Iterator[int]:
    """Hold the machine while measuring ``study``; yields the lock's descriptor.

    Errors: somebody else measures and ``wait`` is false.
    """
    fd = _open(lock_path())
    try:
        _acquire(fd, wait, say)
        since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        _write(fd, {"pid": os.getpid(), "study": study, "since": since})
        yield fd
        _write(fd, {})
    finally:
        os.close(fd)


def holder() -> str:
    """Who measures now, in words; empty when nobody does."""
    try:
        fd = os.open(lock_path(), os.O_RDONLY)
    except OSError:
        return ""
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _describe(fd)
    finally:
        os.close(fd)
    return ""


def beside_measuring(wait: bool, say: Callable[[str], None]) -> None:
    """Before work that disturbs a measurement: say who measures, or wait for its end."""
    announced = False
    while who := holder():
        if not wait:
            say(
                f"warning: this machine is measuring ({who}), and this disturbs it; "
                "--wait begins when it has finished"
            )
            return
        if not announced:
            say(f"waiting: {who}")
            announced = True
        time.sleep(POLL_S)


def _open(path: Path) -> int:
    """Open for writing without O_CREAT first: sticky folders refuse it to other users."""
    try:
        return os.open(path, os.O_RDWR)
    except FileNotFoundError:
        old = os.umask(0)
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        finally:
            os.umask(old)
    except PermissionError:
        raise UserError(
            f"cannot open the measuring lock {path}: make it writable for all users "
            "(chmod a+rw), or set BENCHBOOK_LOCK"
        ) from None


def _acquire(fd: int, wait: bool, say: Callable[[str], None]) -> None:
    announced = False
    glances = 3  # `status` holds a shared lock for the blink of an eye
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            who = _describe(fd)
            if glances:
                glances -= 1
                time.sleep(0.05)
                continue
            if not wait:
                raise UserError(
                    f"this machine is measuring already: {who}; "
                    "add --wait to queue behind it"
                ) from None
            if not announced:
                say(f"waiting: {who}")
                announced = True
            time.sleep(POLL_S)


def _describe(fd: int) -> str:
    try:
        owner = json.loads(os.pread(fd, 4096, 0) or b"{}")
    except ValueError:
        owner = {}
    if not owner:
        return "another process has just taken the lock"
    return f"study {owner['study']}, process {owner['pid']}, since {owner['since']}"


def _write(fd: int, content: dict[str, object]) -> None:
    os.ftruncate(fd, 0)
    os.pwrite(fd, json.dumps(content).encode() if content else b"", 0)
