"""o.met.* and qps.*: figures of several DBMS side by side, and their ratios."""

import math

import pytest
from sysbench_files import BLOCKS, MET_TABLE, QPS_ABS, QPS_REL, figures, told

from benchformats.parsed import TextFile
from benchformats.sysbench import met_tables, qps_tables
from benchmath.compatible import published_ratio

pytestmark = pytest.mark.unit

OLDER, NEWER = "x.my5651_rel.z11a_bee.pk1", "x.my8036_rel.z11a_bee.pk1"


def met(text):
    return met_tables.read(TextFile("o.met.my", text))


def qps(text, name="qps.abs.my.tsv"):
    return qps_tables.read(TextFile(name, text))


def cells(parsed):
    """(step, metric, tag) to value."""
    return {(r.step, r.metric, r.tag): r.value for r in parsed.rows}


# per-operation tables -------------------------------------------------------------------


def test_blocks_of_a_metric_table_are_read():
    """Absolute figures of each DBMS, of the block's test and dop."""
    rows = [r for r in met(MET_TABLE).rows if r.tag == NEWER and r.line == 13]

    assert [
        ("cpu_o", 0.006468, "% s"), ("cs_o", 14.17, "switches"), ("r_o", 0.857, "reads"),
        ("rkb_o", 3.426, "KB"), ("wkb_o", 50.978, "KB"), ("o_s", 2453, "queries/s"),
    ] == [(r.metric, r.value, r.unit) for r in rows]  # fmt: skip
    assert {("update-index_range=100", 3, "100", "1")} == {
        (r.step, r.dop, r.dims["range"], r.dims["pk"]) for r in rows
    }


def test_relative_figures_are_metrics_of_their_own():
    """They have another name, the base as a dimension, and inf where its figure is 0."""
    rows = [r for r in met(MET_TABLE).rows if r.line == 15]

    assert [
        ("rel_cpu_o", 0.43, "lower"), ("rel_cs_o", 0.41, "lower"),
        ("rel_r_o", math.inf, "lower"), ("rel_rkb_o", math.inf, "lower"),
        ("rel_wkb_o", 0.46, "lower"), ("rel_o_s", 1.08, "higher"),
    ] == [(r.metric, r.value, r.direction) for r in rows]  # fmt: skip
    assert {("ratio", OLDER, False)} == {
        (r.unit, r.dims["relative_to"], r.main) for r in rows
    }


def test_the_first_block_is_the_load():
    """sb.prepare.met has no dop; its operations are rows."""
    rows = [r for r in met(MET_TABLE).rows if r.line == 4 and r.metric == "o_s"]

    assert [("prepare", "insert", 63157, "rows/s", 0)] == [
        (r.step, r.op, r.value, r.unit, r.dop) for r in rows
    ]


@pytest.mark.parametrize(
    ("header", "absolute", "relative", "metrics"),
    [
        ("rKB/o\twKB/o", "0.000\t1.5", "1\t1.00", ["rkb_o", "wkb_o"]),
        ("r/o\trKB/o\twKB/o", "0\t0\t1.5", "1\t1\t1.00", ["r_o", "rkb_o", "wkb_o"]),
        (
            "cs/o\tr/o\trKB/o\twKB/o",
            "2.5\t0\t0\t1.5",
            "1.00\t1\t1\t1.00",
            ["cs_o", "r_o", "rkb_o", "wkb_o"],
        ),
    ],
)
def test_three_headers_are_known(header, absolute, relative, metrics):
    """2020, February 2024 and since April 2024."""
    text = (
        "sb.met.insert.range100.pk1.dop1\n--- absolute\n"
        f"cpu/o\t\t{header}\to/s\tdbms\n"
        f"0.001123\t{absolute}\t24239\t{OLDER}\n0.001123\t{absolute}\t24239\t{NEWER}\n"
        f"--- relative to first result\n1.00\t\t{relative}\t1.00\t{NEWER}\n\n"
    )
    named = ["cpu_o", *metrics, "o_s"]
    parsed = met(text)

    assert [*named, *named, *(f"rel_{m}" for m in named)] == [
        r.metric for r in parsed.rows
    ]
    assert [] == told(parsed)


