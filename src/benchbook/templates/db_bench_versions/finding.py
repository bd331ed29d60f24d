"""What versions of an engine changed, where workloads are to be told apart."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from benchbook.finding import Draft, Finding, names_as_data, together
from benchbook.findings.causes import beside, in_words
from benchbook.findings.verdict_sentences import group_sentence, with_verdicts
from benchbook.findings.verdicts import NO_BASE, all_sentence, changes_finding
from benchbook.findings.workload import MOST, means_finding
from benchmath.ratios.suite import SUITE
from benchmath.ratios.verdicts import family

WHOLE = "all"  # of a study that has one workload, or says none
WORDS = {
    "byrx": "Cached by RocksDB (byrx)",
    "byos": "Cached by the system (byos)",
    "iobuf": "Larger than memory (iobuf)",
    "iodir": "From the device (iodir)",
}


@names_as_data
def releases_finding(
    judged: pd.DataFrame,
    suite: pd.DataFrame,
    boundaries: pd.DataFrame,
    changed: pd.DataFrame | None = None,
) -> Finding:
    """Of each workload the newest version against the base, then where levels change.

    ``judged`` is the frame of ``Results.judged``, ``suite`` that of ``judged_suite``,
    both in the order of the versions; ``boundaries`` are of all workloads together.
    """
    rows = with_verdicts(judged)
    if rows.empty:
        return Finding(NO_BASE)
    parts = [
        _of_workload(name, mine, _of(suite, name), changed)
        for name, mine in _workloads(rows)
    ]
    every = family(rows, among=" of all versions and workloads")
    last = Draft(judged=rows, family=rows)
    parts += [
        changes_finding(boundaries, changed),
        last.finding(all_sentence(last, every)),
    ]
    return beside(together(parts, "\n\n"), changed)


def _workloads(rows: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The rows of each workload; of a study that says none all of them."""
    if "workload" not in rows.columns:
        return [(WHOLE, rows)]
    return [(str(n), g) for n, g in rows.groupby("workload", sort=False)]


def _of(suite: pd.DataFrame, workload: str) -> pd.DataFrame:
    rows = suite[(suite["group"] == SUITE) & suite["low"].notna()]
    if workload == WHOLE or "workload" not in rows.columns:
        return rows
    return rows[rows["workload"].astype(str) == workload]


def _of_workload(
    name: str, rows: pd.DataFrame, means: pd.DataFrame, changed: pd.DataFrame | None
) -> Finding:
    """The means of all steps, newest version first, and the newest version's steps.

    Its frames are of one workload and named after it.
    """
    newest = str(rows["me"].iloc[-1])
    said, group = Draft(judged=rows), rows[rows["me"] == newest]
    whole = said.finding(group_sentence(said, group, in_words(changed, newest)))
    if rows["step"].nunique() > 1 and len(means):
        whole = together([means_finding(means, means.iloc[::-1].head(MOST)), whole])
    text = str(whole.data)
    if name != WHOLE:
        text = f"**{WORDS.get(name, name)}**: {text[0].lower()}{text[1:]}"
    claims = [
        replace(claim, frame=f"{claim.frame} {name}" if claim.frame else "")
        for claim in whole.claims
    ]
    return Finding(text, claims, {f"{k} {name}": f for k, f in whole.frames.items()})
