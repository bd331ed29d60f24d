"""Tables of measured values: throughput, variation, response times, write rates."""

from collections.abc import Iterable, Sequence

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Footnote,
    figure,
    hazard_notes,
    marked,
    shown_unit,
    small,
    styled,
    text,
    varying,
)
from benchmath.frames import Kind, require, tied_labels
from benchmath.hazard import Hazard
from benchmath.hazards.writers import SERVICE_LEVEL, ServiceFrame
from benchmath.latency.histogram import PERCENTILES, PERMILLES, PercentileFrame
from benchmath.prose import number, span, unsure
from benchmath.ratios.relative import SUMMARY, SummaryFrame
from benchmath.variation.cov import VARIATION, VariationFrame
from benchmath.variation.spread import SPREAD, SpreadFrame

_FOLLOWING = ("build", "version", "engine")  # not shown where the rest determines them


def throughput_table(
    summary: SummaryFrame, title: str | None = None, hazards: Iterable[Hazard] = ()
) -> GT:
    """Absolute values with n: takes the frame of ``summary``."""
    require(summary, ("step", "metric", "unit", "n", "value", "low", "high", "note"))
    keys = _keys(summary, SUMMARY)
    cells = summary[keys].map(text)
    cells["value"] = [figure(v) for v in summary["value"]]
    pairs = zip(summary["low"], summary["high"], strict=True)
    cells["interval"] = [small(span(low, high, figure)) for low, high in pairs]
    cells["n"] = summary["n"].map(number)
    columns = [Column(k, k) for k in keys]
    unit, columns_of_unit = _unit(summary, cells)
    columns += [
        Column("value", "geometric mean", unit, True),
        Column("interval", "95% interval", unit, True),
        *columns_of_unit,
        Column("n", "n", "runs", True),
    ]
    notes = [Footnote(n, i, "value") for i, n in enumerate(summary["note"]) if n]
    notes += hazard_notes(summary.to_dict("records"), hazards, keys[-1])
    return styled(cells, columns, title, notes)


def cov_table(cov: VariationFrame, title: str | None = None) -> GT:
    """CoV with interval and verdict: takes ``coefficient_of_variation``."""
    require(cov, ("step", "unit", "n", "mean", "cov", "cov_published", "verdict"))
    keys = _keys(cov, VARIATION)
    cells = cov[keys].map(text)
    cells["n"] = cov["n"].map(number)
    cells["mean"] = cov["mean"].map(number)
    cells["cov"] = [_percent(v) for v in cov["cov"]]
    pairs = zip(cov["low"], cov["high"], strict=True)
    cells["interval"] = [_percent_span(low, high) for low, high in pairs]
    for name in ("cov_unbiased", "robust", "cov_published"):
        cells[name] = [_percent(v) for v in cov[name]]
    cells["verdict"] = [_verdict(v) for v in cov["verdict"]]
    unit, columns_of_unit = _unit(cov, cells)
    columns = [
        *(Column(k, k) for k in keys),
        Column("cov", "CoV", "% (n-1)", True),
        Column("interval", "95% interval", "%", True),
        Column("verdict", "verdict"),
        Column("n", "n", "runs", True),
        Column("cov_unbiased", "corrected", "% (/ c4)", True),
        Column("robust", "robust", "% (MAD)", True),
        Column("cov_published", "as published", "% (n)", True),
        Column("mean", "mean", unit, True),
        *columns_of_unit,
    ]
    return styled(cells, columns, title)


def spread_table(spread: SpreadFrame, title: str | None = None) -> GT:
    """Spread within runs and between runs side by side: takes ``spread``."""
    require(spread, ("step", "n", "between", "within", "seconds", "n_effective", "note"))
    keys = _keys(spread, SPREAD)
    cells = spread[keys].map(text)
    for name in ("n", "seconds", "n_effective"):
        cells[name] = spread[name].map(lambda v: "" if pd.isna(v) else f"{v:.0f}")
    for name in ("within", "expected_between", "between"):
        cells[name] = [_percent(v) for v in spread[name]]
    pairs = zip(spread["between_low"], spread["between_high"], strict=True)
    cells["interval"] = [_percent_span(low, high) for low, high in pairs]
    columns = [Column(k, k) for k in keys] + [
        Column("seconds", "length", "s", True, "within a run"),
        Column("n_effective", "worth", "independent s", True, "within a run"),
        Column("within", "CoV of seconds", "%", True, "within a run"),
        Column("expected_between", "expected from it", "%", True, "between runs"),
        Column("between", "CoV of runs", "%", True, "between runs"),
        Column("interval", "95% interval", "%", True, "between runs"),
        Column("n", "n", "runs", True, "between runs"),
    ]
    notes = [Footnote(n, i, keys[-1]) for i, n in enumerate(spread["note"]) if n]
    return styled(cells, columns, title, notes)


