"""The install tree a cell's engine comes from: an own one, or one of the catalogue.

What a tree is made of is told by its file benchbook-install, or by the study's own words
(`build:`); an own tree without either is known by its digest alone.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from benchbook.digests import digest_of
from benchbook.engines import catalogue
from benchbook.files import replace_text
from benchbook.project import Project
from benchbook.study.cell import Cell
from benchbook.study.compilers import compiler_line, compiler_name, find_compiler
from benchbook.study.drivers import Driver
from benchmath.errors import UserError

# Where server.sh looks for a server's program, and servers for what they load.
PROGRAM_FOLDERS = (
    "bin", "sbin", "libexec", "usr/bin", "usr/sbin", "usr/libexec",
    "lib/postgresql/*/bin", "usr/lib/postgresql/*/bin",
)  # fmt: skip
LOADED = (
    "lib/private/*.so*", "lib/plugin/ha_rocksdb.so", "lib/mysql/plugin/ha_rocksdb.so",
    "usr/lib/mysql/plugin/ha_rocksdb.so",
)  # fmt: skip
COMPILERS = ("gcc", "clang", "icc", "icx")
PROGRAMS = {
    "postgres": ("postgres",),
    "mysql": ("mysqld",),
    "mariadb": ("mariadbd", "mysqld"),
    "myrocks": ("mariadbd", "mysqld"),
}


@dataclass(frozen=True)
class Tree:
    """An install tree, there or to be got."""

    path: Path
    engine: str = ""  # as the catalogue calls it; empty for an own tree
    version: str = ""
    source: str = ""
    series: str = ""
    label: str = ""
    compiler: str = ""  # command, of a tree that is built here
    compiler_line: str = ""
    flags: str = ""
    mb: int = 0  # to be fetched
    moving: bool = False  # does its source bring newer releases from time to time?
    installed: bool = True

    @property
    def is_built(self) -> bool:
        return self.source == catalogue.BUILT

    @property
    def libraries(self) -> Path:
        """The folder with the shared library of an embedded engine."""
        folders = (self.path / "lib", self.path)
        return next((f for f in folders if any(_embedded(f))), folders[0])

    def __str__(self) -> str:
        how = f"{self.label}" if self.is_built else self.source
        return f"{self.engine} {self.version} ({how})"


def find_tree(cell: Cell, driver: Driver, project: Project) -> Tree | None:
    """The tree of a cell; None where the engine is elsewhere, in the system or in us.

    Errors: the catalogue does not have it; an own tree without the engine.
    """
    if cell.basedir:
        return _own(cell, driver)
    if cell.source or (cell.engine in driver.servers and not cell.connect):
        return _with_program(_catalogued(cell, project), driver)
    return None


def _own(cell: Cell, driver: Driver) -> Tree:
    path = Path(os.path.expandvars(cell.basedir)).expanduser()
    tree = _as_installed(Tree(path, label=cell.build_notes))
    if cell.engine not in driver.servers:
        what = driver.tree_program or "shared library"
        pattern = driver.tree_program or "*.so*"
        if not any(tree.libraries.glob(pattern)):
            raise UserError(
                f"install tree {cell.tag or cell.engine}: no {what} in {path} or "
                "its lib/; check basedir in study.yml"
            )
    elif not any(_programs(tree, cell.engine)):
        raise UserError(
            f"install tree {cell.tag or cell.engine}: no program "
            f"{' or '.join(PROGRAMS[cell.engine])} in {path} or its bin/; check basedir "
            "in study.yml"
        )
    return tree


def _catalogued(cell: Cell, project: Project) -> Tree:
    entry = catalogue.find(project, cell.engine, cell.version, cell.source)
    if entry.version != cell.version and not entry.moving:
        raise UserError(
            f"{cell.engine} {cell.version} of the catalogue is {entry}: write version: "
            f'"{entry.version}" in study.yml'
        )
    compiler = flags = line = ""
    label = entry.label
    if entry.source == catalogue.BUILT:
        compiler = find_compiler(cell.compiler or catalogue.COMPILER)
        line, flags = compiler_line(compiler), cell.flags or catalogue.FLAGS
        label = f"{compiler_name(line)} {flags}"
    path = catalogue.tree(
        project, cell.engine, cell.version, cell.source, compiler, flags
    )  # fmt: skip
    tree = Tree(
        path, entry.engine, entry.version, entry.source, entry.series,
        cell.build_notes or label, compiler, line, flags, entry.mb, entry.moving,
    )  # fmt: skip
    return _as_installed(tree)


def _with_program(tree: Tree, driver: Driver) -> Tree:
    """The tree, if what the driver runs out of it is there or will be."""
    name = driver.tree_program
    brings = tree.source in (catalogue.BUILT, catalogue.LINKED)
    if name and not (brings or (tree.libraries / name).is_file()):
        raise UserError(
            f"{tree} is a library without {name}, which driver {driver.name} runs: "
            f"write source: {catalogue.BUILT} in study.yml"
        )
    return tree


def _as_installed(tree: Tree) -> Tree:
    """With what the tree says of itself, if it is there."""
    notes = catalogue.installed(tree.path)
    if notes is None:
        return replace(tree, installed=not tree.source)
    return replace(
        tree,
        source=tree.source or notes.get("source", ""),
        series=notes.get("series", tree.series),
        label=tree.label or notes.get("label", ""),
        installed=True,
    )


def tree_digest(tree: Tree, engine: str, project: Project) -> str:
    """Digest of the programs and libraries that make the engine; empty before they are.

    A tree that is replaced, or a Debian that has moved on, is another build.
    """
    if not tree.installed:
        return ""
    if engine not in PROGRAMS:
        digest = digest_of(_embedded(tree.libraries), tree.libraries, project)
    else:
        files = {f.resolve() for f in (*_programs(tree, engine), *_loaded(tree))}
        digest = digest_of(files, tree.path.resolve(), project)
    if tree.engine:  # of the catalogue; an own one is its owner's
        _check_untouched(tree, engine, digest)
    return digest


def _check_untouched(tree: Tree, engine: str, digest: str) -> None:
    """UserError where a tree is not what it was when it was first used."""
    file = tree.path / f"benchbook-digest-{engine}"
    try:
        known = file.read_text(encoding="utf-8").strip()
    except OSError:
        with suppress(OSError):  # a cache that cannot be written has no memory
            replace_text(file, f"{digest}\n")
        return
    if known != digest:
        raise UserError(
            f"{tree}: its programs in {tree.path} have changed since they were "
            "installed: delete that folder, and it is got anew"
        )


def _embedded(folder: Path) -> Iterator[Path]:
    """Shared libraries, and the program of RocksDB that runs on one, or without."""
    for pattern in ("*.so*", "db_bench"):
        yield from folder.glob(pattern)


def programs_of(tree: Tree, engine: str) -> list[str]:
    """The files whose digests make that of a server's tree, below its folder."""
    files = {*_programs(tree, engine), *_loaded(tree)}
    return sorted(os.path.relpath(file, tree.path) for file in files)


