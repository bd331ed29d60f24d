"""A table of somebody's figures with a header: CSV, TSV or JSON lines, long or wide.

Long: a column of metrics, one of values, perhaps one of units. Wide: a column for each
metric, its unit in the header (``latency (ms)``). The other columns are dimensions::

    test,engine,version,trial,metric,value,unit
    scan,postgres,15.4,1,latency,12.5,ms

Otava's and Nyrkio's histories are wide ones: ``time,commit,metric1,metric2``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchformats.clean import one_line
from benchformats.parsed import Parsed, Problem, Row, TextFile
from benchformats.tags import engine_name
from benchformats.text.cells import is_gap, number_or_why
from benchformats.text.table import Table, table_of
from benchformats.tidy.columns import ROLES, Columns, absent, columns_of, is_clear
from benchformats.times import time_of
from benchformats.units import FAULTS, TIMES, direction_of

NAME = "tidy"
VERSION = 4
_OF_RUNS = ("version", "commit", "trial", "time")  # what tells no cell from another
STEP_IS_NAME = True  # without a column for it, the file is one test, called as it is

_HEAD = 20
_RATES = frozenset(("qps", "tps", "ops", "ips", "rps", "iops", "fps", "nopm", "tpm"))
_COSTS = re.compile(r"(?:^|_)(?:latency|lat|time|elapsed|duration|seconds)(?:_|$)")
_PERCENTILE = re.compile(r"(?:^|_)p\d+(?:_|$)")
_SAVED = re.compile(r"(?:^|_)(?:saved|savings?)(?:_|$)")
_MOVED = re.compile(r"(?:^|_)(?:reads?|writes?|written|free|available)(?:_|$)")
_COUNTED = (
    r"(?:[km]?ops|operations|reqs?|requests|rows|records|queries|hits|events|keys|docs"
    r"|ios|items|tokens|messages|tx|txns?|transactions|inserts|updates|deletes|reads"
    r"|writes|commits|bytes|[kmg]i?b)"
)
_RATE_WORDS = re.compile(
    rf"(?:^|_)(?:throughput|bandwidth|bw|rate|per_{TIMES}|{_COUNTED}_s(?:ec)?"
    r"|[fiqrt]ps|iops|nopm|tpm|ops_p\d+|p\d+_ops)(?:_|$)"
)
_STATISTIC = r"(?:[\s_]+(?:p[\d.]+|avg|mean|median|min|max))?"
_RATE_ENDINGS = (  # what is counted, and per what; not "p99 at 1000 ops/s"
    rf"(?!.*(?:@|[\W_]at[\W_]))(?:.*[\W_])?(?P<count>{count}(?P<time>{time}){_STATISTIC}"
    for count, time in ((r"[^\W_]*)(?:\s*/\s*|[-_ ]per[-_ ])", TIMES),
                        (rf"{_COUNTED})[-_ ]", "s(?:ec)?"))
)  # fmt: skip
_RATE = [re.compile(ending, re.IGNORECASE) for ending in _RATE_ENDINGS]
_UNIT = re.compile(r"(.+?)\s*[(\[]([^()\[\]]{1,20})[)\]]")
_SIZE = re.compile(r"bytes|[kmg]?i?b", re.IGNORECASE)
_SUFFIX = re.compile(r"(.+)_(ns|us|ms|s|sec|bytes|kb|mb|gb|kib|mib|gib)")
_COUNTS = {"dop": r"[1-9]\d{0,5}", "trial": r"\d{1,6}"}  # scripts count trials from 0 too


def recognises(file: TextFile) -> bool:
    """A header whose columns carry names of the vocabulary, and numbers below."""
    table = table_of(_beginning(file), _HEAD)
    if table is None or not table.rows:
        return False
    columns = columns_of(table)
    return columns is not None and is_clear(columns, table)


def read(file: TextFile) -> Parsed:
    """Every figure; each row and cell that is none is told."""
    return read_as(file, None)


def reader_of(said: Columns) -> Callable[[TextFile], Parsed]:
    """``read`` with what the user says of columns."""
    return lambda file: read_as(file, said)


def read_as(file: TextFile, said: Columns | None) -> Parsed:
    """Every figure, where the user says which columns hold what."""
    table = table_of(file.text)
    if table is None:
        return Parsed(problems=[Problem(0, "not a table with a header")])
    if said and (why := absent(said, table)):
        return Parsed(problems=[Problem(0, why)])
    columns = columns_of(table, said)
    if columns is None:
        told = f"no column of figures among {', '.join(table.header)}"
        if said and columns_of(table, replace(said, decimal="comma")):
            told += ": say decimal=comma in --columns"
        return Parsed(problems=[Problem(0, told)])
    if not said and not is_clear(columns, table):
        return Parsed(problems=[Problem(0, "say with --columns what its columns are")])
    why = "" if said else _half_figures(columns, table)
    if why := why or unclear(columns, table, bool(said and said.values)):
        return Parsed(problems=[Problem(0, why)])
    first = said.values[0] if said and said.values else ""
    return _Reading(table, columns, split_unit(first)[0]).parsed()


def _half_figures(columns: Columns, table: Table) -> str:
    """Why a column that tells what it measures cannot be a dimension; '' where none is.

    Some of its cells are numbers, others words: ``timeout``, ``1.5k``, ``12ms``.
    """
    for role, name in columns.of.items():
        if role in ROLES or direction(*split_unit(name)) == "none":
            continue
        at = table.header.index(name)
        all_cells = (one_line(cells[at]) for _, cells in table.rows)
        cells = [cell for cell in all_cells if cell and not is_gap(cell)]
        words = [c for c in cells if isinstance(number_or_why(c), str)]
        measured = all(c[0].isdigit() for c in words) and len({*words}) == len(cells) > 1
        if words and (measured or len(words) < len(cells)):
            ways = f"values={name}, or {role}={name}"
            return f"{name}: {words[0]!r} among its figures: say it with --columns {ways}"
    return ""


def unclear(columns: Columns, table: Table, values_said: bool) -> str:
    """Why nobody can tell which columns hold the figures; '' where it is plain.

    A column of numbers is a figure where it is the only one, or where each of them tells
    by unit or name what it measures: a count, a size or a parameter would else be taken
    for a figure because of where it stands.
    """
    if values_said or len(columns.values) < 2:
        return ""
    heads = {name: split_unit(name) for name in columns.values}
    unknown = [
        name
        for name, head in heads.items()
        if direction(*head) == "none" or _is_parameter(name, columns, table)
    ]
    if not unknown:
        return ""
    first = next((name for name in heads if name not in unknown), columns.values[0])
    of_these = ", ".join(columns.values)
    return (
        f"numbers in {of_these}: which are figures? say it with --columns "
        f"values={first}+..., and others as dimensions, KEY=COLUMN"
    )


def _is_parameter(name: str, columns: Columns, table: Table) -> bool:
    """Have all versions the same few numbers, and a cell that would be pooled several?

    What is measured does not repeat exactly; a name that tells a figure is believed.
    """
    metric, unit = split_unit(name)
    by_name = direction(metric.removesuffix("seconds"), "")
    if by_name != "none" or direction(metric, unit) == "higher":
        return False
    of = columns.of
    version = of.get("version") or of.get("commit", "")
    cell = [version, *(of[role] for role in of if role not in _OF_RUNS)]
    of_versions = _values_by([version], name, table)
    of_cells = _values_by(cell, name, table)
    rows = Counter(cells[table.header.index(name)] for _, cells in table.rows)
    return (
        min(rows.values()) > 1
        and all(values == {*rows} for values in of_versions)
        and any(len(values) > 1 for values in of_cells)
    )


def _values_by(keys: Sequence[str], name: str, table: Table) -> Iterable[set[str]]:
    """What a column has in the rows that are alike in others."""
    key_at = [at for at, head in enumerate(table.header) if head in keys]
    at = table.header.index(name)
    values: dict[tuple[str, ...], set[str]] = {}
    for _, cells in table.rows:
        values.setdefault(tuple(cells[key] for key in key_at), set()).add(cells[at])
    return values.values()


@dataclass(frozen=True)
class _Figure:
    """A cell's column of figures, taken apart."""

    metric: str
    unit: str
    cell: str
    named: str  # as the header has it


