"""Compilers of this machine: the command, its version line, a short name."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess

from benchmath.errors import UserError

NEWEST_FIRST = range(30, 10, -1)


def find_compiler(name: str) -> str:
    """The command of a compiler; `clang` means the newest clang-N there is."""
    if name == "clang":
        numbered = (f"clang-{n}" for n in NEWEST_FIRST)
        newest = next((c for c in numbered if shutil.which(c)), None)
        if newest:
            return newest
    if not shutil.which(name):
        raise UserError(
            f"no compiler {name} on this machine: install it (as root: "
            f"apt-get install {name}) or take it out of the study's matrix"
        )
    return name


@functools.cache
def compiler_line(compiler: str) -> str:
    """The first line of `compiler --version`."""
    done = subprocess.run(
        [compiler, "--version"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise UserError(f"{compiler} --version fails: {done.stderr.strip()[:200]}")
    return done.stdout.splitlines()[0].strip()


def compiler_name(line: str) -> str:
    """`gcc (Debian 12.2.0-14) 12.2.0` and `Debian clang version 19.1.7 (3)` shortened."""
    family = "clang" if "clang" in line else "gcc"
    versions = re.findall(r"\d+\.\d+(?:\.\d+)?", re.sub(r"\([^)]*\)", "", line))
    return f"{family} {versions[0]}" if versions else line
