"""HammerDB's log of TPROC-C and of its time profile: rates, and latencies by procedure.

::

    Vuser 1:64 Active Virtual Users configured
    Vuser 1:TEST RESULT : System achieved 28876 NOPM from 67189 PostgreSQL TPM
    >>>>> SUMMARY OF 64 ACTIVE VIRTUAL USERS : MEDIAN ELAPSED TIME : 127146ms
    >>>>> PROC: NEWORD
    CALLS: 3427	MIN: 1.730ms	AVG: 36.332ms	MAX: 1220.165ms	TOTAL: 124508.229ms

Of a time profile the summary over all users is read, not each user's. Of a run whose
users failed (``Vuser 2:FINISHED FAILED``) nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import number
from benchformats.tprocc import STEP

NAME = "hammerdb"
VERSION = 3

_USERS = re.compile(r"(\d{1,6}) (?:Active )?Virtual Users configured", re.IGNORECASE)
_FAILED = re.compile(r"Vuser (\d{1,6}):FINISHED FAILED")
_NEW = re.compile(
    r"System achieved (?P<nopm>\d{1,12}) NOPM"
    r" from (?P<tpm>\d{1,12}) (?P<dbms>[\w ]{1,20}?) TPM"
)
_OLD = re.compile(
    r"System achieved (?P<tpm>\d{1,12}) (?P<dbms>[\w ]{1,20}?) TPM"
    r" at (?P<nopm>\d{1,12}) NOPM"
)
_SUMMARY = re.compile(
    r">>>>> (?:SUMMARY OF (\d{1,6}) ACTIVE|COMBINED METRICS ACROSS ALL)"
)
_USER = re.compile(r">>>>> VIRTUAL USER \d+")
_PROC = re.compile(r">>>>> PROC: (\w{1,40})")
_TIME = re.compile(r"\b(CALLS|MIN|AVG|MAX|P99|P95|P75|P50): (\d[\d.]*)(ms)?(?=\s|$)")
_ENGINES = {"postgresql": "postgres", "sql server": "sqlserver"}


def recognises(file: TextFile) -> bool:
    """A result, or a procedure of a time profile."""
    text = file.text
    return ("System achieved " in text and any(map(_result, file.lines))) or (
        ">>>>> PROC: " in text and any(_TIME.match(line) for line in file.lines)
    )


def _result(line: str) -> re.Match[str] | None:
    if "System achieved " not in line:
        return None
    return _NEW.search(line) or _OLD.search(line)


def read(file: TextFile) -> Parsed:
    """``nopm`` and ``tpm`` of each run, and the summary of the time profile."""
    lines, problems = whole_lines(file)
    rows: list[Row] = []
    begin, failed = 0, set[str]()  # of the run that is being read
    dop, engine, procedure, summary = 0, "", "", False
    for line_no, line in enumerate(lines, 1):
        if users := _USERS.search(line):
            _leave_out(rows, begin, failed, problems)
            begin, failed = len(rows), set()
            dop = int(users[1])
        elif user := _FAILED.search(line):
            failed.add(user[1])
        elif (match := _result(line)) and not float(match["nopm"]):
            problems.append(Problem(line_no, "a run that did nothing: not read"))
        elif match:
            name = match["dbms"].lower()
            engine = _ENGINES.get(name, name)
            rates = (("nopm", "orders/min"), ("tpm", "transactions/min"))
            rows += [Row(line_no, STEP, metric, float(match[metric]), unit, "higher",
                         main=metric == "nopm", dop=dop, engine=engine)
                     for metric, unit in rates]  # fmt: skip
        elif match := _SUMMARY.search(line):
            summary, procedure = True, ""
            dop = int(match[1] or dop)
        elif _USER.search(line):
            summary, procedure = False, ""
        elif match := _PROC.search(line):
            procedure = match[1].lower()
        elif summary and procedure:
            rows += _times(line_no, line, procedure, dop, engine)
    _leave_out(rows, begin, failed, problems)
    if not rows and not problems:
        problems.append(
            Problem(0, "no result of a run, and no summary of a time profile")
        )
    return Parsed(rows, problems=problems)


def _leave_out(
    rows: list[Row], begin: int, failed: set[str], problems: list[Problem]
) -> None:
    """A run that was done by fewer users than it says."""
    if failed and rows[begin:]:
        text = f"a run of which {len(failed)} virtual users failed: not read"
        problems.append(Problem(rows[begin].line, text))
        del rows[begin:]


def _times(
    line_no: int, line: str, procedure: str, dop: int, engine: str
) -> Iterator[Row]:
    for name, text, unit in _TIME.findall(line):
        value, counted = number(text), name == "CALLS"
        if value is not None and (unit or counted):
            yield Row(line_no, STEP, f"{procedure}_{name.lower()}", value,
                      unit or "count", "none" if counted else "lower", dop=dop,
                      engine=engine)  # fmt: skip
