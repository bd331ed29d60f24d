"""What storing a row costs: bytes written for it, and the room that it takes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmath.frames import Kind, ordered, require

# Mean bytes of a row's values: a bigint key, a timestamp of 8, four ints, and 10 to 20
# bytes of text. Headers, alignment and indexes are what an engine adds.
ROW_BYTES = 8 + 8 + 4 * 4 + 15
_WRITES = Kind("write_costs", {
    "device": "bytes/row", "server": "bytes/row", "log": "bytes/row",
    "amplification": "ratio", "server's": "ratio", "log's": "ratio", "n": "runs",
})  # fmt: skip
_SIZES = Kind("size_costs", {
    "rows": "count", "database": "MB", "folder": "MB", "resident": "MB",
    "per row": "bytes", "amplification": "ratio", "n": "runs",
})  # fmt: skip
_CACHED = Kind("cached_check", {
    "device": "reads per op", "device read": "KB per op", "server read": "KB per op",
    "verdict": "", "n": "runs",
})  # fmt: skip
CACHED = 0.01  # device reads per operation: one in a hundred
CACHED_KB = 0.08  # that the server read: a page of 8 KB in a hundred operations
_MB = 1 << 20
_ROOM = {"database": "size_bytes", "folder": "folder_bytes", "resident": "memory_bytes"}


def main_op(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of each run's main ops, and of metrics that a step has without an op."""
    require(frame, ("run_id", "step", "op", "main"))
    main = frame[frame["main"].fillna(False).astype(bool)]
    keys = main[["run_id", "step", "op"]].drop_duplicates()
    return frame.merge(keys, on=["run_id", "step", "op"], how="inner")


def write_costs(frame: pd.DataFrame, by: Sequence[str] = ("engine",)) -> pd.DataFrame:
    """Bytes written for each inserted row, and what that is in rows.

    One row per insert step and ``by``: device (bytes that the device wrote for anybody,
    wkb_o), server (that the server's processes wrote, server_wkb_o), log (of them to the
    log, as the engine counts them, log_bytes_o), amplification = device / ROW_BYTES,
    server's and log's = the other two / ROW_BYTES, n. Means over the runs; NaN where a
    metric is missing. What is written after the step, to clean up, is not in it.
    """
    rows = main_op(frame)
    rows = rows[rows["op"] == "insert"]
    keys = ["step", *by]
    table = _cells(rows, by).merge(_runs(rows, keys), on=keys, how="left")
    for name, metric, scale in (
        ("device", "wkb_o", 1024.0), ("server", "server_wkb_o", 1024.0),
        ("log", "log_bytes_o", 1.0),
    ):  # fmt: skip
        table = table.merge(_means(rows, metric, keys, name, scale), on=keys, how="left")
    table["amplification"] = table["device"] / ROW_BYTES
    table["server's"] = table["server"] / ROW_BYTES
    table["log's"] = table["log"] / ROW_BYTES
    return _WRITES.of(table, keys)


def size_costs(
    frame: pd.DataFrame, steps: pd.DataFrame, by: Sequence[str] = ("engine",)
) -> pd.DataFrame:
    """The room that the rows take after each step, on disk and in memory.

    ``steps`` has the rows inserted and deleted per run. Columns: ``by``, step, rows (in
    the table), database (size_bytes), folder (folder_bytes: logs too) and resident (of
    the server, memory_bytes) in MB = 2^20 bytes, per row (database bytes),
    amplification = per row / ROW_BYTES, n. Means over the runs.
    """
    require(steps, ("run_id", "step", "seq", "op", "rows"))
    keys = ["step", *by]
    rows = main_op(frame)
    table = _cells(rows, by).merge(_runs(rows, keys), on=keys, how="left")
    for name, metric in _ROOM.items():
        means = _means(rows, metric, keys, name, 1 / _MB)
        table = table.merge(means, on=keys, how="left")
    held = rows.drop_duplicates(["run_id", "step"]).merge(
        _held(steps), on=["run_id", "step"], how="left"
    )
    table = table.merge(
        held.groupby(keys, sort=False)["held"].mean().reset_index(), on=keys
    )
    table = table.rename(columns={"held": "rows"})
    count = table["rows"].where(table["rows"] > 0, np.nan)
    table["per row"] = table["database"] * _MB / count
    table["amplification"] = table["per row"] / ROW_BYTES
    return _SIZES.of(table, keys).dropna(subset=["database", "folder"], how="all")


def cached_check(frame: pd.DataFrame, by: Sequence[str] = ("engine",)) -> pd.DataFrame:
    """Whether the query and scan steps were served from memory: reads near 0.

    One row per step and ``by``: device (reads, r_o) and device read (rkb_o), which hold
    those of other processes too, server read (server_rkb_o), n, verdict: `cached` below
    a page of 8 KB in a hundred operations that the server read, or where nobody knows
    what it read below one read of the device in a hundred; `reads the device` above,
    `not known` without the metrics.
    """
    rows = main_op(frame)
    rows = rows[rows["op"].isin(["query", "scan"])]
    keys = ["step", *by]
    table = _cells(rows, by).merge(_runs(rows, keys), on=keys, how="left")
    names = {"device": "r_o", "device read": "rkb_o", "server read": "server_rkb_o"}
    for name, metric in names.items():
        table = table.merge(_means(rows, metric, keys, name), on=keys, how="left")
    share = (table["server read"] / CACHED_KB).fillna(table["device"] / CACHED)
    words = np.where(share < 1, "cached", "reads the device")
    table["verdict"] = np.where(share.isna(), "not known", words)
    return _CACHED.of(table, keys)


def has_metric(frame: pd.DataFrame, metric: str) -> bool:
    """Whether any row of the frame has the metric."""
    return bool((frame["metric"] == metric).any())


def _cells(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """The keys of a table, step by step in the order of the run."""
    cells = rows.drop_duplicates(["step", *by])[["step", *by]]
    return ordered(cells, {"step": cells["step"]}).reset_index(drop=True)


def _runs(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    return rows.groupby(keys, sort=False)["run_id"].nunique().rename("n").reset_index()


def _means(
    rows: pd.DataFrame, metric: str, keys: list[str], name: str, scale: float = 1.0
) -> pd.DataFrame:
    """The mean of a metric over the runs of each key, as a column of that name."""
    mine = rows[rows["metric"] == metric]
    if mine.empty:
        return pd.DataFrame(columns=[*keys, name]).astype({name: float})
    means = mine.groupby(keys, sort=False)["value"].mean() * scale
    return means.rename(name).reset_index()


def _held(steps: pd.DataFrame) -> pd.DataFrame:
    """Rows in the tables after each step of a run: inserted minus deleted so far."""
    sign = steps["op"].map({"insert": 1, "delete": -1}).fillna(0)
    moved = steps.assign(moved=sign * steps["rows"].fillna(0))
    by_step = moved.groupby(["run_id", "step"], sort=False).agg(
        moved=("moved", "sum"), seq=("seq", "first")
    )
    by_step = by_step.reset_index().sort_values(["run_id", "seq"], kind="stable")
    return by_step.assign(held=by_step.groupby("run_id")["moved"].cumsum())[
        ["run_id", "step", "held"]
    ]
