"""Poor man's profiler: stacks of all threads, counted, leaf first.

``sb.pmp.<test>.all.hier``, lines as ``uniq -c`` prints them::

        130 __libc_send,vio_write,net_flush,do_command,start_thread,clone3
         19 std::cv::__wait_until_impl<std::chrono::duration<long,,tpool::wait,clone3

A name ends at its first blank, so a comma within it can only be its last character: a
comma before a comma belongs to the name. Names cut there have unbalanced brackets, so
brackets tell nothing. All threads count, idle ones too: shares are of threads, not of
CPU time.

Output of gdb itself is read too, with whole names (see gdb_stacks), and what bench/pmp.sh
says in its first line::

    # gdb: tree server, pid 4711, start_ns 81234567890123, end_ns 81235000000000
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pyarrow as pa

from benchbook.formats.gdb_stacks import is_frame, is_thread, stacks_of, unwrapped
from benchbook.formats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchbook.formats.perf_words import step_of

NAME = "pmp"
VERSION = 2
SERIES = "pmp"
STEP = "profile"

_LINE = re.compile(r"(?P<count> *\d{1,18}) (?P<stack>[^\s,]\S*)?", re.ASCII)
_FRAME = re.compile(r"[^\W\d]|[?~<(\[@.$]|0x", re.ASCII)
_SEPARATOR = re.compile(r",(?!,)")
_WIDTH = 7  # of a count, right aligned, as uniq -c prints it
_LOOK = re.compile(
    r"# gdb: tree (?P<tree>[a-z]+), pid (?P<pid>\d{1,18}), "
    r"start_ns (?P<start>\d{1,18}), end_ns (?P<end>\d{1,18})",
    re.ASCII,
)

Found = list[tuple[int, list[str], int]]  # line, frames root first, threads


@dataclass(frozen=True)
class Look:
    """When bench/pmp.sh looked at a process, and at which; CLOCK_MONOTONIC."""

    tree: str  # server or client
    pid: int
    start_ns: int
    end_ns: int


def look_of(file: TextFile) -> Look | None:
    """What the first line says; None where pmp.sh did not write the file."""
    found = _LOOK.fullmatch(file.lines[0]) if file.lines else None
    if not found:
        return None
    return Look(found["tree"], int(found["pid"]), int(found["start"]), int(found["end"]))


def recognises(file: TextFile) -> bool:
    """Nothing but counted stacks, some of them of several frames; or gdb's threads."""
    if _is_gdb(file.lines):
        return True
    lines = [line for line in file.lines[:50] if line]
    stacks = [_stack(line) for line in lines]
    deep = sum(len(stack[1]) > 1 for stack in stacks if stack)
    return all(stacks) and deep > len(lines) / 2


def read(file: TextFile) -> Parsed:
    """The series ``pmp``, and how many samples and different stacks there are.

    Columns: line, frames (root first, joined by ";", "" where gdb found none), weight
    (threads seen with the stack).
    """
    lines, problems = whole_lines(file)
    if _is_gdb(lines):
        found, told = _of_gdb(lines[:-1] if file.cut else lines)
    else:
        found, told = _counted(lines)
    problems += told
    if not found:
        return Parsed(problems=problems)
    table = pa.table(
        {
            "line": pa.array([line_no for line_no, _, _ in found], pa.int64()),
            "frames": pa.array([";".join(frames) for _, frames, _ in found]),
            "weight": pa.array([count for _, _, count in found], pa.int64()),
        }
    )
    step, line_no = step_of(file.path, STEP), found[0][0]
    total = float(sum(count for _, _, count in found))
    rows = [
        Row(line_no, step, "pmp_samples", total, "count", "none"),
        Row(line_no, step, "pmp_stacks", float(len(found)), "count", "none"),
    ]
    return Parsed(rows, {SERIES: table}, problems)


def _is_gdb(lines: Sequence[str]) -> bool:
    """A thread with its first frame below it, after some talk, then little but stacks."""
    head = [line for _, line in unwrapped(lines[:2000])]
    first = next((n for n, line in enumerate(head) if is_thread(line)), len(head))
    stacks = [line for line in head[first:] if line.strip()]
    own = sum(is_thread(line) or is_frame(line) for line in stacks)
    return 2 * own >= len(stacks) and any(
        is_thread(line) and after.startswith("#0 ") for line, after in pairwise(stacks)
    )


def _of_gdb(lines: Sequence[str]) -> tuple[Found, list[Problem]]:
    """Equal stacks as one, at the line of the first."""
    stacks, problems = stacks_of(lines)
    counts: dict[tuple[str, ...], list[int]] = {}
    for stack in stacks:
        key = tuple(name.replace(";", ":") for name in reversed(stack.names))
        counts.setdefault(key, []).append(stack.line)
    return [(at[0], list(key), len(at)) for key, at in counts.items()], problems


def _counted(lines: Sequence[str]) -> tuple[Found, list[Problem]]:
    """Lines of ``uniq -c``."""
    found: Found = []
    problems: list[Problem] = []
    for line_no, line in enumerate(lines, 1):
        stack = _stack(line)
        if stack:
            found.append((line_no, stack[1], stack[0]))
        elif line.strip():
            problems.append(Problem(line_no, "not a count and a stack"))
    return found, problems


def frames_of(stack: str) -> list[str]:
    """Names of a stack, root first.

    >>> frames_of("poll,Iter<long,,run<a,main")
    ['main', 'run<a', 'Iter<long,', 'poll']
    """
    return [name.replace(";", ":") for name in reversed(_SEPARATOR.split(stack))]


def _stack(line: str) -> tuple[int, list[str]] | None:
    found = _LINE.fullmatch(line)
    if not found:
        return None
    count = found["count"]
    if len(count) != max(_WIDTH, len(count.lstrip())):
        return None
    frames = frames_of(found["stack"]) if found["stack"] else []
    if not all(_FRAME.match(frame) for frame in frames):
        return None
    return int(count), frames
