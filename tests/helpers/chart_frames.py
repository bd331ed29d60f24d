"""Every chart function that makes an Altair chart, called with a small frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import server_frames
import vector_frames
from history_frames import CASES as HISTORIES
from version_frames import frame, versions

from benchbook import charts
from benchbook.charts.scaling import scaling_curves
from benchbook.templates.background_jobs.chart import rates_by_panel, tail_curves
from benchbook.templates.cloud_variance.chart import cov_by_step
from benchbook.templates.history.chart import sparklines
from benchbook.templates.insert_cost.chart import cost_bars
from benchbook.templates.inserts.chart import latency_heat_map
from benchbook.templates.published.chart import published_dots, server_dots
from benchbook.templates.servers.analysis import rates_of_instances
from benchbook.templates.servers.chart import instance_dots
from benchbook.templates.variance.chart import smallest_effects
from benchbook.templates.vectors.chart import frontier_chart
from benchmath.changes.boundaries import boundaries, version_changes
from benchmath.ratios.relative import relative, summary
from benchmath.scaling import efficiency, scaling

TWO = frame(
    versions([100] * 4 + [50] * 4),
    versions([100] * 8, step="points-notcovered-si.pre_range=100"),
)
HALVED = version_changes(TWO)
TWO_ENGINES = vector_frames.CASES["two"]
RATIOS = pd.DataFrame(
    {
        "step": ["l.i0", "l.i1", "l.i0", "l.i1"],
        "engine": ["a", "a", "b", "b"],
        "me": ["2", "2", "3", "3"],
        "base": "1",
        "relative": [1.1, 0.9, 1.2, np.nan],
        "low": [1.0, 0.8, np.nan, np.nan],
        "high": [1.2, 1.0, np.nan, np.nan],
        "detected": pd.array([False, True, None, None], dtype="boolean"),
        "n": 3,
        "n_base": 3,
        "note": "",
    }
)
JUDGED = RATIOS.assign(
    margin=0.05, verdict=["undecided", "regressed", "improved", "undecided"]
).iloc[:3]
COV = pd.DataFrame(
    {
        "step": ["l.i0", "l.i1"],
        "cov": [0.01, 0.02],
        "low": [0.005, 0.01],
        "high": [0.05, np.inf],
        "limit": 0.03,
        "n": 3,
        "verdict": "cannot tell with 3 trials",
    }
)
SETUPS = pd.DataFrame(
    {
        "workload": "byrx",
        "machine": ["c6i.2xlarge", "c7g.2xlarge"] * 2,
        "dop": ["1", "1", "16", "16"],
        "step": "fillseq",
        "cov_published": [0.00005, 0.01, 0.02, 0.04],
        "limit": 0.03,
        "n": 3,
    }
)
RATES = pd.DataFrame(
    {
        "run_id": ["r1"] * 3 + ["r2"] * 3,
        "second": [1.0, 2.0, 3.0] * 2,
        "rate": [100.0, 110.0, 90.0] * 2,
        "unit": "rows/s",
        "config": ["wal"] * 3 + ["rollback"] * 3,
        "step": "l.i0",
    }
)
PANELS = pd.concat(
    [RATES.assign(dop=dop, step=step, run_id=RATES["run_id"] + step + str(dop))
     for step in ("overwrite", "reads") for dop in (1, 8)], ignore_index=True,
)  # fmt: skip
TIMES = pd.DataFrame(
    {
        "step": "qr100.L1",
        "clock": ["actual", "intended"],
        "count": 10,
        "p50": [1.0, 2.0],
        "p95": [2.0, 3.0],
        "p99": [3.0, 4.0],
        "p999": [4.0, 5.0],
        "max": [5.0, 9.0],
    }
)
HEAT = pd.DataFrame(
    {
        "test": ["q, 1", "q, 1", "q, 2"],
        "begin_s": [0, 0, 0],
        "end_s": [1, 1, 1],
        "lower_us": [0.0, 1.024, 1.024],
        "upper_us": [0.001, 1.28, 1.28],
        "count": [1, 999, 10],
        "share_pct": [0.1, 99.9, 100.0],
    }
)
MATRIX = pd.DataFrame(
    {
        "compiler": ["gcc", "gcc", "clang"],
        "flags": ["-O2", "-O3", "-O2"],
        "value": [1.0, 2.0, 3.0],
        "low": 1.0,
        "high": 3.0,
        "n": 3,
        "unit": "MB/s",
    }
)
TAILS = pd.DataFrame(
    [{"step": "overwrite", "dop": dop, "max_background_jobs": jobs, "n": 3, "p50": dop,
      "p99": 2 * dop, "p999": 3 * dop, "p9999": 40 * dop, "max": 100 * dop + jobs}
     for dop in (1, 2, 8) for jobs in (2, 8)]
)  # fmt: skip
DEVIATIONS = pd.DataFrame(
    {"step": "l.i0", "position": [1, 2, 3], "deviation_pct": [1.0, 0.0, -1.0]}
)
TURNS = pd.DataFrame(
    {
        "test": "qr100.L1",
        "step": "qr100.L1",
        "session": "x",
        "run_id": ["r2"] * 3 + ["r3"] * 3,
        "me": ["2"] * 3 + ["3"] * 3,
        "base": "1",
        "round": [5, 9, 13] * 2,
        "rounds": 4,
        "ratio": [1.0, 1.2, np.nan, 0.9, 0.9, 0.9],
        "so_far": [1.0, 1.1, 1.1, 0.9, 0.9, 0.9],
    }
)
TURNS_JUDGED = RATIOS.iloc[[0, 2]].assign(step="qr100.L1")
CLIENTS = pd.DataFrame(
    {
        "step": "q", "op": "query", "dop": [1, 2, 4, 8, 16], "main": True, "clock": "",
        "metric": "qps", "unit": "queries/s", "direction": "higher", "engine": "null",
        "run_id": list("abcde"), "value": [1000, 1800, 2800, 3300, 2900],
    }
)  # fmt: skip
LAW = scaling(CLIENTS)
EFFICIENCY = efficiency(relative(CLIENTS, {"dop": "1"}), summary(CLIENTS))
BOUNDED = EFFICIENCY.assign(
    rate_low=0.9 * EFFICIENCY["rate"], rate_high=1.1 * EFFICIENCY["rate"]
)
BY_CLIENTS = summary(
    pd.concat(
        [CLIENTS.assign(engine=engine, step=step, value=CLIENTS["value"] * times)
         for engine, times in (("mine", 1), ("theirs", 2)) for step in ("q", "r")],
        ignore_index=True,
    )
)  # fmt: skip
PARTS = pd.DataFrame(
    {
        "step": ["l.i0", "l.i0", "l.x"] * 2,
        "engine": ["postgres"] * 3 + ["mariadb"] * 3,
        "metric": ["server user", "client", "server user"] * 2,
        "mean": [20.0, 3.0, 12345.0] * 2,
    }
)
POWER = pd.DataFrame(
    {
        "step": ["a"] * 3 + ["b"] * 3,
        "cov": [0.01] * 3 + [0.02] * 3,
        "trials": [3, 5, 9] * 2,
        "smallest_effect": [0.03, 0.02, 0.01, 0.06, 0.04, 0.02],
    }
)
SIZES = pd.DataFrame(
    {
        "case": ["fast"] * 4 + ["slow"] * 4,
        "second": [0.0, 0.0, 2.0, 2.0] * 2,
        "level": [0, 1] * 4,
        "size_mb": [10.0, 100.0, 20.0, 150.0] * 2,
        "files": [1, 2, 2, 3] * 2,
    }
)
ACTIVITY = pd.DataFrame(
    {
        "trial": ["run 1"] * 3 + ["run 2"] * 3,
        "second": [1.0, 2.0, 3.0] * 2,
        "l0_files": [1, 2, 0] * 2,
        "compacting": [0.0, 1.0, 0.5] * 2,
    }
)
PUBLISHED = pd.DataFrame(
    {
        "machine": "ser4", "engine": ["b", "c", "b", "c"], "version": "1", "build": "",
        "step": ["l.i0", "l.i0", "qr100", "qr100"], "metric": "ips", "unit": "rows/s",
        "direction": "higher", "value": 1.0, "date": "", "raw": "", "remark": "",
        "table": "t", "printed": "1", "printed_raw": "", "relative_to": "",
        "me": ["b", "c", "b", "c"], "base": "a", "relative": [0.5, 1.2, 0.9, 1.0],
        "low": np.nan, "high": np.nan, "n": 1, "n_base": 1, "note": "",
    }
)  # fmt: skip
SERVERS = PUBLISHED.assign(
    machine=["2xl", "2xl", "8xl", "16xl"], dop=["1", "1", "8", "16"], step="l.i0"
)

ALL: dict[str, Callable[[], Any]] = {
    "boundary_chart": lambda: charts.boundary_chart(boundaries(HALVED, 2)),
    "frontier_chart": lambda: frontier_chart(vector_frames.fronts(TWO_ENGINES)),
    "frontier_chart, one run": lambda: frontier_chart(
        vector_frames.fronts(TWO_ENGINES, runs=1)
    ),
    "cost_bars": lambda: cost_bars(PARTS),
    "cov_by_step": lambda: cov_by_step(SETUPS, "byrx"),
    "cov_intervals": lambda: charts.cov_intervals(COV),
    "curves": lambda: charts.curves(BY_CLIENTS, "dop", "engine", over="clients"),
    "drift_by_position": lambda: charts.drift_by_position(DEVIATIONS),
    "engines_over_time": lambda: charts.engines_over_time(RATES, "config"),
    "instance_dots": lambda: instance_dots(
        rates_of_instances(server_frames.rows(server_frames.CASES["two types"]))
    ),
    "l0_over_time": lambda: charts.l0_over_time(ACTIVITY),
    "latency_heat_map": lambda: latency_heat_map(HEAT),
    "latency_percentiles": lambda: charts.latency_percentiles(TIMES),
    "levels_over_time": lambda: charts.levels_over_time(SIZES),
    "published_dots": lambda: published_dots(PUBLISHED, {"engine": "a"})[0],
    "rates_by_panel": lambda: rates_by_panel(PANELS, "config", "dop"),
    "relative_dots": lambda: charts.relative_dots(RATIOS),
    "relative_dots, panels": lambda: charts.relative_dots(RATIOS, panel="engine"),
    "ratio_map": lambda: charts.ratio_map(JUDGED),
    "ratio_map, panels": lambda: charts.ratio_map(JUDGED, panel="engine"),
    "relative_dots, judged": lambda: charts.relative_dots(JUDGED),
    "scaling_curves": lambda: scaling_curves(LAW, EFFICIENCY),
    "scaling_curves, intervals": lambda: scaling_curves(LAW, BOUNDED),
    "sparklines": lambda: sparklines(HISTORIES["two of three"].points),
    "server_dots": lambda: server_dots(SERVERS, ["ips"])[0],
    "small_multiples": lambda: charts.small_multiples(TWO, HALVED),
    "small_multiples, own": lambda: charts.small_multiples(TWO, HALVED, own_scales=True),
    "smallest_effects": lambda: smallest_effects(POWER),
    "tail_curves": lambda: tail_curves(TAILS, "dop", "max_background_jobs"),
    "throughput_matrix": lambda: charts.throughput_matrix(MATRIX),
    "throughput_over_time": lambda: charts.throughput_over_time(RATES),
    "turn_dots": lambda: charts.turn_dots(TURNS),
    "turn_dots, judged": lambda: charts.turn_dots(TURNS, TURNS_JUDGED),
    "version_dots": lambda: charts.version_dots(JUDGED),
}
NOT_ALTAIR = {"dense_series", "flame", "flame_difference"}
