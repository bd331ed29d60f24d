"""A dimension that a user names is never a column of a frame."""

import re

import pytest

from benchbook.study.cell import TAKEN
from benchmath.costs.cpu import DIFFERENCES
from benchmath.costs.explanation import COST_CHANGES
from benchmath.costs.ranges import RANGES
from benchmath.frames import METRIC
from benchmath.ratios.relative import RATIOS, SUMMARY
from benchmath.ratios.suite import SUITE_RATIOS
from benchmath.ratios.verdicts import VERDICTS
from benchmath.turns.estimate import TURN_RATIOS
from benchmath.variation.cov import VARIATION
from benchmath.variation.spread import DEVIATIONS, SPREAD

pytestmark = pytest.mark.unit
KINDS = (METRIC, SUMMARY, RATIOS, VERDICTS, SUITE_RATIOS, TURN_RATIOS, VARIATION, SPREAD,
         DEVIATIONS, COST_CHANGES, DIFFERENCES, RANGES)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_columns_of_frames_are_taken(kind):
    """Such as n: with a dimension of this name a table would have two."""
    names = {c for c in kind.columns if re.fullmatch("[a-z][a-z0-9_]*", c)}

    assert set() == names - TAKEN
