"""Write stalls and write amplification by background jobs, in sentences."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, chosen, names_as_data
from benchbook.findings.verdict_sentences import with_verdicts
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
    said = Draft(stalls=rows, amplification=pd.DataFrame())
    stalled = _stalled(said, rows) if len(rows) else NO_STALLS_KNOWN
    written = _amplified(said, amplification)
    return said.finding(" ".join(part for part in (stalled, written) if part))


def _stalled(said: Draft, rows: pd.DataFrame) -> str:
    rows = rows.astype({"clients": int, "jobs": int})
    rows = said.frames["stalls"] = rows.assign(stood=(rows["max"] > 0).astype(str))
    stood = said.count("stalls", {"stood": "True"}, None, "stalled", "none")
    of = f"{counted(len(rows), 'combination')} of step, clients and jobs"
    if not stood:
        return f"RocksDB held up its writers in none of {of}."
    row = rows.loc[rows["mean"].idxmax()]
    mean, low, high = (
        said.value("stalls", row, name, number, "%", subject="most stalled", ends=(),
                   keys=("step", "clients", "jobs"), relation=relation)
        for name, relation in (("mean", "largest"), ("min", "is"), ("max", "is"))
    )  # fmt: skip
    runs, jobs = (said.given(name, int(row[name])) for name in ("n", "jobs"))
    return (
        f"RocksDB held up its writers in {stood} of {of}, longest in {row['step']} with "
        f"{said.counted(row['clients'], 'client')} and {jobs} background jobs: "
        f"{mean}% of the time{f', {low} to {high} in {runs} runs' * bool(row['n'] > 1)}."
    )


def _amplified(said: Draft, pairs: AveragedFrame) -> str:
    """Write amplification with the most jobs over that with the fewest, of each step."""
    rows = with_verdicts(pairs)
    if rows.empty:
        return ""
    rows = rows.rename(columns={"me": "more", "base": "fewer"})
    rows = rows.astype({"more": int, "fewer": int})
    rows = rows[["step", "more", "fewer", "relative", "low", "high", "verdict", "margin"]]
    said.frames["amplification"], parts = rows, []
    for step, of_step in rows.groupby("step", sort=False):
        ends = {"more": of_step["more"].max(), "fewer": of_step["fewer"].min()}
        (row,) = chosen(of_step, ends).to_dict("records")
        jobs, fewer = (said.given(name, row[name]) for name in ends)
        ratio = said.ratio("amplification", row, after=f" times that with {fewer}",
                           keys=("step", "more", "fewer"))  # fmt: skip
        parts.append(
            f"In {step} write amplification with {jobs} jobs is {ratio}"
            f"{_WORDS.get(row['verdict'], '')}."
        )
    return " ".join(parts)


_WORDS = {
    "undecided": ", which is undecided", "not significant": ", which is not significant",
    "no interval": ", without an interval: single runs",
}  # fmt: skip
