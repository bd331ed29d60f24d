"""Stacks as gdb prints them: ``thread apply all bt``, once or more often.

::

    Thread 2 (Thread 0x7f0a2bfff6c0 (LWP 4712) "worker"):
    #0  0x00007f0a3c0f in ?? () from /lib/libc.so.6
    #1  std::map<int, long>::find (this=..., key=...) at map.h:12
    #2  <signal handler called>

What stands before the first thread is gdb's talk while it attaches, or loads a core file:
then it prints the frame #0. In a terminal gdb breaks long frames; what follows is
indented by three or four blanks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchbook.formats.parsed import Problem
from benchbook.formats.perf_words import LONGEST

_THREAD = re.compile(r"Thread \d{1,9} \(.{1,200}\):$", re.ASCII)
_FRAME = re.compile(r"#(?P<level>\d{1,6}) +(?:0x[0-9a-f]{1,16} in )?(?P<code>\S.*)")
_IS_FRAME = re.compile(r"#\d")
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
    return bool(_IS_FRAME.match(line))


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
    found: list[Stack] = []
    problems: list[Problem] = []
    line_no, line = 0, ""
    for line_no, line in unwrapped(lines):
        if is_thread(line):
            found.append(Stack(line_no))
        elif found and is_frame(line):
            stack = found[-1]
            name = name_of(line, len(stack.names))
            if name is None and stack.whole:
                problems.append(
                    Problem(line_no, "not the next frame: its stack is left out")
                )
                stack.whole = False
            stack.names.append(name or "")
        elif found and line.strip() and not _TALK.match(line):
            problems.append(Problem(line_no, "not a line of a stack"))
        elif is_frame(line) and not line.startswith("#0 "):
            problems.append(Problem(line_no, "a frame of no thread"))
    if found and (is_thread(line) or is_frame(line)):
        problems.append(Problem(line_no, "the file ends within this stack: not read"))
        found[-1].whole = False
    return [stack for stack in found if stack.whole], problems


def name_of(line: str, level: int) -> str | None:
    """The function of the frame of that level; None where the line is no such frame.

    >>> name_of("#1  std::less<int (*)(int)>::run (this=..., a=...) at a.h:12", 1)
    'std::less<int (*)(int)>::run'
    """
    frame = _FRAME.fullmatch(line) if len(line) <= LONGEST else None
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
