"""C files of this folder, compiled at first need and kept in the user's cache.

It takes a compiler a fraction of a second, once for each state of the file. Where there
is no compiler, or nowhere to keep what it makes, there is no library: whoever asks has a
slower way.
"""

from __future__ import annotations

import ctypes
import hashlib
import platform
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from benchbook.usercache import user_cache

COMPILE = ("cc", "-std=c11", "-O2", "-shared", "-fPIC")


@cache
def compiled(name: str) -> ctypes.CDLL | None:
    """The library made of a C file of this folder; None where it cannot be had."""
    try:
        source = Path(__file__).with_name(name).read_bytes()
        facts = " ".join((*COMPILE, platform.machine(), platform.libc_ver()[0]))
        digest = hashlib.sha256(source + facts.encode()).hexdigest()[:16]
        library = user_cache("compiled") / f"{Path(name).stem}-{digest}.so"
        if not library.is_file():
            _compile(source, library)
        return ctypes.CDLL(str(library))
    except (OSError, RuntimeError, subprocess.SubprocessError):
        return None


def _compile(source: bytes, library: Path) -> None:
    """Write the library at once: another process may be about to load it."""
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        made = Path(folder) / library.name
        command = [*COMPILE, "-x", "c", "-o", str(made), "-"]
        subprocess.run(command, input=source, check=True, capture_output=True, timeout=60)
        made.replace(library)
