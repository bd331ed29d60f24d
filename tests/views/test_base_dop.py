"""A study whose base is a dop: numbers name its cells, in tables as in base."""

import pandas as pd
import pytest

from benchbook.tables.lists import plain_table
from benchbook.views.engines import stalls
from benchmath.variation.cov import cov_summary

STUDY = """\
title: Do two clients insert faster than one?
template: TEMPLATE
driver: ingest
base: {dop: 1}
engines: [{engine: sqlite, config: wal_normal_4k}]
matrix: {dop: [1, 2]}
steps: ["l.i0:rows=20000", l.x, "l.i1:rows=2000", "qr100.L1:seconds=1"]
trials: 2
"""


def test_stalls_by_dop_are_a_table():
    """dop is a number without a unit; it names the rows."""
    rates = [100.0, 100.0, 1.0]
    seconds = pd.DataFrame(
        {"run_id": ["a"] * 3 + ["b"] * 3, "step": "l.i0", "dop": [1] * 3 + [2] * 3,
         "rate": rates * 2}
    )  # fmt: skip
    html = plain_table(stalls(seconds, "dop")).as_raw_html()

    assert "dop" in html


def test_nothing_measured_beside_has_no_cov():
    """The studies under `also` may be none: a table without rows."""
    columns = ["step", "cov", "n", "verdict"]

    assert cov_summary(pd.DataFrame({c: [] for c in columns})).empty


def test_another_number_without_a_unit_is_still_refused():
    """What is no dimension says what it counts."""
    with pytest.raises(ValueError, match="no unit is given for column rate"):
        plain_table(pd.DataFrame({"dop": [1], "rate": [2.0]}))


@pytest.mark.engine
@pytest.mark.slow
def test_posts_of_a_study_whose_base_is_a_dop(checkout):
    """Templates that list the compared cells in tables of numbers execute."""
    for template in ("inserts", "engines", "io-bound", "variance"):
        checkout.study("s", STUDY.replace("TEMPLATE", template))
        checkout.ok("post", "s", "--force")
