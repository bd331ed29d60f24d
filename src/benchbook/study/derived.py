"""Studies that follow from a study: its cells again, to be looked at instead of timed.

Like an A/A study they are never written down.  Their runs are filed under the study's
name with `.profile` or `.instructions` behind it: no set of timed runs holds them.
"""

from __future__ import annotations

from dataclasses import replace

from benchbook.study.arms import INSTRUCTIONS, PROFILE
from benchbook.study.cell import Cell
from benchbook.study.sidecars import Watch
from benchbook.study.study import Study

NATIVE = "-march=native"
# valgrind knows no AVX-512: a build for this machine would die of it.
WITHOUT_AVX512 = "-mno-avx512f"


def companions(study: Study) -> tuple[Study, ...]:
    """The studies that go with one: profiles, instruction counts, as far as asked for."""
    found = (profile_study(study), instructions_study(study))
    return tuple(one for one in found if one is not None and one.cells)


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
        watch=watch,
        reuse=False,
        also=(),
    )


def _countable(cell: Cell) -> str:
    native = NATIVE in cell.flags.split()
    return f"{cell.flags} {WITHOUT_AVX512}" if native else cell.flags
