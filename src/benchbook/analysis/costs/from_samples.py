"""CPU, context switches and IO per operation, from samples of iostat and vmstat.

The published metrics of sysbench (sb.met.*: r/o rKB/o wKB/o o/s cs/o cpu/o) in two modes,
with q operations per second:

============  ======================================================================
r/o           mean of r/s / q
rKB/o wKB/o   mean of rkB/s (wkB/s) / q, in units of 1024 bytes; rMB/s = rkB/s / 1024
cs/o          mean of cs / q
cpu/s cpu/o   mean of us + sy, percent of all CPUs of the machine; the same / q
us per op     cpu/o x CPUs x 10^4, in microseconds of CPU
============  ======================================================================

``compatible`` gives the digits that the archives publish (their script an.sh):

- vmstat: all samples, the one since boot among them, and each *repeated* ``procs`` line
  counts as a sample of zeros, so that cs and cpu are some 4.5% too low;
- iostat: the mean over all lines that contain the device's name, nvme0n1p1 and nvme0n1
  alike; since iostat is run with -y all of them, before that all but the first.

``correct`` is what we believe: without headers, without the sample since boot, and of the
device of exactly that name. Both modes print as the archives do (``printed``), o/s as it
was given. Ratios of two versions hardly differ between the modes; absolute costs do.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from benchbook.analysis.frames import require
from benchbook.errors import UserError
from benchbook.prose import joined

COMPATIBLE, CORRECT = "compatible", "correct"

# metric -> unit, which is better, how the archives (for w_o and cpu_us_o: we) print it
FIGURES: Mapping[str, tuple[str, str, str]] = {
    "samp_io": ("count", "none", "%d"),
    "r_s": ("reads/s", "none", "%.1f"),
    "rmb_s": ("MB/s", "none", "%.1f"),
    "w_s": ("writes/s", "none", "%.1f"),
    "wmb_s": ("MB/s", "none", "%.1f"),
    "r_o": ("reads", "lower", "%.3f"),
    "rkb_o": ("KB", "lower", "%.3f"),
    "w_o": ("writes", "lower", "%.3f"),
    "wkb_o": ("KB", "lower", "%.3f"),
    "o_s": ("1/s", "higher", "%.15g"),
    "samp_vm": ("count", "none", "%d"),
    "cs_s": ("1/s", "none", "%.0f"),
    "cpu_s": ("%", "none", "%.1f"),
    "cs_o": ("switches", "lower", "%.3f"),
    "cpu_o": ("% s", "lower", "%.6f"),
    "cpu_us_o": ("us", "lower", "%.1f"),
}

_SHARES = (("pct_user", "pct_nice"), ("pct_system",), ("pct_idle",), ("pct_iowait",))
_ROUNDING = 1.5  # percent that vmstat's integers may be off the same share


def per_operation(
    iostat: pd.DataFrame,
    vmstat: pd.DataFrame,
    rate: float | str,
    device: str,
    mode: str = CORRECT,
    ncpu: int = 0,
    boot_report: bool = False,
) -> pd.DataFrame:
    """Costs per operation of one run: metric, value, printed, unit, direction.

    ``iostat`` and ``vmstat`` are the series of those names, of one run each. ``rate`` is
    operations per second (a text keeps its digits in o_s; of a scan the archives take
    thousands of rows). ``ncpu`` CPUs give cpu_us_o: those that are switched on, which is
    not always what iostat's first line says. ``boot_report``: iostat ran without -y, its
    first report is since boot (see ``since_boot``).

    Raises UserError for a device that is not there, ValueError for a rate that is not
    above 0, frames of several runs, or without a sample.
    """
    operations = float(rate)
    if mode not in (COMPATIBLE, CORRECT):
        raise ValueError(f"no mode {mode!r}; available: {COMPATIBLE}, {CORRECT}")
    if not operations > 0 or not np.isfinite(operations):
        raise ValueError(f"{rate} operations per second: nothing to divide by")
    figures = _io(iostat, device, mode, boot_report) | _vm(vmstat, mode)
    for kind in ("r", "w"):
        figures[f"{kind}_o"] = figures[f"{kind}_s"] / operations
        figures[f"{kind}kb_o"] = figures.pop(f"{kind}kb_s") / operations
    figures |= {f"{kind}_o": figures[f"{kind}_s"] / operations for kind in ("cs", "cpu")}
    figures["o_s"] = operations
    if ncpu:
        figures["cpu_us_o"] = figures["cpu_o"] * ncpu * 1e4
    records = [
        {"metric": metric, "value": figures[metric], "printed": how % figures[metric],
         "unit": unit, "direction": direction}
        for metric, (unit, direction, how) in FIGURES.items() if metric in figures
    ]  # fmt: skip
    frame = pd.DataFrame.from_records(records)
    frame.loc[frame["metric"] == "o_s", "printed"] = _text(rate)
    return frame


def both_modes(
    iostat: pd.DataFrame,
    vmstat: pd.DataFrame,
    rate: float | str,
    device: str,
    ncpu: int = 0,
    boot_report: bool = False,
) -> pd.DataFrame:
    """``per_operation`` in both modes, side by side.

    Columns: metric, unit, direction, compatible and correct (values), compatible_printed
    and correct_printed, and ratio = correct / compatible (NaN where both are 0).
    """
    said = (iostat, vmstat, rate, device)
    one = per_operation(*said, COMPATIBLE, ncpu, boot_report)
    other = per_operation(*said, CORRECT, ncpu, boot_report)
    frame = one[["metric", "unit", "direction"]].copy()
    for mode, figures in ((COMPATIBLE, one), (CORRECT, other)):
        frame[mode] = figures["value"]
        frame[f"{mode}_printed"] = figures["printed"]
    with np.errstate(divide="ignore", invalid="ignore"):
        frame["ratio"] = frame[CORRECT].to_numpy() / frame[COMPATIBLE].to_numpy()
    return frame


def since_boot(cpus: pd.DataFrame, vmstat: pd.DataFrame) -> bool | None:
    """Whether iostat's first report is since boot; None where its CPUs do not tell.

    vmstat's first sample is, and both tools are started at the same moment: iostat's
    first shares of CPU (series iostat_cpu) are then those of vmstat, but for rounding.
    """
    require(cpus, ("report", *(column for columns in _SHARES for column in columns)))
    require(vmstat, ("sample", "us", "sy", "id", "wa"))
    reports = cpus[cpus["report"] == 1]
    samples = [vmstat[vmstat["sample"] == number] for number in (1, 2)]
    if len(reports) != 1 or any(len(sample) != 1 for sample in samples):
        return None
    shares = np.array([reports[list(columns)].to_numpy().sum() for columns in _SHARES])
    far = [
        np.abs(sample[["us", "sy", "id", "wa"]].to_numpy()[0] - shares).max() > _ROUNDING
        for sample in samples
    ]
    return None if not far[0] and not far[1] else not far[0]


def _io(
    iostat: pd.DataFrame, device: str, mode: str, boot_report: bool
) -> dict[str, float]:
    """Means of iostat: samp_io, r_s, w_s, rmb_s, wmb_s, and KB in rkb_s and wkb_s."""
    require(iostat, ("line", "report", "device", "r_s", "w_s"))
    rows = _one_run(iostat, "iostat")
    names = rows["device"].astype(str)
    if mode == CORRECT:
        rows = rows[(names == device).to_numpy()]
        rows = rows[rows["report"] > 1] if boot_report else rows
    else:
        rows = rows[names.str.contains(device, regex=False).to_numpy()]
        rows = rows.iloc[1:] if boot_report else rows
    if rows.empty:
        devices = joined(names) or "none"
        raise UserError(
            f"iostat has no report of a device {device!r}; available: {devices}"
        )
    means = {"samp_io": float(len(rows))}
    for kind in ("r", "w"):
        kilobytes = _mean(_kilobytes(rows, kind))
        means[f"{kind}_s"] = _mean(rows[f"{kind}_s"].to_numpy(dtype=float))
        means[f"{kind}kb_s"], means[f"{kind}mb_s"] = kilobytes, kilobytes / 1024
    return means


def _kilobytes(rows: pd.DataFrame, kind: str) -> np.ndarray:
    """KB per second, also of reports in MB."""
    kilobytes = np.full(len(rows), np.nan)
    for column, factor in ((f"{kind}mb_s", 1024.0), (f"{kind}kb_s", 1.0)):
        if column in rows.columns:
            values = rows[column].to_numpy(dtype=float) * factor
            kilobytes = np.where(np.isnan(values), kilobytes, values)
    if np.isnan(kilobytes).any():
        raise ValueError(f"the frame has no column {kind}kb_s or {kind}mb_s")
    return kilobytes


def _vm(vmstat: pd.DataFrame, mode: str) -> dict[str, float]:
    """Means of vmstat: samp_vm, cs_s, cpu_s."""
    require(vmstat, ("line", "header", "sample", "cs", "us", "sy"))
    rows = _one_run(vmstat, "vmstat")
    zeros = 0
    if mode == CORRECT:
        rows = rows[rows["sample"] > 1]
    elif len(rows):
        zeros = int(rows["header"].max()) - 1
    if rows.empty:
        raise ValueError("vmstat has no sample but the one since boot")
    count = len(rows) + zeros
    switches = rows["cs"].to_numpy(dtype=float)
    busy = (rows["us"] + rows["sy"]).to_numpy(dtype=float)
    return {
        "samp_vm": float(count),
        "cs_s": float(np.cumsum(switches)[-1] / count),
        "cpu_s": float(np.cumsum(busy)[-1] / count),
    }


def _one_run(frame: pd.DataFrame, what: str) -> pd.DataFrame:
    """The rows in order of the file, which must be one."""
    if "path" in frame.columns and frame["path"].nunique() > 1:
        raise ValueError(f"{what} mixes the samples of several files")
    return frame.sort_values("line", kind="stable")


def _mean(values: np.ndarray) -> float:
    """The mean of a sum from first to last, as awk forms it: the same last digit."""
    return float(np.cumsum(values)[-1] / len(values))


def _text(rate: float | str) -> str:
    return rate if isinstance(rate, str) else FIGURES["o_s"][2] % rate
