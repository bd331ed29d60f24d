"""Which compiler builds the fastest checksum?"""

from benchbook.findings.variation import gains_finding, instructions_finding
from benchbook.views.sections import INSTRUCTION_UNITS, TIGHT_LOOP, instructions
