"""lines.c under the compiler's warnings and sanitizers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from benchformats.lines import lines as compiled

pytestmark = pytest.mark.engine

SOURCE = Path(compiled.__file__).with_name("lines.c")
STRICT = ("-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
RUN = """
import sys
import pytest
from benchformats.lines import lines as compiled
compiled.COMPILE += tuple(sys.argv[1].split())
sys.exit(pytest.main(["-n0", "-q", "-p", "no:cacheprovider", *sys.argv[2:]]))
"""


def found(library: str) -> str:
    """Its path, as gcc would link it."""
    words = ["gcc", f"-print-file-name={library}"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("compiler", ["gcc", "clang-19"])
def test_no_warning(tmp_path, compiler):
    """Warnings are errors, those of conversions included."""
    words = [compiler, "-std=c11", "-O2", *STRICT, "-c", SOURCE, "-o", tmp_path / "o"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert (0, "") == (done.returncode, done.stderr)


@pytest.mark.slow
def test_odd_lines_under_the_sanitizers(tmp_path):
    """The tests of whole, odd and damaged files, with every read and write checked."""
    libraries = ("libasan.so", "libstdc++.so")  # exceptions of C++ pass through both
    environment = os.environ | {
        "BENCHBOOK_CACHE": str(tmp_path), "LD_PRELOAD": " ".join(map(found, libraries)),
        "ASAN_OPTIONS": "detect_leaks=0",  # Python's own
    }  # fmt: skip
    tests = ROOT / "tests"
    names = (
        "benchformats/lines/test_lines.py", "benchformats/lines/test_line_shapes.py",
        "runs/test_samplefile.py",
    )  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", RUN, " ".join((*STRICT, *SANITIZERS)),
         *(tests / name for name in names)],
        capture_output=True, text=True, check=False, env=environment, cwd=ROOT,
    )  # fmt: skip

    assert 0 == done.returncode, done.stdout[-2000:] + done.stderr[-2000:]
    assert [] != list((tmp_path / "compiled").glob("lines-*.so"))
