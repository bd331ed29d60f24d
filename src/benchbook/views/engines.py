"""What a post on whole engines shows: a study's frames made ready for its template.

Frames in, frames, hazards or Said out; the statistics are those of ``analysis``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from benchbook.finding import Said
from benchbook.results.results import Results
from benchbook.results.unusual import unusual
from benchbook.views.causes import what_changed
from benchbook.views.machine import hazards_of_machine
from benchmath.changes.boundaries import boundaries, version_changes
from benchmath.changes.series import series_count
from benchmath.costs import io
from benchmath.costs.causes import hazards_of_causes, named_too
from benchmath.errors import UserError
from benchmath.frames import (
    METRIC,
    Kind,
    further_dimensions,
    label,
    names_of_tests,
    ordered,
)
from benchmath.hazard import Hazard
from benchmath.hazards import engines
from benchmath.hazards.premises import UNRATED
from benchmath.hazards.runs import closed_loops, different_durability
from benchmath.hazards.turns import hazards_of_turns
from benchmath.hazards.writers import service_level
from benchmath.latency.histogram import PERCENTILES, percentiles, response_shares
from benchmath.plans import changed_plans, hazards_of_plans
from benchmath.prose import listed
from benchmath.ratios import build_series
from benchmath.ratios.relative import relative, summary
from benchmath.ratios.verdicts import verdicts
from benchmath.variation.spread import rates

COSTS = (
    "cpu_o", "client_cpu_o", "machine_cpu_o", "cs_o", "r_o", "rkb_o", "w_o", "wkb_o",
    "server_rkb_o", "server_wkb_o", "log_bytes_o",
)  # fmt: skip
_OF_THE_LOG = ("log_r_o", "log_rkb_o", "log_w_o", "log_wkb_o")  # on a device of its own
_BUILDS = Kind("engine_builds", {"runs": "count"})
_HARDWARE = Kind("hardware", {
    "cpu_o": "us", "client_cpu_o": "us", "machine_cpu_o": "us", "cs_o": "switches",
    "r_o": "reads", "rkb_o": "KB", "w_o": "writes", "wkb_o": "KB",
    "server_rkb_o": "KB", "server_wkb_o": "KB", "log_bytes_o": "bytes",
    "log_r_o": "reads", "log_rkb_o": "KB", "log_w_o": "writes", "log_wkb_o": "KB",
})  # fmt: skip
_TIMED = (  # frames of a study's timed runs, by run
    "runs", "steps", "samples", "hists", "times", "turns", "probes", "statements", "os",
    "trees", "devices", "counters", "samplers", "waits", "lsm_jobs", "lsm_levels",
    "lsm_writes", "stalls",
)  # fmt: skip
STALLED = 0.1  # of the median second
_STALLS = Kind(
    "stalls", {"seconds": "count", "stalled": "seconds", "lowest": "% of the median"}
)

_REACHED = Kind(
    "reached_rates",
    {"mean": "", "reached": "", "unit": "", "seconds": "count"},
    {"reached": "99% of seconds reach"},
)


def comparable(results: Results) -> Results:
    """The results without the cleanup step and without twins of another series.

    Twins are one version in two builds; ``calibration`` compares these, from the
    results as they were collected. Of several placements the first answers;
    ``elsewhere`` of what is returned has them all.
    """
    own = results.own
    counted = build_series.without_twins(own, _own_runs(results), results.base)
    whole = _of_runs(results, counted[~counted["step"].isin(UNRATED)])
    return in_one_placement(whole)


def in_one_placement(results: Results) -> Results:
    """The first placement of a study; the same results where it has one alone.

    Or where placements are what is compared.
    """
    rows = results.metric
    if rows["placement"].nunique() < 2 or "placement" in results.base:
        return results
    first = rows["placement"] == results.study.cells[0].placement
    return replace(_of_runs(results, rows[first]), elsewhere=results)


def refuse_more(results: Results, told: Sequence[str]) -> Results:
    """The results of a study that varies nothing besides what its sentences tell apart.

    Another one is refused: of several settings a sentence would give one or a mean.
    """
    if more := further_dimensions(results.metric, METRIC, ["step", *told]):
        study = results.study
        raise UserError(
            f"posts/{study.slug}: it varies {', '.join(more)} too; a post of the "
            f"template {study.template} is about one value of it"
        )
    return results


def _of_runs(results: Results, metric: pd.DataFrame) -> Results:
    """The results of the timed runs that ``metric`` has."""
    ids = set(metric["run_id"])

    def of(frame: pd.DataFrame) -> pd.DataFrame:
        return frame if frame.empty else frame[frame["run_id"].isin(ids)]

    recorded = {
        name: of(getattr(results, name)).reset_index(drop=True) for name in _TIMED
    }
    return replace(results, metric=metric.reset_index(drop=True), **recorded)


def judged_cost(results: Results, metric: str = "cpu_o") -> pd.DataFrame:
    """``judged`` of a cost per operation of each step's main op; empty without it."""
    rows = io.main_op(results.metric)
    if not io.has_metric(rows, metric):
        return _nothing()
    floor = results.floor(metric) if _on_record(results, metric) else None
    compared = relative(rows, results.base, metric, floor=floor)
    return verdicts(compared, results.study.margin)