def drift_table(drift: pd.DataFrame, title: str | None = None) -> GT:
    """Trend over the order of the runs, per machine and step: ``drift``."""
    require(drift, ("slope_pct", "low", "high", "change_pct", "detected", "note"))
    keys = [*varying(drift, ("machine", "engine", "config")), "step"]
    cells = drift[keys].map(text)
    cells["n"] = drift["n"].map(number)
    cells["slope"] = [
        marked(unsure(f"{v:+.2f}", False), "none") if d is False else f"{v:+.2f}"
        for v, d in zip(drift["slope_pct"], drift["detected"].astype(object), strict=True)
    ]
    pairs = zip(drift["low"], drift["high"], strict=True)
    cells["interval"] = [small(span(low, high)) for low, high in pairs]
    cells["change"] = [f"{v:+.1f}" for v in drift["change_pct"]]
    columns = [Column(k, k) for k in keys] + [
        Column("slope", "trend", "% per run", True),
        Column("interval", "95% interval", "% per run", True),
        Column("change", "first to last run", "%", True),
        Column("n", "n", "runs", True),
    ]
    notes = [Footnote(n, i, "slope") for i, n in enumerate(drift["note"]) if n]
    return styled(cells, columns, title, notes, ["~ means no detectable trend."])


def latency_table(
    percentiles: PercentileFrame, title: str | None = None, hazards: Iterable[Hazard] = ()
) -> GT:
    """Response times in microseconds: takes the frame of ``percentiles``."""
    require(percentiles, ("step", "op", "clock", "count", *PERMILLES))
    keys = _keys(percentiles, PERCENTILES, ("op", "clock"))
    cells = percentiles[keys].map(text)
    columns = [Column(k, k) for k in keys]
    for name in PERMILLES:
        cells[name] = [number(v) for v in percentiles[name]]
        head = "p99.9" if name == "p999" else name
        columns.append(Column(name, head, "µs", True))
    cells["count"] = percentiles["count"].map(number)
    columns.append(Column("count", "count", "operations", True))
    notes = hazard_notes(percentiles.to_dict("records"), hazards, "op")
    legend = "Clock intended: from when the request was due; actual: from its start."
    return styled(cells, columns, title, notes, [legend])


def sla_table(sla: ServiceFrame, title: str | None = None) -> GT:
    """Did the writers reach their rate: takes the frame of ``service_level``."""
    require(sla, ("step", "op", "unit", "n", "target", "achieved", "ratio", "verdict"))
    keys = _keys(sla, SERVICE_LEVEL, ("op",))
    cells = sla[keys].map(text)
    for name in ("target", "achieved", "n"):
        cells[name] = sla[name].map(number)
    cells["ratio"] = [f"{v:.3f}" for v in sla["ratio"]]
    cells["verdict"] = [
        marked(text(v), "worse") if f else text(v)
        for v, f in zip(sla["verdict"], sla["failed"], strict=True)
    ]
    columns = [Column(k, k) for k in keys] + [
        Column("target", "writers' target", "rows/s", True),
        Column("achieved", "achieved, mean", "rows/s", True),
        Column("ratio", "achieved / target", "ratio, worst run", True),
        Column("n", "n", "runs", True),
        Column("verdict", "verdict"),
    ]
    return styled(cells, columns, title, notes=["Missed: less than 0.95 of the target."])


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


def _unit(frame: pd.DataFrame, cells: pd.DataFrame) -> tuple[str, list[Column]]:
    """The unit for the header, or a column of units where they differ by row."""
    units = list(dict.fromkeys(frame["unit"]))
    if len(units) == 1:
        return str(units[0]), []
    cells["unit"] = [small(shown_unit(str(u))) for u in frame["unit"]]
    return "see unit", [Column("unit", "unit")]


def _percent(share: float) -> str:
    return "" if pd.isna(share) else f"{100 * share:.2f}"


def _percent_span(low: float, high: float) -> str:
    return small(span(100 * low, 100 * high)) if pd.notna(low) else ""


def _verdict(verdict: str) -> str:
    kind = {"under": "better", "over": "worse"}.get(verdict.split(" ")[0], "none")
    return marked(text(verdict), kind)
