"""Programs under test: what has to be compiled, with what, and where it lies.

A build is identified by the driver's sources, the compiler's version line, the flags and
the fetched sources; compiled programs are kept in build/<driver>/<digest>/.  Build 2 of
the same has the same identity and a folder of its own: its objects are linked in another
order, because the order alone can change a program's speed.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from benchbook.arms import build_no
from benchbook.drivers import Driver
from benchbook.errors import UserError
from benchbook.identity import files_digest, short_digest
from benchbook.project import Project
from benchbook.study import Cell

NEWEST_FIRST = range(30, 10, -1)
_INSTRUCTION = re.compile(r"^ +[0-9a-f]+:\t\S+", re.MULTILINE)
OURS = "ours"  # the engine of bench/micro/ours.c


@dataclass(frozen=True)
class Build:
    """A program under test, compiled or not yet."""

    driver: Driver
    engine: str
    version: str  # of the fetched library; empty where the engine tells its own
    compiler: str  # command, for example clang-19
    compiler_line: str  # first line of its --version
    flags: str
    label: str  # "gcc 12.2.0 -O2", or the study's own words
    digest: str
    folder: Path
    library: str = ""  # folder of an install tree's shared library
    number: int = 1

    @property
    def program(self) -> Path:
        return self.folder / self.driver.program

    @property
    def is_fetched(self) -> bool:
        """Do the engine's sources come from elsewhere? Those of `ours` are in bench/."""
        return self.driver.libraries and self.engine != OURS


def plan_build(cell: Cell, driver: Driver, project: Project) -> Build:
    """The build a cell needs, without compiling it.

    Errors: a compiler or an install tree that is not there; an arm that asks for another
    build of an engine that is not compiled here.
    """
    compiler = find_compiler(cell.compiler or driver.compiler)
    line = compiler_line(compiler)
    flags = cell.flags or driver.flags
    library = _library_folder(cell)
    engine, version = (cell.engine, cell.version) if driver.libraries else ("", "")
    sources = driver_digest(driver, project)
    linked = library_digest(cell, driver, library)
    digest = short_digest("\n".join((sources, line, flags, engine, version, linked)))
    name = short_digest("\n".join((sources, line, flags, engine, version)))
    number = build_no(cell.arm)
    if number > 1:
        _require_compiled(cell, driver)
        name = f"{name}-{number}"
    return Build(
        driver=driver,
        engine=engine,
        version=version,
        compiler=compiler,
        compiler_line=line,
        flags=flags,
        label=cell.build_notes or f"{compiler_name(line)} {flags}",
        digest=digest,
        folder=project.build / driver.name / name,
        library=str(library) if library else "",
        number=number,
    )


def is_compiled(cell: Cell, driver: Driver) -> bool:
    """Is the engine a part of the program, so that both are built again together?

    An install tree, a library or a tool of the system is what somebody else built.
    """
    found = driver.tool or cell.basedir or cell.engine in dict(driver.system_libraries)
    return not found


def _require_compiled(cell: Cell, driver: Driver) -> None:
    if not is_compiled(cell, driver):
        raise UserError(
            f"arm {cell.arm}: {cell.engine} is not compiled here, so it cannot be built "
            "again; take the arm out of the matrix, or give the other build as an engine "
            "with a basedir of its own"
        )


@functools.cache
def driver_digest(driver: Driver, project: Project) -> str:
    """Digest of the sources in bench/ that a driver is made of."""
    files = {f for glob in driver.sources for f in project.bench.glob(glob)}
    return files_digest(project.bench, {f for f in files if f.is_file()})


def _library_folder(cell: Cell) -> Path | None:
    """Where an install tree keeps its shared libraries: lib/, or the tree itself."""
    if not cell.basedir:
        return None
    tree = Path(os.path.expandvars(cell.basedir)).expanduser()
    for folder in (tree / "lib", tree):
        if any(folder.glob("*.so*")):
            return folder
    raise UserError(
        f"install tree {cell.tag or cell.engine}: no shared library in {tree} or "
        "its lib/; check basedir in study.yml"
    )


def library_digest(cell: Cell, driver: Driver, tree: Path | None) -> str:
    """Digest of the engine's shared libraries, of an install tree or of the system."""
    if tree:
        return files_digest(tree, tree.glob("*.so*"))
    name = dict(driver.system_libraries).get(cell.engine)
    file = system_library(name) if name else None
    return files_digest(file.parent, [file]) if file else ""


