"""pgbench's output, 9.0 to 18: rate, latency, per-script and per-statement latencies.

A file may hold several runs, each begun by ``transaction type:``. A script is a step, by
the name that -b takes or its file's; with -r each statement of it is one too:
``tpcb-like: END;``. Of several scripts each has its ``share`` as a dimension: alone it is
faster. Runs at a given rate (-R) have it as ``rate``, where the command stands above
them: it is not printed, and without it they are ``limited``. ``tps`` leaves out
connecting, as pgbench means it since 14; rates with it are ``tps_connecting``. Commands
of the client, as \\set, are not read. Lines of --progress are the series
pgbench_progress.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pyarrow as pa

from benchformats.agreement import (
    Contradiction,
    Law,
    Span,
    broken,
    of_intervals,
    printed,
    spans,
)
from benchformats.json_file import text_of
from benchformats.parsed import Parsed, Problem, Row, TextFile, records_table, whole_lines
from benchformats.printed import number
from benchformats.unlike import too_many_failed

NAME = "pgbench"
VERSION = 5
SERIES = "pgbench_progress"

_BANNER = re.compile(
    r"pgbench \((?:PostgreSQL[ )]+)?(?P<own>\d[\w.]*)(?:.*?server (?P<server>\d[\w.]*))?"
)
_TYPE = re.compile(r"transaction type: (.+)")
_FACT = re.compile(r"(?P<name>[a-z][a-z ]+[a-z])(?: =|:) (?P<value>.+)")
_TPS = re.compile(r"tps = (?P<value>\S+) \((?P<how>[^)]*)\)")
_MS = re.compile(r"(?P<value>\S+) ms(?: \(including failures\))?")
_LAG = re.compile(r"rate limit schedule lag: avg (?P<avg>\S+) \(max (?P<max>\S+)\) ms")
_SCRIPT = re.compile(r"SQL script \d+: (.+)")
_WEIGHT = re.compile(r" ?- weight:? \d+ \(targets (?P<share>[\d.]+%) of total\)")
_SHARE = re.compile(
    r" ?- (?P<n>\d+) transactions \(\S+% of total(?:, tps = (?P<tps>\S+))?\)"
)
_STATEMENTS = re.compile(r"(?: ?- ?)?statement latencies in milliseconds(?P<more>.*):")
_STATEMENT = re.compile(r"\s+(?P<ms>\d+\.\d{3})\s+(?P<rest>\S.*)")
_PROGRESS = re.compile(
    r"progress: (?P<second>[\d.]+) s, (?P<tps>[\d.]+) tps, lat (?P<lat>\S+) ms"
    r"(?: stddev (?P<stddev>[^\s,]+))?(?:, (?P<failed>\d+) failed)?"
)
_COLUMNS = {"second": "second", "tps": "tps", "lat": "lat_ms", "stddev": "stddev_ms",
            "failed": "failed"}  # fmt: skip
_COMMAND = re.compile(r"(?:^|[\s/])pgbench\s-")
_GIVEN = re.compile(r"\s(?:-R\s*|--rate[= ]\s*)(\d{1,9}(?:\.\d{1,9})?)(?=\s|$)", re.ASCII)
_UNSAID = "at a rate (-R) that the file does not say: not told from runs at another"
_LONGEST = 2000  # characters of a command
_FIRST_INT = re.compile(r"\d{1,15}", re.ASCII)

_BUILT_IN = {
    "TPC-B (sort of)": "tpcb-like", "simple update": "simple-update",
    "select only": "select-only", "SELECT only": "select-only",
    "Update only pgbench_accounts": "simple-update", "Custom query": "custom",
}  # fmt: skip
_DIMS = {"scaling factor": "scale", "query mode": "query_mode",
         "number of threads": "threads"}  # fmt: skip
_COUNTS = {
    "number of transactions actually processed": "transactions",
    "number of failed transactions": "failed",
    "number of transactions skipped": "skipped",
    "number of transactions retried": "retried",
    "total number of retries": "retries",
}
_ASKED = {"duration": "duration_s",
          "number of transactions per client": "per_client"}  # fmt: skip
_TIMES = {"latency average": "latency_avg", "latency stddev": "latency_stddev",
          "initial connection time": "connect_initial",
          "average connection time": "connect_avg"}  # fmt: skip
# As printed; tps is cut to less in some releases.
UNITS = {"tps": 0.01, "tps_connecting": 0.01, "latency_avg": 0.001}
LAWS = (
    Law("transactions", "per_client * clients"),
    Law("transactions", "of_scripts"),
    # A run ends with its last transaction; releases leave out connecting in many ways.
    Law("transactions", "tps * seconds", 0.25),
    Law("transactions", "tps_connecting * seconds", 0.25),
    Law("1000 * busy", "latency_avg * tps"),
    Law("transactions", "of_progress"),
)
_ABORTED = "the above results are incomplete"


@dataclass
class _Run:
    """What one run has said so far; figures as (line, step suffix, metric, ...)."""

    line: int
    step: str
    version: str
    script: str = ""  # of several, the one whose figures come
    dims: dict[str, str] = field(default_factory=dict)
    shares: dict[str, str] = field(default_factory=dict)  # of scripts, as they were asked
    dop: int = 0
    figures: list[tuple[int, str, str, float, str, str]] = field(default_factory=list)
    extra: int = -1  # columns between a statement's latency and its text; -1: none come
    statements: dict[str, int] = field(default_factory=dict)
    aborted: bool = False
    rate: str = ""  # by its command; '' is not said
    asked: dict[str, float] = field(default_factory=dict)  # duration_s, per_client
    progress: list[re.Match[str]] = field(default_factory=list)

    @property
    def contradiction(self) -> Contradiction | None:
        """Figures of its own that cannot both be right."""
        return broken(LAWS, _known(self), self.line)

    def add(self, line: int, metric: str, value: float | None, unit: str,
            direction: str, step: str = "") -> None:  # fmt: skip
        """A figure of the run, of its script, or of a statement."""
        name = step or self.script or self.step
        if value is not None and value >= 0:
            self.figures.append((line, name, metric, value, unit, direction))


def recognises(file: TextFile) -> bool:
    """What it prints of a run's end, or of its beginning."""
    starts = ("transaction type: ", "number of transactions actually processed: ")
    lines = [line for line in file.lines if line.startswith((*starts, "query mode: "))]
    return any(line.startswith(starts[1]) for line in lines) or len(lines) > 1


