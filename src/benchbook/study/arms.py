"""The arms of an A/A study: one cell measured under several names.

The name of an arm says what it repeats.  `main` is the cell itself, `again` the same
program once more, `rebuilt-2` the same sources, compiler and flags in another build,
`reloaded-2` the same program on a database loaded from another seed.
"""

from __future__ import annotations

MAIN = "main"
# Never timed: with perf beside the run, or under callgrind.
PROFILE = "profile"
INSTRUCTIONS = "instructions"
AGAIN = "again"
REBUILT = "rebuilt"
RELOADED = "reloaded"


def repeated(kind: str, times: int) -> list[str]:
    """The arms of builds or loads after the first: `rebuilt-2`, `rebuilt-3`, ..."""
    return [f"{kind}-{number}" for number in range(2, times + 1)]


def build_no(arm: str) -> int:
    """Which build of the same sources an arm runs, from 1."""
    return _number(arm, REBUILT)


def load_no(arm: str) -> int:
    """Which load of the database an arm runs on, from 1."""
    return _number(arm, RELOADED)


def _number(arm: str, kind: str) -> int:
    name, _, number = arm.rpartition("-")
    return int(number) if name == kind and number.isdigit() else 1
