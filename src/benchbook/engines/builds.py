"""Programs under test: what has to be compiled, with what, and where it lies.

A build is identified by what its program is made of (`study/program.py`).  Build 2 of the
same has the same identity and a folder of its own: its objects are linked in another
order, because the order alone can change a program's speed.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchbook.commands.commands import Commands
from benchbook.commands.revisions import Checkout
from benchbook.digests import digest_of, files_digest, short_digest
from benchbook.engines.catalogue import BUILT
from benchbook.engines.install_trees import Tree, find_tree, stated, tree_digest
from benchbook.project import Project
from benchbook.study.arms import build_no
from benchbook.study.check import is_compiled
from benchbook.study.compilers import compiler_line, compiler_name, find_compiler
from benchbook.study.drivers import Driver
from benchbook.study.program import (
    is_made,
    made_of,
    make_program,
    require_make,
    said_by,
)
from benchbook.study.study import Cell
from benchmath.errors import UserError

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
    label: str  # "gcc 12.2.0 -O2"
    digest: str
    folder: Path
    library: str = ""  # folder of an install tree's shared library
    number: int = 1
    tree: Tree | None = None  # that the engine comes from
    variable: str = ""  # that tells where a server runs
    notes: str = ""  # the study's own words
    made_of: str = ""  # the lines whose hash names the folder; see bench/build.sh
    place: Path | None = None  # where a user's commands run
    checkout: Checkout | None = None  # of their revision, which ``place`` lies in

    @property
    def server(self) -> Tree | None:
        """The tree of a server that is started for each run."""
        return self.tree if not self.library else None

    @property
    def of_engine(self) -> dict[str, str]:
        """What posts say of the build: the engine's where it is not built with us."""
        tree = self.tree
        if self.place:
            made = (self.notes, "", "")
        elif self.variable:
            made = (self.notes or f"at {self.variable}", "", "")
        elif tree and tree.compiler_line:
            made = (tree.label, tree.compiler_line, tree.flags)
        elif tree and (tree.source or self.server):
            made = (tree.label or "own build", *stated(tree.label))
        else:
            made = (self.notes or self.label, self.compiler_line, self.flags)
        return {
            **dict(zip(("label", "compiler", "flags"), made, strict=True)),
            "series": tree.series if tree else "",
            "source": tree.source if tree else "",
        }

    @property
    def program(self) -> Path:
        return self.folder / self.driver.program

    @property
    def is_fetched(self) -> bool:
        """Do the engine's sources come from elsewhere? Those of `ours` are in bench/."""
        return self.driver.libraries and self.engine != OURS


def plan_build(
    cell: Cell,
    driver: Driver,
    project: Project,
    commands: Commands | None = None,
    options: Mapping[str, str] | None = None,
) -> Build:
    """The build a cell needs, without compiling it.

    ``commands`` and ``options`` are those of a study of a user's own commands.
    Errors: a compiler or an install tree that is not there; an arm that asks for another
    build of an engine that is not compiled here.
    """
    ours = cell.source != BUILT  # or else compiler and flags are those of the engine
    compiler = find_compiler((ours and cell.compiler) or driver.compiler)
    flags = (ours and cell.flags) or driver.flags
    line = compiler_line(compiler)
    tree = find_tree(cell, driver, project)
    engine, version = (cell.engine, cell.version) if driver.libraries else ("", "")
    lines = made_of(driver, line, flags, project, (engine, version))
    if commands:
        measured = _of_commands(cell, commands, options or {}, project)
    else:
        linked = engine_digest(cell, driver, tree, project)
        measured = _Measured(linked, cell.build_notes)
    digest, name = short_digest(f"{lines}\n{measured.linked}"), short_digest(lines)
    number = build_no(cell.arm)
    if number > 1:
        _require_compiled(cell, driver)
        name = f"{name}-{number}"
    embedded = tree is not None and cell.engine not in driver.servers
    return Build(
        driver=driver,
        engine=engine,
        version=version,
        compiler=compiler,
        compiler_line=line,
        flags=flags,
        label=f"{compiler_name(line)} {flags}",
        digest=digest,
        folder=project.build / driver.name / name,
        library=str(tree.libraries) if tree and embedded else "",
        number=number,
        tree=tree,
        variable=cell.variable,
        notes=measured.notes,
        made_of=lines,
        place=measured.place,
        checkout=measured.checkout,
    )


@dataclass(frozen=True)
class _Measured:
    """What is not in our program: its digest, in words, and where commands run."""

    linked: str
    notes: str
    place: Path | None = None
    checkout: Checkout | None = None


