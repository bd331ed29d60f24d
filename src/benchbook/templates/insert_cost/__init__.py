"""What does an insert cost?"""

from benchbook.templates.insert_cost.analysis import log_costs, named
from benchbook.templates.insert_cost.chart import cost_bars
from benchbook.templates.insert_cost.finding import answer
from benchbook.templates.insert_cost.published import (
    published_costs,
    published_costs_table,
)
from benchbook.templates.insert_cost.table import cell_costs_table
from benchmath.costs.by_cell import IO_COSTS, cell_costs, cpu_costs
from benchmath.costs.waits import wait_shares
