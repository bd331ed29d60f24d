"""Which kinds of SQL statement got faster or slower?"""

from benchbook.findings.workload import workload_finding
from benchbook.templates.workload.table import plans_section
from benchbook.views.engines import plan_changes
from benchbook.views.workloads import (
    before_and_after,
    downloads,
    with_groups,
    workload_results,
    workload_suite,
    workload_summary,
)
