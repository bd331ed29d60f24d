"""Poor man's profiler: stacks of all threads, counted, leaf first.

``sb.pmp.<test>.all.hier``, lines as ``uniq -c`` prints them::

        130 __libc_send,vio_write,net_flush,do_command,start_thread,clone3
         19 std::cv::__wait_until_impl<std::chrono::duration<long,,tpool::wait,clone3

A name ends at its first blank, so a comma within it can only be its last character: a
comma before a comma belongs to the name. Names cut there have unbalanced brackets, so
brackets tell nothing. All threads count, idle ones too: shares are of threads, not of
CPU time.

Output of gdb itself is read too, with whole names (see gdb_stacks), and what
bench/profile/pmp.sh says in its first line::

    # gdb: tree server, pid 4711, start_ns 81234567890123, end_ns 81235000000000
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.profilers.folded import stack_table
from benchformats.profilers.perf import LONGEST, step_of

_THREAD = re.compile(r"Thread \d{1,9} \(.{1,200}\):$", re.ASCII)
_GDB_FRAME = re.compile(r"#(?P<level>\d{1,6}) +(?:0x[0-9a-f]{1,16} in )?(?P<code>\S.*)")
_IS_GDB_FRAME = re.compile(r"#\d")
_REST = re.compile(r" {3,4}(?P<place>at |from |\()?\S")
_WHERE = re.compile(r"(?<=\)) (?:at|from) (?!.*\) (?:at|from) ).*$")
_TALK = re.compile(
    r"\[Inferior \d+ \(|\[Detaching |Detaching from |Backtrace stopped: |warning: "
    r"|\(More stack frames follow|\[New LWP |\[Thread debugging |Using host libthread_db "
)


@dataclass
class Stack:
    """Of one thread; names leaf first, as gdb prints them."""

    line: int
    names: list[str] = field(default_factory=list)
    whole: bool = True


def is_thread(line: str) -> bool:
    """The line that a thread's stack begins with."""
    return bool(_THREAD.match(line))


def is_frame(line: str) -> bool:
    """A line that should be a frame of one."""
    return bool(_IS_GDB_FRAME.match(line))


