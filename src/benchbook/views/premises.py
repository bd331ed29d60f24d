"""What a study's question presumes, checked on its runs, and as a table."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from benchbook.results.results import Results
from benchmath.hazards.premises import (
    ALONE,
    CACHED,
    CLOCK,
    LARGER,
    LONG,
    PACE,
    PACED,
    READS,
    TOGETHER,
    Evidence,
    Premise,
    StudyFrames,
    premises_of,
)
from benchmath.prose import number

WORDS: Mapping[str, str] = {
    LARGER: "the database is larger than memory",
    READS: "queries and scans read the device",
    CACHED: "the database is cached",
    LONG: "no step is too short",
    PACED: "the writers reach their rate",
    ALONE: "nobody else uses the machine",
    CLOCK: "the clock agrees with the CPU time",
    TOGETHER: "what is compared was measured together",
    PACE: "the machine kept its pace",
}
HOLDS = {True: "yes", False: "no", None: "not recorded"}


def premises_checked(results: Results) -> tuple[Premise, ...]:
    """The premises of the study, each checked on its own runs; none without runs."""
    study = StudyFrames(
        results.runs, results.steps, results.metric, results.base, results.turns,
        results.probes,
    )  # fmt: skip
    return premises_of(study, results.study.premises)


def premise_facts(results: Results) -> pd.DataFrame:
    """A row per number that decides a premise, as a table shows it."""
    rows = [
        (WORDS[premise.name], HOLDS[premise.met], *_cells(evidence))
        for premise in premises_checked(results)
        for evidence in premise.evidence or (None,)
    ]
    names = ["presumed", "holds", "of", "step", "measured", "limit", "unit"]
    return pd.DataFrame(rows, columns=names)


def _cells(evidence: Evidence | None) -> tuple[str, ...]:
    if evidence is None:
        return ("",) * 5
    scale, unit = (
        (100, "% of the rate") if evidence.unit == "of the rate" else (1, evidence.unit)
    )
    figures = (number(scale * evidence.value), number(scale * evidence.limit), unit)
    return (evidence.cell, evidence.step, *figures)