@functools.cache
def system_library(name: str) -> Path | None:
    """Where the dynamic linker finds a library: an active conda's first."""
    conda = Path(os.environ.get("CONDA_PREFIX", "/nonexistent")) / "lib" / name
    if conda.exists():
        return conda
    ldconfig = shutil.which("ldconfig") or "/sbin/ldconfig"
    done = subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        if line.strip().startswith(f"{name} ") and "=>" in line:
            return Path(line.split("=>")[1].strip())
    return None


def find_compiler(name: str) -> str:
    """The command of a compiler; `clang` means the newest clang-N there is."""
    if name == "clang":
        numbered = (f"clang-{n}" for n in NEWEST_FIRST)
        found = next((c for c in numbered if shutil.which(c)), None)
        if found:
            return found
    if not shutil.which(name):
        raise UserError(
            f"no compiler {name} on this machine: install it (as root: "
            f"apt-get install {name}) or take it out of the study's matrix"
        )
    return name


@functools.cache
def compiler_line(compiler: str) -> str:
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


def make_build(build: Build, project: Project, say: Callable[[str], None]) -> None:
    """Compile a build unless it is there; a half-made one never looks finished."""
    if build.program.exists() and (build.folder / "now").exists():
        return
    if shutil.which("make") is None:
        raise UserError(
            "make is not installed: run `make report` once, or apt-get install make"
        )
    again = f", build {build.number}" if build.number > 1 else ""
    what = f"{build.driver.name} {build.engine} {build.version} with {build.label}"
    say(f"building {what}{again}")
    unfinished = build.folder.with_name(f"{build.folder.name}.{os.getpid()}")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    goals = [*dict.fromkeys((build.driver.target, "now", "probe"))]
    try:
        _make(build, project, unfinished, goals)
    except UserError:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    if build.driver.tool:
        shutil.copy2(project.bench / build.driver.program, unfinished)
    shutil.rmtree(build.folder, ignore_errors=True)
    unfinished.rename(build.folder)


def _make(build: Build, project: Project, out: Path, goals: list[str]) -> None:
    words = [f"OUT={out}", *make_words(build)]
    if build.is_fetched:
        words.append(f"SRC={_fetch(build, project)}")
    jobs = f"-j{len(os.sched_getaffinity(0))}"
    make = ["make", "--no-print-directory", jobs, "-C", str(project.bench)]
    _said([*make, *words, *goals], f"cannot build {build.driver.name} with {build.label}")


def make_words(build: Build) -> list[str]:
    """What bench/Makefile must know of a build, but for the folders."""
    words = [f"CC={build.compiler}", f"OPT={build.flags}"]
    if build.driver.libraries:
        words += [f"LIB={build.engine}", f"LIBVERSION={build.version}"]
    return words if build.number == 1 else [*words, f"BUILD_NO={build.number}"]


def _fetch(build: Build, project: Project) -> str:
    """The folder of a library's sources, fetched where it is not there yet."""
    words = [str(project.bench / "fetch.sh"), build.engine, build.version]
    trouble = f"cannot get the sources of {build.engine} {build.version}"
    return _said(words, trouble).splitlines()[-1]


def require_same_code(builds: Iterable[Build]) -> None:
    """Refuse builds of an engine that differ in more than data (study key same_code)."""
    first: dict[str, tuple[Build, str]] = {}
    for build in builds:
        code = _code_digest(build)
        other, known = first.setdefault(build.engine, (build, code))
        if code != known:
            raise UserError(
                f"same_code: {build.engine} built with {build.flags!r} is not the code "
                f"of {other.flags!r}; take same_code out of study.yml"
            )


def _code_digest(build: Build) -> str:
    """Of the address and mnemonic of every instruction; where data lies may differ."""
    words = ["objdump", "-d", "--no-show-raw-insn", str(build.program)]
    listing = _said(words, f"cannot read the code of {build.label}")
    return short_digest("\n".join(_INSTRUCTION.findall(listing)))


def engine_version(build: Build, engine: str) -> str:
    """The version an embedded engine reports, asked of the program as it will run."""
    env = dict(os.environ)
    if build.library:
        env["LD_LIBRARY_PATH"] = build.library
    words = [str(build.program), "--engine", engine, "--version"]
    return _said(words, f"{build.driver.name} cannot tell the version of {engine}", env)


def _said(words: list[str], trouble: str, env: dict[str, str] | None = None) -> str:
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
