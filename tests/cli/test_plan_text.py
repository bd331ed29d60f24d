"""Steps in a line of `benchbook plan`."""

import pytest

from benchbook.cli.plan import steps_text
from benchbook.study.cell import Step

pytestmark = pytest.mark.unit


def test_dozens_of_steps_are_counted():
    """A workload has fifty: the first, how many more, the last."""
    steps = [Step(f"s{i}") for i in range(1, 15)]

    assert "s1 s2 s3 ... 10 more ... s14" == steps_text(steps)
    assert "s1 s2" == steps_text(steps[:2])
