"""What each reader takes for the figure, and what it knows of direction, time and names.

Made of the small files that fuzzing starts from, so that the table says what readers do.
"""

from __future__ import annotations

from collections.abc import Iterable

from benchformats import Format, formats
from benchformats.parsed import Parsed, Row, TextFile
from fuzz.fuzz_seeds import FILES

HEAD = ("format", "the figure", "better", "when", "a name that comes twice")
_SHOWN = 3


def readings() -> dict[str, list[Parsed]]:
    """What every format made of the seeds that it recognises first."""
    found: dict[str, list[Parsed]] = {f.name: [] for f in formats()}
    for path, text in FILES:
        file = TextFile(path, text)
        reader = next((f for f in formats() if f.recognises(file)), None)
        if reader:
            found[reader.name].append(reader.read(file))
    return found


def rules() -> list[tuple[str, ...]]:
    """A row per format."""
    read = readings()
    return [_rule(f, [row for part in read[f.name] for row in part.rows])
            for f in formats()]  # fmt: skip


def table() -> str:
    """The rules as a table of Markdown."""
    lines = [HEAD, ("---",) * len(HEAD), *rules()]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _rule(reader: Format, rows: list[Row]) -> tuple[str, ...]:
    main = [row for row in rows if row.main]
    figures = _listed(f"{row.metric} ({row.unit or 'no unit'})" for row in main)
    ways = _listed(row.direction for row in main)
    dated = any("started" in row.dims for row in rows)
    twice = "two results, told" if reader.once else "another trial"
    return (
        reader.name,
        figures or ("none: --metric" if rows else "none: samples"),
        ways or "-",
        "the file tells" if dated else "-",
        twice if rows else "-",
    )


def _listed(values: Iterable[str]) -> str:
    names = list(dict.fromkeys(values))
    more = len(names) - _SHOWN
    return ", ".join([*names[:_SHOWN], *([f"{more} more"] if more > 0 else [])])
