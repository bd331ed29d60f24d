"""What samples of a run's machine make doubtful, and in which step a sample lies.

``samples`` are rows of the store's tables os_sample, counter_sample and sampler.
"""

from collections.abc import Iterable

import pandas as pd

from benchmath.frames import require
from benchmath.hazard import Hazard, of_steps

SAMPLER_PCT = 0.2  # of one core
CLOCK_SHARE = 0.05  # by which the frequency may differ between runs of a step
COUNTED_SHARE = 0.9  # of the time an event was wanted
PRESSURE_PCT = 1.0  # of a step's time in which somebody waited for memory
LEAST_SAMPLES = 3  # whole ones in a step
_CPU = ("user_ns", "nice_ns", "system_ns", "idle_ns", "iowait_ns", "irq_ns",
        "softirq_ns", "steal_ns")  # fmt: skip


def in_steps(samples: pd.DataFrame, steps: pd.DataFrame) -> pd.DataFrame:
    """Samples that lie wholly inside a step of their run, with the step's name.

    ``samples`` has run_id, t_ns and interval_ns and covers (t_ns - interval_ns, t_ns];
    ``steps`` is the frame of ``collect``, whose main ops say when a step was. Where the
    samples name their step already ('' for none), these names hold.
    """
    require(samples, ("run_id", "t_ns", "interval_ns"))
    if "step" in samples.columns:
        return samples[samples["step"].fillna("") != ""].reset_index(drop=True)
    require(steps, ("run_id", "step", "main", "start_ns", "elapsed_ns"))
    main = steps[steps["main"].fillna(False).astype(bool)]
    spans = main[["run_id", "step", "start_ns", "elapsed_ns"]].drop_duplicates()
    spans = spans.dropna(subset=["start_ns", "elapsed_ns"])
    spans = spans.assign(end_ns=spans["start_ns"] + spans["elapsed_ns"])
    spans = spans.astype({"start_ns": "int64", "end_ns": "int64"})
    samples = samples.astype({"t_ns": "int64"}).sort_values("t_ns", kind="stable")
    samples = pd.merge_asof(
        samples,
        spans.drop(columns="elapsed_ns").sort_values("start_ns", kind="stable"),
        left_on="t_ns",
        right_on="start_ns",
        by="run_id",
    )
    begin = samples["t_ns"] - samples["interval_ns"]
    inside = (begin >= samples["start_ns"]) & (samples["t_ns"] <= samples["end_ns"])
    return samples[inside].drop(columns=["start_ns", "end_ns"]).reset_index(drop=True)


def sampler_trouble(sampler: pd.DataFrame) -> list[Hazard]:
    """Runs whose sampler missed ticks or cost more than .2% of a core.

    Needs samples, missed, cpu_ns and wall_ns, one row per run.
    """
    require(sampler, ("samples", "missed", "cpu_ns", "wall_ns"))
    hazards = []
    late = sampler[sampler["missed"] > 0]
    if len(late):
        due = late["missed"] + late["samples"]
        worst = 100 * float((late["missed"] / due).max())
        text = f"the sampler missed ticks in {len(late)} of {len(sampler)} runs, at "
        hazards.append(Hazard("sampler", f"{text}worst {worst:.2g}% of them"))
    cost = 100 * sampler["cpu_ns"] / sampler["wall_ns"].where(sampler["wall_ns"] > 0)
    if (cost > SAMPLER_PCT).any():
        dear, most = int((cost > SAMPLER_PCT).sum()), cost.max()
        text = f"the sampler took more than {SAMPLER_PCT:g}% of a core in {dear} of "
        hazards.append(
            Hazard("sampler", f"{text}{len(sampler)} runs, at most {most:.2g}%")
        )
    return hazards


def swapped(samples: pd.DataFrame) -> list[Hazard]:
    """Steps in which pages were swapped in or out: step, swapped_in, swapped_out."""
    require(samples, ("run_id", "step", "swapped_in", "swapped_out"))
    pages = samples.assign(pages=samples["swapped_in"] + samples["swapped_out"])
    of_run = pages.groupby(["step", "run_id"], sort=False)["pages"].sum()
    most = of_run.groupby("step", sort=False).max()
    words = "{step} swapped {most:,.0f} pages in a run{also}"
    return of_steps("swap", most[most > 0], words, "{:,.0f}")


