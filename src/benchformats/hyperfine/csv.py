"""hyperfine's --export-csv: median, mean, spread and CPU times of each command.

::

    command,mean,stddev,median,user,system,min,max,parameter_n
    sort 1,0.2,0.001,0.2,0.1,0.05,0.19,0.21,1

Steps and dimensions are those of its JSON; without each run's time the median is the
figure. Seconds throughout.
"""

from __future__ import annotations

from benchformats.hyperfine.json import results_of
from benchformats.json_file import Entry
from benchformats.parsed import Parsed, Problem, TextFile, whole_lines
from benchformats.printed import number
from benchformats.text.table import header_of, table_of

NAME = "hyperfine_csv"
VERSION = 2
ONCE = True

_OWN = ("command", "mean", "stddev", "median", "user", "system", "min", "max")
_PARAMETER = "parameter_"


def recognises(file: TextFile) -> bool:
    """Its columns, of which early versions had no median."""
    header = header_of(file.text)
    return header[:3] == [*_OWN[:3]] and {*_OWN} - {"median"} <= {*header}


def read(file: TextFile) -> Parsed:
    """``median``, ``mean``, ``stddev``, ``min``, ``max``, ``user``, ``system``."""
    lines, problems = whole_lines(file)
    table = table_of("\n".join(lines))
    if table is None:
        return Parsed(problems=[*problems, Problem(0, "no header of hyperfine")])
    parsed = results_of([Entry(line, _result(dict(zip(table.header, cells, strict=True))))
                         for line, cells in table.rows])  # fmt: skip
    return Parsed(parsed.rows, problems=[*problems, *table.problems, *parsed.problems])


def _result(said: dict[str, str]) -> dict[str, object]:
    """A line as an object of its JSON; what is no number there is told by its reader."""
    result: dict[str, object] = {"command": said.get("command")}
    for name in _OWN[1:]:
        value = number(said.get(name, ""))
        result[name] = (said.get(name) or None) if value is None else value
    result["parameters"] = {
        name.removeprefix(_PARAMETER): value
        for name, value in said.items()
        if name.startswith(_PARAMETER)
    }
    return result
