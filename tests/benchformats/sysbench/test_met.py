"""sb.r.*, sb.met.* and TPROC-C: small files, one figure or one row each."""

import pytest
from sysbench_files import FOLDER, MET, R, figures, told

from benchformats import tprocc
from benchformats.parsed import TextFile
from benchformats.sysbench import met as sysbench_met
from benchformats.sysbench import r as sysbench_r

pytestmark = pytest.mark.unit


def sb_r(name, text):
    return sysbench_r.read(TextFile(f"{FOLDER}/sb.r.{name}.pk1", text))


def sb_met(text, test="update-index.range100.pk1.dop3"):
    return sysbench_met.read(TextFile(f"{FOLDER}/sb.met.{test}", text))


def test_a_figure_of_sb_r_is_that_of_its_name():
    """The line says the test, the name which figure it is."""
    parsed = sb_r("qps.update-index.range100", R)

    assert [(1, "update-index_range=100", "qps", 1611, "queries/s")] == figures(parsed)
    assert [True] == [row.main for row in parsed.rows]


@pytest.mark.parametrize(
    ("name", "cell", "unit", "direction"),
    [
        ("trx", "806", "transactions/s", "higher"),
        ("rtavg", "3.72", "ms", "lower"),
        ("rtmax", "118.04", "ms", "lower"),
        ("rt95", "6.55", "ms", "lower"),
    ],
)
def test_figures_of_sb_r_have_units(name, cell, unit, direction):
    """Rates are better high, response times low; only qps is the throughput."""
    [row] = sb_r(f"{name}.insert.range100", f"{cell}\tinnodb insert range=100\n").rows

    assert (float(cell), unit, direction, False) == (
        row.value, row.unit, row.direction, row.main,
    )  # fmt: skip


def test_values_of_several_dops_are_numbered():
    """The file does not say which dops they are."""
    rows = sb_r(
        "qps.insert.range100", "13744\t24809\t30082\tinnodb insert range=100\n"
    ).rows

    assert [("1", 13744), ("2", 24809), ("3", 30082)] == [
        (row.dims["dop_no"], row.value) for row in rows
    ]


@pytest.mark.parametrize(
    ("cell", "unit"), [("4.673", "Mrows/s"), ("6553", "krows/s"), ("1028.2", "")]
)
def test_the_unit_of_a_scan_is_told_by_its_shape(cell, unit):
    """Millions with three decimals, thousands without; other shapes say nothing."""
    [row] = sb_r("qps.scan.range100", f"{cell}\tinnodb scan range=100\n").rows

    assert (float(cell), unit, "scan", True) == (row.value, row.unit, row.op, row.main)


def test_a_scan_that_was_not_run_is_no_figure():
    """0 stands where the dop is above the number of tables."""
    parsed = sb_r("qps.scan.range100", "3.901\t0\tinnodb scan range=100\n")

    assert [3.901] == [row.value for row in parsed.rows]
    assert [(1, "value 2: 0, a scan that was not run at this dop")] == told(parsed)


def test_a_failed_run_leaves_a_line_without_values():
    """It is told, not read as 0."""
    parsed = sb_r("qps.insert.range100", "innodb insert range=100\n")

    assert ([], [(1, "no value: the run failed")]) == (parsed.rows, told(parsed))


def test_a_line_of_another_test_than_the_name_is_not_read():
    """One of the two is damaged."""
    parsed = sb_r("qps.insert.range100", "13744\tinnodb delete range=100\n")

    assert [
        (1, "the line is of delete_range=100, the name of insert_range=100: not read")
    ] == told(parsed)
    assert [] == parsed.rows


def test_a_line_without_a_name_is_no_figure():
    """The same line may be a rate or a response time."""
    file = TextFile("copy.txt", R)

    assert sysbench_r.recognises(file)
    assert [] == sysbench_r.read(file).rows


