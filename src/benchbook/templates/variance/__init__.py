"""How much do results vary on this machine?"""

from benchbook.findings.variation import variation_finding
from benchmath.variation.cov import cov_summary
from benchmath.variation.spread import deviations
