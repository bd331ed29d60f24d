"""Tables styled for reading: an analysis frame in, a great_tables object out."""

from benchbook.tables.beside import beside_table
from benchbook.tables.changes import boundaries_table, changes_table
from benchbook.tables.comparison import relative_table, summary_table
from benchbook.tables.counted import instructions_table
from benchbook.tables.health import drifted_table, findings_table, health_section
from benchbook.tables.lists import (
    builds_table,
    claims_table,
    missing_table,
    plain_table,
    runs_table,
)
from benchbook.tables.measurements import (
    cov_table,
    drift_table,
    latency_table,
    sla_table,
    spread_table,
    throughput_table,
)
from benchbook.tables.moved import first_last_table, moved_table
from benchbook.tables.premises import premises_table
from benchbook.tables.profiles import frames_table, validation_table, weights_table
from benchbook.tables.settings import settings_section, settings_table
from benchbook.tables.setups import average_table, cov_matrix, workload_matrix
from benchbook.tables.steps import (
    calibration_table,
    rates_by_step,
    ratios_by_step,
    shares_table,
    values_by_step,
)
