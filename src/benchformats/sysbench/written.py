"""Own figures in the layouts that the field's tools read: qps.abs, qps.rel and o.met.

What is written here ``qps_tables`` and ``met_tables`` read back, digit for digit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from benchformats.names import is_scan
from benchformats.sysbench.met_tables import ABSOLUTE, RELATIVE

Figures = Mapping[str, Mapping[str, float]]  # test -> DBMS -> value
RANGE = "100"  # of a test whose name says none, as the field's scripts have it
MET_COLUMNS = ("cpu/o", "cs/o", "r/o", "rKB/o", "wKB/o", "o/s")
_STEP = re.compile(
    r"(?P<name>[a-z][\w-]*)(?P<pre>\.(?:pre|warm|warmpre))?(?:\.range(?P<range>\d+))?"
)


def field_name(step: str) -> tuple[str, str] | None:
    """`read-only.pre.range10` as the field's name and range; None for another pattern."""
    match = _STEP.fullmatch(step)
    if match is None:
        return None
    return f"{match['name']}{match['pre'] or ''}", match["range"] or RANGE


def with_range(step: str) -> str:
    """The test as the field's tables name it: `read-only.pre_range=10`."""
    name, range_ = field_name(step) or (step, RANGE)
    return f"{name}_range={range_}"


def qps_abs(figures: Figures, tags: Sequence[str]) -> str:
    """Rates by test and DBMS: queries/s, of a scan thousands of rows/s."""
    lines = [f"col-{i} : {tag}" for i, tag in enumerate(tags, 1)]
    return _table(lines, {test: _rates(test, of, tags) for test, of in figures.items()})


def qps_rel(figures: Figures, tags: Sequence[str]) -> str:
    """The rates of all DBMS but the first relative to the first."""
    base, *others = tags
    lines = [f"Relative to: {base}"]
    lines += [f"col-{i} : {tag}" for i, tag in enumerate(others, 1)]
    ratios = {
        test: [ratio_text(of[tag], of[base]) for tag in others]
        for test, of in figures.items()
    }
    return _table(lines, ratios)


def qps_csv(figures: Figures, tags: Sequence[str]) -> str:
    """The figures of ``qps_abs`` with commas, the name of the test first."""
    rows = {test: _rates(test, of, tags) for test, of in figures.items()}
    lines = [",".join([with_range(test), *cells]) for test, cells in rows.items()]
    return "".join(f"{line}\n" for line in lines)


def o_met(costs: Mapping[str, Figures], tags: Sequence[str], dop: int) -> str:
    """Blocks of the costs per operation of each test: column -> DBMS -> value.

    A test without a cpu/o of each DBMS has no block, which begins with it.
    """
    return "\n".join(
        block
        for test, columns in costs.items()
        if (block := _block(test, columns, tags, dop))
    )


def _block(test: str, columns: Figures, tags: Sequence[str], dop: int) -> str:
    names = [c for c in MET_COLUMNS if all(t in columns.get(c, {}) for t in tags)]
    name = field_name(test)
    if MET_COLUMNS[0] not in names or name is None:
        return ""
    head = "\t".join([names[0], "", *names[1:], "dbms"])
    base = {column: columns[column][tags[0]] for column in names}
    lines = [f"sb.met.{name[0]}.range{name[1]}.pk1.dop{dop}", ABSOLUTE, head]
    lines += [_met_row([_amount(columns[c][tag]) for c in names], tag) for tag in tags]
    lines.append(RELATIVE)
    lines += [
        _met_row([ratio_text(columns[c][tag], base[c]) for c in names], tag)
        for tag in tags[1:]
    ]
    return "".join(f"{line}\n" for line in lines)


def _met_row(cells: Sequence[str], tag: str) -> str:
    return "\t".join([cells[0], "", *cells[1:], tag])


def _table(lines: Sequence[str], rows: Mapping[str, Sequence[str]]) -> str:
    width = max((len(cells) for cells in rows.values()), default=0)
    header = "\t".join(f"col-{i}" for i in range(1, width + 1))
    body = ["\t".join([*cells, with_range(test)]) for test, cells in rows.items()]
    return "".join(f"{line}\n" for line in [*lines, "", header, *body])


def _rates(test: str, of: Mapping[str, float], tags: Sequence[str]) -> list[str]:
    name = (field_name(test) or (test, ""))[0]
    return [str(round(of[tag] / (1000 if is_scan(name) else 1))) for tag in tags]


def _amount(value: float) -> str:
    """Six digits, never with an exponent."""
    digits = 6 if value == 0 else max(0, 5 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(digits, 12)}f}"


def ratio_text(value: float, base: float) -> str:
    """As C prints it with %.2f; 1 where both are 0, inf where only the base is."""
    if base == 0:
        return "1" if value == 0 else "inf"
    return f"{value / base:.2f}"
