"""Tables styled for reading: an analysis frame in, a great_tables object out."""

from benchbook.tables.averaged import averaged_table
from benchbook.tables.beside import beside_table
from benchbook.tables.cell_costs import cell_costs_table
from benchbook.tables.changes import boundaries_table, changes_table
from benchbook.tables.comparison import relative_table, summary_table
from benchbook.tables.counted import instructions_table
from benchbook.tables.explanation import (
    changed_settings_table,
    costs_table,
    cpu_of_step_table,
    cpu_parts_table,
    split_table,
)
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
from benchbook.tables.plans import plans_section, plans_table
from benchbook.tables.premises import premises_table
from benchbook.tables.profiles import frames_table, validation_table, weights_table
from benchbook.tables.published import published_ratio_tables, published_tables
from benchbook.tables.ranges import busy_table, ranges_table, tails_table
from benchbook.tables.scaling import by_clients_table, scaling_table
from benchbook.tables.settings import settings_section, settings_table
from benchbook.tables.setups import average_table, cov_matrix, workload_matrix
from benchbook.tables.steps import (
    calibration_table,
    rates_by_step,
    ratios_by_step,
    shares_table,
    values_by_step,
)

__all__ = [
    "average_table",
    "averaged_table",
    "beside_table",
    "boundaries_table",
    "builds_table",
    "busy_table",
    "by_clients_table",
    "calibration_table",
    "cell_costs_table",
    "changed_settings_table",
    "changes_table",
    "claims_table",
    "costs_table",
    "cov_matrix",
    "cov_table",
    "cpu_of_step_table",
    "cpu_parts_table",
    "drift_table",
    "drifted_table",
    "findings_table",
    "first_last_table",
    "frames_table",
    "health_section",
    "instructions_table",
    "latency_table",
    "missing_table",
    "moved_table",
    "plain_table",
    "plans_section",
    "plans_table",
    "premises_table",
    "published_ratio_tables",
    "published_tables",
    "ranges_table",
    "rates_by_step",
    "ratios_by_step",
    "relative_table",
    "runs_table",
    "scaling_table",
    "settings_section",
    "settings_table",
    "shares_table",
    "sla_table",
    "split_table",
    "spread_table",
    "summary_table",
    "tails_table",
    "throughput_table",
    "validation_table",
    "values_by_step",
    "weights_table",
    "workload_matrix",
]