def test_both_tables_of_sb_met_are_read():
    """iostat's figures and vmstat's, each with its own count of samples."""
    expected = [
        (3, "samp_io", 58, "count"), (3, "r_s", 0.2, "reads/s"), (3, "rmb_s", 0, "MB/s"),
        (3, "w_s", 981.5, "writes/s"), (3, "wmb_s", 40.3, "MB/s"), (3, "r_o", 0, "reads"),
        (3, "rkb_o", 0.001, "KB"), (3, "wkb_o", 25.61, "KB"),
        (3, "o_s", 1611.37, "queries/s"),
        (6, "samp_vm", 61, "count"), (6, "cs_s", 20411, "1/s"), (6, "cpu_s", 21.9, "%"),
        (6, "cs_o", 12.667, "switches"), (6, "cpu_o", 0.013591, "% s"),
    ]  # fmt: skip
    parsed = sb_met(MET)

    assert expected == [(r.line, r.metric, r.value, r.unit) for r in parsed.rows]
    assert {"update-index_range=100"} == {r.step for r in parsed.rows}
    assert [] == told(parsed)


def test_costs_are_better_low():
    """Per operation; rates of the machine have no direction."""
    better = {r.metric: r.direction for r in sb_met(MET).rows}

    assert {"cpu_o", "cs_o", "r_o", "rkb_o", "wkb_o"} == {
        metric for metric, direction in better.items() if direction == "lower"
    }
    assert "higher" == better["o_s"]


@pytest.mark.parametrize(
    ("name", "unit", "op"),
    [
        ("sb.met.scan.range100.pk1.dop3", "", "scan"),
        ("sb.prepare.met.point-query.warm.range100.pk1", "rows/s", "insert"),
    ],
)
def test_operations_of_scan_and_load_are_rows(name, unit, op):
    """A scan's are rows or thousands of rows, which no file says: no unit."""
    parsed = sysbench_met.read(TextFile(f"{FOLDER}/{name}", MET))
    [row] = [r for r in parsed.rows if r.metric == "o_s"]

    assert (unit, op) == (row.unit, row.op)


def test_a_row_short_of_columns_is_not_read():
    """Nothing says which column is missing."""
    parsed = sb_met(MET.replace("61\t20411\t", "61\t"))

    assert [(6, "4 figures for 5 columns")] == told(parsed)
    assert {3} == {row.line for row in parsed.rows}


def test_a_header_without_figures_is_told():
    """awk divides by zero where there is no sample, and prints nothing."""
    parsed = sb_met(MET[: MET.index("61\t")])

    assert [(5, "no figures under this header")] == told(parsed)


def test_a_cell_that_is_no_number_is_told():
    """-nan is no 0; the row's other cells are read."""
    parsed = sb_met(MET.replace("0.001\t25.610", "-nan\t25.610"))

    assert [(3, "rKB/o: not a number")] == told(parsed)
    assert 25.61 in [row.value for row in parsed.rows]


def test_tables_of_another_benchmark_are_not_recognised():
    """linkbench's tables of 2017 begin alike and have other columns."""
    text = "samp\tr/s\trkb/s\twkb/s\tr/q\trkb/q\twkb/q\tips\n" + "1\t" * 7 + "1\n"

    assert not sysbench_met.recognises(TextFile("l.r.in", text))


def test_new_orders_per_minute_by_dbms():
    """The name says clients and warehouses."""
    path = "jan26.tprocc.pn53.pg/sum.res.pg.load8.vu6.w1000.5.120.csv"
    file = TextFile(path, "pg1222,33781\npg181,33705\n")
    rows = tprocc.read(file).rows

    assert tprocc.recognises(file)
    assert [("pg1222", 33781), ("pg181", 33705)] == [(r.tag, r.value) for r in rows]
    assert {("nopm", "orders/min", True, 6, "1000")} == {
        (r.metric, r.unit, r.main, r.dop, r.dims["warehouses"]) for r in rows
    }


def test_ratios_of_new_orders_have_three_decimals():
    """The first DBMS, which they are relative to, is left out."""
    file = TextFile(
        "sum.res.pg.load8.vu1.w100.5.120.rel.csv", "pg1323,0.999\npg181,1.002\n"
    )

    assert [("rel_nopm", 0.999, False), ("rel_nopm", 1.002, False)] == [
        (r.metric, r.value, r.main) for r in tprocc.read(file).rows
    ]


def test_new_orders_of_a_run_that_did_nothing():
    """0 is what the script finds in the output of a run that failed."""
    file = TextFile("sum.res.pg.load8.vu1.w100.5.120.csv", "pg1323,33781\npg181,0\n")
    parsed = tprocc.read(file)

    assert [33781] == [row.value for row in parsed.rows]
    assert [(2, "a run that did nothing: not read")] == [
        (problem.line, problem.text) for problem in parsed.problems
    ]
