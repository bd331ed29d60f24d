"""Charts: a tidy analysis frame in, an Altair chart out (matplotlib where dense)."""

import altair as alt

from benchbook.charts.changes import boundary_chart, small_multiples
from benchbook.charts.curves import curves
from benchbook.charts.flame import flame, flame_difference
from benchbook.charts.lsm import l0_over_time, levels_over_time
from benchbook.charts.ratios import (
    cov_intervals,
    ratio_map,
    relative_dots,
    throughput_matrix,
)
from benchbook.charts.series import (
    dense_series,
    drift_by_position,
    latency_percentiles,
    throughput_over_time,
)
from benchbook.charts.turns import turn_dots
from benchbook.charts.versions import engines_over_time, version_dots

# JupyterLab draws the specification itself; Altair's own HTML would ask another host.
alt.renderers.enable("mimetype")