def test_titles_may_lack_their_prefix():
    """Some copies had it cut off; without a dop the block is the load."""
    text = MET_TABLE.replace("sb.met.", "").replace("sb.prepare.met.", "")

    assert [(r.step, r.dop) for r in met(MET_TABLE).rows] == [
        (r.step, r.dop) for r in met(text).rows
    ]


def test_two_dops_are_compared_where_a_line_says_so():
    """The first row is of one dop, the others of another."""
    text = MET_TABLE[MET_TABLE.index("sb.met.") :].replace(
        "dop3\n",
        "dop3\nbase1 sb.met.update-index.range100.pk1.dop3 and "
        "base2 sb.met.update-index.range100.pk1.dop12\n",
        1,
    )
    rows = met(text).rows
    dops = [(r.tag, r.dop) for r in rows if r.metric.endswith("cpu_o")]

    assert [(OLDER, 3), (NEWER, 12), (NEWER, 12)] == dops
    assert {"3"} == {r.dims["base_dop"] for r in rows if r.metric == "rel_o_s"}


def test_a_ratio_to_nothing_is_not_read():
    """Where a DBMS has no file the script divides nothing and prints inf."""
    line = "inf\t\tinf\t1\t1\tinf\tinf\tx.my9500_rel.z11a_bee.pk1\n"
    problem = f"{line.split()[-1]} has no absolute figures to be relative to: not read"
    parsed = met(MET_TABLE.replace("\n\nsb.met", f"\n{line}\nsb.met"))

    assert [(8, problem)] == told(parsed)
    assert {OLDER, NEWER} == {r.tag for r in parsed.rows}


def test_ratios_to_a_damaged_row_are_not_read():
    """Without its base a relative part has no meaning."""
    parsed = met(MET_TABLE.replace("0.015003\t34.740\t", "0.015003\t"))

    assert [
        (12, "6 cells where the header has 7"),
        (15, "the row that this is relative to was not read"),
    ] == told(parsed)


def test_a_block_without_its_title_is_not_read():
    """Its figures must not go to the test before."""
    parsed = met(
        MET_TABLE.replace("sb.met.update-index.range100", "sb.met.update\0index")
    )

    assert {"prepare"} == {r.step for r in parsed.rows}
    assert [9, 10, 11, 12, 13, 14, 15] == [line for line, _ in told(parsed)]


# two blocks as published in April 2024 (sysbench, MariaDB on an 8-core server)

HEADER = "cpu/o\t\tcs/o\tr/o\trKB/o\twKB/o\to/s\tdbms"
TAGS = ("ma100244_rel.z11a_bee", "ma100339_rel.z11a_bee", "ma100433_rel.z11a_bee",
        "ma100524_rel.z11a_bee", "ma100617_rel.z11a_bee", "ma101107_rel.z11a_bee",
        "ma110401_rel.z11b_bee")  # fmt: skip
APRIL_2024 = {
    "update-inlist": (
        """0.006937 36.076 0 0 90.665 3966
0.007467 35.345 0 0 89.534 3845
0.007336 35.395 0 0 91.588 3722
0.005755 37.579 0 0 7.408 4126
0.004227 8.442 0 0 33.077 3890
0.004253 8.595 0.077 0.306 33.099 3856
0.004430 8.462 0.034 0.136 32.22 3650""",
        """1.08 0.98 1 1 0.99 0.97
1.06 0.98 1 1 1.01 0.94
0.83 1.04 1 1 0.08 1.04
0.61 0.23 1 1 0.36 0.98
0.61 0.24 inf inf 0.37 0.97
0.64 0.23 inf inf 0.36 0.92""",
    ),
    "update-index": (
        """0.015003 34.740 0 0 110.865 2268
0.016460 39.791 0 0 123.805 1715
0.016282 39.626 0 0 124.773 1734
0.010618 55.358 0 0 111.238 2277
0.007834 12.873 0 0 53.445 1997
0.006468 14.170 0.857 3.426 50.978 2453
0.006733 14.250 0.859 3.434 51.687 2337""",
        """1.10 1.15 1 1 1.12 0.76
1.09 1.14 1 1 1.13 0.76
0.71 1.59 1 1 1.00 1.00
0.52 0.37 1 1 0.48 0.88
0.43 0.41 inf inf 0.46 1.08
0.45 0.41 inf inf 0.47 1.03""",
    ),
}


