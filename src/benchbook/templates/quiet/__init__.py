"""How quiet is this machine?"""

from benchbook.findings.verdicts import aa_finding
from benchbook.views.noise import FLOOR_UNITS, floor_facts
