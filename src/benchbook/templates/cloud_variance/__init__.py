"""Which cloud setup varies least?"""

from benchbook.findings.setups import (
    chosen_setups,
    paired_columns,
    paired_finding,
    setups_finding,
    step_columns,
)
from benchbook.templates.cloud_variance.chart import cov_by_step
from benchmath.variation.setups import (
    agreement_with_published,
    builds_of_setups,
    chance_to_pass,
    choose_setups,
    paired_cov,
    without_steps,
)