def _programs(tree: Tree, engine: str) -> Iterator[Path]:
    for folder in PROGRAM_FOLDERS:
        for name in PROGRAMS.get(engine, ()):
            yield from (f for f in tree.path.glob(f"{folder}/{name}") if f.is_file())


def _loaded(tree: Tree) -> Iterator[Path]:
    """What a server's program loads from the tree."""
    for pattern in LOADED:
        yield from tree.path.glob(pattern)
    notes = catalogue.installed(tree.path) or {}
    for folder in filter(None, notes.get("libpath", "").split(":")):
        yield from (f for f in (tree.path / folder).glob("*.so*") if f.is_file())


def install(tree: Tree, project: Project, say: Callable[[str], None]) -> None:
    """Get a tree of the catalogue: fetched, or built; it says what it does."""
    catalogue.install(
        project, tree.engine, tree.version, tree.source, say, tree.compiler, tree.flags
    )


def install_line(tree: Tree) -> str:
    """The same in bash alone; it prints the tree's folder."""
    words = [tree.engine, tree.version, tree.source]
    if tree.is_built:
        words = ["--built", tree.engine, tree.version, tree.compiler, tree.flags]
    return shlex.join(["bench/install.sh", *words])


def stated(label: str) -> tuple[str, str]:
    """Compiler and flags of a label: `gcc 12.2 -O2 (Debian 12)` is gcc 12.2 and -O2."""
    words = re.sub(r"\(.*?\)", "", label).split()
    if not words or words[0] not in COMPILERS:
        return "", ""
    first = next((i for i, w in enumerate(words) if w.startswith("-")), len(words))
    return " ".join(words[:first]), " ".join(words[first:])