def _of_commands(
    cell: Cell, commands: Commands, options: Mapping[str, str], project: Project
) -> _Measured:
    """A user's commands are their revision, or else the files that they name."""
    values = {**options, **dict(cell.dims)}
    checkout = commands.checkout(values, project)
    if checkout:
        linked = f"{cell.tree} {checkout.build}"
        return _Measured(linked, checkout.label, checkout.folder, checkout)
    named = commands.files_named(values)
    files = digest_of(named, commands.folder, project)
    told = f"files {files[:12]}" if named else "as installed"
    return _Measured(files, cell.build_notes or told, commands.folder)


def _require_compiled(cell: Cell, driver: Driver) -> None:
    if not is_compiled(cell, driver):
        built = "is built once, by its own makefiles" if cell.source == BUILT else ""
        raise UserError(
            f"arm {cell.arm}: {cell.engine} {built or 'is not compiled here'}, so it "
            "cannot be built again; take the arm out of the matrix, or give the other "
            "build as an engine with a basedir of its own"
        )


def engine_digest(cell: Cell, driver: Driver, tree: Tree | None, project: Project) -> str:
    """Digest of what the engine itself consists of, where it is not in the program."""
    if cell.connect:
        return f"connect {cell.variable}"
    if tree and cell.engine in driver.servers:
        how = setup_digest(driver, project)
        return f"{tree_digest(tree, cell.engine, project)} {how}"
    if tree:
        return tree_digest(tree, cell.engine, project)
    name = dict(driver.system_libraries).get(cell.engine)
    file = system_library(name) if name else None
    return files_digest(file.parent, [file]) if file else ""


@functools.cache
def setup_digest(driver: Driver, project: Project) -> str:
    """Digest of the scripts that initialise and start servers."""
    files = {f for glob in driver.server_sources for f in project.bench.glob(glob)}
    return files_digest(project.bench, files)


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


def make_build(build: Build, project: Project, say: Callable[[str], None]) -> None:
    """Compile a build unless it is there."""
    if is_made(build.folder, build.driver):
        return
    require_make()
    again = f", build {build.number}" if build.number > 1 else ""
    what = filter(None, (build.driver.name, build.engine, build.version))
    say(f"building {' '.join(what)} with {build.label}{again}")
    words = make_words(build)
    if build.is_fetched:
        words.append(f"SRC={_fetch(build, project)}")
    what_with = f"{build.driver.name} with {build.label}"
    make_program(build.driver, build.folder, build.made_of, words, project, what_with)


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
    return said_by(words, trouble).splitlines()[-1]


def require_same_code(builds: Iterable[Build]) -> None:
    """Refuse builds of an engine that differ in more than data (study key same_code)."""
    first: dict[str, tuple[Build, str]] = {}
    for build in builds:
        code = _code_digest(build)
        other, first_code = first.setdefault(build.engine, (build, code))
        if code != first_code:
            raise UserError(
                f"same_code: {build.engine} built with {build.flags!r} is not the code "
                f"of {other.flags!r}; take same_code out of study.yml"
            )


def _code_digest(build: Build) -> str:
    """Of the address and mnemonic of every instruction; where data lies may differ."""
    words = ["objdump", "-d", "--no-show-raw-insn", str(build.program)]
    listing = said_by(words, f"cannot read the code of {build.label}")
    return short_digest("\n".join(_INSTRUCTION.findall(listing)))


def engine_version(build: Build, engine: str, project: Project) -> str:
    """The version an engine reports, asked of what will run."""
    env = dict(os.environ)
    if build.library:
        env["LD_LIBRARY_PATH"] = build.library
    if build.server:
        words = [str(project.bench / "server.sh"), "version", engine]
        words.append(str(build.server.path))
        return said_by(words, f"cannot tell the version of {engine}")
    words = [str(build.program), "--engine", engine, "--version"]
    trouble = f"{build.driver.name} cannot tell the version of {engine}"
    if not build.variable:
        return said_by(words, trouble, env)
    words += ["--target", f"env:{build.variable}"]
    try:
        return said_by(words, f"{trouble} at {build.variable}", env)
    except UserError as error:
        said = without_values(str(error), env.get(build.variable, ""))
        raise UserError(said, error.exit_code) from None


def without_values(text: str, target: str) -> str:
    """A message without what a connection string says; words of two letters stay."""
    values = re.findall(r"=\s*(?:'([^']*)'|(\S+))", target)
    for value in (target, *(quoted or bare for quoted, bare in values)):
        text = text.replace(value, "***") if len(value) > 2 else text
    return text
