"""What does a row cost when the database is larger than memory?"""

from benchbook.templates.io_bound.scans import scan_costs
from benchmath.costs.io import write_costs