def memory_pressure(samples: pd.DataFrame, limit: float = PRESSURE_PCT) -> list[Hazard]:
    """Steps in which something waited for memory more than ``limit`` percent of a run.

    Needs psi_memory_some_us and interval_ns; kernels without PSI tell nothing.
    """
    require(samples, ("run_id", "step", "interval_ns"))
    if "psi_memory_some_us" not in samples.columns:
        return []
    samples = samples[samples["psi_memory_some_us"].notna()]
    sums = samples.groupby(["step", "run_id"], sort=False)[
        ["psi_memory_some_us", "interval_ns"]
    ].sum()
    share = 100 * sums["psi_memory_some_us"] * 1e3 / sums["interval_ns"]
    most = share.groupby("step", sort=False).max()
    words = "something waited for memory {most:.2g}% of a run of {step}{also}"
    return of_steps("memory pressure", most[most > limit], words)


def clock_moved(samples: pd.DataFrame, limit: float = CLOCK_SHARE) -> list[Hazard]:
    """Steps whose runs had CPU clocks that differ by more than 5% of the slower one."""
    require(samples, ("run_id", "step"))
    if "mhz" not in samples.columns:
        return []
    mhz = samples.groupby(["step", "run_id"], sort=False)["mhz"].mean().dropna()
    ends = mhz.groupby("step", sort=False).agg(["min", "max"])
    return [
        Hazard(
            "frequency",
            f"the CPU clock was {row.min:,.0f} MHz in one run of {row.Index} and "
            f"{row.max:,.0f} in another",
            {"step": str(row.Index)},
        )
        for row in ends.itertuples()
        if row.min > 0 and row.max / row.min > 1 + limit
    ]


def multiplexed(counters: pd.DataFrame, limit: float = COUNTED_SHARE) -> list[Hazard]:
    """Steps with events that were counted less than 90% of the time they were wanted.

    Needs step, event, enabled_ns and running_ns.
    """
    require(counters, ("run_id", "step", "event", "enabled_ns", "running_ns"))
    keys = ["step", "event", "run_id"]
    sums = counters.groupby(keys, sort=False)[["enabled_ns", "running_ns"]].sum()
    share = sums["running_ns"] / sums["enabled_ns"].where(sums["enabled_ns"] > 0)
    least = share.groupby(["step", "event"], sort=False).min().reset_index(name="share")
    few = least[least["share"] < limit]
    return [
        Hazard(
            "multiplexed",
            f"counted for part of {step} only and scaled up: "
            + ", ".join(f"{r.event} {100 * r.share:.0f}%" for r in rows.itertuples()),
            {"step": str(step)},
        )
        for step, rows in few.groupby("step", sort=False)
    ]


def short_windows(
    samples: pd.DataFrame, steps: pd.DataFrame, runs: Iterable[str]
) -> list[Hazard]:
    """Steps with fewer than three whole samples in a run: their costs rest on little.

    ``samples`` are those of ``in_steps``; ``runs`` the runs that had a sampler.
    """
    require(steps, ("run_id", "step", "main", "ops"))
    main = steps[steps["main"].fillna(False).astype(bool) & (steps["ops"] != 0)]
    main = main[main["run_id"].isin(list(runs))]
    counts = samples.groupby(["run_id", "step"]).size().rename("samples")
    windows = main[["run_id", "step"]].drop_duplicates()
    windows = windows.join(counts, on=["run_id", "step"]).fillna({"samples": 0})
    least = windows.groupby("step", sort=False)["samples"].min()
    few = least[least < LEAST_SAMPLES].astype(int)
    words = (
        "{most} whole samples in a run of {step}: what it tells of the machine is coarse"
    )
    if few.min() == 0:
        words = "no whole sample in a run of {step}"
    return of_steps("short window", few, words + "{also}", "{} samples", least=True)


def cpu_shares(samples: pd.DataFrame) -> pd.DataFrame:
    """busy_ns, irq_ns (soft ones too), steal_ns and all_ns of each sample, summed kinds.

    busy is what vmstat calls us + sy: user, nice, system, irq and softirq.
    """
    require(samples, _CPU)
    irq = samples["irq_ns"] + samples["softirq_ns"]
    busy = samples["user_ns"] + samples["nice_ns"] + samples["system_ns"] + irq
    return pd.DataFrame(
        {
            "busy_ns": busy,
            "irq_ns": irq,
            "steal_ns": samples["steal_ns"],
            "all_ns": samples[list(_CPU)].sum(axis=1),
        }
    )
