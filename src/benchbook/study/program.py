"""Programs of bench/ compiled here: what one is made of, where it lies, how it is made.

Compiled programs are kept in build/<driver>/<digest>/, where the digest is that of the
driver's sources, the compiler's version line, the flags and the fetched library.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchbook.digests import files_digest, short_digest
from benchbook.project import Project
from benchbook.study.compilers import compiler_line, find_compiler
from benchbook.study.drivers import Driver
from benchmath.errors import UserError


@functools.cache
def driver_digest(driver: Driver, project: Project) -> str:
    """Digest of the sources in bench/ that a driver is made of."""
    files = {f for glob in driver.sources for f in project.bench.glob(glob)}
    return files_digest(project.bench, {f for f in files if f.is_file()})


def made_of(
    driver: Driver, line: str, flags: str, project: Project, library: Sequence[str] = ()
) -> str:
    """The lines whose hash names a program's folder; bench/build.sh writes the same.

    ``line`` is the compiler's, ``library`` the fetched one's name and version.
    """
    engine, version = library or ("", "")
    return "\n".join((driver_digest(driver, project), line, flags, engine, version))


def usual_program(driver: Driver, project: Project) -> Path:
    """A driver as its own compiler and flags make it, compiled unless it is there."""
    compiler, flags = find_compiler(driver.compiler), driver.flags
    lines = made_of(driver, compiler_line(compiler), flags, project)
    folder = project.build / driver.name / short_digest(lines)
    words = (f"CC={compiler}", f"OPT={flags}")
    if not is_made(folder, driver):
        make_program(driver, folder, lines, words, project, driver.name)
    return folder / driver.program


def is_made(folder: Path, driver: Driver) -> bool:
    """Is the program there, and what stands beside it?"""
    return (folder / driver.program).exists() and (folder / "now").exists()


def require_make() -> None:
    if shutil.which("make") is None:
        raise UserError(
            "make is not installed: run `make report` once, or apt-get install make"
        )


def make_program(
    driver: Driver,
    folder: Path,
    lines: str,
    words: Sequence[str],
    project: Project,
    what: str,
) -> None:
    """Compile a driver into a folder; a half-made one never looks finished.

    ``words`` are for bench/Makefile, ``what`` is for the message where it fails, and
    ``lines`` are those of ``made_of``.
    """
    require_make()
    unfinished = folder.with_name(f"{folder.name}.{os.getpid()}")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    make = ["make", "--no-print-directory", f"-j{len(os.sched_getaffinity(0))}"]
    make += ["-C", str(project.bench), f"OUT={unfinished}", *words, *goals_of(driver)]
    try:
        said_by(make, f"cannot build {what}")
    except UserError:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    if driver.tool:
        shutil.copy2(project.bench / driver.program, unfinished)
    (unfinished / "built").write_text(lines)
    if is_made(folder, driver):  # by another process, and in use
        shutil.rmtree(unfinished, ignore_errors=True)
        return
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


def goals_of(driver: Driver) -> list[str]:
    """What bench/Makefile has to make: the program and what stands beside it."""
    return list(dict.fromkeys((driver.target, *driver.helpers)))


def said_by(words: Sequence[str], trouble: str, env: dict[str, str] | None = None) -> str:
    """What a program prints; where it fails, ``trouble`` and its first complaint."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    if done.returncode != 0:
        why = _complaint(done.stderr or done.stdout)
        raise UserError(f"{trouble}: {why}", exit_code=1)
    return done.stdout.strip()


def _complaint(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower() or "make" not in line]
    return (errors or lines or ["it said nothing"])[0][:300]
