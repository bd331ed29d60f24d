"""o.met.*, met.*.txt: sb.met of several DBMS side by side, absolute and relative.

Blocks of::

    sb.met.update-index.range100.pk1.dop1
    --- absolute
    cpu/o<TAB><TAB>cs/o  r/o  rKB/o  wKB/o  o/s  dbms        (cs/o and r/o came later)
    0.015003  34.740  0  0  110.865  2268  x.ma100244_rel.z11a_bee.pk1
    --- relative to first result
    1.10<TAB><TAB>1.15  1  1  1.12  0.76  x.ma100339_rel.z11a_bee.pk1

Figures of the second part are ``rel_...``, of dimension ``base``: value / value of the
first DBMS as C prints it with %.2f, 1 where both are 0, inf where only the base is. A
block of ``prepare`` is the load. A line ``base1 FILE and base2 FILE`` under the title
says that the first row is of one dop and the others of another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchformats.metric_names import metric_name
from benchformats.names import Place, decode_path
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import NO_NUMBER, number
from benchformats.sysbench.figures import op_of, ratio
from benchformats.sysbench.met import COLUMNS, unit_of

NAME = "met_tables"
VERSION = 3
ABSOLUTE = "--- absolute"
RELATIVE = "--- relative to first result"

_TITLE = re.compile(
    r"(?P<kind>sb\.(?:prepare\.)?met\.)?[a-z][\w-]*(?:\.(?:pre|warm|warmpre))?"
    r"\.range\d{1,18}\.pk[01](?P<dop>\.dop\d{1,9})?",
    re.ASCII,
)
_BASES = re.compile(r"base1 (\S+) and base2 (\S+)")
_TAG = re.compile(r"[A-Za-z][^\s,]*")


@dataclass
class _Block:
    """What one block has said so far."""

    place: Place
    other: Place  # of all rows but the first
    header: list[str] = field(default_factory=list)
    relative: bool = False
    tags: list[str] = field(default_factory=list)  # of the absolute rows; '' = damaged


def recognises(file: TextFile) -> bool:
    """A title and a part of a block among the first lines."""
    head = file.lines[:200]
    title = any(_TITLE.fullmatch(line) for line in head)
    return title and (ABSOLUTE in head or any(x.startswith("cpu/o\t") for x in head))


def read(file: TextFile) -> Parsed:
    """All figures of all blocks; a block whose title is damaged is not read."""
    lines, problems = whole_lines(file)
    rows: list[Row] = []
    block: _Block | None = None
    for line_no, line in enumerate(lines, 1):
        line = line.rstrip()
        if not line:
            block = None
        elif title := _TITLE.fullmatch(line):
            place = _place(title)
            block = _Block(place, place)
        elif block is None:
            problems.append(Problem(line_no, "in no block: its title is damaged"))
        elif "\t" in line and not line.startswith("cpu/o\t"):
            figures, complaints = _row(block, line, line_no)
            rows += figures
            problems += [Problem(line_no, text) for text in complaints]
        elif complaint := _say(block, line):
            problems.append(Problem(line_no, complaint))
            block = None
    return Parsed(rows, problems=problems)


def _place(title: re.Match[str]) -> Place:
    """Step, dop and dimensions of a title, whose prefix some tables lack."""
    kind = "" if title["kind"] else "sb.met." if title["dop"] else "sb.prepare.met."
    return decode_path(kind + title[0])


def _say(block: _Block, line: str) -> str:
    """Take in a line that is no row; why the block cannot go on, or ''."""
    if bases := _BASES.fullmatch(line):
        titles = [_TITLE.fullmatch(name) for name in bases.groups()]
        places = [_place(title) for title in titles if title]
        if len(places) < 2:
            return "two bases that are no files of sb.met"
        block.place, block.other = places
        return ""
    if line == RELATIVE:
        block.relative = True
        return "" if block.header else "relative figures without a header"
    if line == ABSOLUTE:
        return "a second absolute part: a title is missing" if block.header else ""
    header = _cells(line)
    columns = [column for column in header[:-1] if column in COLUMNS]
    if header[-1] == "dbms" and len(columns) == len(header) - 1 and not block.header:
        block.header = header
        return ""
    return "not a line of this format: the rest of the block is not read"


def _cells(line: str) -> list[str]:
    """The cells of a line; the second tab after the first cell is part of the format."""
    cells = line.split("\t")
    if len(cells) > 1 and not cells[1]:
        del cells[1]
    return cells


def _row(block: _Block, line: str, line_no: int) -> tuple[list[Row], list[str]]:
    cells = _cells(line)
    fits = block.header and len(cells) == len(block.header)
    tag = cells[-1] if fits and _TAG.fullmatch(cells[-1]) else ""
    if not block.relative:
        block.tags.append(tag)
    if not tag:
        return [], [f"{len(cells)} cells where the header has {len(block.header)}"]
    if block.relative and not (block.tags and block.tags[0]):
        return [], ["the row that this is relative to was not read"]
    if block.relative and tag not in block.tags[1:]:
        return [], [f"{tag} has no absolute figures to be relative to: not read"]
    place = block.place if len(block.tags) == 1 and not block.relative else block.other
    return _figures(block, place, cells, line_no)


def _figures(
    block: _Block, place: Place, cells: list[str], line_no: int
) -> tuple[list[Row], list[str]]:
    dims = dict(place.dims)
    if block.relative:
        dims["relative_to"] = block.tags[0]
        if block.place.dop != place.dop:
            dims["base_dop"] = str(block.place.dop)
    rows, problems = [], []
    for column, cell in zip(block.header[:-1], cells[:-1], strict=True):
        value = ratio(cell) if block.relative else number(cell)
        if value is None:
            problems.append(f"{column}: {NO_NUMBER}")
            continue
        unit, direction = unit_of(column, place.step)
        name = metric_name(column)
        if block.relative:
            name, unit = f"rel_{name}", "ratio"
        rows.append(Row(line_no, place.step, name, value, unit, direction, cells[-1],
                        op_of(place.step), dop=place.dop, dims=dims))  # fmt: skip
    return rows, problems