class _Reading:
    """One table being read: what was told once is not told again."""

    def __init__(self, table: Table, columns: Columns, main: str) -> None:
        self._table, self._columns, self._main = table, columns, main
        self._at = {name: at for at, name in enumerate(table.header)}
        self._heads = {name: split_unit(name) for name in columns.values}
        self._rows: list[Row] = []
        self._problems = list(table.problems)

    def parsed(self) -> Parsed:
        if self._columns.unread:
            names = ", ".join(self._columns.unread)
            text = f"columns that nobody named, not read: {names}"
            self._problems.append(Problem(self._table.header_line, text))
        for line, cells in self._table.rows:
            self._read(line, cells)
        self._problems.sort(key=lambda problem: problem.line)
        return Parsed(with_main(self._rows, self._main), problems=self._problems)

    def _read(self, line: int, cells: list[str]) -> None:
        named = {
            role: one_line(cells[self._at[column]])
            for role, column in self._columns.of.items()
        }
        wrong = _complaint(named)
        if wrong:
            self._problems.append(Problem(line, f"{wrong}: row not read"))
            return
        for figure in self._figures(named, cells):
            self._add(line, named, figure)

    def _figures(self, named: Mapping[str, str], cells: list[str]) -> Iterator[_Figure]:
        if "value" in self._columns.of:
            column = self._columns.of["value"]
            metric, unit = split_unit(named.get("metric", "") or column)
            value = cells[self._at[self._columns.of["value"]]]
            yield _Figure(metric, named.get("unit", "") or unit, value, metric)
            return
        for column, (metric, unit) in self._heads.items():
            if cell := cells[self._at[column]].strip():  # an empty cell is no figure
                yield _Figure(metric, unit or named.get("unit", ""), cell, column)

    def _add(self, line: int, named: Mapping[str, str], figure: _Figure) -> None:
        value = number_or_why(figure.cell, self._columns.decimal)
        if isinstance(value, str):
            self._problems.append(Problem(line, f"{one_line(figure.named)}: {value}"))
            return
        if not figure.metric:
            told = f"{one_line(figure.named)!r} cannot be the name of a metric"
            self._problems.append(Problem(line, told))
            return
        step, metric = named.get("step", ""), figure.metric
        dims = {k: v for k, v in named.items() if k not in ROLES and v}
        dims |= {
            k: named[k] for k in ("commit",) if named.get(k) and named.get("version")
        }
        if moment := time_of(named.get("time", "")):
            dims["started"] = moment  # of a run too; no analysis takes it for a dimension
        self._rows.append(
            Row(line, step, metric, value, figure.unit,
                self._direction(named, figure),
                dop=int(named.get("dop") or 0),
                trial=int(named["trial"]) if named.get("trial") else None,
                version=named.get("version") or named.get("commit") or "",
                engine=engine_name(named.get("engine", "")),
                machine=named.get("machine", ""), build=named.get("build", ""),
                config=named.get("config", ""), dims=dims)
        )  # fmt: skip

    def _direction(self, named: Mapping[str, str], figure: _Figure) -> str:
        said = named.get("direction", "").lower() or self._columns.better
        if said:
            return said
        return direction(figure.metric, figure.unit)


