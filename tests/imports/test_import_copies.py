"""Of one figure in raw output and in tables made of it, one is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchbook.imports.importer import import_dir
from benchbook.project import Project
from benchbook.store.query import query

pytestmark = pytest.mark.unit

TEST = "update-index.range100.pk1"
LABEL = "\tpgsql update-index range=100\n"
OUTPUT = """sysbench 1.1.0-9072687 (using bundled LuaJIT 2.1.0-beta3)

Number of threads: {dop}

SQL statistics:
    transactions:                        81000  (900.42 per sec.)
    queries:                             81000  (900.42 per sec.)

Latency (ms):
         avg:                                    0.89
         95th percentile:                        1.16

Threads fairness:
    events (avg/stddev):           81000.0000/0.00
"""


@pytest.fixture
def rows(tmp_path: Path):
    """A function that imports files of one DBMS and gives columns of the view metric."""

    def imported(files: dict[str, str], columns: str) -> list[tuple[object, ...]]:
        for name, text in files.items():
            path = tmp_path / "old" / "x.pg18_o2nofp.x10a.pk1" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        project = Project(tmp_path / "checkout")
        import_dir(tmp_path / "old", project)
        frame = query(f"SELECT {columns} FROM metric ORDER BY metric, dop", project)
        return list(frame.itertuples(index=False, name=None))

    return imported


def output(dop: int) -> dict[str, str]:
    return {f"sb.o.{TEST}.dop{dop}": OUTPUT.format(dop=dop)}


def result(metric: str, value: str) -> dict[str, str]:
    return {f"sb.r.{metric}.{TEST}": value + LABEL}


def test_other_figures_of_a_test_in_other_files(rows):
    """Files with different figures of one run do not contradict each other."""
    found = rows(result("qps", "900") | result("trx", "450"), "metric, dims")

    assert [
        ("qps", {"pk": "1", "range": "100"}), ("trx", {"pk": "1", "range": "100"}),
    ] == found  # fmt: skip


def table(*figures: int) -> str:
    """Queries per second of tests a, b, ... as the archives have them."""
    tests = zip(figures, "abc", strict=False)
    lines = (f"{figure}\t{test}-scan_range=100" for figure, test in tests)
    return "col-1 : x.pg18_o2nofp.x10a.pk1\n\ncol-1\n" + "\n".join(lines) + "\n"


def test_an_equal_figure_of_files_that_differ_is_no_copy(rows):
    """Of three tests one has the same figure in both by chance: it stays in both."""
    files = {"qps.abs.p.tsv": table(10, 20, 30), "qps.abs.q.tsv": table(11, 20, 31)}
    found = rows(files, "step, value, dims['file'] AS file")

    assert 6 == len(found)
    assert [("b-scan_range=100", 20.0)] * 2 == sorted(f[:2] for f in found if f[1] == 20)
    assert 2 == len({file for _, value, file in found if value == 20})


def test_a_figure_that_differs_in_a_copy_is_told_apart(rows):
    """Two of three tests are equal: the third was done again."""
    files = {"qps.abs.p.tsv": table(10, 20, 30), "qps.abs.q.tsv": table(10, 20, 31)}

    assert [10.0, 20.0, 30.0, 31.0] == sorted(v for (v,) in rows(files, "value"))


def test_an_unknown_dop_is_that_of_the_raw_output(rows):
    """The only output of the test says 40, and its figures agree: one qps is left."""
    files = output(40) | result("qps", "900") | result("trx", "900")

    assert [("qps", 40, 900.42, True), ("trx", 40, 900.0, False)] == [
        row for row in rows(files, "metric, dop, value, main") if row[0] in ("qps", "trx")
    ]


def test_an_unknown_dop_among_several(rows):
    """Two outputs of the test say 1 and 40: which of them it was stays unknown."""
    found = rows(output(1) | output(40) | result("rt95", "1.16"), "metric, dop")

    assert [("rt95", 0), ("rt95", 1), ("rt95", 40)] == [
        row for row in found if row[0] == "rt95"
    ]


def test_an_unknown_dop_with_other_figures(rows):
    """The rates differ: it was another run."""
    found = rows(output(40) | result("qps", "500"), "metric, dop, value")

    assert [("qps", 0, 500.0), ("qps", 40, 900.42)] == [
        row for row in found if row[0] == "qps"
    ]


def test_an_unknown_dop_without_a_figure_in_common(rows):
    """Nothing shows that it was the same run."""
    found = rows(output(40) | result("trx", "900"), "metric, dop")

    assert [("trx", 0)] == [row for row in found if row[0] == "trx"]