def read(file: TextFile) -> Parsed:
    """Figures of every run of the file."""
    lines, problems = whole_lines(file)
    runs: list[_Run] = []
    progress: list[tuple[int, re.Match[str]]] = []
    version = rate = ""
    for line_no, line in enumerate(lines, 1):
        if match := _BANNER.match(line):
            version = match["server"] or match["own"]
        elif _COMMAND.search(line[:_LONGEST]):
            given = _GIVEN.search(line[:_LONGEST])
            rate = given[1] if given else ""
        elif match := _PROGRESS.match(line):
            progress.append((line_no, match))
        elif match := _TYPE.match(line):
            own = [m for _, m in progress[sum(len(r.progress) for r in runs) :]]
            runs.append(_Run(line_no, _step(match[1]), version, progress=own, rate=rate))
            rate = ""
        elif runs:
            _line(runs[-1], line_no, line)
    rows: list[Row] = []
    for run in runs:
        metrics = {metric for _, _, metric, *_ in run.figures}
        if run.aborted:
            problems.append(Problem(run.line, "a run that was aborted: not read"))
        elif "tps" not in metrics and "tps_connecting" not in metrics:
            problems.append(
                Problem(run.line, "a run without its rate: it failed or was cut")
            )
        elif failure := _failure(run):
            problems.append(Problem(run.line, f"{failure}: not read"))
        elif contradiction := run.contradiction:
            problems.append(contradiction)
        else:
            rows += _rows(run)
            if "lag_avg" in metrics and not run.rate:
                problems.append(Problem(run.line, _UNSAID))
    if not runs:
        problems.append(Problem(0, "no run of pgbench begins here"))
    told = [{"line": line_no} | {name: number(match[group] or "")
                                 for group, name in _COLUMNS.items()}
            for line_no, match in progress]  # fmt: skip
    series = {SERIES: records_table(told, {"line": pa.int64()})} if progress else {}
    return Parsed(rows, series, problems)


def _step(name: str) -> str:
    """A script's name: of one built in as -b takes it, of a file without its folders."""
    name = text_of(name)
    built_in = name.removeprefix("<builtin: ").removesuffix(">")
    return _BUILT_IN.get(built_in) or built_in.rpartition("/")[2]


