"""Tables of measured values: throughput, variation, response times, write rates."""

from collections.abc import Iterable, Sequence
from functools import partial

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    decided,
    figure,
    fixed,
    interval,
    marked,
    note,
    small_unit,
    table,
    text,
    varying,
    warned,
)
from benchmath.frames import Kind, require, tied_labels
from benchmath.hazard import Hazard
from benchmath.hazards.writers import SERVICE_LEVEL, ServiceFrame
from benchmath.latency.histogram import PERCENTILES, PERMILLES, PercentileFrame
from benchmath.prose import number
from benchmath.ratios.relative import SUMMARY, SummaryFrame
from benchmath.variation.cov import VARIATION, VariationFrame
from benchmath.variation.spread import SPREAD, SpreadFrame

_FOLLOWING = ("build", "version", "engine")  # not shown where the rest determines them
CLOCKS = "Clock intended: from when the request was due; actual: from its start."
_RUNS = Numbers("n", "n", "runs", show=number)
_percent = fixed("{:.2f}", 100)
_count = fixed("{:.0f}")


def throughput_table(
    summary: SummaryFrame, title: str | None = None, hazards: Iterable[Hazard] = ()
) -> GT:
    """Absolute values with n: takes the frame of ``summary``."""
    require(summary, ("step", "metric", "unit", "n", "value", "low", "high", "note"))
    keys = _keys(summary, SUMMARY)
    unit, units = _unit(summary)
    columns = [
        *map(Column, keys),
        Numbers("value", "geometric mean", unit, show=figure, notes=note),
        interval(unit),
        *units,
        _RUNS,
    ]
    return table(summary, columns, title, hazards=hazards, doubted=keys[-1])


def cov_table(cov: VariationFrame, title: str | None = None) -> GT:
    """CoV with interval and verdict: takes ``coefficient_of_variation``."""
    require(cov, ("step", "unit", "n", "mean", "cov", "cov_published", "verdict"))
    unit, units = _unit(cov)
    columns = [
        *map(Column, _keys(cov, VARIATION)),
        Numbers("cov", "CoV", "% (n-1)", show=_percent),
        interval("%", _percent),
        Column("verdict", show=_verdict),
        _RUNS,
        Numbers("cov_unbiased", "corrected", "% (/ c4)", show=_percent),
        Numbers("robust", "robust", "% (MAD)", show=_percent),
        Numbers("cov_published", "as published", "% (n)", show=_percent),
        Numbers("mean", "mean", unit, show=number),
        *units,
    ]
    return table(cov, columns, title)


def spread_table(spread: SpreadFrame, title: str | None = None) -> GT:
    """Spread within runs and between runs side by side: takes ``spread``."""
    require(spread, ("step", "n", "between", "within", "seconds", "n_effective", "note"))
    *keys, last = _keys(spread, SPREAD)
    within = partial(Numbers, spanner="within a run")
    between = partial(Numbers, spanner="between runs")
    columns = [
        *map(Column, keys),
        Column(last, notes=note),
        within("seconds", "length", "s", show=_count),
        within("n_effective", "worth", "independent s", show=_count),
        within("within", "CoV of seconds", "%", show=_percent),
        between("expected_between", "expected from it", "%", show=_percent),
        between("between", "CoV of runs", "%", show=_percent),
        interval("%", _percent, "between_low", "between_high", "between runs"),
        between("n", "n", "runs", show=_count),
    ]
    return table(spread, columns, title)


def drift_table(drift: pd.DataFrame, title: str | None = None) -> GT:
    """Trend over the order of the runs, per machine and step: ``drift``."""
    require(drift, ("slope_pct", "low", "high", "change_pct", "detected", "note"))
    keys = [*varying(drift, ("machine", "engine", "config")), "step"]
    columns = [
        *map(Column, keys),
        Numbers("slope", "trend", "% per run", cell=_slope, notes=note),
        interval("% per run", "{:.2f}".format),
        Numbers("change", "first to last run", "%", cell=_change),
        _RUNS,
    ]
    return table(drift, columns, title, ["~ means no detectable trend."])


def latency_table(
    percentiles: PercentileFrame, title: str | None = None, hazards: Iterable[Hazard] = ()
) -> GT:
    """Response times in microseconds: takes the frame of ``percentiles``."""
    require(percentiles, ("step", "op", "clock", "count", *PERMILLES))
    heads = {name: "p99.9" if name == "p999" else name for name in PERMILLES}
    columns = [
        *map(Column, _keys(percentiles, PERCENTILES, ("op", "clock"))),
        *(Numbers(name, head, "µs", show=number) for name, head in heads.items()),
        Numbers("count", "count", "operations", show=number),
    ]
    return table(percentiles, columns, title, [CLOCKS], hazards, "op")


def sla_table(sla: ServiceFrame, title: str | None = None) -> GT:
    """Did the writers reach their rate: takes the frame of ``service_level``."""
    require(sla, ("step", "op", "unit", "n", "target", "achieved", "ratio", "verdict"))
    columns = [
        *map(Column, _keys(sla, SERVICE_LEVEL, ("op",))),
        Numbers("target", "writers' target", "rows/s", show=number),
        Numbers("achieved", "achieved, mean", "rows/s", show=number),
        Numbers("ratio", "achieved / target", "ratio, worst run", show=fixed("{:.3f}")),
        _RUNS,
        Column("verdict", cell=lambda row: warned(text(row["verdict"]), row["failed"])),
    ]
    return table(sla, columns, title, ["Missed: less than 0.95 of the target."])


def _keys(frame: pd.DataFrame, kind: Kind, always: Sequence[str] = ()) -> list[str]:
    """The dimensions that vary, step, and what else is needed to tell rows apart."""
    free = varying(frame, kind.dimensions(frame))
    settled = tied_labels(frame, {}, [*free, "step"])
    free = [d for d in free if d not in settled or d not in _FOLLOWING]
    keys = [*free, "step", *always]
    for name in ("op", "clock", "metric"):
        if name in frame.columns and name not in keys and frame.duplicated(keys).any():
            keys.append(name)
    return keys


def _unit(frame: pd.DataFrame) -> tuple[str, list[Column]]:
    """The unit for the header, or a column of units where they differ by row."""
    units = list(dict.fromkeys(frame["unit"]))
    if len(units) == 1:
        return str(units[0]), []
    return "see unit", [Column("unit", show=small_unit)]


def _slope(row: Row) -> str:
    return decided(f"{row['slope_pct']:+.2f}", row["detected"] is not False)


def _change(row: Row) -> str:
    return f"{row['change_pct']:+.1f}"


def _verdict(verdict: str) -> str:
    kind = {"under": "better", "over": "worse"}.get(verdict.split(" ")[0], "none")
    return marked(text(verdict), kind)
