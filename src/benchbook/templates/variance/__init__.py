"""How much do results vary on this machine?"""

from benchbook.findings.variation import variation_finding
from benchbook.findings.verdicts import planning_finding
from benchbook.templates.variance.chart import smallest_effects
from benchmath.variation.cov import cov_summary
from benchmath.variation.planning import power_curve, runs_table
from benchmath.variation.spread import deviations, spread
