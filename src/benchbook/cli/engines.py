"""What `benchbook engines` prints, installs and builds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchbook.engines import catalogue
from benchbook.engines.catalogue import MYROCKS, CatalogueEntry
from benchbook.errors import UserError
from benchbook.project import Project
from benchbook.prose import aligned
from benchbook.versions import begins_with

Row = tuple[object, ...]

HEAD: Row = (
    "engine",
    "version",
    "source",
    "series",
    "built with",
    "fetch MB",
    "installed",
)
FOOT = """\
*  is installed. Builds of one series may be compared with one another.
get one:   benchbook engines install ENGINE VERSION... [--source SOURCE]
build one: benchbook engines build ENGINE VERSION... --cc COMPILER --cflags FLAGS"""


def catalogue_text(project: Project) -> str:
    """Every entry of the catalogue, and below one that is compiled here its builds."""
    there = {path: notes for path, notes in catalogue.trees().items()}
    rows: list[Row] = [HEAD]
    for entry in catalogue.catalogue(project):
        name = entry.engine
        if name != MYROCKS and catalogue.offers(entry, MYROCKS):
            name += f", {MYROCKS}"
        first = (name, entry.version, entry.source, entry.series)
        own = [notes for notes in there.values() if _is_of(notes, entry)]
        if entry.source == catalogue.BUILT:
            rows.append((*first, entry.label, _right(entry.mb), ""))
            rows += [(*first, notes["label"], _right(0), "*") for notes in own]
        else:
            mark = "*" if own else ""
            if own and own[0]["version"] != entry.version:
                mark += f" {own[0]['version']}"
            rows.append((*first, entry.label, _right(entry.mb), mark))
    return f"{aligned(rows)}\n\n{FOOT}"


def _is_of(notes: dict[str, str], entry: CatalogueEntry) -> bool:
    same = notes["engine"] == entry.engine and notes["source"] == entry.source
    return same and begins_with(notes["version"], entry.version)


def _right(number: int) -> str:
    return f"{number:>{len('fetch MB')}}"


def install_text(
    project: Project, engine: str, versions: Sequence[str], source: str,
    say: Callable[[str], None], compiler: str = "", flags: str = "",
) -> str:  # fmt: skip
    """Install entries one after the other; the folder of each.

    One that fails keeps no other from being tried: the error names them all.
    """
    chosen = catalogue.choose(project, engine, versions, source)
    lines, failed = [], []
    for entry in chosen:
        try:
            path = catalogue.install(
                project, entry.engine, entry.version, entry.source, say, compiler, flags
            )
            lines.append(f"{entry}: {path}")
        except UserError as error:
            say(str(error))
            failed.append(str(entry))
    if failed:
        raise UserError(
            f"{len(failed)} of {len(chosen)} could not be installed: {', '.join(failed)}",
            exit_code=1,
        )
    return "\n".join(lines)


def remove_text(engine: str, version: str, source: str) -> str:
    """Delete install trees; their folders."""
    return "\n".join(f"removed {p}" for p in catalogue.remove(engine, version, source))