def _line(run: _Run, line_no: int, line: str) -> None:
    if run.extra >= 0 and (match := _STATEMENT.match(line)):
        _statement(run, line_no, match)
    elif match := _STATEMENTS.match(line):
        more = match["more"]
        run.extra = 2 if "retries" in more else 1 if "failures" in more else 0
        run.statements = {}
    elif match := _SCRIPT.match(line):
        run.script, run.extra = _step(match[1]), -1
    elif match := _WEIGHT.match(line):
        run.shares[run.script] = match["share"]
    elif match := _SHARE.match(line):
        run.add(line_no, "transactions", number(match["n"]), "count", "none")
        if match["tps"]:
            run.add(line_no, "tps", number(match["tps"]), "transactions/s", "higher")
    elif match := _LAG.match(line):
        run.add(line_no, "lag_avg", number(match["avg"]), "ms", "lower")
        run.add(line_no, "lag_max", number(match["max"]), "ms", "lower")
    elif match := _TPS.match(line.removeprefix(" - ")):
        connecting = match["how"].startswith("including connections")
        metric = "tps_connecting" if connecting else "tps"
        run.add(line_no, metric, number(match["value"]), "transactions/s", "higher")
    elif _ABORTED in line:
        run.aborted = True
    elif match := _FACT.match(line.removeprefix(" - ").removeprefix("- ")):
        _fact(run, line_no, match["name"], match["value"])


def _fact(run: _Run, line_no: int, name: str, value: str) -> None:
    first = _FIRST_INT.match(value)
    if name in _DIMS:
        run.dims[_DIMS[name]] = text_of(value)
    elif name == "number of clients" and first:
        run.dop = int(first[0])
    elif name in _ASKED and first:
        run.asked[_ASKED[name]] = float(first[0])
    elif name in _COUNTS and first:
        run.add(line_no, _COUNTS[name], float(first[0]), "count", "none")
    elif name in _TIMES and (match := _MS.match(value)):
        direction = "none" if name.endswith("stddev") else "lower"
        run.add(line_no, _TIMES[name], number(match["value"]), "ms", direction)


def _statement(run: _Run, line_no: int, match: re.Match[str]) -> None:
    words = match["rest"].split(None, run.extra)
    if len(words) <= run.extra or not all(w.isdecimal() for w in words[: run.extra]):
        return
    text = text_of(words[run.extra])
    if text.startswith("\\"):
        return  # a command of the client: \set takes no time at all
    count = run.statements[text] = run.statements.get(text, 0) + 1
    name = f"{run.script or run.step}: {text}" + (f" ({count})" if count > 1 else "")
    run.add(line_no, "latency_avg", number(match["ms"]), "ms", "lower", name)


def _known(run: _Run) -> dict[str, Span]:
    """All that the laws are about, as far as the run says it.

    What is said of a script is not of the run. Clients that wait for a rate or connect
    anew are not busy with transactions, and failed ones are in some of the figures.
    """
    figures = run.asked | {m: v for _, step, m, v, *_ in run.figures if step == run.step}
    known = spans(figures, UNITS)
    waits = not {"lag_avg", "connect_avg"}.isdisjoint(figures) or figures.get("failed")
    if seconds := run.asked.get("duration_s"):
        last = figures.get("latency_avg", 0.0) / 1000
        known["seconds"] = Span(seconds, seconds + 10 * last)
    if run.dop:
        known["clients"] = printed(run.dop)
        if not waits:
            known["busy"] = Span(run.dop / 2, 1.1 * run.dop)
    shares = [v for _, step, m, v, *_ in run.figures
              if m == "transactions" and step != run.step]  # fmt: skip
    if shares:
        known["of_scripts"] = printed(sum(shares))
    ends = [float(match["second"]) for match in run.progress]
    if ends and figures.get("tps"):
        rates = [float(match["tps"]) for match in run.progress]
        elapsed = figures.get("transactions", 0.0) / figures["tps"]
        known["of_progress"] = of_intervals(ends, rates, elapsed)
    return known


def _failure(run: _Run) -> str:
    """Of the run or of one of its scripts: they share one mixture."""
    counts: dict[str, dict[str, float]] = {}
    for _, name, metric, value, *_ in run.figures:
        counts.setdefault(name, {})[metric] = value
    said = (
        too_many_failed(count.get("failed", 0), count["transactions"])
        for count in counts.values()
        if "transactions" in count
    )
    return next(filter(None, said), "")


def _rows(run: _Run) -> list[Row]:
    engine = "postgres" if run.version else ""
    rows = []
    limited = any(metric == "lag_avg" for _, _, metric, *_ in run.figures)
    rated = {step for _, step, metric, *_ in run.figures if metric == "tps"}
    for line, step, metric, value, unit, direction in run.figures:
        main = metric == "tps" or (step not in rated and metric == "latency_avg")
        share = run.shares.get(step) or run.shares.get(step.partition(": ")[0])
        dims = {**run.dims, "share": share} if share else dict(run.dims)
        dims |= {"rate": run.rate or "limited"} if limited else {}
        rows.append(Row(line, step, metric, value, unit, direction, main=main,
                        dop=run.dop, dims=dims, engine=engine,
                        version=run.version))  # fmt: skip
    return rows