def unwrapped(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Lines and their numbers; the parts of a broken frame are one, at its first line."""
    whole: list[tuple[int, str]] = []
    for line_no, line in enumerate(lines, 1):
        at, before = whole[-1] if whole else (0, "")
        if _continues(before, line):
            whole[-1] = at, before + " " + line.strip()
        else:
            whole.append((line_no, line))
    return whole


def _continues(before: str, line: str) -> bool:
    """Whether a frame lacks its place, or some of its arguments, and the line has it."""
    rest = _REST.match(line) if is_frame(before) and len(before) <= LONGEST else None
    if not rest or _WHERE.search(before):
        return False
    return bool(rest["place"]) or not before.endswith(")")


def stacks_of(lines: Sequence[str]) -> tuple[list[Stack], list[Problem]]:
    """Stacks of all threads; one with a damaged or missing line is left out and told."""
    stacks: list[Stack] = []
    problems: list[Problem] = []
    line_no, line = 0, ""
    for line_no, line in unwrapped(lines):
        if is_thread(line):
            stacks.append(Stack(line_no))
        elif stacks and is_frame(line):
            stack = stacks[-1]
            name = name_of(line, len(stack.names))
            if name is None and stack.whole:
                problems.append(
                    Problem(line_no, "not the next frame: its stack is left out")
                )
                stack.whole = False
            stack.names.append(name or "")
        elif stacks and line.strip() and not _TALK.match(line):
            problems.append(Problem(line_no, "not a line of a stack"))
        elif is_frame(line) and not line.startswith("#0 "):
            problems.append(Problem(line_no, "a frame of no thread"))
    if stacks and (is_thread(line) or is_frame(line)):
        problems.append(Problem(line_no, "the file ends within this stack: not read"))
        stacks[-1].whole = False
    return [stack for stack in stacks if stack.whole], problems


def name_of(line: str, level: int) -> str | None:
    """The function of the frame of that level; None where the line is no such frame.

    >>> name_of("#1  std::less<int (*)(int)>::run (this=..., a=...) at a.h:12", 1)
    'std::less<int (*)(int)>::run'
    """
    frame = _GDB_FRAME.fullmatch(line) if len(line) <= LONGEST else None
    if not frame or int(frame["level"]) != level:
        return None
    if frame["code"].startswith("<signal"):
        return frame["code"]
    code = _WHERE.sub("", frame["code"])
    start = _arguments(code)
    return code[: start - 1] if start else None


def _arguments(code: str) -> int:
    """Where the arguments begin: the bracket that the last one closes; 0 if none does."""
    depth = 0
    for at in range(len(code) - 1, 0, -1):
        depth += (code[at] == ")") - (code[at] == "(")
        if depth <= 0:
            return at if code[at] == "(" and code[at - 1] == " " else 0
    return 0


NAME = "pmp"
VERSION = 3
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

Stacks = list[tuple[int, list[str], int]]  # line, frames root first, threads


@dataclass(frozen=True)
class Look:
    """When bench/profile/pmp.sh looked at a process, and at which; CLOCK_MONOTONIC."""

    tree: str  # server or client
    pid: int
    start_ns: int
    end_ns: int


def look_of(file: TextFile) -> Look | None:
    """What the first line says; None where pmp.sh did not write the file."""
    match = _LOOK.fullmatch(file.lines[0]) if file.lines else None
    if not match:
        return None
    return Look(match["tree"], int(match["pid"]), int(match["start"]), int(match["end"]))


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
        stacks, complaints = _of_gdb(lines[:-1] if file.cut else lines)
    else:
        stacks, complaints = _counted(lines)
    problems += complaints
    if not stacks:
        return Parsed(problems=problems)
    table = stack_table([(n, ";".join(frames), count) for n, frames, count in stacks])
    step, line_no = step_of(file.path, STEP), stacks[0][0]
    total = float(sum(count for _, _, count in stacks))
    different = len({tuple(frames) for _, frames, _ in stacks})
    rows = [
        Row(line_no, step, "pmp_samples", total, "count", "none"),
        Row(line_no, step, "pmp_stacks", float(different), "count", "none"),
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


def _of_gdb(lines: Sequence[str]) -> tuple[Stacks, list[Problem]]:
    """Equal stacks as one, at the line of the first."""
    stacks, problems = stacks_of(lines)
    counts: dict[tuple[str, ...], list[int]] = {}
    for stack in stacks:
        key = tuple(name.replace(";", ":") for name in reversed(stack.names))
        counts.setdefault(key, []).append(stack.line)
    return [(at[0], list(key), len(at)) for key, at in counts.items()], problems


def _counted(lines: Sequence[str]) -> tuple[Stacks, list[Problem]]:
    """Lines of ``uniq -c``, which has each stack once: of a second profile it is told."""
    stacks: Stacks = []
    problems: list[Problem] = []
    seen: dict[tuple[str, ...], int] = {}
    for line_no, line in enumerate(lines, 1):
        stack = _stack(line)
        if stack:
            stacks.append((line_no, stack[1], stack[0]))
            first = seen.setdefault(tuple(stack[1]), line_no)
            if first < line_no:
                why = f"this stack is in line {first} already: of another profile?"
                problems.append(Problem(line_no, why))
        elif line.strip():
            problems.append(Problem(line_no, "not a count and a stack"))
    return stacks, problems


def frames_of(stack: str) -> list[str]:
    """Names of a stack, root first.

    >>> frames_of("poll,Iter<long,,run<a,main")
    ['main', 'run<a', 'Iter<long,', 'poll']
    """
    return [name.replace(";", ":") for name in reversed(_SEPARATOR.split(stack))]


def _stack(line: str) -> tuple[int, list[str]] | None:
    match = _LINE.fullmatch(line)
    if not match:
        return None
    count = match["count"]
    if len(count) != max(_WIDTH, len(count.lstrip())):
        return None
    frames = frames_of(match["stack"]) if match["stack"] else []
    if not all(_FRAME.match(frame) for frame in frames):
        return None
    return int(count), frames
