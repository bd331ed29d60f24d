"""Recall, queries per second and builds of vector indexes."""

from __future__ import annotations

import pytest

from benchbook.formats import ann, ann_builds, ann_plot
from profile_files import BEST, BUILDS, LIST, PLOT, found, text_file, told

pytestmark = pytest.mark.unit


def indexes(parsed) -> list[tuple]:
    """Engine and parameters of the rows of one metric in two."""
    return [(row.engine, dict(row.dims)) for row in parsed.rows[::2]]


def test_output_of_the_plotting_script():
    """Recall and queries/s as printed; the rate is the main metric."""
    parsed = ann_plot.read(text_file(PLOT))

    assert [
        (3, "recall", 0.999, "ratio"), (3, "qps", 690.259, "queries/s"),
        (5, "recall", 1.0, "ratio"), (5, "qps", 4744.975, "queries/s"),
    ] == found(parsed)  # fmt: skip
    assert [
        ("pgvector", {"m": "32", "ef_construction": "64", "ef_search": "120"}),
        ("mariadb", {"m": "12", "ef_search": "10"}),
    ] == indexes(parsed)
    assert [False, True] * 2 == [row.main for row in parsed.rows]
    assert [] == told(parsed)


def test_lists():
    """A line that stands twice is one run."""
    parsed = ann.read(text_file(LIST))

    assert [
        (2, "recall", 0.912, "ratio"), (2, "qps", 3818.8, "queries/s"),
        (3, "recall", 0.964, "ratio"), (3, "qps", 3001.9, "queries/s"),
        (5, "recall", 1.0, "ratio"), (5, "qps", 8.3, "queries/s"),
    ] == found(parsed)  # fmt: skip
    assert [] == told(parsed)


def test_lists_of_the_best():
    """Which stands under which heading, and at which place."""
    table = ann.read(text_file(BEST)).series["ann_best"].to_pylist()

    assert [
        (2, 1.0, "pgvector", 1, 920.0), (3, 1.0, "pgvector", 2, 834.1),
        (5, 1.0, "mariadb", 1, 3226.1), (8, 0.99, "pgvector", 1, 2337.0),
    ] == [
        (one["line"], one["at_recall"], one["engine"], one["rank"], one["qps"])
        for one in table
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "1.001 8.3     MariaDB(m=48, ef_search=400)", "0.91 8.3     MariaDB(m=48)",
        "0.912 8     MariaDB(m=48)", "0.912 8.3     MariaDB(m=48, ef_search=)",
        "0.912 8.3     MariaDB(m=48, m=49)", "0.912 8.3     MariaDB",
    ],
)  # fmt: skip
def test_other_lines_of_a_list_are_told(line: str):
    """Other decimals, a recall above 1, parameters that are not all there."""
    parsed = ann.read(text_file(line + "\n"))

    assert ([], [(1, "not recall, queries/s and an index")]) == (
        parsed.rows, told(parsed),
    )  # fmt: skip


def test_seconds_and_sizes_of_builds():
    """Per algorithm; MariaDB has no ef_construction."""
    parsed = ann_builds.read(text_file(BUILDS))

    assert [
        (7, "build_s", 27.0, "s"), (7, "index_mb", 234, "MB"),
        (8, "build_s", 598.8, "s"), (8, "index_mb", 238, "MB"),
        (12, "build_s", 11.9, "s"), (12, "index_mb", 120, "MB"),
    ] == found(parsed)  # fmt: skip
    assert [
        ("pgvector", {"m": "8", "ef_construction": "32"}),
        ("pgvector", {"m": "64", "ef_construction": "256"}),
        ("mariadb", {"m": "4"}),
    ] == indexes(parsed)
    assert [] == told(parsed)


def test_a_table_of_builds_without_its_algorithm():
    """Nothing says whose they are."""
    parsed = ann_builds.read(text_file(BUILDS.replace("pgvector\n", "")))

    assert [12, 12] == [row.line + 1 for row in parsed.rows]
    assert [5, 6, 7] == [line for line, _ in told(parsed)]
