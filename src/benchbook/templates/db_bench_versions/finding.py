"""What versions of an engine changed, where workloads are to be told apart."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from benchbook.finding import Finding, names_as_data
from benchbook.findings.causes import beside, in_words
from benchbook.findings.verdict_sentences import (
    claims_of_group,
    decided_sentence,
    is_decided,
    undecided_sentence,
)
from benchbook.findings.verdicts import (
    NO_BASE,
    announced,
    changes_finding,
    claims_of_all,
)
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
    rows = judged[judged["relative"].notna()]
    if rows.empty:
        return Finding(NO_BASE)
    rows = rows.assign(verdict=announced(rows))
    parts = [
        _of_workload(name, mine, _of(suite, name), changed)
        for name, mine in _workloads(rows)
    ]
    every = family(rows, among=" of all versions and workloads")
    last = Finding(
        every.text, claims_of_all(rows, every), {"judged": rows, "family": rows}
    )
    parts += [changes_finding(boundaries, changed), last]
    whole = Finding(
        "\n\n".join(str(part.data) for part in parts),
        [claim for part in parts for claim in part.claims],
        {name: frame for part in parts for name, frame in part.frames.items()},
    )
    return beside(whole, changed)


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
    """The means of all steps, newest version first, and the newest version's steps."""
    newest = str(rows["me"].iloc[-1])
    group = rows[rows["me"] == newest]
    also = in_words(changed, newest)
    if is_decided(group):
        steps = decided_sentence(group, also)
    else:
        steps = undecided_sentence([group], 1)
    of_steps = Finding(steps, claims_of_group(rows, group), {"judged": rows})
    parts = [of_steps]
    if rows["step"].nunique() > 1 and len(means):
        parts.insert(0, means_finding(means, means.iloc[::-1].head(MOST)))
    text = " ".join(str(part.data) for part in parts)
    if name != WHOLE:
        head = f"**{WORDS.get(name, name)}**: "
        text = head + text[0].lower() + text[1:]
    return _named(name, text, parts)


def _named(name: str, text: str, parts: list[Finding]) -> Finding:
    """One finding of several, whose frames are of one workload and named after it."""
    claims = [
        replace(claim, frame=f"{claim.frame} {name}" if claim.frame else "")
        for part in parts
        for claim in part.claims
    ]
    frames = {f"{k} {name}": f for part in parts for k, f in part.frames.items()}
    return Finding(text, claims, frames)
