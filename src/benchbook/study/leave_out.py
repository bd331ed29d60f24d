"""Which steps a further load may leave out: what no comparison and no later step needs.

A load that is made for a few open comparisons need not repeat the others, as long as each
step that it makes finds what it found in the loads before.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from benchbook.study.cell import Cell, Step
from benchbook.study.drivers import Driver
from benchbook.study.study import Study


def only_reads(step: Step, study: Study) -> bool:
    """Does it leave the database as it found it?

    Query steps of the insert benchmark have writers beside them, unless a number of
    queries is asked for.
    """
    if study.workload:
        return step.step in study.workload.reading
    return step.step in study.driver.reads or step.size == "queries"


def steps_left_out(
    cells: Sequence[Cell], wanted: Collection[str], study: Study
) -> tuple[str, ...]:
    """Names of the steps that all arms of a session leave out, in their order.

    ``cells`` are the arms, ``wanted`` the steps with an open comparison. What writes
    stays as long as a step behind it does. So does the first reader of a run, and behind
    what writes: it finds caches cold, or full of what was written, and other steps are
    not to find them so in some of the loads. Arms take turns step by step, so what one
    needs all make. Nothing is left out where an arm would have no step at all.
    """
    kept = frozenset(wanted)
    while True:
        needed = kept.union(*(_needed(cell.steps, kept, study) for cell in cells))
        if needed == kept:
            break
        kept = needed
    names = dict.fromkeys(step.step for cell in cells for step in cell.steps)
    if any(kept.isdisjoint(step.step for step in cell.steps) for cell in cells):
        return ()
    return tuple(name for name in names if name not in kept)


def made_steps(steps: Sequence[Step], left_out: Collection[str]) -> tuple[Step, ...]:
    """The steps that a run makes."""
    return tuple(step for step in steps if step.step not in left_out)


def _needed(steps: Sequence[Step], kept: Collection[str], study: Study) -> set[str]:
    """Of an arm's steps those that are kept, and what these find as others left it."""
    needed: set[str] = set()
    for i in reversed(range(len(steps))):
        name = steps[i].step
        if name in kept or (needed and _matters(steps, i, study)):
            needed.add(name)
    return needed


def _matters(steps: Sequence[Step], i: int, study: Study) -> bool:
    """Do steps behind it find something else where it was left out?"""
    if _calculates(steps[i], study.driver):
        return False
    first = i == 0 or not only_reads(steps[i - 1], study)
    return first or not only_reads(steps[i], study)


def _calculates(step: Step, driver: Driver) -> bool:
    return driver.only_calculates([step.step])
