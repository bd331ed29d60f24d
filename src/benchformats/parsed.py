"""What every format module takes and gives: a text file in, rows, series, problems out.

A format module offers::

    NAME = "sysbench_output"                      # stable: it stands in manifests
    VERSION = 1                    # optional: raise it when a file gives other rows
    ONCE = True                    # optional: a name that a file has twice is two results
    def recognises(file: TextFile) -> bool        # by content; a name only breaks ties
    def read(file: TextFile) -> Parsed            # never raises on bad input
    def stream(file: TextFile) -> Iterator[Parsed]    # optional: files of any size
    def run_of(name: str, beside: Container[str] = ()) -> RunName | None      # optional

``stream`` reads ``file.blocks()`` one after the other and yields what each gave; its
pieces of a series have the same columns of the same types. With it a file larger than
SMALL never lies in memory; without it such a file is read whole. ``recognises`` sees the
beginning of such a file, and more of it only if no format knows that.

``run_of`` says by a file's name, and by those beside it, of which run it is where a tool
writes several files for one: they are read as one, block by block.

Without ``ONCE`` a figure that comes again without saying its trial is another trial.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import pyarrow as pa

from benchformats.lines.lines import lines_of
from benchformats.times import time_of

CUT = "the file ends within this line: not read"
SMALL = 2**18  # bytes: a longer text is handed out in blocks
_FLOAT = pa.float64()


@dataclass(frozen=True)
class Block:
    """A piece of a text file that ends with a line: whole lines, never a part of one."""

    first_line: int  # number in the file of the block's first line, from 1
    data: bytes  # its text in UTF-8: few formats need the characters of a large file

    @cached_property
    def text(self) -> str:
        """The characters."""
        return self.data.decode()

    @cached_property
    def lines(self) -> pa.StringArray:
        r"""Its lines, each with its "\n"."""
        return lines_of(self.data)

    @property
    def cut(self) -> bool:
        """The block, and so the file, ends within a line."""
        return bool(self.data) and not self.data.endswith(b"\n")


@dataclass(frozen=True)
class TextFile:
    r"""One file, decoded: UTF-8 (without BOM), line ends "\n", gz taken off.

    Bytes that are no UTF-8 are U+FFFD; the importer has reported their lines. In a test:
    ``TextFile("x.my8036_rel.z11a_bee.pk1/sb.o.scan.range100.pk1.dop1", "text...")``.
    """

    path: str  # below the imported folder, with /, a final .gz taken off
    text: str  # all of it; of a large file its beginning, in `recognises` and `stream`
    reader: Callable[[], Iterator[Block]] | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @cached_property
    def lines(self) -> list[str]:
        """Lines of ``text`` without their ends; line number = index + 1."""
        lines = self.text.split("\n")
        return lines if lines[-1] else lines[:-1]

    @property
    def cut(self) -> bool:
        """The text ends within a line: a number at its very end may lack digits.

        Some tools write no final line end; a format says whether it believes such a line.
        """
        return bool(self.text) and not self.text.endswith("\n")

    def blocks(self) -> Iterator[Block]:
        """The whole file in pieces of some MB; a small file is one block."""
        if self.reader is None:
            return iter([Block(1, self.text.encode(errors="replace"))])
        return self.reader()


@dataclass(frozen=True)
class RunName:
    """Of which run a file is; runs of one folder that differ in ``first`` are trials."""

    first: str  # name of the run's first file, whether it is there or not
    what: str  # of that what does not number the run


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read or believed, in one clause without the path."""

    line: int  # 0 = the file as a whole
    text: str


def whole_lines(file: TextFile) -> tuple[list[str], list[Problem]]:
    """The file's lines, the last one emptied and told where the file was cut in it.

    For tools that end every line: what lacks the end may lack digits, or be another test
    (``range=10`` of ``range=100``).
    """
    if not file.cut:
        return file.lines, []
    return [*file.lines[:-1], ""], [Problem(len(file.lines), CUT)]


@dataclass(frozen=True, slots=True)
class Row:
    """One figure, as printed. A figure that is not there (NA, nonzero, '') is no row.

    What the file does not say stays at its default and is filled from ``tag`` (engine,
    version, build, config, machine) and from the names of file and folders (step, dop,
    machine, dims: see names). What it does say is never overwritten.
    """

    line: int  # of the file, from 1
    step: str  # as the archives name it: update-index_range=100, readrandom.t24, l.i0
    metric: str  # see metric_name()
    value: float  # below 0 only where no direction is better
    unit: str  # "" where it has none; ratio, count, us, ms, s, MB/s, KB, queries/s ...
    direction: str  # which is better: "higher", "lower", or "none"
    tag: str = ""  # raw DBMS tag as written: x.ma110401_rel.z11b_bee.pk1
    op: str = "query"  # insert, delete, query, index, scan, bytes
    main: bool = False  # the rate of the step's main op: one row per step and run
    dop: int = 0  # clients; 0 = the file does not say
    clock: str = ""  # "actual" or "intended" for percentiles of response times
    trial: int | None = None  # None = the importer numbers lines that repeat a step
    version: str = ""
    engine: str = ""
    machine: str = ""
    dims: Mapping[str, str] = field(default_factory=dict)  # range, pk, client, workload
    build: str = ""
    config: str = ""


def dated(rows: Iterable[Row], told: str) -> list[Row]:
    """The rows of a file that tells when it was measured, in one of many notations."""
    when = time_of(told)
    if not when:
        return [*rows]
    return [replace(row, dims={**row.dims, "started": when}) for row in rows]


def undirected(rows: Iterable[Row]) -> list[Problem]:
    """A problem for each metric of which nothing tells whether more or less is better."""
    told: dict[str, Problem] = {}
    for row in rows:
        if row.direction == "none" and row.metric not in told:
            of = f"its unit {row.unit!r}" if row.unit else "its name, without unit,"
            text = (
                f"{row.metric}: {of} does not tell which way is better: say it with "
                "--better higher, lower or none"
            )
            told[row.metric] = Problem(row.line, text)
    return [*told.values()]


def records_table(
    records: Sequence[Mapping[str, object]],
    types: Mapping[str, pa.DataType],
    other: pa.DataType = _FLOAT,
) -> pa.Table:
    """Records as a table of all their columns, those without a type of type ``other``."""
    names = dict.fromkeys(name for record in records for name in record)
    columns = {name: [record.get(name) for record in records] for name in names}
    return pa.table({n: pa.array(c, types.get(n, other)) for n, c in columns.items()})


@dataclass(frozen=True)
class Parsed:
    """What a format made of one file, or of one block of it.

    ``series`` holds what there is per second or per sample: name of the series (stable,
    like iibench_seconds or iostat) to a table with the columns of the file under
    metric_name() and ``line`` (int64). Columns of the vocabulary that one file has
    several values of (step, dop, client, device, tag) are columns of the table too; the
    importer adds the others, and the source. Never a Python object per second.
    """

    rows: list[Row] = field(default_factory=list)
    series: Mapping[str, pa.Table] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def merged(parts: Iterable[Parsed]) -> Parsed:
    """Several blocks' results as one: what ``read`` returns when ``stream`` does it."""
    blocks = list(parts)
    names = list(dict.fromkeys(name for part in blocks for name in part.series))
    return Parsed(
        rows=[row for part in blocks for row in part.rows],
        series={
            name: pa.concat_tables(p.series[name] for p in blocks if name in p.series)
            for name in names
        },
        problems=[problem for part in blocks for problem in part.problems],
    )
