"""Rows of db_bench reports, and what can be said of them better than their scripts did.

- Since RocksDB 10.3 the compaction table has a column more, and a script that counts them
  prints MB/s as c_wsecs, Comp(sec) as c_csecs, KeyDrop as b_rgb, Rblob(GB) as b_wgb. Rows
  that say GB of blobs were read where there are none give it away: of their versions
  ``c_wsecs_correct`` and ``b_rgb_correct`` are added. These seconds are Comp(sec).
- From 5.4 to 5.18 sizes have a unit of their own, and a script that did not know it wrote
  MB behind GB and MB/s as c_wsecs. A load that wrote a hundred times what it left gives
  it away: of such versions ``lsm_sz_correct`` is added, and c_wsecs is not read.
- usec_op was of all clients together before 6.0: there ``usec_op_correct`` is added.
- Where reports with different steps were merged, a version that they share is no trial:
  dimension ``reports`` tells groups with the same steps apart, by the order of rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from benchformats.db_bench.figures import ENGINE, before_6, dop_of, usec_of_a_client
from benchformats.parsed import Problem

_SHIFTED = {"c_wsecs": "c_csecs", "b_rgb": "b_wgb"}  # printed under the name beside it
_MOST_WRITTEN = 100  # times what a sequential load leaves: no tree is written so often
_GB_AS_MB = 1024
REPORTS = "reports"


@dataclass(frozen=True)
class Entry:
    """One row of a file: texts and figures by column."""

    line: int
    texts: dict[str, str]
    figures: dict[str, float]
    failed: bool = False
    repeats: bool = False  # the run of an earlier row, copied
    block: int = 0  # of the file, in which the row stands
    dims: dict[str, str] = field(default_factory=dict)
    engine: str = ENGINE
    megabytes: bool = False  # the size of its LSM tree is said to be in MB

    @property
    def step(self) -> str:
        """As the script named it."""
        return self.texts["test"]

    @property
    def version(self) -> str:
        """As printed; '' where the file does not say."""
        return self.texts["version"]

    @property
    def cell(self) -> tuple[str, ...]:
        """What rows that are trials of each other have in common."""
        return (self.step, self.version, *self.dims.values())


def entries_by_report(entries: Sequence[Entry]) -> tuple[list[Entry], list[Problem]]:
    """The entries, those of merged reports that differ in their steps told apart."""
    blocks: dict[int, list[Entry]] = {}
    for entry in entries:
        blocks.setdefault(entry.block, []).append(entry)
    shared = _shared(blocks.values())
    if not shared:
        return list(entries), []
    line, why = min(shared.values()), "reports with different steps were merged"
    reports = _reports(list(blocks.values()))
    if reports is None:
        left = [entry for entry in entries if entry.version not in shared]
        what = "which rows are of one run is not said, so they are not read"
        return left, [Problem(line, f"{_listed(shared)}: {why}: {what}")]
    named = [
        replace(entry, dims=entry.dims | {REPORTS: str(reports[entry.line])})
        for entry in entries
    ]
    return named, [Problem(line, f"{_listed(shared)}: {why}: see dimension {REPORTS}")]


def _shared(blocks: Collection[Sequence[Entry]]) -> dict[str, int]:
    """Versions with several rows of a step, and where, if reports differ in steps.

    One block alone is of reports that follow one another.
    """
    first_lines: dict[str, int] = {}
    differ = False
    for block in blocks:
        counts = Counter(entry.cell for entry in block)
        differ |= min(len({e.step for e in block}), len({e.version for e in block})) > 1
        for entry in block:
            if counts[entry.cell] > 1:
                first_lines.setdefault(entry.version, entry.line)
    return first_lines if differ and len(blocks) > 1 else {}


def _reports(blocks: Sequence[Sequence[Entry]]) -> dict[int, int] | None:
    """Line to group of reports, from 1; a block has rows in the order of its reports.

    Where steps differ they show how many reports a group has. None where other blocks do
    not have the same versions in the same order.
    """
    mixed = next(block for block in blocks if len({e.step for e in block}) > 1)
    groups = [
        [entry.version for entry in rows]
        for _, rows in groupby(mixed, key=lambda entry: entry.step)
    ]
    whole = [version for group in groups for version in group]
    report_of: dict[int, int] = {}
    for block in blocks:
        versions = [entry.version for entry in block]
        if versions == whole:
            numbers = [n for n, group in enumerate(groups, 1) for _ in group]
        elif groups.count(versions) == 1:
            numbers = [groups.index(versions) + 1] * len(versions)
        else:
            return None
        report_of |= {e.line: n for e, n in zip(block, numbers, strict=True)}
    return report_of


def corrected(entries: Sequence[Entry]) -> tuple[list[Entry], list[Problem]]:
    """The entries with corrections beside what is printed, and what was wrong."""
    shifted, small = _shifted(entries), _small(entries)
    problems = [
        Problem(line, f"{version}: GB of blobs were read where there are none, so "
                "c_wsecs, c_csecs, b_rgb and b_wgb are of the columns beside them")
        for version, line in shifted.items()
    ]  # fmt: skip
    if small:
        why = "lsm_sz is said to be in MB and is in GB, and c_wsecs is MB/s: not read"
        problems.append(Problem(min(small.values()), f"{_listed(small)}: {why}"))
    together: dict[str, int] = {}
    with_corrections = []
    for entry in entries:
        figures = dict(entry.figures)
        if entry.version in shifted:
            true = {to: figures[at] for to, at in _SHIFTED.items() if at in figures}
            figures |= {f"{name}_correct": value for name, value in true.items()}
        if entry.megabytes and entry.version in small:
            figures.pop("c_wsecs", None)
            figures["lsm_sz_correct"] = figures["lsm_sz"] * _GB_AS_MB
        if (usec := _usec(entry)) is not None:
            figures["usec_op_correct"] = usec
            together.setdefault(entry.version, entry.line)
        with_corrections.append(replace(entry, figures=figures))
    if together:
        why = "usec_op is of all clients together, usec_op_correct of one"
        problems.append(Problem(min(together.values()), f"{_listed(together)}: {why}"))
    return with_corrections, problems


def _shifted(entries: Iterable[Entry]) -> dict[str, int]:
    """Versions whose compaction columns are those beside them, and where it shows."""
    first_lines: dict[str, int] = {}
    for entry in entries:
        figures = entry.figures
        if figures.get("blob_sz") == 0 and figures.get("b_rgb", 0) > 0:
            first_lines.setdefault(entry.version, entry.line)
    return first_lines


def _small(entries: Iterable[Entry]) -> dict[str, int]:
    """Versions whose LSM tree is far smaller than what a load wrote, and where."""
    first_lines: dict[str, int] = {}
    for entry in entries:
        if entry.megabytes and entry.step.startswith("fillseq"):
            written = entry.figures.get("c_wgb", 0)
            if written > _MOST_WRITTEN * entry.figures["lsm_sz"]:
                first_lines.setdefault(entry.version, entry.line)
    return first_lines


def _usec(entry: Entry) -> float | None:
    """Time of an operation at its client, where the printed one is another."""
    usec, rate = entry.figures.get("usec_op"), entry.figures.get("ops_sec")
    if entry.engine != ENGINE or (entry.version and not before_6(entry.version)):
        return None
    return usec_of_a_client(usec, rate, dop_of(entry.step))


def _listed(versions: Iterable[str]) -> str:
    first, *others = (version or "no version" for version in versions)
    return f"{first} and {len(others)} more" if others else first