def published_block(test):
    """A block of April 2024 as its file had it."""
    absolute, relative = (part.split("\n") for part in APRIL_2024[test])
    lines = [f"sb.met.{test}.range100.pk1.dop1", "--- absolute", HEADER]
    lines += [
        "\t".join([*row.split(), tag]) for row, tag in zip(absolute, TAGS, strict=True)
    ]
    lines.append("--- relative to first result")
    for row, tag in zip(relative, TAGS[1:], strict=True):
        first, *rest = row.split()
        lines.append("\t".join([first, "", *rest, tag]))
    return "\n".join([*lines, "", ""])


@pytest.mark.parametrize("test", APRIL_2024)
def test_published_ratios_follow_from_published_figures(test):
    """36 cells of each block: 1 where both are 0, inf where only the base is."""
    parsed = met(published_block(test))
    found = cells(parsed)
    step = f"{test}_range=100"
    checked = 0
    for (_, metric, tag), value in found.items():
        if metric.startswith("rel_"):
            name = metric.removeprefix("rel_")
            me, base = found[step, name, tag], found[step, name, TAGS[0]]
            assert float(published_ratio(me, base)) == value
            checked += 1

    assert (36, 42, []) == (checked, len(found) - checked, told(parsed))


# throughput -----------------------------------------------------------------------------


def test_a_table_of_throughput_is_read():
    """Columns are the DBMS of the head, rows the tests whose name stands last."""
    parsed = qps(QPS_ABS)

    assert {
        ("hot-points_range=100", "qps", OLDER): 2303,
        ("hot-points_range=100", "qps", NEWER): 2009,
        ("scan_range=100", "qps", OLDER): 3.437,
        ("scan_range=100", "qps", NEWER): 2.113,
        ("update-index_range=100", "qps", OLDER): 2077,
        ("update-index_range=100", "qps", NEWER): 2139,
    } == cells(parsed)
    assert [True] * 6 == [r.main for r in parsed.rows]


@pytest.mark.parametrize(
    ("row", "unit", "problems"),
    [
        ("3.437\t2.113", "Mrows/s", []),
        ("6553\t4501", "krows/s", []),
        ("1028.2\t1101.4", "", [(6, "scan: not known in what unit")]),
        ("3.437\t4501", "", [(6, "scan: not known in what unit")]),
    ],
)
def test_a_scan_is_in_rows(row, unit, problems):
    """Millions with three decimals until March 2025, then thousands."""
    parsed = qps(QPS_ABS.replace("3.437\t2.113", row))

    assert {unit} == {r.unit for r in parsed.rows if r.op == "scan"}
    assert problems == told(parsed)


def test_a_failed_run_leaves_a_scan_its_unit():
    """A word among the rates is no rate: the others still tell in what they are."""
    parsed = qps(QPS_ABS.replace("3.437\t2.113", "innodb\t2.113"))

    assert [(2.113, "Mrows/s")] == [
        (r.value, r.unit) for r in parsed.rows if r.op == "scan"
    ]
    assert [(6, "col-1: not a number")] == told(parsed)


def test_ratios_of_throughput_name_their_base():
    """They are no throughput, and higher is better."""
    rows = qps(QPS_REL, "qps.rel.my.tsv").rows

    assert [
        (5, "hot-points_range=100", "rel_qps", 0.87, "ratio"),
        (6, "scan_range=100", "rel_qps", 0.61, "ratio"),
        (7, "update-index_range=100", "rel_qps", 1.03, "ratio"),
    ] == figures(qps(QPS_REL))
    assert {(NEWER, OLDER, False)} == {
        (r.tag, r.dims["relative_to"], r.main) for r in rows
    }


