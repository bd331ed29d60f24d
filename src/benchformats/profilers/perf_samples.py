"""Samples of perf script: headers, frames, and which lines belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from benchformats.parsed import CUT, Problem
from benchformats.profilers.perf import LONGEST

HEADER = 512  # characters within which the event's name ends: blanks cost their square

_ID = r"-1|\d{1,18}"  # -1 of a thread that has ended
_HEADER = re.compile(
    rf"(?P<comm>\S.*?)\s+(?:(?P<pid>{_ID})/)?(?P<tid>{_ID})\s+"
    r"(?:\[\d{1,6}\]\s+)?(?P<time>\d{1,12}\.\d{1,9}):\s+"
    r"(?:(?P<period>\d{1,18})\s+)?(?P<event>[a-zA-Z_][^\s;]*):(?=\s)",
    re.ASCII,
)
# As perf before 3.3 prints the samples of one process. What looks like a time, a CPU or
# another number before the thread's is no part of its name: a time or more is damaged.
_TIMELESS = re.compile(
    rf"(?P<comm>\S.*?)\s+(?:(?P<pid>{_ID})/)?(?P<tid>{_ID})\s+"
    r"(?P<event>[a-zA-Z_][^\s;]*):\s+$",
    re.ASCII,
)
_NO_NAME = re.compile(r":(?:\s|$)|\[\d+\]|\s[\d./,]+$", re.ASCII)
EVENT = " PERF_RECORD_"  # what perf says besides samples: maps, forks, lost events
SWITCH = f"{EVENT}SWITCH"
_SWITCH = re.compile(
    rf"\s*(?P<comm>\S.*?)\s+(?:(?P<pid>{_ID})/)?(?P<tid>{_ID})\s+"
    r"(?:\[\d{1,6}\]\s+)?(?P<time>\d{1,12}\.\d{1,9}):"
    + SWITCH
    + r"(?:_CPU_WIDE)? +(?P<way>IN|OUT preempt|OUT)(?= |$)",
    re.ASCII,
)
_LOST = re.compile(rf"{EVENT}LOST(?:_SAMPLES)? +lost (\d{{1,18}})", re.ASCII)
_WAYS = {"IN": "in", "OUT": "out", "OUT preempt": "preempted"}
_INLINED = " (inlined)"
_IP = re.compile(r"[0-9a-f]{1,16}", re.ASCII)
_OFFSET = re.compile(r"\+0x[0-9a-f]+$", re.ASCII)
_JIT = re.compile(r"/perf-\d+\.map$", re.ASCII)

Lines = list[tuple[int, str]]  # number in the file, line
Frames = tuple[tuple[str, str], ...]  # name and kind, leaf first


@dataclass(frozen=True)
class Sample:
    """One sample."""

    line: int
    event: str
    comm: str
    pid: int | None
    tid: int
    time_s: float | None  # None: perf printed none
    period: int | None
    frames: Frames


@dataclass(frozen=True)
class Switch:
    """A thread got the CPU or left it."""

    line: int
    comm: str
    pid: int | None
    tid: int
    time_s: float
    way: str  # in, out, preempted


def switches_of(text: str, first: int) -> tuple[list[Switch], list[Problem]]:
    """What ``--show-switch-events`` adds, of a text that begins with line ``first``."""
    if SWITCH not in text:
        return [], []
    switches: list[Switch] = []
    problems: list[Problem] = []
    for line_no, line in enumerate(text.split("\n")[:-1], first):
        if SWITCH not in line:
            continue
        one = _SWITCH.match(line, 0, HEADER)
        if one:
            switches.append(Switch(line_no, one["comm"], _pid(one), int(one["tid"]),
                                float(one["time"]), _WAYS[one["way"]]))  # fmt: skip
        else:
            problems.append(Problem(line_no, "not a switch of a thread"))
    return switches, problems


def lost_of(text: str, first: int) -> list[Problem]:
    """Where perf says that it lost samples: those that are left need not be like them."""
    if f"{EVENT}LOST" not in text:
        return []
    lines = enumerate(text.split("\n"), first)
    found = ((line_no, _LOST.search(line)) for line_no, line in lines if EVENT in line)
    return [Problem(line_no, f"perf lost {match[1]} samples here")
            for line_no, match in found if match]  # fmt: skip


def samples_of(text: str, first: int) -> tuple[list[Sample], list[Problem]]:
    """Samples of a text that begins with line ``first``, and what is left out.

    perf prints a period for all samples of an event or for none, and times of all or of
    none: one without among others that have it lost it.
    """
    samples: list[Sample] = []
    problems: list[Problem] = []
    for lines, ended in _paragraphs(text, first):
        new, complaints = _read_paragraph(lines, ended)
        samples += new
        problems += complaints
    if text and not text.endswith("\n"):
        problems.append(Problem(first + text.count("\n"), CUT))
    weighted = {one.event for one in samples if one.period is not None}
    timed = any(one.time_s is not None for one in samples)
    complete = []
    for one in samples:
        if one.time_s is None and timed:
            problems.append(Problem(one.line, "no time, other samples have one"))
        elif one.period is None and one.event in weighted:
            problems.append(Problem(one.line, "no period, other samples have one"))
        else:
            complete.append(one)
    return complete, problems


def header(line: str, line_no: int) -> Sample | None:
    """The sample that a line begins, with its frame where it is in the same line."""
    text = line.strip() + " "
    match = _HEADER.match(text, 0, HEADER)
    if not match:
        return _timeless(text, line_no) if text.endswith(": ") else None
    period = int(match["period"]) if match["period"] else None
    frames = frames_of(text[match.end() :])
    return Sample(line_no, match["event"], match["comm"], _pid(match), int(match["tid"]),
                  float(match["time"]), period, frames)  # fmt: skip


def _timeless(text: str, line_no: int) -> Sample | None:
    match = _TIMELESS.fullmatch(text) if len(text) <= HEADER else None
    if not match or _NO_NAME.search(match["comm"]):
        return None
    return Sample(line_no, match["event"], match["comm"], _pid(match), int(match["tid"]),
                  None, None, ())  # fmt: skip


def _pid(match: re.Match[str]) -> int | None:
    return int(match["pid"]) if match["pid"] else None


def frames_of(line: str) -> Frames:
    """A frame's line as (name, kind), leaf first; () where it is no frame.

    Several where code compiled at run time was inlined: ``caller->callee``.
    """
    ip, _, code = line.strip().partition(" ")
    return _code(code) if len(line) <= LONGEST and _IP.fullmatch(ip) else ()


@lru_cache(maxsize=2**15)  # few of the frames of a profile differ
def _code(text: str) -> Frames:
    """``symbol+offset (module)`` as frames."""
    text = f" {text.strip()}"
    symbol, _, module = text[:-1].removesuffix(" (deleted)").rpartition(" (")
    if not (text.endswith(")") and module):
        return ()
    symbol = _OFFSET.sub("", symbol.strip()).replace(";", ":")
    if symbol in ("", "[unknown]"):
        name = module.rpartition("/")[2].replace(";", ":") or "unknown"
        symbol = name if name.startswith("[") else f"[{name}]"
    if _JIT.search(module):
        caller, *inlined = symbol.split("->")
        return (*((name, "i") for name in reversed(inlined)), (caller, "j"))
    return ((symbol, _kind(module)),)


def _kind(module: str) -> str:
    if module == "inlined":
        return "i"
    kernel = module.startswith("[") or module.endswith("vmlinux")
    return "k" if kernel and "unknown" not in module else "u"


def _paragraphs(text: str, first: int) -> Iterator[tuple[Lines, bool]]:
    """Lines between empty ones with their numbers, and whether an empty one follows.

    Comments and what perf says besides samples are left out, and so is a last line
    without its end.
    """
    paragraph: Lines = []
    events = EVENT in text
    for line_no, line in enumerate(text.split("\n")[:-1], first):
        if line.strip():
            aside = line[0] == "#" or (events and EVENT in line)
            paragraph += [] if aside else [(line_no, line)]
        elif paragraph:
            yield paragraph, True
            paragraph = []
    if paragraph:
        yield paragraph, False


def _read_paragraph(lines: Lines, ended: bool) -> tuple[list[Sample], list[Problem]]:
    """One sample and its frames, or several samples of a line each."""
    headers = [header(line, line_no) for line_no, line in lines[:2]]
    sample = headers[0]
    one_line_each = headers[-1] is not None and (len(lines) > 1 or ended)
    if one_line_each or (sample and sample.frames):
        return _one_line_samples(lines)
    if not sample:
        return [], [Problem(lines[0][0], "not the header of a sample: left out")]
    if not ended:
        return [], [Problem(lines[0][0], "the file ends within this sample: not read")]
    frames = [frames_of(line) for _, line in lines[1:]]
    if () in frames:
        why = "not a frame: its sample is left out"
        return [], [Problem(lines[1 + frames.index(())][0], why)]
    if any(line.endswith(_INLINED) for _, line in lines):
        frames = _without_aliases(frames, [line for _, line in lines[1:]])
    return [replace(sample, frames=tuple(chain.from_iterable(frames)))], []


def _without_aliases(stack: list[Frames], lines: list[str]) -> list[Frames]:
    """Frames that perf calls inlined only because debug information names them otherwise.

    Inlined functions have the address of the function that holds them, in the line below.
    """
    addresses = [line.split(None, 1)[0] for line in lines]
    frames = list(stack)
    for at, line in enumerate(lines[:-1]):
        if line.endswith(_INLINED) and addresses[at] != addresses[at + 1]:
            kind = "k" if addresses[at].startswith("ffff") else "u"
            frames[at] = ((stack[at][0][0], kind),)
    return frames


def _one_line_samples(lines: Lines) -> tuple[list[Sample], list[Problem]]:
    """Samples of a line each; a header above a line that is none has lost its stack."""
    samples: list[Sample] = []
    problems: list[Problem] = []
    for line_no, line in lines:
        sample = header(line, line_no)
        if sample:
            samples.append(sample)
            continue
        problems.append(Problem(line_no, "not a sample"))
        if samples and samples[-1].line == line_no - 1 and not samples[-1].frames:
            samples.pop()
    return samples, problems
