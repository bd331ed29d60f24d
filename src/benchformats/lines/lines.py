"""A text as an array of its lines: the bytes stay where they are, none is an object."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa

COMPILE = ("cc", "-std=c11", "-O2", "-shared", "-fPIC")


@cache
def compiled(name: str) -> ctypes.CDLL | None:
    """The library made of a C file of this folder; None where it cannot be had."""
    try:
        source = Path(__file__).with_name(name).read_bytes()
        facts = " ".join((*COMPILE, platform.machine(), platform.libc_ver()[0]))
        digest = hashlib.sha256(source + facts.encode()).hexdigest()[:16]
        library = _cache() / f"{Path(name).stem}-{digest}.so"
        if not library.is_file():
            _compile(source, library)
        return ctypes.CDLL(str(library))
    except (OSError, RuntimeError, subprocess.SubprocessError):
        return None


def _cache() -> Path:
    """Where compiled code is kept between processes."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return (
        Path(os.environ.get("BENCHBOOK_CACHE") or Path(home) / "benchbook") / "compiled"
    )


def _compile(source: bytes, library: Path) -> None:
    """Write the library at once: another process may be about to load it."""
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        made = Path(folder) / library.name
        command = [*COMPILE, "-x", "c", "-o", str(made), "-"]
        subprocess.run(command, input=source, check=True, capture_output=True, timeout=60)
        made.replace(library)


MOST_TEXTS = 64  # different texts that are compared with each other one by one
_USUAL = 32  # bytes of a line, at least, for which there is room at once
_END = 10  # "\n"
_POINTER, _SIZE = ctypes.c_void_p, ctypes.c_size_t
_ARGUMENTS = {
    "benchbook_line_ends": (_POINTER, _SIZE, _POINTER, _SIZE),
    "benchbook_texts": (_POINTER, _POINTER, _POINTER, _SIZE, _SIZE, _POINTER, _POINTER),
    "benchbook_read_lines": (
        *(_POINTER, _POINTER, _POINTER, _SIZE, _POINTER, _SIZE, ctypes.c_char_p),
        *(_POINTER, _POINTER),
    ),
}


def library() -> ctypes.CDLL | None:
    """lines.c, whose functions give a size; ctypes lets other threads run meanwhile."""
    functions = compiled("lines.c")
    for name, arguments in _ARGUMENTS.items() if functions else ():
        function = getattr(functions, name)
        function.argtypes, function.restype = arguments, _SIZE
    return functions


def address(array: np.ndarray) -> int:
    """Where the values of an array lie."""
    return int(array.ctypes.data)


def lines_of(data: bytes) -> pa.StringArray:
    r"""The lines of a text, each with its "\n": only one that was cut lacks it."""
    raw = np.frombuffer(data, np.uint8)
    ends = _line_ends(raw)
    if data and not data.endswith(b"\n"):
        ends = np.append(ends, np.int32(len(data)))
    buffers = pa.py_buffer(ends), pa.py_buffer(data)
    return pa.StringArray.from_buffers(len(ends) - 1, *buffers)


def bytes_of(lines: pa.StringArray) -> tuple[np.ndarray, np.ndarray]:
    """The bytes in which lines lie, and where each begins and the last one ends."""
    _, offsets, data = lines.buffers()
    ends = np.frombuffer(offsets, np.int32)[lines.offset : lines.offset + len(lines) + 1]
    return np.frombuffer(data, np.uint8), ends


def texts_of(
    lines: pa.StringArray, chosen: np.ndarray
) -> tuple[pa.StringArray, np.ndarray]:
    """The different texts among the chosen lines, and of each such line which it is."""
    if few := _few_texts(lines, chosen):
        return few
    encoded = lines.filter(pa.array(chosen)).dictionary_encode()
    return encoded.dictionary, encoded.indices.to_numpy()


def _line_ends(raw: np.ndarray) -> np.ndarray:
    """(lines + 1,) int32: 0, and the position after the end of each whole line."""
    library_ = library()
    if library_ is None:
        ends = np.flatnonzero(raw == _END) + 1
        return np.concatenate(([0], ends)).astype(np.int32)
    room = len(raw) // _USUAL + 1
    while True:
        ends = np.zeros(room + 1, np.int32)
        count = library_.benchbook_line_ends(
            address(raw), len(raw), address(ends[1:]), room
        )
        if count <= room:
            return ends[: count + 1]
        room = count


def _few_texts(
    lines: pa.StringArray, chosen: np.ndarray
) -> tuple[pa.StringArray, np.ndarray] | None:
    """The same without a look-up by hash; None where there are many texts."""
    library_ = library()
    if library_ is None:
        return None
    data, ends = bytes_of(lines)
    firsts = np.empty(MOST_TEXTS, np.int64)
    codes = np.empty(int(np.count_nonzero(chosen)), np.int32)
    count = library_.benchbook_texts(
        address(data), address(ends), address(np.ascontiguousarray(chosen)), len(lines),
        MOST_TEXTS, address(firsts), address(codes),
    )  # fmt: skip
    if count > MOST_TEXTS:
        return None
    return lines.take(pa.array(firsts[:count])), codes