def test_ratios_whose_base_is_lost_are_no_rates():
    """Two decimals: rates are integers, of scans perhaps with three."""
    parsed = qps("\n".join(QPS_REL.split("\n")[1:]))

    assert [] == parsed.rows
    why = "col-1: a ratio, but to what no line says"
    assert [4, 5, 6] == [line for line, text in told(parsed) if text == why]


def test_edited_tables_have_titles_and_short_names():
    """Titles of groups and repeated headers are passed over; names stay as printed."""
    text = (
        "Relative to: my5651_rel.z12a_c32r128\ncol-1 : my5744_rel.z12a_c32r128\n\n"
        "- point queries\ncol-1\n3.34\thot-points\n3.07\trandom-points_range=1000\n\n"
        "- range queries without aggregation\ncol-1\n0.86\tscan\n"
    )
    parsed = qps(text, "qps.rel.my.tsv.edit")

    assert [("hot-points", 3.34), ("random-points_range=1000", 3.07), ("scan", 0.86)] == [
        (r.step, r.value) for r in parsed.rows
    ]
    assert [] == told(parsed)


def test_a_header_may_end_with_the_title_of_its_group():
    """Then it is repeated for every group, and a test of two runs stands there twice."""
    text = QPS_REL.replace("col-1\n0.87", "col-1\tpoint queries, first run\n0.87")
    again = "\ncol-1\tpoint queries, second run\n0.89\thot-points_range=100\n"
    parsed = qps(text + again, "all.tsv")

    assert [(5, 0.87), (10, 0.89)] == [
        (r.line, r.value) for r in parsed.rows if r.step == "hot-points_range=100"
    ]
    assert ({NEWER}, []) == ({r.tag for r in parsed.rows}, told(parsed))


def test_ratios_that_are_all_nought_are_of_failed_runs():
    """Where no run of a DBMS worked the script divides a word, and prints 0.00."""
    text = (
        f"Relative to: {OLDER}\ncol-1 : x.ma110306.z1.pk1\ncol-2 : {NEWER}\n\n"
        "col-1\tcol-2\n0.00\t0.00\tinsert_range=100\n0.00\t0.97\tdelete_range=100\n"
    )
    parsed = qps(text, "qps.rel.my.tsv")

    assert [(NEWER, 0.0), (NEWER, 0.97)] == [(r.tag, r.value) for r in parsed.rows]
    assert [(6, "col-1: every ratio is 0, so its runs failed: not read")] == told(parsed)


def test_a_column_that_is_shorter_than_the_others_is_not_read():
    """Columns are pasted: below a test that is missing all figures are of other tests."""
    text = QPS_ABS.replace("2077\t2139\t", "2077\t\t")
    parsed = qps(text)
    why = "col-2: a test is missing and which one nothing says: not read"

    assert {OLDER} == {r.tag for r in parsed.rows}
    assert [(7, why)] == told(parsed)


def test_prose_with_a_table_of_no_dbms_is_left_out():
    """One sentence for the file, not one for every line."""
    text = "I used:\n  three releases\n\ncol-1\tcol-2\n1.00\t1.01\tinsert_range=100\n"

    assert ([], [(0, "no line says which DBMS the columns are: not read")]) == (
        qps(text).rows, told(qps(text)),
    )  # fmt: skip


def test_remarks_behind_the_name_are_passed_over():
    """Marked tables have them after one or several tabs."""
    text = QPS_REL.replace(
        "hot-points_range=100", "hot-points_range=100\t\t-> 10.5, 2 of 3"
    )

    assert figures(qps(QPS_REL)) == figures(qps(text, "qps.rel.my.tsv.markup"))
    assert [] == told(qps(text))