def cost_summary(results: Results, metric: str = "cpu_o") -> pd.DataFrame:
    """``summary`` of a metric of each step's main op; empty where no run has it."""
    rows = results.metric
    if metric != "throughput":
        rows = io.main_op(rows)
        if not io.has_metric(rows, metric):
            return _nothing()
    return summary(rows, metric)


def size_summary(results: Results) -> pd.DataFrame:
    """``summary`` of the database's size after each step, in MB of 2^20 bytes."""
    sizes = cost_summary(results, "size_bytes")
    numbers = {c: sizes[c] / 2**20 for c in ("value", "low", "high") if len(sizes)}
    return sizes.assign(**numbers, unit="MB")


def calibration(results: Results, metric: str = "throughput") -> pd.DataFrame:
    """``calibration`` of a study's own runs, without cleanup."""
    rows = results.own
    rows = rows[~rows["step"].isin(UNRATED)]
    if metric != "throughput":
        rows = io.main_op(rows)
    runs, margin = _own_runs(results), results.study.margin
    return build_series.calibration(rows, runs, metric, margin, results.floor(metric))


def engine_builds(results: Results) -> pd.DataFrame:
    """One row per engine, version and build: where it is from, its compiler and flags.

    ``build`` is compiler and flags in words, ``compiler`` what the compiler calls
    itself where the run knows; config and memory limit stand here too.
    """
    runs = _own_runs(results)
    headers = {
        "engine": "engine", "version": "version", "build_source": "source",
        "build_series": "series", "build": "compiler and flags", "config": "config",
        "memory": "memory limit",
        "log_device": "log device", "log_sector": "log sector",
    }  # fmt: skip
    named = runs.rename(columns=headers)
    present = [c for c in headers.values() if c in named.columns]
    named = named.assign(**{c: named[c].fillna("").astype(str) for c in present})
    counts = named.groupby(present, sort=False).size().rename("runs").reset_index()
    filled = [c for c in counts.columns if (counts[c] != "").any()]
    return _BUILDS.shown(counts[filled])


def version_boundaries(results: Results, changes: pd.DataFrame) -> pd.DataFrame:
    """The boundaries of the study's changes, of all its tests."""
    return boundaries(changes, series_count(_by_versions(results.metric)))


def engine_changes(results: Results) -> pd.DataFrame:
    """``version_changes`` of throughput, said where more than the version changed."""
    rows = _by_versions(results.without_sessions())
    return named_too(version_changes(rows, floor=results.floor()), results.runs)


def _by_versions(metric: pd.DataFrame) -> pd.DataFrame:
    """``metric`` without settings, where each version has one file: part of the version.

    Versions may share a file. What changes with another is named beside each change.
    """
    if "config" not in metric.columns or metric.empty:
        return metric
    several = metric.groupby("version")["config"].nunique(dropna=False) > 1
    return metric if several.any() else metric.assign(config="")


