"""Why means differ although the usual operations take as long, in sentences."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, Row, names_as_data
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
    said = Draft(tails=rows)
    of = counted(int((rows["changed"] == "True").sum()), "comparison")
    n = said.count("tails", {"explained": "True"}, {"changed": "True"}, "explained")
    text = _told(said, told.loc[told["size"].idxmax()], len(told) > 1)
    return said.finding(
        f"The mean differs although p50 and p99 agree within "
        f"{said.share('alike', ALIKE)} in {n} of {of} whose rates differ. {text}"
    )


def _told(said: Draft, row: Row, most: bool) -> str:
    """The comparison with the largest difference: its means, and the slowest 1% of it."""

    def amount(column: str) -> str:
        where = " ".join(str(row[name]) for name in _KEYS)
        return said.value("tails", row, column, number, keys=_KEYS, ends=(),
                          subject=f"{where} {column}")  # fmt: skip

    said.claim("largest", "largest", row["size"], frame="tails", column="size",
               where={"explained": "True"})  # fmt: skip
    where = f"{row['step']} with {said.counted(row['clients'], 'client')}"
    which = f"The largest difference is that of {where}" if most else f"It is {where}"
    whole = f"{amount('of_slow_pct')}%" if row["of_slow_pct"] < 100 else "the whole"
    jobs = said.given("jobs", row["jobs"])
    return (
        f"{which}: the mean is {amount('mean')} µs with {jobs} background jobs instead "
        f"of {amount('mean_base')} µs. The slowest {said.share('slowest', SLOWEST)} of "
        f"the operations make {whole} of the difference: they are "
        f"{amount('slowest_pct')}% of the time instead of {amount('slowest_pct_base')}%."
    )
