"""One measuring process per machine.

The lock lies outside the checkout, because two checkouts share the machine; the kernel
releases it when its holder dies, however it dies. It lies where everybody may write, so
its file is only opened and locked, never written: no link that somebody laid there leads
to a file that is changed. Who holds it stands in a file of that user's own beside it.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
import pwd
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmath.errors import UserError

POLL_S = 1.0
NOTE_CHARS = 300  # of a note that are read: anybody could make it longer
# A link is not followed, a pipe is not waited for.
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def lock_path() -> Path:
    """BENCHBOOK_LOCK, else one file for all users of this machine."""
    return Path(os.environ.get("BENCHBOOK_LOCK", "/tmp/benchbook-measuring.lock"))


@contextlib.contextmanager
def measuring(study: str, wait: bool, say: Callable[[str], None]) -> Iterator[None]:
    """Hold the machine while measuring ``study``.

    Errors: somebody else measures and ``wait`` is false; the file can be no lock.
    """
    path = lock_path()
    fd = _open(path)
    try:
        _acquire(fd, path, wait, say)
        since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        _write_note(path, f"study {study}, process {os.getpid()}, since {since}")
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                _own_note(path).unlink()
    finally:
        os.close(fd)


def holder() -> str:
    """Who measures now, in words; empty when nobody does.

    Errors: what lies at the lock's path can be no lock.
    """
    path = lock_path()
    try:
        fd = _open_there(path)
    except FileNotFoundError:
        return ""
    try:
        return "" if _locks(fd, path, fcntl.LOCK_SH) else _who(path)
    finally:
        os.close(fd)


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
    """The lock's file, made by the first who needs it, for all users to lock."""
    while True:
        # Without O_CREAT first: in sticky folders that refuses files of other users.
        with contextlib.suppress(FileNotFoundError):
            return _open_there(path)
        try:
            with contextlib.suppress(FileExistsError):
                fd = os.open(path, READ | os.O_CREAT | os.O_EXCL, 0o444)
                os.fchmod(fd, 0o444)  # whatever the umask is
                return fd
        except OSError as error:
            raise _unusable(path, f"cannot be made ({error.strerror})") from None


def _open_there(path: Path) -> int:
    """Errors: FileNotFoundError; UserError for what somebody laid in the lock's place."""
    try:
        fd = os.open(path, READ)
    except FileNotFoundError:
        raise
    except OSError as error:
        what = "is a link" if path.is_symlink() else f"cannot be read ({error.strerror})"
        raise _unusable(path, what) from None
    if not _is_plain(fd):
        os.close(fd)
        raise _unusable(path, "is no plain file, or one with a second name")
    return fd


def _is_plain(fd: int) -> bool:
    about = os.fstat(fd)
    return stat.S_ISREG(about.st_mode) and about.st_nlink == 1


def _unusable(path: Path, what: str) -> UserError:
    return UserError(
        f"the measuring lock {path} {what}: remove it, make it readable for all users "
        "(chmod a+r), or set BENCHBOOK_LOCK to another path"
    )


def _locks(fd: int, path: Path, how: int) -> bool:
    """Lock at once, or tell that another has it."""
    try:
        fcntl.flock(fd, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise _unusable(path, f"cannot be locked ({error.strerror})") from None
    return True


def _acquire(fd: int, path: Path, wait: bool, say: Callable[[str], None]) -> None:
    announced = False
    glances = 3  # `status` holds a shared lock for the blink of an eye
    while not _locks(fd, path, fcntl.LOCK_EX):
        if glances:
            glances -= 1
            time.sleep(0.05)
            continue
        if not wait:
            raise UserError(
                f"this machine is measuring already: {_who(path)}; "
                "add --wait to queue behind it"
            )
        if not announced:
            say(f"waiting: {_who(path)}")
            announced = True
        time.sleep(POLL_S)


def _own_note(path: Path) -> Path:
    return path.with_name(f"{path.name}.{os.getuid()}")


def _write_note(path: Path, text: str) -> None:
    """Say who measures; one who cannot, on a full disk say, measures all the same.

    Always a new file, which takes the old one's place: none that is there is written.
    """
    with contextlib.suppress(OSError):
        fd, name = tempfile.mkstemp(prefix=f"{path.name}-", dir=path.parent)
        new = Path(name)
        try:
            with os.fdopen(fd, "w", encoding="utf-8") as note:
                note.write(text)
                os.fchmod(fd, 0o444)
            new.replace(_own_note(path))
        finally:
            new.unlink(missing_ok=True)


def _who(path: Path) -> str:
    """What the holder says: whoever got the lock last has written the newest note."""
    files = path.parent.glob(f"{glob.escape(path.name)}.*")
    _, text, uid = max(filter(None, map(_note, files)), default=(0, "", -1))
    if not text:
        return "another process"
    return text if uid == os.getuid() else f"{text}, user {_user(uid)}"


def _note(file: Path) -> tuple[int, str, int] | None:
    """Time, text and user of a note; None where it is not by the user that it names."""
    try:
        fd = os.open(file, READ)
    except OSError:
        return None
    with os.fdopen(fd, "rb") as note:
        about = os.fstat(fd)
        if not _is_plain(fd) or file.suffix != f".{about.st_uid}":
            return None
        text = note.read(NOTE_CHARS).decode("utf-8", "replace")
    return about.st_mtime_ns, "".join(filter(str.isprintable, text)), about.st_uid


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
