"""What the tree did in each second of a step, beside the rate of that second."""

import math

import numpy as np
import pandas as pd

from benchmath.frames import require
from benchmath.intervals import logs, mean_interval

ACTIVITY_COLUMNS = ("case", "run_id", "step", "op", "second", "interval_ns", "rate",
                    "l0_files", "compacting")  # fmt: skip
BESIDE_COLUMNS = ("case", "step", "n", "correlation", "correlation_low",
                  "correlation_high", "ratio", "ratio_low", "ratio_high")  # fmt: skip
_BUSY = 0.5  # of a second in which files of L0 were compacted
_LEAST = 5  # seconds of each kind


def activity(rates: pd.DataFrame, jobs: pd.DataFrame) -> pd.DataFrame:
    """The seconds of ``rates`` with the files of L0 in them and what was compacted.

    l0_files: on average over the second, as is compacting, how many compactions that read
    L0 ran. Runs without a LOG are left out.
    """
    require(rates, ("case", "run_id", "step", "op", "second", "interval_ns", "rate"))
    parts = []
    told = {} if jobs.empty else dict(list(jobs.groupby(["run_id", "step"], sort=False)))
    for key, part in rates.groupby(["run_id", "step"], sort=False):
        if key in told:
            ends = part["second"].to_numpy(dtype=float)
            begins = ends - part["interval_ns"].to_numpy(dtype=float) / 1e9
            parts.append(part.assign(
                l0_files=_l0_files(told[key], begins, ends),
                compacting=_compacting(told[key], begins, ends),
            ))  # fmt: skip
    if not parts:
        return pd.DataFrame(columns=[*ACTIVITY_COLUMNS])
    return pd.concat(parts, ignore_index=True)[[*ACTIVITY_COLUMNS]]


def beside_rate(seconds: pd.DataFrame) -> pd.DataFrame:
    """How the rate goes with the files of L0 and their compactions, per case and step.

    ``seconds`` is the frame of ``activity``. correlation: of the ranks of rate and files,
    mean of the runs with Student's interval on Fisher's z; ratio: the mean rate of
    seconds with compactions of L0 over that of the others, geometric mean with Student's
    interval on logarithms.
    """
    rows = []
    for key, part in seconds.groupby(["case", "step"], sort=False):
        runs = [run for _, run in part.groupby("run_id", sort=False)]
        z = np.array([_fisher(run) for run in runs])
        ratio = np.array([_ratio(run) for run in runs])
        row = dict(zip(("case", "step"), key, strict=True)) | {"n": len(runs)}
        of_z = (
            mean_interval(logs(np.exp(z[~np.isnan(z)]))) if (~np.isnan(z)).any() else None
        )
        row |= _ends("correlation", None if of_z is None else np.tanh(np.log(of_z)))
        known = ratio[~np.isnan(ratio)]
        row |= _ends("ratio", mean_interval(logs(known)) if known.size else None)
        rows.append(row)
    return pd.DataFrame(rows, columns=[*BESIDE_COLUMNS])


def _ends(
    name: str, values: np.ndarray | tuple[np.ndarray, ...] | None
) -> dict[str, float]:
    columns = (name, f"{name}_low", f"{name}_high")
    if values is None:
        return dict.fromkeys(columns, math.nan)
    return dict(zip(columns, map(float, values), strict=True))


def _fisher(run: pd.DataFrame) -> float:
    """Fisher's z of the rank correlation of rate and files of L0."""
    ranks = run[["rate", "l0_files"]].rank()
    if len(run) < 2 * _LEAST or (ranks.nunique() < 2).any():
        return math.nan
    r = float(np.corrcoef(ranks["rate"], ranks["l0_files"])[0, 1])
    return math.atanh(max(-0.999, min(0.999, r)))


def _ratio(run: pd.DataFrame) -> float:
    busy = run["compacting"] >= _BUSY
    if min(int(busy.sum()), int((~busy).sum())) < _LEAST:
        return math.nan
    idle = float(run.loc[~busy, "rate"].mean())
    mean = float(run.loc[busy, "rate"].mean())
    return mean / idle if min(idle, mean) > 0 else math.nan


def _l0_files(jobs: pd.DataFrame, begins: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The mean number of files of L0 between two moments; missing before it is told."""
    told = jobs[jobs["end_ns"].notna() & (jobs["lsm_state"].map(len) > 0)]
    if told.empty:
        return np.full(ends.size, math.nan)
    times = (told["second"] + told["seconds"]).to_numpy(dtype=float)
    order = np.argsort(times, kind="stable")
    files = np.array([float(state[0]) for state in told["lsm_state"]])[order]
    edges = np.append(times[order], max(float(ends.max()), times.max()) + 1)
    area = np.concatenate([[0.0], np.cumsum(files * np.diff(edges))])
    between = np.interp(ends, edges, area) - np.interp(begins, edges, area)
    return np.where(begins >= edges[0], between / (ends - begins), math.nan)


def _compacting(jobs: pd.DataFrame, begins: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The mean number of compactions of L0 that ran between two moments."""
    of_l0 = jobs[[0 in list(levels) for levels in jobs["input_levels"]]]
    start = of_l0["second"].to_numpy(dtype=float)[:, np.newaxis]
    stop = (
        start + of_l0["seconds"].astype(float).fillna(math.inf).to_numpy()[:, np.newaxis]
    )
    overlap = np.minimum(stop, ends) - np.maximum(start, begins)
    return np.clip(overlap, 0, None).sum(axis=0) / np.maximum(ends - begins, 1e-9)
