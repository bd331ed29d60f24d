"""Loads that leave out what is decided: what do they save, and do verdicts stay right?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from script import arguments, show

from benchbook.study.cell import Cell, Step
from benchbook.study.drivers import driver_named
from benchbook.study.leave_out import steps_left_out
from benchbook.study.study import Study
from benchbook.study.workload import Workload, WorkloadStep
from benchmath.turns.estimate import ratios_of
from benchmath.turns.stopping import UNDECIDED, decisions

_MARGIN = 0.03
_FEWEST = 3
_BESIDE_S = 10.0  # of a load: to set arms up
_STEP_S = 20.0  # of a step, of both arms
_KEYS = ["machine", "version", "step", "op"]
_FIXED = {
    "version": "new", "op": "query", "measure": "throughput", "part": "turn",
    "var": 1e-8, "df": 50.0, "autocorrelation": 0.0, "rounds": 100, "alone": 0,
    "head": np.nan, "head_base": np.nan,
}  # fmt: skip


@dataclass(frozen=True)
class Steps:
    """Steps in their order, each a name, the true ratio, and what loads differ by.

    Names that begin with r only read.
    """

    steps: tuple[tuple[str, float, float], ...]

    @property
    def names(self) -> list[str]:
        return [name for name, _, _ in self.steps]

    def left_out(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """What a load leaves out that is for these steps."""
        file = Path("study.yml")
        steps = tuple(WorkloadStep(n, "read", reads=n[0] == "r") for n in self.names)
        study = Study(
            slug="", path=file, title="", template="", base={}, cells=(),
            driver=driver_named("sql", file), workload=Workload("", file, "", steps),
        )  # fmt: skip
        cell = Cell("null", tuple(map(Step, self.names)))
        return steps_left_out([cell], wanted, study)


_OTHERS = (1.0, 0.9, 1.1, 1.0)
_CLEAR, _OPEN = 0.004, 0.015  # what loads differ by
KINDS = {
    "The last of 5 readers is open, behind a load": Steps(
        (
            ("load", 0.9, _CLEAR),
            *((f"r{i}", ratio, _CLEAR) for i, ratio in enumerate(_OTHERS)),
            ("r", 0.985, _OPEN),
        )
    ),
    "The first of 6 writers is open": Steps(
        (
            ("w", 0.985, _OPEN),
            *((f"w{i}", ratio, _CLEAR) for i, ratio in enumerate((0.9, *_OTHERS))),
        )
    ),
}


@dataclass
class Machine:
    """A study on its way: what it used, which steps are open, how many loads each had."""

    open: list[str]
    used_s: float = 0.0
    ended: bool = False
    loads: dict[str, int] = field(default_factory=dict)

    def next_s(self, kind: Steps, whole: bool) -> float:
        """How long the next load takes."""
        return _BESIDE_S + _STEP_S * len(self.steps(kind, whole))

    def steps(self, kind: Steps, whole: bool) -> list[str]:
        """Those of the next load."""
        gone = () if whole else kind.left_out(self.open)
        return [name for name in kind.names if name not in gone]


def measured(
    kind: Steps, whole: bool, budget_s: float, studies: int, seed: int
) -> tuple[list[Machine], pd.DataFrame]:
    """Studies until all is decided or the budget used up, and their verdicts."""
    random = np.random.default_rng(seed)
    machines = [Machine([*kind.names]) for _ in range(studies)]
    truth = {name: (np.log(ratio), sd) for name, ratio, sd in kind.steps}
    rows: list[dict[str, object]] = []
    looks: list[pd.DataFrame] = []
    for load in range(1, 1 + int(budget_s / _BESIDE_S)):
        noise = random.standard_normal((studies, len(kind.steps)))
        going = [m for m, machine in enumerate(machines) if not machine.ended]
        if not going:
            break
        for m in going:
            machine = machines[m]
            machine.used_s += machine.next_s(kind, whole)
            for name in machine.steps(kind, whole):
                log, sd = truth[name]
                value = log + sd * noise[m, kind.names.index(name)]
                rows.append(_row(m, name, load, value))
                machine.loads[name] = machine.loads.get(name, 0) + 1
        if load < _FEWEST:
            continue
        looks.append(_look(rows, going, machines, budget_s))
        _judge(looks, machines, going)
        last = [
            m
            for m in going
            if machines[m].open
            and machines[m].used_s + machines[m].next_s(kind, whole) > budget_s
        ]
        looks[-1].loc[looks[-1]["machine"].isin(last), "share"] = 1.0
        if last:
            _judge(looks, machines, last)
        for m in going:
            machines[m].ended = m in last or not machines[m].open
    return machines, _decided(looks, range(studies))


def _row(machine: int, step: str, load: int, log: float) -> dict[str, object]:
    """A load of a step, as ``session_ratios`` has it."""
    session = f"{machine} {load}"
    group = f"{machine} {step}"
    own = {"machine": machine, "step": step, "session": session, "group": group}
    return {**_FIXED, **own, "log": log}


def _look(
    rows: Sequence[dict[str, object]], going: Sequence[int],
    machines: Sequence[Machine], budget_s: float,
) -> pd.DataFrame:  # fmt: skip
    """What is known of the studies that go on."""
    frame = pd.DataFrame(rows)
    frame = frame[frame["machine"].isin(going)]
    ratios = ratios_of(frame, _KEYS, {"version": "old"})
    shares = {m: min(1.0, machines[m].used_s / budget_s) for m in going}
    share = ratios["machine"].map(shares)
    trial = max(int(str(row["session"]).split()[1]) for row in rows)
    return ratios.assign(trial=trial, share=share, rounds=ratios["sessions"])


def _decided(looks: Sequence[pd.DataFrame], of: Sequence[int]) -> pd.DataFrame:
    """Verdicts of some studies; what had no further load is not looked at again."""
    every = pd.concat([look[look["machine"].isin(of)] for look in looks])
    once = every.drop_duplicates([*_KEYS, "rounds"])
    tables = [decisions(own, _KEYS, _MARGIN) for _, own in once.groupby("machine")]
    return pd.concat(tables, ignore_index=True)


def _judge(
    looks: Sequence[pd.DataFrame], machines: Sequence[Machine], of: Sequence[int]
) -> None:
    """Say which steps of these studies are open."""
    table = _decided(looks, of)
    still = table[table["verdict"] == UNDECIDED].groupby("machine")["step"].agg(list)
    for m in of:
        machines[m].open = still.get(m, [])


def scores(
    kind: Steps, whole: bool, budget_s: float, studies: int, seed: int
) -> dict[str, object]:
    """How many verdicts there are, how long they took, how often they are wrong, in %."""
    machines, table = measured(kind, whole, budget_s, studies, seed)
    ratio = table["step"].map({name: ratio for name, ratio, _ in kind.steps})
    is_open = table["step"].map({name: sd == _OPEN for name, _, sd in kind.steps})
    verdict, decided = table["verdict"], table["verdict"] != UNDECIDED
    wrong = (verdict == "improved") & (ratio <= 1)
    wrong |= (verdict == "regressed") & (ratio >= 1)
    wrong |= (verdict == "equivalent") & (abs(ratio - 1) > _MARGIN)
    held = (table["low"] <= ratio) & (ratio <= table["high"])
    [name] = table.loc[is_open, "step"].unique()
    return {
        "loads of": "all steps" if whole else "open steps",
        "loads of the open step": np.mean([m.loads[name] for m in machines]),
        "of it decided": 100 * decided[is_open].mean(),
        "of all decided": 100 * decided.mean(),
        "wrong": 100 * wrong.mean(),
        "coverage": 100 * held.mean(),
        "time of the budget": 100 * np.mean([m.used_s for m in machines]) / budget_s,
    }


def tables(seed: int, series: int) -> Iterator[tuple[str, pd.DataFrame]]:
    """Titles and tables: whole loads and those of open steps, each with two budgets."""
    for title, kind in KINDS.items():
        whole_s = _BESIDE_S + _STEP_S * len(kind.steps)
        for loads in (6, 12):
            budget_s = loads * whole_s
            rows = [
                scores(kind, whole, budget_s, series, seed) for whole in (True, False)
            ]
            yield (
                f"{title}: the budget is for {loads} whole loads, margin {_MARGIN:.0%}, "
                f"in %\n{series} studies, seed {seed}",
                pd.DataFrame(rows),
            )


def main() -> None:
    """Print the tables."""
    asked = arguments(__doc__, series=60)
    for title, table in tables(asked.seed, asked.series):
        show(title, table)


if __name__ == "__main__":
    main()