def response_times(results: Results) -> pd.DataFrame:
    """Percentiles of all trials together, of the histograms of ``main_hists``."""
    return percentiles(main_hists(results), by=_response_keys(results))


def response_histograms(results: Results, finer: bool = False) -> pd.DataFrame:
    """Percent of operations by response time, of the histograms of ``main_hists``."""
    return response_shares(main_hists(results), _response_keys(results), finer)


def main_hists(results: Results) -> pd.DataFrame:
    """Histograms of each step's main op, and of rate-limited inserts when due."""
    steps = results.steps[~results.steps["step"].isin(UNRATED)]
    main = steps.loc[steps["main"].astype(bool), ["step", "op", "seq"]]
    main = main.drop_duplicates(["step", "op"])
    actual = main.assign(clock="actual", order=0)
    due = main.assign(op="insert", clock="intended", order=1)
    clocks = pd.concat([actual, due], ignore_index=True)
    hists = results.hists.merge(clocks, on=["step", "op", "clock"])
    return hists.sort_values(["seq", "order"], kind="stable")


def hazards_of(results: Results) -> list[Hazard]:
    """What is doubtful about the rates and costs of a study of engines, with its fix."""
    runs, base = results.runs, results.base
    main = results.steps[results.steps["main"].astype(bool)]
    hazards = engines.client_on_host(runs)
    hazards += build_series.changed_series(runs, base)
    hazards += engines.index_creation(runs, base, results.steps["step"])
    in_effect = engines.in_effect(runs)
    hazards += different_durability(in_effect, base, engines.DURABLE)
    hazards += engines.settings_not_taken(runs)
    hazards += engines.prepared_on_one_side(runs, base)
    hazards += engines.missed_together(service_level(results.metric))
    hazards += engines.short_together(main[~main["step"].isin(UNRATED)])
    hazards += engines.write_debt(results.steps)
    hazards += results.odd_base_run()
    hazards += hazards_of_turns(results.main_turns, results.runs)
    hazards += hazards_of_machine(results)
    hazards += hazards_of_plans(plan_changes(results))
    hazards += hazards_of_causes(what_changed(results))
    hazards += unusual(results)
    return engines.with_fixes(hazards)


def plan_changes(results: Results) -> pd.DataFrame:
    """``changed_plans`` of a study: where a plan is not the base's."""
    return changed_plans(results.statements, results.runs, results.base)


def response_hazards(results: Results) -> list[Hazard]:
    """What is doubtful about the response times besides ``hazards_of``, with its fix."""
    clocks = results.hists[["step", "op", "clock"]].drop_duplicates()
    return engines.with_fixes(closed_loops(clocks))


def main_response_times(results: Results) -> pd.DataFrame:
    """Percentiles from the actual start of each step's main op, for a chart."""
    times = response_times(results)
    actual = times[times["clock"] == "actual"]
    return actual.assign(test=names_of_tests(actual, PERCENTILES, [*results.base]))


def main_rates(results: Results) -> pd.DataFrame:
    """Per-second rates of inserts or queries; what is compared has its whole name.

    Creating an index and scanning one are single statements: they have no rate within.
    """
    samples = results.main_samples
    seconds = _rates_by_step(results, samples[samples["op"].isin(["insert", "query"])])
    return seconds.assign(**{results.compared: label(seconds, list(results.base))})


