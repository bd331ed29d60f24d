"""`benchbook calibrate`: a study's base against itself, for the noise floor.

The A/A study of a study is never written down: it follows from study.yml.  Its runs are
filed under the study's name with `.aa` behind it, and are resumed like any others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING

from benchbook.errors import UserError
from benchbook.machine.facts import local_machine
from benchbook.measure.plan import make_plan, run_seconds
from benchbook.measure.progress import duration
from benchbook.measure.run import Outcome, Say, Wish, asked_for, measure
from benchbook.project import Project
from benchbook.prose import aligned, counted, listed
from benchbook.study.arms import AGAIN, MAIN, REBUILT, RELOADED, repeated
from benchbook.study.cell import Cell
from benchbook.study.check import is_compiled
from benchbook.study.drivers import Driver
from benchbook.study.study import Study

if TYPE_CHECKING:
    import pandas as pd

SUFFIX = ".aa"
LEAST_TRIALS = 5
UNDECLARED = ("machine", "version")  # what a base may name and a cell need not


def aa_study(
    study: Study, trials: int | None = None, builds: int = 3, loads: int = 2
) -> Study:
    """The A/A study of a study: the cells of its base, each in all arms that it can have.

    ``trials`` defaults to those of the study, but at least five.  Errors: no cell of the
    study is its base.
    """
    base = [cell for cell in study.cells if _is_base(cell, study)]
    if not base:
        named = " ".join(f"{k}={v}" for k, v in study.base.items())
        raise UserError(f"{study.path}: no cell is the base ({named}): nothing to repeat")
    cells = [
        replace(cell, arm=arm)
        for cell in base
        for arm in arms_of(cell, study.driver, builds, loads)
    ]
    return replace(
        study,
        slug=study.slug + SUFFIX,
        title=f"How much does the base of {study.slug} differ from itself?",
        base={"arm": MAIN},
        cells=tuple(dict.fromkeys(cells)),
        trials=trials or max(study.trials, LEAST_TRIALS),
        reuse=False,
        also=(),
    )


def arms_of(cell: Cell, driver: Driver, builds: int, loads: int) -> list[str]:
    """Rebuilt only where the engine is compiled here, reloaded where a run loads it."""
    return [
        MAIN,
        AGAIN,
        *repeated(REBUILT, builds if is_compiled(cell, driver) else 1),
        *repeated(RELOADED, loads if driver.writes else 1),
    ]


def left_out(aa: Study, builds: int, loads: int) -> list[str]:
    """A sentence for each kind of arm that a cell of an A/A study cannot have."""
    foreign = {c.engine: None for c in aa.cells if not is_compiled(c, aa.driver)}
    said = []
    if foreign and builds > 1:
        said.append(
            f"{listed(list(foreign))} cannot be built again here, so there is no rebuilt "
            "arm: the build effect is not measured, and verdicts say so"
        )
    if loads > 1 and not aa.driver.writes:
        said.append(f"{aa.driver.name} loads no database, so there is no reloaded arm")
    return said


def calibrate(aa: Study, project: Project, wish: Wish, say: Say) -> Outcome:
    """Measure what is missing of an A/A study, saying first what and how long."""
    cells = [cell for cell in aa.cells if asked_for(cell, wish.only)]
    arms = dict.fromkeys(cell.arm for cell in cells)
    plan = make_plan(aa, project)
    todo = [t.prepared.cell for t in plan.todo if asked_for(t.prepared.cell, wish.only)]
    seconds = sum(run_seconds(cell, aa.driver) for cell in todo)
    count = len({replace(cell, arm=MAIN) for cell in cells})
    say(
        f"{aa.slug}: {counted(count, 'cell')} as {listed(list(arms))}, "
        f"{counted(aa.trials, 'trial')}; {counted(len(todo), 'run')} to make, "
        f"about {duration(seconds)}"
    )
    return measure(aa, project, wish, say)


def noise_text(aa: Study, project: Project) -> str:
    """Load what was measured; the noise of each step of an A/A study on this machine."""
    from benchbook.analysis.ratios.floor import noise_floor
    from benchbook.store.load import load
    from benchbook.store.query import expand_dims, query

    load(project)
    machine = local_machine(project)
    frame = query("collect_aa", project=project, sets=[aa.slug], machine_ids=[])
    own = expand_dims(frame[frame["machine_id"] == machine.machine_id])
    if own.empty:
        return f"noise: not known, no run of {aa.slug} on {machine.name} is finished"
    levels = ("run", "build", "load") if aa.driver.writes else ("run", "build")
    adds = " or ".join(levels[1:])
    return (
        f"noise on {machine.name}: stddev of one run, and what another {adds} adds\n"
        f"{_table(noise_floor(own), levels)}"
    )


def _table(floor: pd.DataFrame, levels: Sequence[str]) -> str:
    varying = [c for c in ("engine", "dop", "placement") if floor[c].nunique() > 1]
    rows: list[tuple[str, ...]] = [(*varying, "step", "runs", *levels)]
    for row in floor.to_dict("records"):
        spread = (row[f"{level}_sd"] for level in levels)
        texts = ("not measured" if isnan(sd) else f"{sd:.2%}" for sd in spread)
        rows.append((*(str(row[c]) for c in varying), row["step"], str(row["n"]), *texts))
    return aligned(rows)


def _is_base(cell: Cell, study: Study) -> bool:
    have = cell.dimensions()
    return all(
        have.get(name, value if name in UNDECLARED else None) == value
        for name, value in study.base.items()
    )
