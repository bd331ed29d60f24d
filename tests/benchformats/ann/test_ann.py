"""Recall, queries per second and builds of vector indexes."""

from __future__ import annotations

import pytest
from profile_files import BEST, BUILDS, LIST, PLOT, found, text_file, told

from benchformats.ann import builds as ann_builds
from benchformats.ann import plot as ann_plot
from benchformats.ann import recall as ann

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


def test_an_index_after_two_brackets():
    """Qdrant's, and what the plotting script says where it had the result already."""
    plot = (
        "Found cached result\n"
        " Qdrant((m=8, ef_construct=32, quantization=none, hnsw_ef=10)        0.685     "
        "1131.427\n"
    )
    line = (
        "0.685 1131.4     Qdrant((m=8, ef_construct=32, quantization=none, hnsw_ef=10)\n"
    )
    parts = [ann_plot.read(text_file(plot)), ann.read(text_file(line))]

    assert [
        [(2, "recall", 0.685, "ratio"), (2, "qps", 1131.427, "queries/s")],
        [(1, "recall", 0.685, "ratio"), (1, "qps", 1131.4, "queries/s")],
    ] == [found(parsed) for parsed in parts]
    dims = {"m": "8", "ef_construct": "32", "quantization": "none", "hnsw_ef": "10"}
    assert [[("qdrant", dims)]] * 2 == [indexes(parsed) for parsed in parts]
    assert [[], []] == [told(parsed) for parsed in parts]
    assert ann_plot.recognises(text_file(plot))
    assert ann.recognises(text_file(line))


def test_a_script_that_shows_a_line_is_no_output():
    """An index among lines of something else."""
    text = f"{PLOT.splitlines()[2]}\nwhile read m ; do\n  grep m=$m $1\ndone\n"

    assert not ann_plot.recognises(text_file(text, "an.sh"))


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


LISTS = """\
Best QPS with recall >= 0.98
0.984 417.9     PG(m=32, ef_search=40)
0.986 408.9     PG(m=64, ef_search=20)
{between}0.985 418.0     PG(m=32, ef_search=40)
0.988 391.4     PG(m=64, ef_search=20)
"""


@pytest.mark.parametrize(
    "name, between, ranks",
    [
        ("qr.topN.2.pg.a.pg.b", "\n", [1, 2, 1, 2]), ("notes", "\n", [1, 2, 1, 2]),
        ("qr.topN.1.pg.a.pg.b.pg.c.pg.d", "", [1, 1, 1, 1]),
        ("qr.topN.2.pg.a.pg.b", "0.9 PG\n", [1, 2, 1, 2]),
        ("qr.topN.3.pg.a.pg.b", "0.9 PG\n", [1, 2, 1, 2]),
    ],
)  # fmt: skip
def test_several_lists_of_one_engine(name: str, between: str, ranks: list[int]):
    """Each is ranked by itself: runs with other settings have lists of their own."""
    parsed = ann.read(text_file(LISTS.format(between=between), name))

    assert ranks == parsed.series["ann_best"]["rank"].to_pylist()


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


@pytest.mark.parametrize(
    "header, figures, problems",
    [
        ("M       cons    secs    size (MB)", [("build_s", 27.0), ("index_mb", 234)], []),
        ("M\tcons\tsecs\tsize", [("build_s", 27.0)],
         [(2, "sizes without a unit: not read")]),
    ],
)  # fmt: skip
def test_other_headers_of_builds(header: str, figures: list, problems: list):
    """Blanks for TABs; a size whose unit nobody says is no figure."""
    file = text_file(f"pgvector\n{header}\n 8\t 32\t 27.0\t234\n")
    parsed = ann_builds.read(file)

    assert ann_builds.recognises(file)
    assert figures == [(row.metric, row.value) for row in parsed.rows]
    assert problems == told(parsed)


def test_a_table_of_builds_without_its_algorithm():
    """Nothing says whose they are."""
    parsed = ann_builds.read(text_file(BUILDS.replace("pgvector\n", "")))

    assert [12, 12] == [row.line + 1 for row in parsed.rows]
    assert [5, 6, 7] == [line for line, _ in told(parsed)]