def reached_rates(results: Results) -> pd.DataFrame:
    """Mean rates, and those that 99% of the seconds reach: IPS.av and IPS.99, QPS.av and
    QPS.99 of published tables.

    Of inserts and queries, of all runs together; inserts beside queries have a target.
    Columns: step, op, what is compared, mean, reached, unit, seconds.
    """
    samples = results.samples[results.samples["op"].isin(["insert", "query"])]
    keys = ["step", "op", *_varying_dimensions(results)]
    if samples.empty:
        return _REACHED.of(pd.DataFrame(columns=[*keys, *_REACHED.columns]), keys)
    seconds = _rates_by_step(results, samples)
    grouped = seconds.groupby(keys, sort=False, dropna=False)
    table = grouped.agg(
        mean=("rate", "mean"), reached=("rate", lambda rate: float(rate.quantile(0.01))),
        unit=("unit", "first"), seconds=("rate", "size"),
    )  # fmt: skip
    return _REACHED.of(table.reset_index(), keys)


def hardware(results: Results) -> pd.DataFrame:
    """What an operation of each step costs: a column per metric that the runs have.

    Rows: step, then what is compared. Means over the runs, per row or query of the
    step's main op.
    """
    rows = io.main_op(results.metric)
    costs = (*COSTS, *_OF_THE_LOG)
    rows = rows[rows["metric"].isin(costs)]
    keys = ["step", *_varying_dimensions(results)]
    if rows.empty:
        return pd.DataFrame(columns=keys)
    order = rows[keys].drop_duplicates()
    means = rows.groupby([*keys, "metric"], sort=False)["value"].mean().unstack("metric")
    means = means[[m for m in costs if m in means.columns]].reset_index()
    table = order.merge(means, on=keys, how="left")
    return _HARDWARE.shown(ordered(table, {"step": order["step"]}))


def missing_costs(results: Results) -> Said:
    """Which costs per operation the runs do not have, in a sentence; or nothing."""
    lost = [m for m in COSTS if not io.has_metric(results.metric, m)]
    if not lost:
        return Said("")
    were = "was" if len(lost) == 1 else "were"
    return Said(f"Not recorded in these runs {were} {listed(lost)}.")


def stalls(seconds: pd.DataFrame, by: str) -> pd.DataFrame:
    """How many seconds of each step stood still: less than a tenth of the run's median.

    ``seconds`` is the frame of ``main_rates``. Columns: step, ``by``, seconds, stalled,
    lowest (in percent of the run's median).
    """
    if seconds.empty:
        return pd.DataFrame(columns=["step", by, *_STALLS.columns])
    middle = seconds.groupby(["run_id", "step"])["rate"].transform("median")
    share = (seconds["rate"] / middle.where(middle > 0)).fillna(0.0)
    grouped = seconds.assign(share=share).groupby(["step", by], sort=False)["share"]
    table = grouped.agg(
        seconds="size",
        stalled=lambda s: int((s < STALLED).sum()),
        lowest=lambda s: 100 * float(s.min()),
    )
    return _STALLS.shown(table.reset_index())


def _rates_by_step(results: Results, samples: pd.DataFrame) -> pd.DataFrame:
    """Per-second rates, step by step as they were run."""
    seq = results.steps.drop_duplicates("step").set_index("step")["seq"]
    seconds = rates(samples)
    return seconds.sort_values("step", key=lambda names: names.map(seq), kind="stable")


def _own_runs(results: Results) -> pd.DataFrame:
    return results.runs[results.runs["study"] == results.study.slug]


def _varying_dimensions(results: Results) -> list[str]:
    """The compared dimensions, and what else varies without following from them."""
    compared = list(results.base)
    return [*compared, *further_dimensions(results.metric, METRIC, [*compared, "step"])]


def _response_keys(results: Results) -> list[str]:
    """One row of a table of response times: step, op, clock, then what is compared."""
    return ["step", "op", "clock", *_varying_dimensions(results)]


def _on_record(results: Results, metric: str) -> bool:
    """Whether the A/A runs have the metric: those of the store may be older."""
    return len(results.aa) > 0 and io.has_metric(results.aa, metric)


def _nothing() -> pd.DataFrame:
    """A frame of ``judged`` or ``summary`` with no row."""
    columns = ["step", "me", "base", "relative", "low", "high", "note", "metric", "unit"]
    columns += ["n", "n_base", "value", "value_base", "direction", "detected", "better"]
    return pd.DataFrame(columns=columns)
