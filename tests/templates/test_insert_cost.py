"""The template `insert-cost`: what tells the cells of its sentences apart."""

from __future__ import annotations

import pandas as pd
import pytest

from benchbook.templates.insert_cost.analysis import named
from benchmath.errors import UserError

pytestmark = pytest.mark.unit
CELLS = pd.DataFrame({
    "engine": ["a", "a", "b", "b"], "indexes": ["0", "3", "0", "3"], "step": "l.i0",
    "value": 1.0,
})  # fmt: skip


def test_names_of_several_dimensions_stand_in_a_row():
    names = named(CELLS, "engine indexes")["engine indexes"]

    assert ["a 0", "a 3", "b 0", "b 3"] == list(names)


def test_a_dimension_that_no_name_tells_is_refused():
    """Two costs of `a` in one sentence would be anybody's."""
    with pytest.raises(
        UserError, match=r"varies indexes too; .*compared: engine indexes"
    ):
        named(CELLS, "engine")
