"""How much does db_bench vary here?"""

from benchbook.findings.setups import steadiest_finding
from benchbook.views.db_bench import with_dop_of_run
from benchbook.views.engines import refuse_more
from benchmath.variation.setups import (
    chance_of_setups,
    kept_limits,
    named_setups,
    repeated,
    runs_of_setups,
)
