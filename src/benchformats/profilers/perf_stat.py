"""perf stat: reports of counters, one or several in a file, as the tool prints them.

::

    # started on Tue Mar  4 18:37:51 2025

     Performance counter stats for process id '1172173':

        27,504,023,459      cycles                    #    2.750 GHz         (83.31%)
       <not supported>      bus-cycles
        78,291,065,255      instructions              #    2.85  insn per cycle
              1,001.02 msec task-clock                #    1.000 CPUs utilized

          10.001539688 seconds time elapsed

What is ``<not supported>`` or ``<not counted>`` is no figure. (83.31%) is the share of
the time in which the counter ran, once [83.31%]: perf has scaled the count by it. Ratios
without a counter stand under the name of their group (``TopdownL1  # 22.2 %
tma_retiring``). Intervals (-I) above a report are not read. perf never separates the
thousands of elapsed seconds: where they have a comma, the file has decimal commas.
Reports of several commands, or of several CPUs, have ``command`` as a dimension.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import pyarrow as pa

from benchformats.json_file import text_of
from benchformats.metric_names import event_metric
from benchformats.parsed import Parsed, Problem, Row, TextFile, records_table, whole_lines
from benchformats.printed import number
from benchformats.profilers.perf import LONGEST, grouped, loop_of, ratio_of, step_of
from benchformats.unlike import differing

NAME = "perf_stat"
VERSION = 5
SERIES = "perf_stat"
STEP = "perf"  # where no name says what ran

# Of lines whose blanks are single ones.
_N = r"[\d.,]{1,40}"
_TITLE = re.compile(
    r"Performance counter stats for (?P<of>.{1,2000}?)(?: \(\d{1,9} runs\))?:$", re.ASCII
)
_STARTED = re.compile(r"# started on (.{1,60})$")
_ABSENT = re.compile(r"<not (?:supported|counted)> (?:(?:msec|ns|Joules|MiB) )?\S")
_COUNTER = re.compile(
    rf"(?P<count>{_N}) (?:(?P<unit>msec|ns|Joules|MiB|Bytes) )?"
    r"(?P<event>[A-Za-z_][^\s#(]{0,300})(?: \((?P<old_unit>msec)\))?(?P<rest>(?: .*)?)$"
)
_REST = re.compile(
    rf"(?: ?# (?:-?nan|(?P<ratio>-?{_N})) ?(?P<words>(?:% ?)?[A-Za-z/][^()%+]{{0,80}})?)?"
    rf"(?: ?\( ?\+- ?(?P<spread_pct>{_N})% ?\))?"
    rf"(?: ?(?:\((?P<running_pct>{_N})%\)|\[(?P<old_running_pct>{_N})%\]))?$"
)
_IS_GROUP = re.compile(r"Topdown\w{1,20}(?: \(\w{1,60}\))?$")
_GROUP = re.compile(rf"(?P<event>{_IS_GROUP.pattern[:-1]})(?P<rest> # .*)$")
_CLOCK = re.compile(
    rf"(?P<value>{_N})(?: \+- {_N})? seconds (?P<what>time elapsed|user|sys)"
    rf"(?: \( ?\+- ?{_N}% ?\))?$"
)
_UNITS = {"msec": "ms", "ns": "ns", "Joules": "J", "MiB": "MiB", "Bytes": "bytes"}
_CLOCKS = {"time elapsed": "perf_elapsed_s", "user": "perf_user_s", "sys": "perf_sys_s"}
_CYCLES = {"cycles", "cpu-cycles"}
_TIMERS = {"cpu-clock", "task-clock"}
_INTERVALS = re.compile(r"# +time(?: +\S+)* +counts unit events$")
_BESIDE = (_TITLE, _STARTED, _CLOCK, _GROUP, re.compile("# "))  # counters
_UNENDED = "a report without its elapsed seconds"
_OTHER = "not a line of a report of perf stat"
_ELSEWHERE = re.compile(r"\s*\d+,\d{3,9}(?: \+- [\d,]+)? seconds time elapsed")
_GAP = re.compile(r"(?<=\d)[\u00a0\u202f\u2019'](?=\d{3})")  # between thousands
_NUMBER = re.compile(r"(?:(?<=[\s(\[-])|^)\d[\d.,]*(?=[\s%)\]]|$)", re.ASCII)
_SWAPPED = str.maketrans(",.", ".,")
_LOCALE = f"{_OTHER}: figures in another locale? run perf with LC_ALL=C"
_TYPES = dict.fromkeys(("line", "report"), pa.int64()) | dict.fromkeys(
    ("started", "event", "unit", "ratio_words"), pa.string())  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """A line of a report: a counter and what is printed beside it; None what is not."""

    line: int
    report: int  # from 1
    started: str
    event: str
    count: float | None  # None: a further ratio of the counter before, or of a group
    unit: str
    ratio: float | None
    ratio_words: str
    spread_pct: float | None  # of the mean of several runs
    running_pct: float | None


@dataclass(frozen=True)
class Candidate:
    """What may become a row, if its report prints it once."""

    line: int
    report: int
    metric: str
    value: float
    unit: str
    direction: str = "none"


def recognises(file: TextFile) -> bool:
    """The title of a report, counters or absent ones after it, and little else."""
    lines = [_single_blanks(line) for line in _in_c(file.lines[:400])[0]]
    titles = [n for n, line in enumerate(lines) if _TITLE.match(line)]
    after = [line for line in lines[titles[0] + 1 :] if line] if titles else []
    counters = [line for line in after if _ABSENT.match(line) or _COUNTER.match(line)]
    others = [line for line in after if any(one.match(line) for one in _BESIDE)]
    own = len(counters) + len(others)
    return bool(counters) and 2 * own >= len(after)


def read(file: TextFile) -> Parsed:
    """Counters and ratios as rows; the series ``perf_stat`` has all that is printed.

    Columns: line, report, started, event, count, unit, ratio, ratio_words, spread_pct,
    running_pct. Rates (M/sec) are in the series only: their scale changes from line to
    line. So are shares of idle cycles in a report without cycles, where perf prints
    0.00%. The seconds are rows where the file is one report. What a report prints twice
    under one name (kinds of cores) is told and is no row.
    """
    printed, problems = whole_lines(file)
    lines, other = _in_c(printed)
    figures, clocks, complaints = _figures(lines, other)
    reports = {figure.report for figure in figures} | {clock.report for clock in clocks}
    candidates = [*_counters(figures), *(clocks if len(reports) == 1 else ())]
    times = Counter((one.report, one.metric) for one in candidates)
    step, dims = step_of(file.path, STEP), loop_of(file.name)
    commands = [
        one["of"] for line in lines if (one := _TITLE.match(_single_blanks(line)))
    ]
    of_each = differing([
        (step, {"command": text_of(of)} if of[0] == "'" else {}) for of in commands
    ])  # fmt: skip
    rows = []
    for one in candidates:
        if times[one.report, one.metric] > 1:
            why = f"{one.metric}: twice in a report, so no row"
            complaints.append(Problem(one.line, why))
        else:
            rows.append(Row(one.line, step, one.metric, one.value, one.unit,
                            one.direction,
                            dims={**of_each[one.report - 1], **dims}))  # fmt: skip
    records = [asdict(figure) for figure in figures]
    series = {SERIES: records_table(records, _TYPES)} if figures else {}
    return Parsed(rows, series, [*problems, *complaints])


def _in_c(lines: Sequence[str]) -> tuple[Sequence[str], str]:
    """The lines as perf prints them with LC_ALL=C, and what to tell of one that is none.

    A number with a dot for decimals becomes one that is none here: nothing is guessed.
    """
    if not any(_ELSEWHERE.match(line) for line in lines):
        return lines, _OTHER
    shut = (_GAP.sub("", line) if len(line) <= LONGEST else line for line in lines)
    return [_NUMBER.sub(lambda n: n[0].translate(_SWAPPED), x) for x in shut], _LOCALE


def _figures(
    lines: Sequence[str], other: str
) -> tuple[list[Figure], list[Candidate], list[Problem]]:
    """Lines of counters, the seconds of the reports, and what is neither."""
    figures: list[Figure] = []
    clocks: list[Candidate] = []
    problems: list[Problem] = []
    report, title, started = 0, 0, ""  # title: line of the report that is not ended
    after_counter = False  # the counter that a further ratio would belong to
    for line_no, line in enumerate(lines, 1):
        text = _single_blanks(line)
        if match := _STARTED.match(text):
            started = match[1]
        elif _TITLE.match(text):
            problems += [Problem(title, _UNENDED)] if title else []
            report, title, after_counter = report + 1, line_no, False
        elif _INTERVALS.match(text):
            problems.append(Problem(line_no, "intervals (-I): not read"))
        elif clock := _clock(text, line_no, report):
            clocks.append(clock)
            title = 0
        elif not text or _ABSENT.match(text):
            after_counter = False
        else:
            before = figures[-1] if after_counter else None
            figure = _figure(text, line_no, report, started, before) if title else None
            figures += [figure] if figure else []
            after_counter = figure is not None
            if not figure and (title or (_COUNTER.match(text) and "#" in text)):
                problems.append(Problem(line_no, other))
    problems += [Problem(title, _UNENDED)] if title else []
    return figures, clocks, problems


def _single_blanks(line: str) -> str:
    return " ".join(line.split()) if len(line) <= LONGEST else ""


def _clock(text: str, line_no: int, report: int) -> Candidate | None:
    match = _CLOCK.match(text)
    value = number(match["value"]) if match else None  # never in groups
    if match is None or value is None or not report:
        return None
    return Candidate(line_no, report, _CLOCKS[match["what"]], value, "s")


def _figure(
    text: str, line_no: int, report: int, started: str, before: Figure | None
) -> Figure | None:
    """The counter of a line, or the further ratio of the one before it; else None."""
    counter, group = _COUNTER.match(text), _GROUP.match(text)
    named = counter or group
    rest = _REST.match(named["rest"] if named else text)
    if not rest or not (counter or ((group or before) and rest["words"])):
        return None
    printed = {name: rest[name] for name in ("ratio", "spread_pct", "running_pct")}
    printed["running_pct"] = printed["running_pct"] or rest["old_running_pct"]
    values = {name: number(text or "") for name, text in printed.items()}
    event, count, unit = before.event if before else "", None, ""
    if named:
        event = named["event"]
    if counter:
        count = grouped(counter["count"])
        unit = _UNITS.get(counter["unit"] or counter["old_unit"]) or _unit(counter)
        if count is None or (unit == "count" and "." in counter["count"]):
            return None
    if any(printed[name] and value is None for name, value in values.items()):
        return None
    return Figure(line_no, report, started, event, count, unit, values["ratio"],
                  (rest["words"] or "").strip(), values["spread_pct"],
                  values["running_pct"])  # fmt: skip


def _unit(counter: re.Match[str]) -> str:
    """Of a counter that is printed without one: clocks count ns, in old reports ms."""
    decimals = counter["count"].partition(".")[2]
    if counter["event"].partition(":")[0] not in _TIMERS or len(decimals) not in (0, 6):
        return "count"
    return "ms" if decimals else "ns"


def _counters(figures: Sequence[Figure]) -> Iterator[Candidate]:
    """Counters, the ratios that have a name, and how long multiplexed counters ran."""
    cycles = {f.report for f in figures if f.event.partition(":")[0] in _CYCLES}
    for one in figures:
        name = event_metric(one.event)
        if one.count is not None:
            yield Candidate(one.line, one.report, name, one.count, one.unit)
        ratio = ratio_of(one.ratio_words)
        idle = one.ratio_words.endswith("cycles idle")
        if ratio and one.ratio is not None and (not idle or one.report in cycles):
            yield Candidate(one.line, one.report, ratio[0], one.ratio, *ratio[1:])
        if one.running_pct is not None and not _IS_GROUP.match(one.event):
            metric = f"{name}_running_pct"
            yield Candidate(one.line, one.report, metric, one.running_pct, "%")
