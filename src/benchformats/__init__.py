"""Parsers of what other people's tools print: text in, frozen values out.

``parsed`` says what a format module takes and gives; FORMATS is the list of them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it brings pyarrow, which the small modules here need not
    from benchformats.parsed import Parsed, RunName, TextFile

# Most specific first: the first that recognises a file reads it. Of two that hold the
# same figure of the same run, the earlier one's is kept: raw output before tables of it.
MODULES = (
    "sysbench.output",
    "sysbench.met",
    "sysbench.r",
    "db_bench.sums",
    "db_bench.tables",
    "db_bench.rates",
    "db_bench.log",
    "iibench.seconds",
    "iibench.steps",
    "iibench.tables",
    "sysbench.met_tables",
    "sysbench.qps_tables",
    "notes_2017.notes",
    "hammerdb",
    "tprocc",
    "system.iostat",
    "system.vmstat",
    "profilers.perf_stat",
    "profilers.perf_counters",
    "profilers.perf_script",
    "profilers.perf_report",
    "profilers.folded",
    "profilers.pmp",
    "ann.plot",
    "ann.recall",
    "ann.builds",
    "hyperfine.json",
    "hyperfine.csv",
    "google_benchmark.json",
    "google_benchmark.csv",
    "go_bench",
    "pytest_benchmark",
    "criterion.samples",
    "criterion.messages",
    "criterion.estimates",
    "jmh.json",
    "jmh.csv",
    "asv",
    "benchmark_action.history",
    "benchmark_action.custom",
    "pgbench.output",
    "pgbench.log",
    "pgbench.aggregate",
    "fio",
    "ycsb",
    "tpcc.tpcc_mysql",
    "tpcc.benchmarksql",
    "tpcc.go_tpc",
    "tidy.figures",  # the last: any tool's own table is that tool's
)


@dataclass(frozen=True)
class Format:
    """One format: its module, imported at first use."""

    name: str
    recognises: Callable[[TextFile], bool]
    read: Callable[[TextFile], Parsed]
    stream: Callable[[TextFile], Iterator[Parsed]] | None = None
    doc: str = ""
    version: int = 1  # of its parser: a file read by another version is read again
    step_is_name: bool = False  # a file without steps is one, called as the file is
    once: bool = False  # a name that stands in a file twice is two results, no trials
    run_of: Callable[[str, Container[str]], RunName | None] | None = None


def format_of(module: ModuleType) -> Format:
    """The format that a module is."""
    doc = (module.__doc__ or "").strip().partition("\n")[0]
    stream = getattr(module, "stream", None)
    version = getattr(module, "VERSION", 1)
    named = getattr(module, "STEP_IS_NAME", False)
    once = getattr(module, "ONCE", False)
    run_of = getattr(module, "run_of", None)
    return Format(module.NAME, module.recognises, module.read, stream, doc, version,
                  named, once, run_of)  # fmt: skip


@cache
def formats() -> tuple[Format, ...]:
    """All formats, most specific first."""
    return tuple(format_of(import_module(f"{__name__}.{name}")) for name in MODULES)
