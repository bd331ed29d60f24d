"""How quiet is this machine?"""

from benchbook.findings.verdicts import aa_finding
from benchbook.views.noise import floor_facts
