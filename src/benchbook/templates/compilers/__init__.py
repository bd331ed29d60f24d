"""Which compiler builds the fastest checksum?"""

from benchbook.findings.variation import gains_finding, instructions_finding
from benchbook.templates.compilers.blocks import over_blocks, ratios_by_block
from benchbook.views.sections import TIGHT_LOOP, instructions
