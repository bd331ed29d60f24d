"""Charts: a tidy analysis frame in, an Altair chart out (matplotlib where dense)."""

import altair as alt

from benchbook.charts.changes import boundary_chart, small_multiples
from benchbook.charts.costs import cost_bars
from benchbook.charts.flame import flame, flame_difference
from benchbook.charts.heat import latency_heat_map
from benchbook.charts.lsm import l0_over_time, levels_over_time
from benchbook.charts.panels import rates_by_panel
from benchbook.charts.planning import smallest_effects
from benchbook.charts.published import published_dots
from benchbook.charts.ratios import cov_intervals, relative_dots, throughput_matrix
from benchbook.charts.scaling import scaling_curves
from benchbook.charts.series import (
    dense_series,
    drift_by_position,
    latency_percentiles,
    throughput_over_time,
)
from benchbook.charts.setups import cov_by_step
from benchbook.charts.turns import turn_dots
from benchbook.charts.versions import engines_over_time, version_dots

__all__ = [
    "boundary_chart",
    "cost_bars",
    "cov_by_step",
    "cov_intervals",
    "dense_series",
    "drift_by_position",
    "engines_over_time",
    "flame",
    "flame_difference",
    "l0_over_time",
    "latency_heat_map",
    "latency_percentiles",
    "levels_over_time",
    "published_dots",
    "rates_by_panel",
    "relative_dots",
    "scaling_curves",
    "small_multiples",
    "smallest_effects",
    "throughput_matrix",
    "throughput_over_time",
    "turn_dots",
    "version_dots",
]

# JupyterLab draws the specification itself; Altair's own HTML would ask another host.
alt.renderers.enable("mimetype")