def with_main(rows: list[Row], said: str = "") -> list[Row]:
    """The rows, marked where their metric is what a step's throughput means.

    That is what the user names first, else a step's only metric, else its only rate; of
    several it is none: no column is chosen because it stands first.
    """
    metrics: dict[str, dict[str, str]] = {}
    for row in rows:
        metrics.setdefault(row.step, {})[row.metric] = row.direction
    mains: dict[str, str] = {}
    for step, ways in metrics.items():
        rates = [metric for metric, way in ways.items() if way == "higher"]
        single = [*ways] if len(ways) == 1 else rates
        mains[step] = said if said in ways else single[0] if len(single) == 1 else ""
    return [replace(row, main=True) if mains[row.step] == row.metric else row
            for row in rows]  # fmt: skip


def direction(metric: str, unit: str) -> str:
    """Which way is better: by the unit, else by what the metric is called.

    Of a rate's name with a cost's unit, or the reverse, nobody can tell. A rate of what
    went wrong is better lower.

    >>> direction("latency", ""), direction("x", "ms"), direction("x", "qps")
    ('lower', 'lower', 'higher')
    """
    named_cost = bool(_COSTS.search(metric))
    named_rate = metric in _RATES or bool(_RATE_WORDS.search(metric))
    rate = "lower" if FAULTS.search(_word(f"{metric} {unit}")) else "higher"
    if not unit:
        if named_rate:
            return "none" if named_cost else rate
        return "lower" if named_cost or _PERCENTILE.search(metric) else "none"
    way = "higher" if unit.lower() in _RATES else direction_of(_rate_unit(unit) or unit)
    if way == "higher":
        return "none" if named_cost or _COSTS.search(_word(unit)) else rate
    gain = (named_rate and not named_cost and rate == "higher") or _SAVED.search(metric)
    moved = _SIZE.fullmatch(unit) and _MOVED.search(metric)
    return "none" if way == "lower" and (gain or moved) else way


