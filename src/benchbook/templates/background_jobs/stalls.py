"""Write stalls and write amplification by background jobs, in sentences."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Claim, Finding, names_as_data, tally
from benchbook.findings.verdict_sentences import announced
from benchbook.templates.background_jobs.one_ratio import given, ratio_claim, ratio_text
from benchmath.costs.ranges import RangeFrame
from benchmath.prose import counted, number
from benchmath.ratios.averaged import AveragedFrame

_STALLED = "stall_pct"
NO_STALLS_KNOWN = "No run has recorded write stalls."


@names_as_data
def stalls_finding(
    ranges: RangeFrame, amplification: AveragedFrame, clients: str = "dop",
    jobs: str = "max_background_jobs",
) -> Finding:  # fmt: skip
    """Where writers stood still most, and whether more jobs write more for each byte.

    ``ranges`` is the frame of ``ranges`` with stall_pct, ``amplification``
    that of ``averaged_pairs`` of write_amp.
    """
    rows = ranges[ranges["metric"] == _STALLED]
    rows = rows.rename(columns={clients: "clients", jobs: "jobs"})
    claims: list[Claim] = []
    if rows.empty:
        stalled = NO_STALLS_KNOWN
    else:
        rows = rows.astype({"clients": int, "jobs": int})
        rows = rows.assign(stood=(rows["max"] > 0).astype(str))
        stalled, claims = _stalled(rows)
    written, more, pairs = _amplified(amplification)
    text = " ".join(part for part in (stalled, written) if part)
    return Finding(text, [*claims, *more], {"stalls": rows, "amplification": pairs})


def _stalled(rows: pd.DataFrame) -> tuple[str, list[Claim]]:
    stood = int((rows["stood"] == "True").sum())
    count = tally(rows, "stalls", {"stood": "True"}, subject="stalled",
                  quantifier="" if stood else "none")  # fmt: skip
    of = f"{counted(len(rows), 'combination')} of step, clients and jobs"
    if not stood:
        return f"RocksDB held up its writers in none of {of}.", [count]
    row = rows.loc[rows["mean"].idxmax()].to_dict()
    span = ""
    if row["n"] > 1:
        span = f", {number(row['min'])} to {number(row['max'])} in {row['n']} runs"
    text = (
        f"RocksDB held up its writers in {stood} of {of}, longest in {row['step']} with "
        f"{counted(row['clients'], 'client')} and {row['jobs']} background jobs: "
        f"{number(row['mean'])}% of the time{span}."
    )
    where = {name: str(row[name]) for name in ("step", "clients", "jobs")}
    claims = [
        Claim("most stalled", "largest" if name == "mean" else "is", row[name], unit="%",
              frame="stalls", rows=where, column=name)
        for name in ("mean", "min", "max")
    ]  # fmt: skip
    return text, [count, *claims, *given(row, "clients", "jobs", "n")]


def _amplified(pairs: AveragedFrame) -> tuple[str, list[Claim], pd.DataFrame]:
    """Write amplification with the most jobs over that with the fewest, of each step."""
    known = pairs[pairs["relative"].notna()]
    if known.empty:
        return "", [], pd.DataFrame()
    rows = known.assign(verdict=announced(known))
    rows = rows.rename(columns={"me": "more", "base": "fewer"})
    rows = rows.astype({"more": int, "fewer": int})
    rows = rows[["step", "more", "fewer", "relative", "low", "high", "verdict", "margin"]]
    said, claims = [], []
    for step, of_step in rows.groupby("step", sort=False):
        ends = of_step["more"].max(), of_step["fewer"].min()
        chosen = of_step[(of_step["more"] == ends[0]) & (of_step["fewer"] == ends[1])]
        (row,) = chosen.to_dict("records")
        ratio = ratio_text(row, f"times that with {row['fewer']}")
        said.append(
            f"In {step} write amplification with {row['more']} jobs is {ratio}"
            f"{_WORDS.get(row['verdict'], '')}."
        )
        claims.append(ratio_claim(row, "amplification", ("step", "more", "fewer")))
        claims += given(row, "more", "fewer")
    return " ".join(said), claims, rows


_WORDS = {
    "undecided": ", which is undecided", "not significant": ", which is not significant",
    "no interval": ", without an interval: single runs",
}  # fmt: skip
