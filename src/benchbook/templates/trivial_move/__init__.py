"""When does compaction move instead of write?"""

from benchbook.templates.trivial_move.finding import moves_finding
from benchbook.views.lsm import stalls_of_runs, tree_moves
