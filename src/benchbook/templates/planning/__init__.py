"""How many runs do I need?"""

from benchbook.findings.verdicts import planning_finding
from benchbook.templates.planning.chart import smallest_effects
from benchmath.variation.planning import power_curve, runs_table
