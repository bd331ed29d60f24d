"""Clients and background jobs against the CPUs, in sentences: does the rule hold here?"""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, Row, names_as_data
from benchbook.findings.verdict_sentences import farthest, with_verdicts
from benchmath.costs.busy import BusyFrame, ratios_beside_threads
from benchmath.prose import counted, number
from benchmath.ratios.verdicts import VerdictFrame

RULE = (
    "By the rule of thumb clients and background jobs together should not be more than "
    "the CPUs"
)
NO_CPUS = "No run has recorded how many CPUs it may use, so the rule cannot be checked."


@names_as_data
def rule_finding(
    busy: BusyFrame, judged: VerdictFrame, clients: str = "dop",
    jobs: str = "max_background_jobs",
) -> Finding:  # fmt: skip
    """Which combinations keep the rule, and whether more jobs beyond it cost anything.

    ``busy`` is the frame of ``busy_threads``, ``judged`` that of ``verdicts`` to the
    fewest jobs. What the rule forbids is tested: ratios of cells with more threads than
    CPUs to cells with fewer jobs.
    """
    if busy.empty:
        return Finding(NO_CPUS)
    names = {clients: "clients", jobs: "jobs"}
    cells = busy.rename(columns=names).assign(keeps=busy["within"].astype(str))
    tested = with_verdicts(judged)
    ratios = ratios_beside_threads(tested, busy, clients, jobs) if len(tested) else tested
    ratios = ratios.rename(columns=names)
    said = Draft(cells=cells, ratios=ratios)
    parts = (_kept(said, cells), _tested(said, ratios), _used(said, cells))
    return said.finding(" ".join(part for part in parts if part))


def _kept(said: Draft, cells: pd.DataFrame) -> str:
    """How many combinations keep the rule, and how many threads the others have."""
    count = said.count("cells", {"keeps": "True"}, None, "keep the rule", "none")
    threads = said.reach("cells", cells, "threads", "threads")
    return (
        f"{RULE}: of {counted(len(cells), 'combination')} of step, clients and jobs "
        f"{count or 'none'} {'keep' if count > 1 else 'keeps'} it on "
        f"{_cpus(said, cells)} (they have {threads} threads)."
    )


def _tested(said: Draft, ratios: pd.DataFrame) -> str:
    """What the ratios beyond the rule say of it."""
    if ratios.empty:
        return "No two of them differ in jobs beyond it, so nothing here tests it."
    faster, slower, same = (
        said.count("ratios", {"verdict": verdict}, None, verdict, "none")
        for verdict in ("improved", "regressed", "equivalent")
    )
    of = f"of {counted(len(ratios), 'comparison')} of more with fewer jobs beyond it"
    are_slower = f"{counted(slower, 'is', 'are')} slower"
    if faster:
        row = farthest(ratios, "improved")
        rest = f", and {are_slower}." if slower else " and none is slower."
        are_faster = f"{counted(faster, 'is', 'are')} faster"
        return f"It does not hold here: {of} {are_faster}, {_told(said, row)}{rest}"
    if slower:
        row = farthest(ratios, "regressed")
        return (
            f"As far as it is tested it holds: {of} none is faster and {are_slower}, "
            f"{_told(said, row)}."
        )
    if same == len(ratios):
        said.count("ratios", {"verdict": "equivalent"}, None, "", "all")
        return f"More jobs than that cost nothing here: {of} all are equivalent."
    return f"Whether it holds here is not decided: {of} none is faster or slower."


def _used(said: Draft, cells: pd.DataFrame) -> str:
    """The least and the most CPUs that a combination used."""
    used = cells["used"].dropna()
    if used.empty:
        return ""
    ends = []
    for relation, place in (("smallest", used.idxmin()), ("largest", used.idxmax())):
        row = cells.loc[place]
        cpus = said.value("cells", row, "used", number, keys=(), subject="used",
                          relation=relation, ends=())  # fmt: skip
        jobs = said.given("jobs", int(row["jobs"]))
        ends.append(f"{cpus} ({_where(said, row)}, {jobs} jobs)")
    return (
        f"Clients and background jobs together used {' to '.join(ends)} of "
        f"{_cpus(said, cells)}."
    )


def _cpus(said: Draft, cells: pd.DataFrame) -> str:
    """`2 CPUs`, or `2 to 8 CPUs`."""
    cpus = said.reach("cells", cells, "cpus", "cpus")
    return f"{cpus} CPU{'s' * (cpus != '1')}"


def _told(said: Draft, row: Row) -> str:
    """`1.20 [1.10, 1.31] with 8 jobs instead of 2 (overwrite, 1 client)`"""
    ratio = said.ratio("ratios", row, keys=("step", "clients", "jobs"))
    jobs, fewer = (said.given(name, int(row[name])) for name in ("jobs", "fewer"))
    return f"{ratio} with {jobs} jobs instead of {fewer} ({_where(said, row)})"


def _where(said: Draft, row: Row) -> str:
    return f"{row['step']}, {said.counted(row['clients'], 'client')}"
