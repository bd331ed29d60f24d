"""bench/tools/uncache.c: programs and libraries leave the page cache."""

import ctypes
import mmap
import subprocess
from pathlib import Path

import pytest
from servers import compiled

PAGES = 8


@pytest.fixture(scope="module")
def uncache(builds) -> Path:
    return compiled(builds, "uncache") / "uncache"


def cached(path: Path) -> int:
    """How many pages of the file the kernel has in memory."""
    libc = ctypes.CDLL(None, use_errno=True)
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as view:
        start = ctypes.addressof(ctypes.c_char.from_buffer(view))
        found = (ctypes.c_ubyte * PAGES)()
        assert 0 == libc.mincore(ctypes.c_void_p(start), PAGES * mmap.PAGESIZE, found)
        return sum(page & 1 for page in found)


def a_file(folder: Path, name: str, mode: int = 0o644) -> Path:
    """Written to the disk, so that its pages may go."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"x" * PAGES * mmap.PAGESIZE)
    path.chmod(mode)
    subprocess.run(["sync", str(path)], check=True)
    return path


@pytest.mark.parametrize(
    ("name", "mode", "left"),
    [("bin/program", 0o755, 0), ("lib/lib.so.0", 0o644, 0), ("data", 0o644, PAGES)],
)
def test_only_programs_and_libraries_are_dropped(uncache, tmp_path, name, mode, left):
    path = a_file(tmp_path, name, mode)
    assert PAGES == cached(path)

    done = subprocess.run([uncache, tmp_path], check=False)

    assert (0, left) == (done.returncode, cached(path))


def test_all_files_are_dropped_where_it_is_said(uncache, tmp_path):
    path = a_file(tmp_path, "data")

    subprocess.run([uncache, "--all", tmp_path], check=True)

    assert 0 == cached(path)


def test_a_path_that_is_not_there_is_no_failure(uncache, tmp_path):
    assert 0 == subprocess.run([uncache, tmp_path / "gone"], check=False).returncode
