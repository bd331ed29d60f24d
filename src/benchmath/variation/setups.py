"""Which setup (server and clients) gives the steadiest results, from a few runs of each.

A setup's figure is the largest CoV over its steps. ``compatible`` is the published
form, a stddev that divides by n; ``corrected`` divides by n - 1 and by c4(n) (see
``cov``), which makes it right on average. For three runs the second is 1.38 times the
first, whatever the setup.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from benchmath.frames import Kind, ordered, require
from benchmath.intervals import LEVEL, Logs, chi2_share, mean_interval
from benchmath.variation.cov import pooled_cov, worst_cov
from benchmath.variation.planning import runs_table

SETUP = ("machine", "dop")
ALL_STEPS = "all steps"
_BUILDS = Kind("builds_of_setups", {"servers": "count", "runs": "count"})


def without_steps(frame: pd.DataFrame, left_out: Iterable[str]) -> pd.DataFrame:
    """The rates of the steps that count: rows of each step's main op, in their order."""
    require(frame, ("step", "main"))
    return frame[frame["main"] & ~frame["step"].isin(list(left_out))]


def setup_cov(
    cov: pd.DataFrame, by: Sequence[str] = ("workload", *SETUP)
) -> pd.DataFrame:
    """The CoVs of each setup over its steps: the largest and the mean, in both forms.

    ``cov`` is the frame of ``coefficient_of_variation`` with the steps that count.
    Columns: ``by``, worst_step, n_steps, largest and average (compatible),
    largest_corrected and average_corrected. A step without a CoV raises ValueError.
    """
    worst = worst_cov(cov, by).rename(columns={"cov_published": "largest"})
    means = cov.groupby(list(by), dropna=False, sort=False).agg(
        average=("cov_published", "mean"),
        largest_corrected=("cov_unbiased", "max"),
        average_corrected=("cov_unbiased", "mean"),
    )
    joined = worst.merge(means.reset_index(), on=list(by))
    values = ["largest", "average", "largest_corrected", "average_corrected"]
    return joined[[*by, "worst_step", "n_steps", *values]]


def kept_limits(setups: pd.DataFrame, limit: float) -> pd.DataFrame:
    """The frame of ``setup_cov`` with within and within_corrected: at most ``limit``."""
    return setups.assign(
        within=setups["largest"] <= limit,
        within_corrected=setups["largest_corrected"] <= limit,
    )


def repeated(cov: pd.DataFrame) -> pd.DataFrame:
    """The cells that have a CoV: a study that is half done has single runs too."""
    return cov[cov["cov_published"].notna()]