def test_older_sums_have_blanks_in_names():
    """sum.<tag>: the step is the same as in later tables."""
    text = QPS_ABS.replace("_range=", " range=")

    assert figures(qps(QPS_ABS)) == figures(qps(text, "sum.my"))


def test_averages_of_groups_have_the_name_first():
    """qps.rel.avg.tsv: a dot before the header."""
    text = (
        f"Relative to: {OLDER}\ncol-1 : {NEWER}\n\n.\tcol-1\npoint\t0.981\nwrite\t0.704\n"
    )

    assert [
        (5, "point", "rel_qps_average", 0.981, "ratio"),
        (6, "write", "rel_qps_average", 0.704, "ratio"),
    ] == figures(qps(text, "qps.rel.avg.tsv"))


def test_a_csv_is_left_to_its_tsv():
    """It names no columns: nothing is guessed."""
    file = TextFile(
        "qps.abs.my.csv", "hot-points_range=100,2303,2009\nscan_range=100,3,2\n"
    )

    assert qps_tables.recognises(file)
    assert ([], 0) == (qps_tables.read(file).rows, qps_tables.read(file).problems[0].line)


def test_a_failed_run_leaves_a_word_in_its_column():
    """Then the cell is told and the others are read."""
    parsed = qps(QPS_ABS.replace("2303\t2009", "innodb\t2009"))

    assert [(5, "col-1: not a number")] == told(parsed)
    assert 2009 == parsed.rows[0].value


def test_a_row_short_of_a_column_is_not_read():
    """Nothing says which DBMS is missing."""
    parsed = qps(QPS_ABS.replace("2303\t2009\t", "2303\t"))

    assert [(5, "not 2 values and the name of a test")] == told(parsed)
    assert 4 == len(parsed.rows)


def test_a_column_without_an_input_is_not_read():
    """A damaged head leaves a DBMS without a name."""
    parsed = qps(QPS_ABS.replace("col-2 : x", "col-? : x"))

    assert {OLDER} == {r.tag for r in parsed.rows}
    assert (5, "col-2: no input of this name") in told(parsed)


def test_blocks_of_2020_have_a_row_per_dbms():
    """Values of several dops, which nothing names, then the tag; the load first."""
    parsed = qps(BLOCKS, "o.qps.abs.my")
    point = [r for r in parsed.rows if r.step == "point-query_range=100"]
    load = [(r.metric, r.value, r.unit, r.op) for r in parsed.rows if r.step == "prepare"]

    assert [("1", 24631), ("2", 48686), ("3", 65803)] == [
        (r.dims["dop_no"], r.value) for r in point if r.tag == "x.my5649.x6d.pk1"
    ]
    assert ("ips", 99009, "rows/s", "insert") == load[0]
    assert {"Mrows/s"} == {r.unit for r in parsed.rows if r.op == "scan"}
    assert [] == told(parsed)


def test_blocks_with_two_decimals_are_ratios():
    """They have the same shape and leave out the first DBMS."""
    text = (
        "sb.r.qps.point-query.range100.pk1\n0.85\t0.86\tx.my5731.x6d.pk1\n\n"
        "sb.r.qps.scan.range100.pk1\n0.84\tx.my5731.x6d.pk1\n\n"
    )

    assert [
        (2, "point-query_range=100", "rel_qps", 0.85, "ratio"),
        (2, "point-query_range=100", "rel_qps", 0.86, "ratio"),
        (5, "scan_range=100", "rel_qps", 0.84, "ratio"),
    ] == figures(qps(text, "o.qps.rel.my"))


def test_blocks_that_could_be_either_are_not_read():
    """Response times have two decimals, ratios too: the name must say which."""
    text = "sb.r.rt95.point-query.range100.pk1\n0.49\tx.my5731.x6d.pk1\n\n"

    assert [] == qps(text, "o.my").rows
    assert ["rt95"] == [r.metric for r in qps(text, "o.rt.abs.my").rows]
    assert ["rel_rt95"] == [r.metric for r in qps(text, "o.rt.rel.my").rows]
