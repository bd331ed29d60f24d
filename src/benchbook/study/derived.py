"""Studies that follow from a study, and which of its cells are the base of the others.

Its base against itself (A/A), and its cells again, to be looked at instead of timed.
None of them is ever written down.  Their runs are filed under the study's name with
`.aa`, `.profile` or `.instructions` behind it, and are resumed like any others.
"""

from __future__ import annotations

from dataclasses import replace

from benchbook.study.arms import (
    AGAIN,
    INSTRUCTIONS,
    MAIN,
    PROFILE,
    REBUILT,
    RELOADED,
    repeated,
)
from benchbook.study.cell import Cell
from benchbook.study.check import is_compiled
from benchbook.study.drivers import Driver
from benchbook.study.sidecars import Watch
from benchbook.study.study import Study
from benchmath.errors import UserError
from benchmath.prose import listed

SUFFIX = ".aa"
LEAST_TRIALS = 5
NATIVE = "-march=native"
# valgrind knows no AVX-512: a build for this machine would die of it.
WITHOUT_AVX512 = "-mno-avx512f"


def is_base(cell: Cell, study: Study) -> bool:
    """Whether a cell is one of those that the others are compared with.

    A name that no cell declares (a machine, a version that the engine tells when it runs)
    tells none of them from another; see ``has_base``.
    """
    have = cell.dimensions()
    return all(have.get(k) == v for k, v in study.base.items() if _declares(study, k))


def has_base(study: Study) -> bool:
    """Do the cells say which of them is the base? Else all of them may be, or none."""
    return all(_declares(study, name) for name in study.base)


def _declares(study: Study, name: str) -> bool:
    return any(name in cell.dimensions() for cell in study.cells)


def aa_study(
    study: Study, trials: int | None = None, builds: int = 3, loads: int = 2
) -> Study:
    """The A/A study of a study: the cells of its base, each in all arms that it can have.

    ``trials`` defaults to those of the study, but at least five.  Errors: no cell of the
    study is its base.
    """
    base = [cell for cell in study.cells if is_base(cell, study)]
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
        trials=trials or max(0 if study.until else study.trials, LEAST_TRIALS),
        until="",  # how much it differs is asked, not whether
        budget_s=None,
        reuse=False,
        also=(),
    )


def arms_of(cell: Cell, driver: Driver, builds: int, loads: int) -> list[str]:
    """Rebuilt only where the engine is compiled here, reloaded where a run loads it."""
    return [
        MAIN,
        AGAIN,
        *repeated(REBUILT, builds if is_compiled(cell, driver) else 1),
        *repeated(RELOADED, loads if _loads(cell, driver) else 1),
    ]


def _loads(cell: Cell, driver: Driver) -> bool:
    return not driver.only_calculates([step.step for step in cell.steps])


def loads_database(study: Study) -> bool:
    """Does any cell load one, so that it could be loaded from another seed?"""
    return any(_loads(cell, study.driver) for cell in study.cells)


def left_out(aa: Study, builds: int, loads: int) -> list[str]:
    """A sentence for each kind of arm that a cell of an A/A study cannot have."""
    foreign = {c.engine: None for c in aa.cells if not is_compiled(c, aa.driver)}
    said = []
    if foreign and builds > 1:
        said.append(
            f"{listed(list(foreign))} cannot be built again here, so there is no rebuilt "
            "arm: the build effect is not measured, and verdicts say so"
        )
    if loads > 1 and not loads_database(aa):
        said.append(f"{aa.driver.name} loads no database, so there is no reloaded arm")
    return said


def companions(study: Study) -> tuple[Study, ...]:
    """The studies that go with one: profiles, instruction counts, as far as asked for."""
    derived = (profile_study(study), instructions_study(study))
    return tuple(one for one in derived if one is not None and one.cells)


def with_companions(study: Study) -> tuple[Study, ...]:
    return (study, *companions(study))


def profile_study(study: Study) -> Study | None:
    """The same cells and steps with perf beside each run; None where not asked for."""
    if study.profile is None:
        return None
    cells = tuple(replace(cell, arm=PROFILE) for cell in study.cells)
    return _companion(study, PROFILE, cells, study.profile.trials, study.watch)


def instructions_study(study: Study) -> Study | None:
    """Short steps of the embedded engines, counted one instruction after the other."""
    if study.counted is None:
        return None
    steps = study.counted.steps
    cells = tuple(
        replace(cell, arm=INSTRUCTIONS, steps=steps or cell.steps, flags=_countable(cell))
        for cell in study.cells
        if cell.engine not in study.driver.servers
    )
    return _companion(study, INSTRUCTIONS, cells, study.counted.trials, Watch())


def _companion(
    study: Study, arm: str, cells: tuple[Cell, ...], trials: int, watch: Watch
) -> Study:
    return replace(
        study,
        slug=f"{study.slug}.{arm}",
        cells=tuple(dict.fromkeys(cells)),
        trials=trials,
        order="abba",  # what is looked at has the machine for itself
        until="",
        budget_s=None,
        watch=watch,
        reuse=False,
        also=(),
    )


def _countable(cell: Cell) -> str:
    native = NATIVE in cell.flags.split()
    return f"{cell.flags} {WITHOUT_AVX512}" if native else cell.flags
