"""Why means differ although the usual operations take as long, in sentences."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Claim, Finding, names_as_data, tally
from benchbook.templates.background_jobs.one_ratio import Row, given
from benchmath.latency.tails import ALIKE, SLOWEST
from benchmath.prose import counted, number

_KEYS = ("step", "clients", "jobs")


@names_as_data
def tails_finding(
    beside: pd.DataFrame, clients: str = "dop", jobs: str = "max_background_jobs"
) -> Finding:
    """Where p50 and p99 agree and the rate does not: what the slowest 1% have of it.

    ``beside`` is the frame of ``tails_beside``. Without such a pair nothing is said.
    """
    if beside.empty or not beside["explained"].any():
        return Finding("")
    rows = beside.rename(columns={clients: "clients", jobs: "jobs"})
    rows = rows.astype({"clients": int, "jobs": int})
    flags = {name: rows[name].astype(str) for name in ("changed", "explained")}
    rows = rows.assign(**flags, size=rows["more"].abs()).drop(columns="me")
    told = rows[rows["explained"] == "True"]
    row = told.loc[told["size"].idxmax()].to_dict()
    of = int((rows["changed"] == "True").sum())
    head = (
        f"The mean differs although p50 and p99 agree within {ALIKE:.0%} in {len(told)} "
        f"of {counted(of, 'comparison')} whose rates differ"
    )
    text = f"{head}. {_told(row, len(told) > 1)}"
    return Finding(text, _claims(rows, row), {"tails": rows})


def _told(row: Row, most: bool) -> str:
    """The comparison with the largest difference: its means, and the slowest 1% of it."""
    where = f"{row['step']} with {counted(row['clients'], 'client')}"
    which = f"The largest difference is that of {where}" if most else f"It is {where}"
    share = min(row["of_slow_pct"], 100.0)
    whole = "the whole" if share >= 100 else f"{number(share)}%"
    slow = number(100 * SLOWEST)
    return (
        f"{which}: the mean is {number(row['mean'])} µs with {row['jobs']} "
        f"background jobs instead of {number(row['mean_base'])} µs. The slowest {slow}% "
        f"of the operations make {whole} of the difference: they are "
        f"{number(row['slowest_pct'])}% of the time instead of "
        f"{number(row['slowest_pct_base'])}%."
    )


def _claims(rows: pd.DataFrame, row: Row) -> list[Claim]:
    where = {name: str(row[name]) for name in _KEYS}
    names = ("mean", "mean_base", "slowest_pct", "slowest_pct_base")
    names = (*names, *(("of_slow_pct",) if row["of_slow_pct"] < 100 else ()))
    amounts = [
        Claim(f"{' '.join(where.values())} {name}", "is", row[name], frame="tails",
              rows=where, column=name)
        for name in names
    ]  # fmt: skip
    return [
        *amounts, *given(row, "clients", "jobs"),
        tally(rows, "tails", {"explained": "True"}, {"changed": "True"}, "explained"),
        Claim("alike", "given", 100 * ALIKE, unit="%"),
        Claim("slowest", "given", 100 * SLOWEST, unit="%"),
        Claim("largest", "largest", row["size"], frame="tails", column="size",
              where={"explained": "True"}),
    ]  # fmt: skip
