"""JMH's CSV (-rf csv) and its variant with semicolons (-rf scsv): a line per result.

::

    "Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: n"
    "org.example.Sort.quick","thrpt",4,25,11.500000,0.120000,"ops/ms",1000

Score is the figure of the mode, as in JMH's JSON, and half of its interval is
``thrpt_error``. Secondary results stand behind a colon of the benchmark's name. JMH
prints six decimals, after a comma in some locales, and never separates thousands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from benchformats.jmh.json import MODES, secondary
from benchformats.json_file import Entry, text_of
from benchformats.json_format import Figure, JsonFormat, Test, whole_texts
from benchformats.metric_names import metric_name
from benchformats.parsed import Parsed, Problem, TextFile, whole_lines
from benchformats.printed import number
from benchformats.text.table import header_of, table_of

NAME = "jmh_csv"
VERSION = 2
ONCE = True

_OWN = ["Benchmark", "Mode", "Threads", "Samples", "Score"]
_COUNT = re.compile(r"[1-9]\d{0,5}", re.ASCII)
_ERROR = "Score Error ("
_PARAMETER = "Param: "
_COMMA = re.compile(r"(-?\d+),(\d{6})", re.ASCII)
_PERCENTILE = re.compile(r"(?:.*·)?p([01]\.\d+)", re.ASCII)


def recognises(file: TextFile) -> bool:
    """Its first columns, whatever stands between them."""
    return header_of(file.text)[: len(_OWN)] == _OWN


def read(file: TextFile) -> Parsed:
    """Score and error of each result."""
    lines, problems = whole_lines(file)
    table = table_of("\n".join(lines))
    if table is None or table.header[: len(_OWN)] != _OWN:
        return Parsed(problems=[*problems, Problem(0, "no header of JMH")])
    entries = [Entry(line, _result(dict(zip(table.header, map(text_of, cells),
                                            strict=True))))
               for line, cells in table.rows]  # fmt: skip
    return _FORMAT.parsed([*problems, *table.problems, *entries], {})


def _result(said: dict[str, str]) -> dict[str, Any]:
    step, _, label = said["Benchmark"].partition(":")
    metric, direction = _metric(label, said["Mode"], said.get("Unit", ""))
    threads = said["Threads"]
    params = {name.removeprefix(_PARAMETER): value for name, value in said.items()
              if name.startswith(_PARAMETER)}  # fmt: skip
    errors = [cell for name, cell in said.items() if name.startswith(_ERROR)]
    return {
        "name": step, "label": label, "metric": metric, "direction": direction,
        "unit": said.get("Unit", ""), "printed": said["Score"],
        "score": _figure(said["Score"]), "error": _figure(errors[0] if errors else ""),
        "threads": int(threads) if _COUNT.fullmatch(threads) else 0,
        "dims": whole_texts(**params),
    }  # fmt: skip


def _check(test: Test) -> str:
    said = test.said
    if not all((test.step, said["metric"], said["direction"], said["threads"])):
        return f"{test.name}: no mode and threads: not read"
    if said["score"] is None or said["score"] < 0:
        return f"{test.step}: Score {said['printed']!r} is no figure: not read"
    return ""


def _figures(test: Test) -> Iterator[Figure]:
    said = test.said
    metric, unit, main = said["metric"], said["unit"], not said["label"]
    yield Figure(metric, said["score"], unit, said["direction"], main)
    yield Figure(f"{metric}_error", said["error"], unit)  # NaN of a single sample


def _metric(label: str, mode: str, unit: str) -> tuple[str, str]:
    """The metric of a result, and which direction of it is better."""
    if not label:
        return mode, MODES.get(mode, "")
    if percentile := _PERCENTILE.fullmatch(label):
        return metric_name(f"p{float(percentile[1]) * 100:.6g}"), MODES.get(mode, "")
    return secondary(label, unit)


def _figure(cell: str) -> float | None:
    return number(_COMMA.sub(r"\1.\2", cell) if _COMMA.fullmatch(cell) else cell)


_FORMAT = JsonFormat(
    keys=(),
    dims=lambda said: said["dims"],
    dop="threads",
    check=_check,
    figures=_figures,
    empty="",
)