def named_setups(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with setup, the name of its workload and clients: `byrx dop 2`."""
    return frame.assign(setup=frame["workload"] + " dop " + frame["dop"].astype(str))


def runs_of_setups(frame: pd.DataFrame) -> pd.DataFrame:
    """``runs_table`` of each workload, dop and step, by its own runs."""
    return runs_table(pooled_cov(frame, by=("workload", "dop", "step")))


def agreement_with_published(
    setups: pd.DataFrame, published: pd.DataFrame, digits: int = 3
) -> pd.DataFrame:
    """Each published largest CoV beside the recomputed one.

    ``published`` is a metric frame with rows ``max_cov``; both have workload, machine
    and dop. Columns: these, published, recomputed (texts of ``digits`` decimals), same.
    A published cell without runs is not the same as anything.
    """
    keys = ["workload", *SETUP]
    rows = published[published["metric"] == "max_cov"][[*keys, "value"]]
    joined = rows.merge(setups[[*keys, "largest"]], on=keys, how="left")
    texts = {
        "published": [f"{v:.{digits}f}" for v in joined["value"]],
        "recomputed": [
            "" if pd.isna(v) else f"{v:.{digits}f}" for v in joined["largest"]
        ],
    }
    table = joined[keys].assign(**texts)
    return table.assign(same=table["published"] == table["recomputed"])


def choose_setups(
    setups: pd.DataFrame, published: pd.DataFrame, limit: float
) -> pd.DataFrame:
    """Every setup with its largest CoV per workload and whether all keep the limit.

    Columns: machine, dop, one per workload (compatible), corrected (the largest of all
    workloads), within and within_corrected (at most ``limit`` in every workload), listed
    (``published`` has a row ``max_cov_at_most`` for it). A setup that lacks a workload
    raises ValueError.
    """
    keys = list(SETUP)
    wide = setups.pivot(index=keys, columns="workload", values="largest")
    if wide.isna().to_numpy().any():
        machine, dop = wide.index[wide.isna().any(axis=1)][0]
        raise ValueError(f"setup {machine} dop {dop} has no runs of one workload")
    corrected = setups.groupby(keys)["largest_corrected"].max()
    named = published[published["metric"] == "max_cov_at_most"]
    listed = set(map(tuple, named[keys].astype(str).to_numpy()))
    order = setups[keys].drop_duplicates()
    table = order.merge(wide.reset_index(), on=keys)
    table["corrected"] = corrected.reindex(pd.MultiIndex.from_frame(order)).to_numpy()
    return table.assign(
        within=(table[list(wide.columns)] <= limit).all(axis=1),
        within_corrected=table["corrected"] <= limit,
        listed=[(str(m), str(d)) in listed for m, d in table[keys].to_numpy()],
    )


def paired_cov(
    cov: pd.DataFrame, base: str, other: str, level: float = LEVEL
) -> pd.DataFrame:
    """How much noisier setups are with ``other`` than with ``base`` in their name.

    Two setups are a pair where their machines' names differ in that part alone
    (``m5d.2xl.ht0.io2`` and ``m5d.2xl.ht1.io2``) and workload, dop and step are the
    same. One row per workload and step, and one per workload for all steps (the mean of
    a pair's steps counts once): me (workload), base, relative (geometric mean of the
    ratios of CoV), its interval by Student's t on the logs, n and n_base (pairs), lower
    (pairs in which ``other`` has the lower CoV), note.

    The ratio of two equal CoVs of three runs lies anywhere from 0.16 to 6.2 (95%), but
    is symmetric on a log scale, so the mean over pairs is right. In 20,000 simulations
    of 14 equal pairs (seed 1) the interval holds 1 in 95.3%, and reaches a factor of
    1.7 to either side for a single step. A CoV of 0 raises ValueError.
    """
    logs = _log_ratios(cov, base, other)
    means = logs.groupby(["workload", *SETUP], sort=False)["log"].mean().reset_index()
    both = pd.concat([logs, means.assign(step=ALL_STEPS)])
    both = ordered(both, {"workload": logs["workload"]})
    records = [
        {"step": step, "me": workload, "base": base}
        | _mean_ratio(group["log"].to_numpy(dtype=float), level)
        for (workload, step), group in both.groupby(["workload", "step"], sort=False)
    ]
    names = ["step", "me", "base", "relative", "low", "high", "n", "n_base", "lower"]
    return pd.DataFrame.from_records(records, columns=names).assign(note="")


def pooled_setups(
    frame: pd.DataFrame,
    limit: float,
    by: Sequence[str] = ("workload", "machine"),
    level: float = LEVEL,
) -> pd.DataFrame:
    """The CoVs of all steps and dops of a server as one, with interval and verdict.

    ``frame`` is a metric frame with the steps that count. Columns: ``by``, cells, n
    (runs), cov, low, high (see ``pooled_cov``), limit, verdict.
    """
    pooled = pooled_cov(frame, by=by, level=level).rename(
        columns={"pooled": "cov", "pooled_low": "low", "pooled_high": "high"}
    )
    verdicts = [
        f"under {limit:.0%}" if row["high"] < limit
        else f"over {limit:.0%}" if row["low"] > limit
        else "cannot tell"
        for row in pooled.to_dict("records")
    ]  # fmt: skip
    table = pooled[[*by, "cells", "n", "cov", "low", "high"]]
    return table.assign(limit=limit, verdict=verdicts)


def chance_to_pass(
    limit: float, cells: int, covs: Iterable[float], runs: Iterable[int] = (3, 5, 10)
) -> pd.DataFrame:
    """How likely a setup passes the rule "no CoV above ``limit``" by its true CoV.

    Columns: true_cov, then one per number of runs: the chance that all ``cells`` (steps
    times workloads, equally noisy, normal) have a compatible CoV of at most ``limit``.
    n times the squared compatible CoV over the squared true one is chi-square with
    n - 1 degrees of freedom.
    """
    true = np.asarray(list(covs), dtype=float)
    chances = {
        f"{n} runs": chi2_share(n * (limit / true) ** 2, n - 1) ** cells for n in runs
    }
    return pd.DataFrame({"true_cov": true} | chances)


def chance_of_setups(
    setups: pd.DataFrame, limit: float, covs: Iterable[float]
) -> pd.DataFrame:
    """``chance_to_pass`` of setups with as many steps as those of ``setup_cov`` have."""
    return chance_to_pass(limit, int(setups["n_steps"].max()), covs)


def builds_of_setups(frame: pd.DataFrame) -> pd.DataFrame:
    """Which build ran on which servers: engine, version, build, servers, machines, runs.

    A run is one (machine, workload, dop, trial).
    """
    run = ["machine", "workload", "dop", "trial"]
    require(frame, ["engine", "version", "build", *run])
    records = []
    for names, group in frame.groupby(["engine", "version", "build"], sort=False):
        machines = list(dict.fromkeys(group["machine"]))
        text = ", ".join(machines) if len(machines) <= 3 else "all others"
        records.append([*names, text, len(machines), len(group[run].drop_duplicates())])
    columns = ["engine", "version", "build", "machines", *_BUILDS.columns]
    return _BUILDS.shown(pd.DataFrame(records, columns=columns))


def _log_ratios(cov: pd.DataFrame, base: str, other: str) -> pd.DataFrame:
    """One row per pair and step: the pair's name, and the log of its ratio of CoVs."""
    require(cov, ["workload", *SETUP, "step", "cov"])
    if (cov["cov"] == 0).any():
        raise ValueError("a CoV of 0 has no ratio to another")
    keys = ["workload", *SETUP, "step"]
    sides = [_named(cov, part)[[*keys, "cov"]] for part in (base, other)]
    joined = sides[0].merge(sides[1], on=keys, suffixes=("_base", ""), validate="1:1")
    return joined[keys].assign(log=np.log(joined["cov"] / joined["cov_base"]))


def _named(cov: pd.DataFrame, part: str) -> pd.DataFrame:
    """The rows whose machine's name has the part, with a star in its place."""
    parts = cov["machine"].str.split(".")
    has = parts.map(lambda names: part in names)
    stars = parts[has].map(lambda names: ".".join("*" if n == part else n for n in names))
    return cov[has].assign(machine=stars)


def _mean_ratio(logs: np.ndarray, level: float) -> dict[str, float]:
    n = logs.size
    var = logs.var(ddof=1) if n > 1 else np.nan
    mean = mean_interval(Logs(np.array(n), np.array(logs.mean()), np.array(var)), level)
    bounds = zip(("relative", "low", "high"), map(float, mean), strict=True)
    return dict(bounds) | {"n": n, "n_base": n, "lower": int((logs < 0).sum())}
