"""`benchbook import`: files of other tools into the store."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from benchbook.imports.importer import ImportReport, Preview, import_dir, preview_dir
from benchbook.imports.manifest import Skipped, Source
from benchbook.imports.naming import naming_of
from benchbook.imports.rows import DIRECTIONS
from benchbook.imports.seen import COLUMNS as SEEN
from benchbook.imports.walk import kind_of
from benchbook.project import here
from benchformats.clean import one_line
from benchmath.errors import UserError
from benchmath.prose import aligned, counted

SHOWN = 5  # problems that are printed; the manifest has all
KINDS = 15  # kinds of skipped files that are printed

Table = list[Sequence[object]]


@click.command("import")
@click.argument("directory", metavar="PATH", type=click.Path(path_type=Path))
@click.option("--as", "name", metavar="SET", help="Name of the set (default: of PATH).")
@click.option("--machine", metavar="NAME", help="The machine that all of it ran on.")
@click.option("--format", "form", metavar="NAME", help="Read every file as this format.")
@click.option("--prune", is_flag=True, help="Drop rows of files that are gone from PATH.")
@click.option(
    "--name",
    "pattern",
    metavar="PATTERN",
    help="What names of files say: '{step}.{engine}{version}.t{trial}.txt'; * is any.",
)
@click.option("--engine", metavar="NAME", help="The engine, where files do not tell it.")
@click.option("--version", metavar="V", help="Its version, where files do not tell it.")
@click.option(
    "--dim",
    "dims",
    metavar="KEY=VALUE",
    multiple=True,
    help="A further dimension of all files; may be given again.",
)
@click.option(
    "--columns",
    metavar="ROLE=COLUMN,...",
    help="Which columns of tables hold what, or a YAML file that says so.",
)
@click.option(
    "--better",
    metavar="[METRIC=]higher|lower|none",
    multiple=True,
    help="Which way is better, where files do not tell it; may be given again.",
)
@click.option("--dry-run", is_flag=True, help="Show what each file would become.")
def import_(
    directory: Path,
    name: str | None,
    machine: str | None,
    form: str | None,
    prune: bool,
    pattern: str | None,
    engine: str | None,
    version: str | None,
    dims: tuple[str, ...],
    columns: str | None,
    better: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Import text files of other people's runs into the view metric.

    PATH is a folder of them, or one file. Outside a laboratory they become
    imported/SET.parquet, a file that compare, check, history and changepoints take.
    Exits 2 if nothing could be imported.
    """
    ways = directions(better)
    naming = naming_of(pattern, fixed(engine, version, dims))
    if dry_run:
        previews = preview_dir(directory, machine, form, naming, columns, ways)
        click.echo(preview_text(previews))
        if not any(isinstance(one.result, Source) for one in previews):
            sys.exit(2)
        return
    project = here()
    report = import_dir(
        directory, project, name, machine, form, prune, naming, columns, ways
    )
    click.echo(import_text(report))
    if not (project or report.empty):
        click.echo(f"\n{report.rows}: the rows, for compare, history and the others")
    if report.empty:
        sys.exit(2)


def directions(said: Sequence[str]) -> dict[str, str]:
    """``--better``: the direction of each metric, of "" that of any."""
    ways: dict[str, str] = {}
    for text in said:
        metric, _, way = text.rpartition("=")
        if way not in DIRECTIONS:
            raise UserError(f"--better {text!r}: available: {', '.join(DIRECTIONS)}")
        if metric in ways:
            raise UserError(f"--better {text!r}: said twice")
        ways[metric] = way
    return ways


def fixed(
    engine: str | None, version: str | None, dims: Sequence[str]
) -> list[tuple[str, str]]:
    """Dimensions that options say, in their order; UserError for a --dim without =."""
    said = [("engine", engine or ""), ("version", version or "")]
    values = [
        pair
        for pair, text in zip(said, (engine, version), strict=True)
        if text is not None
    ]
    for text in dims:
        key, equals, value = text.partition("=")
        if not equals:
            raise UserError(f"--dim {text!r}: write KEY=VALUE")
        values.append((key.strip(), value))
    return values


