"""Which kinds of SQL statement got faster or slower?"""

from benchbook.findings.workload import workload_finding
from benchbook.results.engines import plan_changes
from benchbook.results.workloads import (
    before_and_after,
    downloads,
    with_groups,
    workload_results,
    workload_suite,
    workload_summary,
)
from benchbook.templates.workload.table import plans_section
