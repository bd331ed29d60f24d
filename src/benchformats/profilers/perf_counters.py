"""sb.perf.hw.*.raw and .sorted: figures of perf stat as lines of a name and a value.

::

    cycles<TAB>27504023459
    bus-cycles<TAB>-1              what the machine does not count
    branch-miss-pct<TAB>0.10

Made of a report of perf stat; the names of the metrics are the same.
"""

from __future__ import annotations

import re

from benchformats.metric_names import event_metric
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import number
from benchformats.profilers.perf import RATIOS, loop_of, step_of

NAME = "perf_counters"
STEP = "perf"

_LINE = re.compile(r"([A-Za-z][A-Za-z0-9_:-]{0,60})\t(-?\d{1,18}(?:\.\d{1,9})?)")
_KNOWN = {"cycles", "instructions", "branches", "cache-misses", "ipc", "GHz"}
_RATIOS = {metric: (unit, better) for metric, unit, better in RATIOS.values()}


def recognises(file: TextFile) -> bool:
    """Nothing but names and values, most of the usual counters among them."""
    lines = [_LINE.fullmatch(line) for line in file.lines if line.strip()]
    names = {line[1] for line in lines if line}
    return all(lines) and len(names & _KNOWN) > 3


def read(file: TextFile) -> Parsed:
    """One row per counter and ratio; -1, not supported, is none."""
    lines, problems = whole_lines(file)
    step, dims = step_of(file.path, STEP), loop_of(file.name)
    rows: dict[str, Row] = {}
    for line_no, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        value = number(match[2]) if match else None
        if line.strip() and (match is None or value is None):
            problems.append(Problem(line_no, "not a name and a value"))
        if match is None or value is None or match[2] == "-1":
            continue
        metric = event_metric(match[1])
        unit, better = _RATIOS.get(metric, ("count", "none"))
        if unit == "count" and metric not in _RATIOS and "." in match[2]:
            problems.append(Problem(line_no, f"{metric}: a count with decimals"))
        elif value < 0 or metric in rows:
            problems.append(Problem(line_no, f"{metric}: negative, or here twice"))
        else:
            rows[metric] = Row(line_no, step, metric, value, unit, better, dims=dims)
    return Parsed(list(rows.values()), problems=problems)
