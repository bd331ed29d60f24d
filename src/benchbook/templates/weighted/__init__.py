"""Weighted or not: does a flame graph lie?"""

from benchbook.findings.profiles import weights_finding
from benchmath.profiles.checks import weighted_against_not
