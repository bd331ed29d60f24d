"""sb.met.*, sb.prepare.met.*: iostat and vmstat divided by the rate of operations.

Two tables of one row each, of iostat and of vmstat::

    samp  r/s  rMB/s  w/s  wMB/s  r/o  rKB/o  wKB/o  o/s
    samp  cs/s  cpu/s  cs/o  cpu/o

cpu/s is us + sy in percent of the whole machine, cpu/o that divided by o/s. vmstat's samp
counts repeated header lines as samples of zeros, so cpu and cs are 4.5 to 5% too low: see
data/README.md. o/s of a scan is in rows or in thousands of rows, which the file does not
say: it has no unit.
"""

from __future__ import annotations

from benchformats.metric_names import metric_name
from benchformats.names import decode_path, is_scan
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import NO_NUMBER, number
from benchformats.sysbench.figures import op_of

NAME = "sysbench_met"
TITLE = "iostat, vmstat normalized by operation rate"
BEGINNING = "samp\tr/s\trMB/s\t"  # tables of linkbench begin "samp r/s rkb/s"

# column -> unit and which is better
COLUMNS = {
    "r/s": ("reads/s", "none"),
    "rMB/s": ("MB/s", "none"),
    "w/s": ("writes/s", "none"),
    "wMB/s": ("MB/s", "none"),
    "r/o": ("reads", "lower"),
    "rKB/o": ("KB", "lower"),
    "wKB/o": ("KB", "lower"),
    "o/s": ("1/s", "higher"),
    "cs/s": ("1/s", "none"),
    "cpu/s": ("%", "none"),
    "cs/o": ("switches", "lower"),
    "cpu/o": ("% s", "lower"),
}


def unit_of(column: str, step: str) -> tuple[str, str]:
    """Unit and direction of a column of sb.met and of the tables made of it."""
    unit, direction = COLUMNS[column]
    if column == "o/s":
        scan = "" if is_scan(step) else "queries/s"
        unit = "rows/s" if step == "prepare" else scan
    return unit, direction


def recognises(file: TextFile) -> bool:
    """The title, or the first table's header."""
    head = file.text[:4096].split("\n")[:6]
    return any(line == TITLE or line.startswith(BEGINNING) for line in head)


def read(file: TextFile) -> Parsed:
    """The figures of both tables; ``samp`` of iostat is samp_io, of vmstat samp_vm."""
    lines, problems = whole_lines(file)
    step = decode_path(file.path).step
    rows: list[Row] = []
    header: list[str] = []
    header_no = 0
    for line_no, line in enumerate(lines, 1):
        cells = line.split("\t")
        if cells[0] == "samp":
            problems += _unused(header, header_no)
            header, header_no = cells, line_no
        elif header and line.strip():
            figures, complaints = _row(header, cells, line_no, step)
            rows += figures
            problems += [Problem(line_no, text) for text in complaints]
            header = []
        elif line.strip() and line != TITLE:
            problems.append(Problem(line_no, "neither a header nor figures under one"))
    return Parsed(rows, problems=problems + _unused(header, header_no))


def _unused(header: list[str], line_no: int) -> list[Problem]:
    return [Problem(line_no, "no figures under this header")] if header else []


def _row(
    header: list[str], cells: list[str], line_no: int, step: str
) -> tuple[list[Row], list[str]]:
    if len(cells) != len(header):
        return [], [f"{len(cells)} figures for {len(header)} columns"]
    rows, problems = [], []
    for column, cell in zip(header, cells, strict=True):
        value = number(cell)
        if column != "samp" and column not in COLUMNS:
            problems.append(f"{column}: not a column of this format")
        elif value is None:
            problems.append(f"{column}: {NO_NUMBER}")
        elif column == "samp":
            name = "samp_io" if "r/s" in header else "samp_vm"
            rows.append(Row(line_no, step, name, value, "count", "none", op=op_of(step)))
        else:
            unit, direction = unit_of(column, step)
            name = metric_name(column)
            rows.append(Row(line_no, step, name, value, unit, direction, op=op_of(step)))
    return rows, problems
