"""When does compaction move instead of write?"""

from benchbook.templates.trivial_move.finding import moves_finding
from benchbook.views.lsm import (
    ARRIVAL_NAMES,
    ARRIVAL_UNITS,
    CHECK_UNITS,
    LEVEL_NAMES,
    LEVEL_UNITS,
    STALLS_NAMES,
    STALLS_UNITS,
    stalls_of_runs,
    tree_moves,
)
