"""Engines that can be had: the catalogue, and the install trees made of it.

The catalogue is bench/engines.tsv; bench/install.sh, which needs neither Python nor a
checkout's data, gets an entry into the cache.  An install tree counts once its file
benchbook-install is there, which says what it is and where it came from.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchbook.digests import short_digest
from benchbook.project import Project, user_cache
from benchbook.study.compilers import compiler_line, find_compiler
from benchmath.errors import UserError
from benchmath.versions import begins_with, branch, version_key

BUILT = "built"  # the source of what is compiled here
LINKED = "jni"  # that of a library of somebody else's with a tool which is built here
COMPILER, FLAGS = "gcc", "-O2"  # of a build for which nobody says them
MYROCKS = "myrocks"  # the server is MariaDB's
_ROCKSDB = "mariadb-plugin-rocksdb"
_MADE_OF = "benchbook-install"


@dataclass(frozen=True)
class CatalogueEntry:
    """One line of the catalogue.

    A version of a suite of Debian is its first numbers: the suite has one release of it.
    """

    engine: str
    version: str
    source: str
    series: str  # builds of one series may be compared with one another
    label: str  # compiler and flags in words
    mb: int  # that are fetched
    packages: tuple[str, ...]
    moving: bool  # does the source bring another release from time to time?

    def __str__(self) -> str:
        return f"{self.engine} {self.version} ({self.source})"


def catalogue(project: Project) -> list[CatalogueEntry]:
    """All that can be had, in the order of the file."""
    file = project.bench / "engines.tsv"
    try:
        lines = file.read_text().splitlines()
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}; the checkout is not whole") from error
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [_entry(dict(zip(rows[0], row, strict=True))) for row in rows[1:]]


def _entry(row: dict[str, str]) -> CatalogueEntry:
    return CatalogueEntry(
        engine=row["engine"],
        version=row["version"],
        source=row["source"],
        series=row["series"],
        label=row["label"],
        mb=int(row["mb"]),
        packages=tuple(row["package"].split()),
        moving=row["kind"] == "deb" and "=" not in row["package"],
    )


def offers(entry: CatalogueEntry, engine: str) -> bool:
    """Is the engine in this entry? MyRocks is in a MariaDB that has its plugin."""
    if engine == MYROCKS:
        return any(p.split("=")[0] == _ROCKSDB for p in entry.packages)
    return engine == entry.engine


def find(project: Project, engine: str, version: str, source: str = "") -> CatalogueEntry:
    """The one entry of that version, or of versions that begin with it.

    Errors: none, or more than one; the sentence says what there is.
    """
    there = _of_engine(project, engine)
    named = [e for e in there if source in ("", e.source)]
    entries = [e for e in named if e.version == version and not e.moving]
    entries = entries or [e for e in named if _is_version(e, version, project)]
    if len(entries) == 1:
        return entries[0]
    asked = f"{engine} {version}" + (f" from {source}" if source else "")
    if entries:
        raise UserError(f"{asked} may be {_listed(entries)}: say its version and source")
    raise UserError(f"no {asked} in the catalogue; available: {_listed(there)}")


def _of_engine(project: Project, engine: str) -> list[CatalogueEntry]:
    every = catalogue(project)
    there = [e for e in every if offers(e, engine)]
    if not there:
        names = ", ".join([*dict.fromkeys(e.engine for e in every), MYROCKS])
        raise UserError(f"no engine {engine!r} in the catalogue; available: {names}")
    return there


def choose(
    project: Project, engine: str, versions: Sequence[str], source: str = ""
) -> list[CatalogueEntry]:
    """The entries of versions, and of ranges of versions as 9.6..18.

    Of each release series in a range the source that the catalogue lists first is taken,
    unless one is named: 10.2 and 10.11, 17 and 18 are release series.
    """
    chosen: list[CatalogueEntry] = []
    for word in versions:
        first, dots, last = word.partition("..")
        if not dots:
            chosen.append(find(project, engine, word, source))
            continue
        there = _of_engine(project, engine)
        inside = [
            e for e in there if source in ("", e.source) and _between(e, first, last)
        ]
        if not inside:
            raise UserError(
                f"no {engine} {word} in the catalogue; available: {_listed(there)}"
            )
        preferred: dict[str, str] = {}
        for entry in inside:
            preferred.setdefault(branch(entry.engine, entry.version), entry.source)
        chosen += [
            e for e in inside if preferred[branch(e.engine, e.version)] == e.source
        ]
    distinct = dict.fromkeys(chosen)
    return sorted(distinct, key=lambda e: version_key(e.version))


def _between(entry: CatalogueEntry, first: str, last: str) -> bool:
    """Both ends included: 18.6 is in 9.6..18."""
    key = version_key(entry.version)
    after = begins_with(entry.version, first) or version_key(first) <= key
    return after and (begins_with(entry.version, last) or key <= version_key(last))


def _is_version(entry: CatalogueEntry, version: str, project: Project) -> bool:
    """Does ``version`` name the entry, as far as can be known before it is fetched?"""
    if begins_with(entry.version, version):
        return True
    if not entry.moving or not begins_with(version, entry.version):
        return False
    have = installed(tree(project, entry.engine, entry.version, entry.source))
    return have is None or begins_with(have["version"], version)


def _listed(entries: list[CatalogueEntry]) -> str:
    ordered = sorted(entries, key=lambda e: version_key(e.version))
    return ", ".join(f"{e.version} ({e.source})" for e in ordered)


def cache() -> Path:
    """Where bench/install.sh keeps its trees."""
    return user_cache("engines")


def tree(
    project: Project, engine: str, version: str, source: str,
    compiler: str = "", flags: str = "",
) -> Path:  # fmt: skip
    """Where the install tree is, or would be."""
    entry = find(project, engine, version, source)
    name = f"{entry.engine}-{entry.version}"
    if entry.source != BUILT:
        return cache() / f"{name}-{entry.source}"
    cc = find_compiler(compiler or COMPILER)
    digest = short_digest(f"{compiler_line(cc)}\n{flags or FLAGS}")
    return cache() / f"{name}-{cc}-{digest}"


def installed(path: Path) -> dict[str, str] | None:
    """What an install tree says of itself; None for one that is not there, or half."""
    try:
        lines = (path / _MADE_OF).read_text().splitlines()
    except OSError:
        return None
    return dict(line.split("=", 1) for line in lines if "=" in line)


def install(
    project: Project, engine: str, version: str, source: str,
    say: Callable[[str], None], compiler: str = "", flags: str = "",
) -> Path:  # fmt: skip
    """The install tree of an entry, fetched or built where it is not there yet."""
    entry = find(project, engine, version, source)
    words = [str(project.bench / "install.sh")]
    if entry.source == BUILT:
        cc = find_compiler(compiler or COMPILER)
        words += ["--built", entry.engine, entry.version, cc, flags or FLAGS]
    else:
        words += [entry.engine, entry.version, entry.source]
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, errors="replace",
    ) as process:  # fmt: skip
        assert process.stdout and process.stderr
        last = ""
        for line in process.stderr:
            if last:
                say(last)
            last = line.strip().removeprefix("install.sh: ")
        lines = process.stdout.read().splitlines()
    if process.returncode or not lines:
        why = last or "install.sh said nothing"
        raise UserError(f"cannot install {entry}: {why}", exit_code=1)
    if last:
        say(last)
    return Path(lines[-1])


def trees() -> dict[Path, dict[str, str]]:
    """The install trees in the cache, and what they say of themselves."""
    notes_of = {path: installed(path) for path in sorted(cache().glob("*/"))}
    return {path: notes for path, notes in notes_of.items() if notes}


def remove(engine: str, version: str, source: str = "") -> list[Path]:
    """Delete the install trees of a version from one source, of every compiler.

    Errors: none is there, or from more than one source.
    """
    there = {p: n for p, n in trees().items() if n["engine"] == engine}
    matching = {
        path: notes
        for path, notes in there.items()
        if begins_with(notes["version"], version) and source in ("", notes["source"])
    }
    names = {f"{n['version']} ({n['source']})" for n in (matching or there).values()}
    listed = sorted(names)
    if not matching:
        has = f"available: {', '.join(listed)}" if listed else f"there is no {engine}"
        asked = " ".join(filter(None, (engine, version, source)))
        raise UserError(f"no {asked} is installed; {has}")
    if len(listed) > 1:
        raise UserError(
            f"{engine} {version} may be {', '.join(listed)}: say its version and source"
        )
    for path in matching:
        (path / _MADE_OF).unlink()  # half of a tree never counts
        shutil.rmtree(path)
    return list(matching)
