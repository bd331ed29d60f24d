"""Clients and background jobs against the CPUs, in sentences: does the rule hold here?"""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Claim, Finding, names_as_data, tally
from benchbook.findings.verdict_sentences import announced
from benchbook.templates.background_jobs.one_ratio import (
    Row,
    given,
    ratio_claim,
    ratio_text,
)
from benchmath.costs.busy import BusyFrame, ratios_beside_threads
from benchmath.prose import counted, number
from benchmath.ratios.verdicts import VerdictFrame

RULE = (
    "By the rule of thumb clients and background jobs together should not be more than "
    "the CPUs"
)
NO_CPUS = "No run has recorded how many CPUs it may use, so the rule cannot be checked."
_KEYS = ("step", "clients", "jobs")


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
    kept, claims = _kept(cells)
    tested = judged[judged["relative"].notna()]
    tested = tested.assign(verdict=announced(tested)) if len(tested) else tested
    ratios = ratios_beside_threads(tested, busy, clients, jobs) if len(tested) else tested
    ratios = ratios.rename(columns=names)
    said, more = _tested(ratios)
    used, of_use = _used(cells)
    text = " ".join(part for part in (kept, said, used) if part)
    return Finding(text, [*claims, *more, *of_use], {"cells": cells, "ratios": ratios})


def _kept(cells: pd.DataFrame) -> tuple[str, list[Claim]]:
    """How many combinations keep the rule, and how many threads the others have."""
    count = int((cells["keeps"] == "True").sum())
    claims = [
        tally(cells, "cells", {"keeps": "True"}, subject="keep the rule",
              quantifier="" if count else "none"),
        _extreme(cells, "threads", "smallest"), _extreme(cells, "threads", "largest"),
    ]  # fmt: skip
    low, high = int(cells["threads"].min()), int(cells["threads"].max())
    threads = str(high) if low == high else f"{low} to {high}"
    cpus, of_cpus = _cpus(cells)
    who = "none" if count == 0 else str(count)
    keep = "keeps" if count in (0, 1) else "keep"
    text = (
        f"{RULE}: of {counted(len(cells), 'combination')} of step, clients and jobs "
        f"{who} {keep} it on {cpus} (they have {threads} threads)."
    )
    return text, [*claims, *of_cpus]


def _tested(ratios: pd.DataFrame) -> tuple[str, list[Claim]]:
    """What the ratios beyond the rule say of it."""
    if ratios.empty:
        return "No two of them differ in jobs beyond it, so nothing here tests it.", []
    sides = {
        verdict: ratios[ratios["verdict"] == verdict]
        for verdict in ("improved", "regressed", "equivalent")
    }
    faster, slower, same = (len(side) for side in sides.values())
    claims = [
        tally(ratios, "ratios", {"verdict": verdict}, subject=verdict,
              quantifier="none" if side.empty else "")
        for verdict, side in sides.items()
    ]  # fmt: skip
    of = f"of {counted(len(ratios), 'comparison')} of more with fewer jobs beyond it"
    if faster:
        row = sides["improved"].loc[sides["improved"]["relative"].idxmax()].to_dict()
        text = f"It does not hold here: {of} {_are(faster)} faster, {_told(row)}"
        text += f", and {_are(slower)} slower." if slower else " and none is slower."
        return text, [*claims, *_row_claims(row)]
    if slower:
        row = sides["regressed"].loc[sides["regressed"]["relative"].idxmin()].to_dict()
        text = (
            f"As far as it is tested it holds: {of} none is faster and {_are(slower)} "
            f"slower, {_told(row)}."
        )
        return text, [*claims, *_row_claims(row)]
    if same == len(ratios):
        return f"More jobs than that cost nothing here: {of} all are equivalent.", [
            *claims, tally(ratios, "ratios", {"verdict": "equivalent"}, quantifier="all")
        ]  # fmt: skip
    return f"Whether it holds here is not decided: {of} none is faster or slower.", claims


def _used(cells: pd.DataFrame) -> tuple[str, list[Claim]]:
    """The least and the most CPUs that a combination used."""
    sampled = cells[cells["used"].notna()]
    if sampled.empty:
        return "", []
    ends, claims = [], []
    for relation, pick in (("smallest", "idxmin"), ("largest", "idxmax")):
        row = sampled.loc[getattr(sampled["used"], pick)()].to_dict()
        where = f"{row['step']}, {counted(row['clients'], 'client')}, {row['jobs']} jobs"
        ends.append(f"{number(row['used'])} ({where})")
        claims.append(_extreme(cells, "used", relation))
        claims += given(row, "clients", "jobs")
    cpus, of_cpus = _cpus(cells)
    text = f"Clients and background jobs together used {ends[0]} to {ends[1]} of {cpus}."
    return text, [*claims, *of_cpus]


def _cpus(cells: pd.DataFrame) -> tuple[str, list[Claim]]:
    """`2 CPUs`, or `2 to 8 CPUs`."""
    low, high = int(cells["cpus"].min()), int(cells["cpus"].max())
    claims = [_extreme(cells, "cpus", relation) for relation in ("smallest", "largest")]
    return (counted(low, "CPU") if low == high else f"{low} to {high} CPUs"), claims


def _extreme(cells: pd.DataFrame, column: str, relation: str) -> Claim:
    value = cells[column].min() if relation == "smallest" else cells[column].max()
    return Claim(column, relation, float(value), frame="cells", column=column)


def _told(row: Row) -> str:
    """`1.20 [1.10, 1.31] with 8 jobs instead of 2 (overwrite, 1 client)`"""
    return (
        f"{ratio_text(row)} with {row['jobs']} jobs instead of {row['fewer']} "
        f"({row['step']}, {counted(row['clients'], 'client')})"
    )


def _row_claims(row: Row) -> list[Claim]:
    return [ratio_claim(row, "ratios", _KEYS), *given(row, "jobs", "fewer", "clients")]


def _are(n: int) -> str:
    return f"{n} {'is' if n == 1 else 'are'}"
