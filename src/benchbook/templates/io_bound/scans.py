"""Index scans as the field tabulates them: seconds, and what a scanned row costs."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from benchmath.costs.io import main_op
from benchmath.frames import Kind, require

MIDDLE = ("scan.q2", "scan.q3", "scan.q4")  # of the secondary indexes, added up
TOGETHER = "scan.q2 + q3 + q4"
_USED = {"elapsed_s": "seconds", "server_rkb_o": "kb", "cpu_o": "us"}
_SCANS = Kind("scans", {
    "seconds": "s", "read": "GB", "read speed": "MB/s", "read per row": "KB",
    "cpu per row": "us", "n": "runs",
})  # fmt: skip


def scan_costs(
    frame: pd.DataFrame, steps: pd.DataFrame, by: Sequence[str] = ("engine",)
) -> pd.DataFrame:
    """What each scan took, and the three scans of secondary indexes together.

    ``frame`` is a metric frame with elapsed_s, server_rkb_o and cpu_o per scan, ``steps``
    has the rows scanned. Columns: step, ``by``, seconds; read (GB = 2^30 bytes that the
    server read) and read speed (MB = 2^20 bytes per second); per row KB read and CPU of
    the server in us; n. Means over the runs; of together sums, their ratios of sums.
    """
    require(steps, ("run_id", "step", "op", "ops", "rows"))
    rows = main_op(frame)
    rows = rows[(rows["op"] == "scan") & rows["metric"].isin(list(_USED))]
    keys = ["run_id", "step", *by]
    if rows.empty:
        return _SCANS.of(pd.DataFrame(columns=[*keys, *_SCANS.columns]), keys[1:])
    each = rows.pivot_table(values="value", index=keys, columns="metric", sort=False)
    each = each.reindex(columns=list(_USED)).rename(columns=_USED).reset_index()
    scanned = steps.assign(scanned=steps["rows"] / steps["ops"])
    scanned = scanned.loc[scanned["op"] == "scan", ["run_id", "step", "scanned"]]
    each = each.merge(scanned, on=["run_id", "step"])
    cells = pd.concat([each, _together(each, by)], ignore_index=True)
    sums = ["seconds", "kb", "us", "scanned"]
    grouped = cells.groupby(keys[1:], sort=False)
    means = grouped[sums].mean().assign(n=grouped.size()).reset_index()
    means["read"] = means["kb"] / 2**20
    means["read speed"] = means["kb"] / 1024 / means["seconds"]
    means["read per row"] = means["kb"] / means["scanned"]
    means["cpu per row"] = means["us"] / means["scanned"]
    return _SCANS.of(means, keys[1:])


def _together(each: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The sums of each run that made all three."""
    middle = each[each["step"].isin(MIDDLE)]
    grouped = middle.groupby(["run_id", *by], sort=False)
    sums = grouped[["seconds", "kb", "us", "scanned"]].sum(min_count=1)
    whole = sums[grouped.size() == len(MIDDLE)]
    return whole.reset_index().assign(step=TOGETHER)