def split_unit(name: str) -> tuple[str, str]:
    """A header's metric and unit: ``Latency (ms)`` is latency in ms.

    >>> split_unit("Latency (ms)"), split_unit("size_mb"), split_unit("<b>p99</b>")
    (('latency', 'ms'), ('size_mb', 'mb'), ('b_p99_b', ''))
    >>> split_unit("ops/s"), split_unit("rows_per_sec"), split_unit("throughput_mb")
    (('ops_s', 'ops/s'), ('rows_per_sec', 'rows/sec'), ('throughput_mb', ''))
    """
    plain = one_line(name)
    if match := _UNIT.fullmatch(plain):
        return _word(match[1]), match[2]
    word = _word(plain)
    if rate := _rate_unit(plain):
        return word, rate
    suffix = _SUFFIX.fullmatch(word)
    if not suffix or (_SIZE.fullmatch(suffix[2]) and _RATE_WORDS.search(suffix[1])):
        return word, ""
    return word, suffix[2]


def _rate_unit(text: str) -> str:
    """What a text ends with where that is a rate: ``ops/s`` of ``read_ops_per_s``."""
    match = next(filter(None, (rate.fullmatch(text) for rate in _RATE)), None)
    return f"{match['count']}/{match['time']}" if match else ""


def _word(text: str) -> str:
    """Letters, digits and underscores: no name of a metric is markup or a formula."""
    return re.sub(r"\W+", "_", text.lower().replace("%", " pct ")).strip("_")


def _complaint(named: Mapping[str, str]) -> str:
    for role, count in _COUNTS.items():
        cell = named.get(role, "")
        if cell and not re.fullmatch(count, cell, re.ASCII):
            return f"{role} {cell!r} is no count"
    if named.get("time") and not time_of(named["time"]):
        return (
            f"{named['time']!r} is no time (2026-01-31 12:00:00, or seconds since 1970)"
        )
    said = named.get("direction", "").lower()
    if said and said not in ("higher", "lower", "none"):
        return f"direction {said!r}: available: higher, lower, none"
    if "metric" in named and not named["metric"]:
        return "no metric"
    return ""


def _beginning(file: TextFile) -> str:
    """Enough of the text for the header and the first rows, whole lines."""
    return "\n".join(file.text[: 2**17].split("\n", _HEAD + 5)[: _HEAD + 5])
