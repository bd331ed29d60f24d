"""How many background jobs does RocksDB need?"""

from benchbook.charts.scaling import scaling_curves
from benchbook.findings.scaling import scaling_finding
from benchbook.tables.scaling import scaling_table
from benchbook.templates.background_jobs.analysis import (
    job_pairs,
    job_rates,
    job_results,
    job_stalls,
    job_tails,
    job_threads,
    named_by_jobs,
    shared_cpus,
)
from benchbook.templates.background_jobs.at_once import at_once_table
from benchbook.templates.background_jobs.averaged import averaged_table
from benchbook.templates.background_jobs.busy import rule_finding
from benchbook.templates.background_jobs.chart import rates_by_panel, tail_curves
from benchbook.templates.background_jobs.finding import jobs_finding
from benchbook.templates.background_jobs.ranges import (
    busy_table,
    ranges_table,
    tails_table,
)
from benchbook.templates.background_jobs.stalls import stalls_finding
from benchbook.templates.background_jobs.tails import tails_finding
from benchbook.views.engines import response_histograms
from benchbook.views.scaling import efficiency_by_clients, scaling_laws
from benchmath.latency.tails import tails_beside
