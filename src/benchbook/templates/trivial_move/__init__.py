"""When does compaction move instead of write?"""

from benchbook.results.lsm import stalls_of_runs, tree_moves
from benchbook.templates.trivial_move.finding import moves_finding
