"""What `benchbook check` finds: each test of NEW against BASE, and what that comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from benchbook.measure.progress import duration
from benchbook.results.decided import session_times
from benchbook.sets.files import SIDE
from benchbook.sets.pairs import Choice, Pairs, parse_choice, tests_of, unclear_steps
from benchbook.sets.sets import MetricSet
from benchmath.frames import name_of
from benchmath.prose import counted, joined, listed
from benchmath.ratios.cells import NO_BASE
from benchmath.ratios.gate import CHANGED, FAILED, FINE, UNDECIDED, gated

NEW, MISSING = "new", "missing"
PASSES, FAILS, OPEN = 0, 1, 2  # exit codes
Show = Callable[[str], str]
_NAMED = 3  # tests that a sentence lists


@dataclass(frozen=True)
class Gate:
    """The answer for one base and one new cell.

    table: the frame of ``gated``; tests: the name of each of its rows; absent: tests of
    the base that the new cell lacks; seconds: what a further run of both sides takes, NaN
    where no run says how long it took.
    """

    base: str
    new: str
    fail_on: str
    margin: float
    table: pd.DataFrame
    tests: tuple[str, ...]
    absent: tuple[str, ...]
    seconds: float

    @property
    def exit_code(self) -> int:
        """0 fine, 1 regressed, 2 undecided or broken."""
        outcomes = set(self.table["outcome"])
        if FAILED in outcomes:
            return FAILS
        whole = not self.absent and FINE in outcomes and UNDECIDED not in outcomes
        return PASSES if whole else OPEN

    def named(self, outcome: str) -> tuple[str, ...]:
        """The tests with this outcome."""
        pairs = zip(self.tests, self.table["outcome"], strict=True)
        return tuple(test for test, its in pairs if its == outcome)

    @property
    def verdict(self) -> str:
        """The first word of the answer."""
        if self.exit_code == FAILS:
            return self.fail_on
        if self.exit_code == PASSES:
            return "fine"
        return "undecided" if self.named(UNDECIDED) else "broken"

    def sentence(self, show: Show = str) -> str:
        """The answer in one sentence; ``show`` is how names are written."""
        judged = len(self.tests) - len(self.named(NEW))
        tests, limit = counted(judged, "test"), f"{100 * self.margin:.3g}%"
        failed, undecided = self.named(FAILED), self.named(UNDECIDED)
        worse = "changed" if self.fail_on == CHANGED else "worse"
        if failed:
            text = f"{len(failed)} of {tests} {_is(failed)} {worse} by more than {limit}"
            rows = self.table.to_dict("records")
            sizes = {t: _size(row) for t, row in zip(self.tests, rows, strict=True)}
            return f"{text}: {_some([f'{show(t)} ({sizes[t]})' for t in failed])}"
        if self.absent:
            lacks = f"{show(self.new)} lacks {counted(len(self.absent), 'test')}"
            return f"{lacks} of {show(self.base)}: {_some([*map(show, self.absent)])}"
        if undecided:
            names = _some([*map(show, undecided)])
            text = f"{len(undecided)} of {tests} {_is(undecided)} undecided at {limit}"
            return f"{text}: {names}; {self.ahead}"
        if not judged:
            why = joined(self.table["note"], "; ").removeprefix(f"{NO_BASE}: ")
            text = f"{show(self.base)} has none of the tests of {show(self.new)}"
            return f"{text}: {show(why)}" if why else text
        return f"none of {tests} is {worse} by more than {limit}"

    @property
    def further(self) -> str:
        """``ahead``, where the sentence does not say it."""
        said = self.verdict == UNDECIDED or not self.named(UNDECIDED)
        return "" if said else self.ahead

    @property
    def ahead(self) -> str:
        """How much more measuring would decide what is undecided, as far as known."""
        rows = self.table[self.table["outcome"] == UNDECIDED]
        more = rows["further"].dropna()
        parts = []
        if len(more):
            runs = int(more.max())
            which = "" if len(more) == len(rows) else f"{len(more)} of them: "
            time = self._time(runs)
            parts.append(f"{which}{counted(runs, 'further run')} of each side{time} "
                         "would decide")  # fmt: skip
        parts += dict.fromkeys(rows.loc[rows["further"].isna(), "why"])
        return "; ".join(filter(None, parts))

    def _time(self, runs: int) -> str:
        if not np.isfinite(self.seconds):
            return ""
        return f" (about {duration(runs * self.seconds)})"


def _size(row: Mapping[str, Any]) -> str:
    """A ratio, or the difference where there is none."""
    if pd.isna(row["relative"]):
        return f"{row['difference']:+.4g}"
    return f"{row['relative']:.3f}"


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _some(names: Sequence[str]) -> str:
    shown = list(names[:_NAMED])
    rest = len(names) - len(shown)
    return listed([*shown, *([f"{rest} more"] if rest else [])])


def gate(
    chosen: MetricSet, pairs: Pairs, judged: pd.DataFrame, choice: Choice, fail_on: str
) -> Gate:
    """The judged rows of a new cell, which ``choice`` means, as an answer.

    A test that the base has and the new cell lacks is missing; as good as missing is
    what cannot be compared for its units, or since it is unclear which figure is meant.
    """
    judged = judged.reset_index(drop=True)
    new = judged["n_base"].to_numpy() == 0
    table = gated(judged[~new], fail_on) if not new.all() else judged[~new]
    rows = pd.concat([table, judged[new].assign(outcome=NEW)]) if new.any() else table
    rows = rows.loc[judged.index]
    if "outcome" not in rows:
        rows = rows.assign(outcome=pd.Series(dtype=object))
    sides = (pairs.base, parse_choice(pairs.rows, choice))
    rows = _open_where_runs_lack(rows, chosen, sides)
    of_base = pairs.values[pairs.values["me"] == pairs.names.base]
    tests = tests_of(judged, pairs.keys)
    # A test of the same name in another cell, as with more clients, is not that test.
    there = set(tests_of(judged[~new], pairs.keys))
    absent = [t for t in tests_of(of_base, pairs.keys) if t not in there]
    absent += unclear_steps(chosen.metric, pairs)
    left_out = _left_out(chosen.left_out, pairs.metric)
    return Gate(
        base=pairs.names.base, new=pairs.names.others[0], fail_on=fail_on,
        margin=float(judged["margin"].iloc[0]) if len(judged) else chosen.margin,
        table=rows, tests=tuple(tests),
        absent=tuple(dict.fromkeys([*absent, *left_out])),
        seconds=_seconds(chosen, sides),
    )  # fmt: skip


def _open_where_runs_lack(
    rows: pd.DataFrame, chosen: MetricSet, sides: Sequence[Mapping[str, str]]
) -> pd.DataFrame:
    """Open are tests that would pass where a side lacks runs that the other one has.

    Runs that failed leave empty files and figures that are none, or are refused; those
    that went well must not speak for them. A study's runs are as many on both sides;
    files of which all was read may hold fewer.
    """
    measured = chosen.study is not None and not chosen.study.data
    for side, own, other in zip(sides, ("n_base", "n"), ("n", "n_base"), strict=True):
        if not measured and chosen.unread.isdisjoint({"", side.get(SIDE, "")}):
            continue
        open_ = rows["outcome"].isin([FINE, NEW]) & (rows[own] < rows[other])
        lacks = "not all of them are there" if measured else "not all of it was read"
        why = f"{name_of(side)} has fewer runs, and {lacks}"
        rows = rows.assign(
            outcome=rows["outcome"].mask(open_, UNDECIDED),
            further=rows.get("further", pd.Series(pd.NA, rows.index, "Int64")),
            why=rows.get("why", pd.Series("", rows.index)).mask(open_, why),
        )
    return rows


def _left_out(rows: pd.DataFrame, metric: str) -> list[str]:
    """Steps of the metric whose units do not convert."""
    if rows.empty:
        return []
    main = metric == "throughput"
    mine = rows[rows["main"].astype(bool) if main else rows["metric"] == metric]
    return list(map(str, mine["step"]))


def _seconds(chosen: MetricSet, choices: tuple[Mapping[str, str], ...]) -> float:
    """What one more run of each side takes: a session where they took turns."""
    runs = chosen.runs
    if runs.empty or not {"started", "elapsed_s"} <= set(runs.columns):
        return float("nan")
    if len(chosen.turns):
        times = session_times(runs, chosen.turns).drop_duplicates("session")
        return float(times["seconds"].mean())
    return sum(_mean_seconds(runs, choice) for choice in choices)


def _mean_seconds(runs: pd.DataFrame, choice: Mapping[str, str]) -> float:
    for name, value in choice.items():
        if name in runs.columns:
            runs = runs[runs[name].astype(str) == str(value)]
    return float(runs["elapsed_s"].mean())
