"""Groups of steps as tests of their own; published group summaries beside recomputed."""

import math

import pandas as pd
import pytest
from version_frames import frame, versions

from benchbook.project import Project
from benchbook.published.figures import figures, published_frame
from benchbook.tables.comparison import summary_table
from benchmath.ratios.groups import SYSBENCH_GROUP_TITLES, group_means, summaries_beside

pytestmark = pytest.mark.unit

GROUPS = {"scan": "reads", "point": "reads", "insert": "writes"}
# 8.0.36 over 5.6.51 on ser4: average, median, min, max, stddev of the tests of a group,
# from the figures of February 2024.
RECOMPUTED = """\
point queries, part 1: 0.73 0.71 0.67 0.80 0.05
point queries, part 2: 0.72 0.70 0.63 0.83 0.09
range queries without aggregation: 0.67 0.66 0.61 0.73 0.04
range queries with aggregation: 0.81 0.77 0.66 1.00 0.15
writes: 0.62 0.56 0.46 1.09 0.19
"""
PUBLISHED = """\
point queries, part 1: 0.72 0.70 0.67 0.78 0.04
point queries, part 2: 0.71 0.70 0.61 0.82 0.09
range queries without aggregation: 0.66 0.65 0.63 0.72 0.03
range queries with aggregation: 0.81 0.76 0.66 1.00 0.15
writes: 0.61 0.56 0.44 0.99 0.16
"""
SHOWN = ("average", "median", "min", "max", "stddev")


def three_steps():
    """Two versions; scan halves, point keeps its rate, insert doubles."""
    return frame(
        versions([100, 50], runs=1, step="scan"),
        versions([100, 100], runs=1, step="point"),
        versions([100, 200], runs=1, step="insert"),
    )


def summary(*rows):
    columns = ["machine", "engine", "version", "relative_to", "step", "metric", "value",
               "source"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def published_tables(names):
    return published_frame(names, Project.find())


def printed(table, me):
    rows = table[table["me"].str.contains(me)]
    lines = [" ".join([f"{row['group']}:", *(f"{row[c]:.2f}" for c in SHOWN)])
             for row in rows.to_dict("records")]  # fmt: skip
    return "".join(f"{line}\n" for line in lines)


def test_group_is_the_geometric_mean_of_its_steps():
    """Reads go from 100 to sqrt(50 x 100) = 70.7; the wobble of a run cancels."""
    means = group_means(three_steps(), GROUPS)
    reads = means[means["step"] == "reads"].set_index("version")["value"]

    assert ["reads", "writes"] == list(dict.fromkeys(means["step"]))
    assert math.isclose(math.sqrt(0.5), reads["2"] / reads["1"], rel_tol=0.02)


def test_step_that_a_version_lacks_does_not_count():
    """Without point in version 2 the mean of reads is that of scan alone."""
    rows = three_steps()
    rows = rows[~((rows["step"] == "point") & (rows["version"] == "2"))]
    means = group_means(rows, GROUPS)
    reads = means[means["step"] == "reads"].set_index("version")["value"]

    assert math.isclose(0.5, reads["2"] / reads["1"], rel_tol=0.02)


def test_group_takes_its_title():
    """The title stands where the name of the step would."""
    means = group_means(three_steps(), GROUPS, {"writes": "all writes"})

    assert ["reads", "all writes"] == list(dict.fromkeys(means["step"]))


def test_published_summary_stands_above_the_recomputed_one():
    """Group by group; a statistic that was not published stays empty."""
    said = summary(("m1", "mysql", "2", "mysql 1", "writes", "median", 1.9, "post"))

    table = summaries_beside(three_steps(), said, GROUPS)
    writes = table[table["group"] == "writes"]

    assert ["2, post", "2, these figures"] == list(writes["me"])
    assert [1.9, True] == [writes["median"].iloc[0], math.isnan(writes["max"].iloc[0])]
    assert math.isclose(2.0, writes["median"].iloc[1], rel_tol=0.02)
    assert "2, post" in summary_table(table).as_raw_html()


@pytest.mark.parametrize(
    "other", [("m2", "mysql", "2", "mysql 1"), ("m1", "mysql", "3", "mysql 1"),
              ("m1", "mysql", "2", "mariadb 1")]
)  # fmt: skip
def test_comparison_without_own_figures_is_left_out(other):
    """Another machine, version or base engine: there is nothing to stand beside it."""
    said = summary((*other, "writes", "median", 1.9, "post"))

    assert summaries_beside(three_steps(), said, GROUPS).empty


def test_sysbench_groups_of_february_2024():
    """Each of 25 statistics of 8.0.36 over 5.6.51, and the 25 published in April."""
    rows = published_tables(["sysbench_mysql_2024"])
    table = summaries_beside(rows, figures("mariadb_mysql_2024", Project.find()))

    assert [11, 6, 9, 6, 10] == list(table["n"].dropna())
    assert RECOMPUTED == printed(table, "these figures")
    assert PUBLISHED == printed(table, "post of 2024-04-11")


def test_published_summaries_hold_six_comparisons():
    """Three comparisons on two servers, five groups, five statistics: 150 figures."""
    table = figures("mariadb_mysql_2024", Project.find())
    comparisons = table[["machine", "version", "relative_to"]].drop_duplicates()

    assert (150, 6) == (len(table), len(comparisons))
    assert set(SYSBENCH_GROUP_TITLES.values()) == set(table["step"])
