"""Which compiler builds the fastest checksum?"""

from benchbook.findings.variation import gains_finding, instructions_finding
from benchbook.views.sections import TIGHT_LOOP, instructions
