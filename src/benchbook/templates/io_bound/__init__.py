"""What does a row cost when the database is larger than memory?"""

from benchmath.costs.io import write_costs