def preview_text(previews: Sequence[Preview]) -> str:
    """`benchbook import --dry-run`: a line for each file, and for each that is none."""
    read = [(p, p.result) for p in previews if isinstance(p.result, Source)]
    left = [p.result for p in previews if isinstance(p.result, Skipped)]
    names = [n for n in SEEN if any(n in p.values for p, _ in read)]
    further = sorted({n for p, _ in read for n in p.values} - set(SEEN))
    columns = [*names, *further]
    rows: Table = [("file", "format", "figures", "samples", "problems", *columns)]
    for preview, source in read:
        counts = source.rows, source.samples, len(source.problems)
        values = [_values(preview.values.get(name, ())) for name in columns]
        rows.append((one_line(preview.path), source.format, *counts, *values))
    parts = [aligned(rows)] if read else []
    if left:
        lines = [f"{one_line(one.path)}: {one_line(one.reason)}" for one in left]
        parts.append("\n".join(["not imported:", *lines]))
    parts += _some("problem", [
        f"{one_line(source.path)}:{problem.line}: {one_line(problem.text)}"
        for _, source in read
        for problem in source.problems
    ])  # fmt: skip
    head = f"{counted(len(read), 'file')} of {len(previews)} would be imported; "
    return "\n\n".join([*parts, head + "nothing was changed"])


def _values(values: Sequence[str]) -> str:
    """Up to two values, then how many more there are."""
    shown = ", ".join(one_line(value) for value in values[:2])
    return f"{shown}, +{len(values) - 2}" if len(values) > 2 else shown or "-"


def import_text(report: ImportReport) -> str:
    """`benchbook import`: what was recognised, what was skipped and why, problems."""
    manifest = report.manifest
    parts = [_headline(report)]
    if manifest.sources:
        parts.append(aligned(_formats(manifest.sources)))
    if manifest.skipped:
        parts.append("not imported:\n" + aligned(_skipped(manifest.skipped)))
    problems = [
        f"{source.path}:{problem.line}: {problem.text}"
        for source in manifest.sources
        for problem in source.problems
    ]
    parts += _some("problem", problems)
    parts += _some("figure", manifest.conflicts, " left out")
    parts += [f"refused by load: {text}" for text in report.loaded.refused]
    if not report.empty:
        parts.append(f"every file, skipped file and problem: {report.path}")
    return "\n\n".join(parts)


def _headline(report: ImportReport) -> str:
    name, sources = report.manifest.set, report.manifest.sources
    if report.empty:
        return f"{name}: nothing that could be imported"
    unchanged = len(sources) - report.new - report.changed
    if not (report.new or report.changed or report.pruned):
        text = f"{name}: nothing new; {counted(unchanged, 'file')} as before"
    else:
        text = (
            f"{name}: {counted(report.new, 'new file')}, {report.changed} read again, "
            f"{unchanged} as before"
        )
    if report.gone:
        gone = counted(len(report.gone), "file")
        text += f"; {gone} of before not there any more, " + (
            "their rows dropped" if report.pruned else "their rows kept (--prune drops)"
        )
    return text


def _formats(sources: Sequence[Source]) -> Table:
    rows: Table = [("format", "files", "rows", "samples", "problems")]
    for name in sorted({source.format for source in sources}):
        these = [source for source in sources if source.format == name]
        counts = (
            sum(source.rows for source in these),
            sum(source.samples for source in these),
            sum(len(source.problems) for source in these),
        )
        rows.append((name, len(these), *counts))
    return rows


def _skipped(skipped: Sequence[Skipped]) -> Table:
    kinds = Counter(kind_of(one.path, one.reason) for one in skipped)
    examples = {kind_of(one.path, one.reason): one.path for one in reversed(skipped)}
    ordered = sorted(kinds, key=lambda kind: (-kinds[kind], kind))
    rows: Table = [("files", "why", "for example")]
    rows += [(kinds[kind], kind, examples[kind]) for kind in ordered[:KINDS]]
    left = ordered[KINDS:]
    if left:
        rows.append((sum(kinds[kind] for kind in left), f"{len(left)} more kinds", ""))
    return rows


def _some(what: str, texts: Sequence[str], after: str = "") -> list[str]:
    if not texts:
        return []
    more = f", the first {SHOWN}" if len(texts) > SHOWN else ""
    return ["\n".join([f"{counted(len(texts), what)}{after}{more}:", *texts[:SHOWN]])]
