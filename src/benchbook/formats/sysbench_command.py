"""The command line that stands above sysbench's output in the archives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_PROGRAM = re.compile(r"sysbench2?(?:\.\w+)?")
_BUILT_IN = re.compile(r"(?:oltp|bulk|select)_\w+")
LONGEST = 10_000  # characters: a longer line is no command

# option -> metric and unit of what it sets; older names of the same options
SETTINGS = {
    "table-size": ("table_size", "rows"),
    "oltp-table-size": ("table_size", "rows"),
    "tables": ("tables", "count"),
    "oltp-tables-count": ("tables", "count"),
    "time": ("time_s", "s"),
    "max-time": ("time_s", "s"),
    "warmup-time": ("warmup_s", "s"),
}
_THREADS = ("threads", "num-threads")
_RANGES = ("range-size", "oltp-range-size")
_RATES = ("rate", "tx-rate")


@dataclass(frozen=True)
class Command:
    """One command line; what it does not say is '' or 0."""

    line: int = 0
    script: str = ""  # oltp_update_index
    options: Mapping[str, str] = field(default_factory=dict)  # without --, as written
    prepare: bool = False

    def first(self, names: tuple[str, ...]) -> str:
        """The value of the first of several options that is given."""
        return next((self.options[n] for n in names if n in self.options), "")

    @property
    def dop(self) -> int:
        """Clients; 0 = not said."""
        threads = self.first(_THREADS)
        return int(threads) if re.fullmatch(r"[0-9]{1,9}", threads) else 0

    @property
    def range(self) -> str:
        """Size of the ranges, '' = not said."""
        return self.first(_RANGES)

    @property
    def prepared(self) -> bool:
        """Statements are prepared, sysbench's default."""
        return self.options.get("db-ps-mode") != "disable"

    @property
    def limited(self) -> bool:
        """Events start at a given rate: response times count from the intended start."""
        return self.first(_RATES) not in ("", "0")


def read_command(text: str, line: int) -> Command | None:
    """A line as a command of sysbench; None where it is none."""
    if "sysbench" not in text or "--" not in text or len(text) > LONGEST:
        return None
    words = text.split()
    bases = [word.rpartition("/")[2] for word in words if "=" not in word]
    if not any(_PROGRAM.fullmatch(base) for base in bases):
        return None
    options = {}
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name.startswith("--"):
            options[name[2:].replace("_", "-")] = value
    return Command(line, _script(options, bases), options, _prepares(words))


def _script(options: Mapping[str, str], bases: list[str]) -> str:
    if test := options.get("test"):
        return test.rpartition("/")[2].removesuffix(".lua")
    scripts = [base.removesuffix(".lua") for base in bases if base.endswith(".lua")]
    scripts += [base for base in bases if _BUILT_IN.fullmatch(base)]
    return scripts[0] if scripts else ""


def _prepares(words: list[str]) -> bool:
    return "prepare" in words and "run" not in words
