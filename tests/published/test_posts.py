"""The figures of 2017, 2022 and 2023 under data/published against their sources."""

from decimal import Decimal
from types import SimpleNamespace

import pytest
from corpus import corpus
from places import ROOT

from benchbook.published.claims import checked_claims
from benchbook.published.figures import published_figures
from benchbook.study.study import load_study
from benchbook.views.other_posts import measured_beside
from benchmath.compatible import half_up
from benchmath.published import doubtful, ratio_checks

pytestmark = pytest.mark.unit

POSTS = ROOT / "posts"
LOADED = ("ips", "mcpu_i", "wkb_i", "rkb_i", "size_gb")
LOAD = """\
i3 MyRocks.none 22122 2699 1.79 0.25 28
i3 MyRocks.zstd 20169 3243 1.36 0.14 13
i3 InnoDB-5.6 2665 4934 39.08 6.10 46
i3 InnoDB-5.7 3242 3526 34.24 2.54 46
i5 MyRocks.none 26837 2278 1.75 0.12 56
i5 MyRocks.zstd 24811 2770 1.52 0.06 25
i5 InnoDB-5.6 5978 4265 44.50 2.10 90
i5 InnoDB-5.7 5634 4690 44.92 1.26 90"""
LOAD_RELATIVE = """\
i3 MyRocks.zstd 0.91 1.20 0.76 0.56 0.46
i3 InnoDB-5.6 0.12 1.83 21.83 24.40 1.64
i3 InnoDB-5.7 0.15 1.31 19.13 10.16 1.64
i5 MyRocks.zstd 0.92 1.22 0.87 0.50 0.45
i5 InnoDB-5.6 0.22 1.87 25.43 17.50 1.61
i5 InnoDB-5.7 0.21 2.06 25.67 10.50 1.61"""
SCANNED = ("q1", "q2", "q3", "q4", "q5", "q2+q3+q4")
SCANS = """\
i3 MyRocks.none 219 202 222 224 207 648
i3 MyRocks.none.ra 182 189 203 197 168 589
i3 MyRocks.zstd 241 206 230 228 230 664
i3 MyRocks.zstd.ra 241 195 215 212 201 622
i3 InnoDB-5.6 292 181 194 212 127 587
i3 InnoDB-5.7 419 148 157 203 99 508
i5 MyRocks.none 394 345 381 366 342 1092
i5 MyRocks.none.ra 331 318 344 331 285 993
i5 MyRocks.zstd 385 346 383 386 372 1115
i5 MyRocks.zstd.ra 359 327 360 356 341 1043
i5 InnoDB-5.6 475 290 302 314 225 906
i5 InnoDB-5.7 417 250 267 249 164 766"""
READ_WRITE = ("ips", "ips_99", "wkb_i", "qps", "qps_99", "rkb_q", "mcpu_q")
BESIDE_1000 = """\
i3 MyRocks.none 999 998 1.30 3349 2377 0.37 7912
i3 MyRocks.zstd 999 998 1.70 3450 2506 0.25 7986
i3 InnoDB-5.6 999 977 26.20 258 156 101.61 37834
i3 InnoDB-5.7 999 977 30.70 311 238 98.68 26829
i5 MyRocks.none 999 998 2.23 3818 2395 0.47 6945
i5 MyRocks.zstd 999 998 1.96 3986 2858 0.28 6788
i5 InnoDB-5.6 999 987 73.09 992 626 59.45 16798
i5 InnoDB-5.7 999 988 71.22 1042 738 61.07 16115"""
BESIDE_100 = """\
i3 MyRocks.none 100 100 - 3419 3184 0.01 7173
i3 MyRocks.zstd 100 100 - 3549 3270 0.01 6969
i3 InnoDB-5.6 100 100 - 827 534 66.49 13675
i3 InnoDB-5.7 100 100 - 900 566 69.56 10269
i5 MyRocks.none 100 100 - 3911 3740 0 6202
i5 MyRocks.zstd 100 100 - 4090 3841 0.01 5938
i5 InnoDB-5.6 100 100 - 1334 951 50.42 11546
i5 InnoDB-5.7 100 100 - 1383 996 52.50 10807"""
ROWS = {"InnoDB-5.6": "inno5635", "InnoDB-5.7": "inno5717"}
SCAN_COLUMNS = dict(zip(SCANNED, ("1", "2", "3", "4", "5", "2-4"), strict=True))
SECTIONS = {"i3": "-- 250m", "i5": "-- 500m"}
TITLES = {"load": "- load", "wps1000": "- wps=1000 ", "wps100": "- wps=100 "}
SOURCE = {"ips": "ips.av", "ips_99": "ips.99", "qps": "qps.av", "qps_99": "qps.99",
          "mcpu_i": "Mcpu/i", "wkb_i": "wkb/i", "rkb_i": "rkb/i", "size_gb": "size",
          "rkb_q": "rkb/q", "mcpu_q": "Mcpu/q", "rkb_o": "rKB/o",
          "mcpu_o": "Mcpu/o", "rmb_s": "rMB/s", "rgb": "rGB"}  # fmt: skip


@pytest.fixture(scope="module")
def figures():
    return published_figures(load_study(POSTS / "myrocks-innodb-2017"))


def by_cell(text, steps, metrics):
    """(machine, dbms, step, metric) and the figure printed there, of a golden table."""
    names = [(s, m) for s in steps for m in metrics]
    return {
        (machine, dbms, *name): value
        for machine, dbms, *values in map(str.split, text.splitlines())
        for name, value in zip(names, values, strict=True)
        if value != "-"
    }


def test_figures_of_2017_stand_as_published(figures):
    """216 cells of load, scans and read-write, digit for digit."""
    absolute = figures[figures["table"] == "myrocks_innodb_2017"]
    keys = ["machine", "dbms", "step", "metric"]
    expected = {
        **by_cell(LOAD, ["load"], LOADED),
        **by_cell(SCANS, SCANNED, ["secs"]),
        **by_cell(BESIDE_1000, ["wps1000"], READ_WRITE),
        **by_cell(BESIDE_100, ["wps100"], READ_WRITE),
    }

    assert 216 == len(expected)
    assert expected == dict(
        zip(absolute[keys].itertuples(index=False, name=None), absolute["printed"],
            strict=True)
    )  # fmt: skip


def test_relative_tables_of_2017_follow_from_the_printed_figures():
    """30 ratios, halves up: 44.50 / 1.75 is 25.43."""
    absolute = by_cell(LOAD, ["load"], LOADED)
    again = {
        (machine, dbms, step, metric): half_up(
            Decimal(value) / Decimal(absolute[machine, "MyRocks.none", step, metric]), 2
        )
        for (machine, dbms, step, metric), value in absolute.items()
        if dbms != "MyRocks.none"
    }

    assert by_cell(LOAD_RELATIVE, ["load"], LOADED) == again


def test_post_of_2017_checks_every_published_ratio(figures):
    """The template's own check finds all 30 equal."""
    checks = ratio_checks(figures, {"dbms": "MyRocks.none"})

    assert 30 == len(checks)
    assert checks["follows"].all()


def test_wrong_cells_of_2017_are_marked(figures):
    """A typo, the ratio made of it, two cells of the wrong column; one wrong label."""
    wrong = doubtful(figures)
    labelled = figures[figures["remark"].str.contains("label")]

    assert [("20169", "20619"), ("26.20", "67.92"), ("30.70", "65.64"),
            ("0.91", "0.93")] == list(
        wrong[["printed", "printed_raw"]].itertuples(index=False, name=None)
    )  # fmt: skip
    assert {("i5", "InnoDB-5.7", "q5")} == set(
        labelled[["machine", "dbms", "step"]].itertuples(index=False, name=None)
    )


@pytest.mark.parametrize(
    ("slug", "verdicts"),
    [
        ("myrocks-innodb-2017", {"holds": 4, "differs": 6}),
        ("max-background-jobs-2022", {"holds": 2, "cannot be checked": 6}),
        ("checksums-published", {"holds": 6, "differs": 2, "cannot be checked": 1}),
    ],
)
def test_claims_are_what_the_figures_give(slug, verdicts):
    """A query whose verdict turned would fail by the claim's name."""
    claims = checked_claims(load_study(POSTS / slug))

    assert verdicts == dict(claims["verdict"].value_counts())


def test_checksum_claims_show_the_golden_figures():
    """1.59 and 1.57 with the old code for ARM, 1.07 and 1.06 with the new one."""
    claims = checked_claims(load_study(POSTS / "checksums-published"))
    shown = dict(zip(claims["said"], claims["figures"], strict=True))

    assert "release 1.59, dev 1.57" == shown["~1.5X"]
    assert "4ebd833a2 1.07, 620facc5 1.06" == shown["~1.14X"]
    assert "least 2.16, most 2.55" == shown["> 2X"]


@pytest.mark.corpus
def test_figures_of_2017_follow_from_the_archive(figures):
    """Each cell, or its `raw`, is that of the archive; MyRocks' writes are half of it."""
    text = (corpus("ibench_nuc_2017") / "ibench.nuc").read_text(encoding="utf-8")
    absolute = figures[figures["table"] != "myrocks_innodb_2017_relative"]
    strange = [
        (row["machine"], row["dbms"], row["step"], row["metric"], row["printed"], found)
        for row in absolute.to_dict("records")
        if (found := archived(row, text)) != Decimal(row["printed_raw"] or row["printed"])
    ]

    assert [] == strange


def archived(row, text):
    """The archive's own figure for one published cell."""
    part = text.split(SECTIONS[row["machine"]])[1].split("\n-- ")[0]
    step, scan = row["step"], row["metric"] == "secs"
    title = "scan" if scan else TITLES.get(step, step)
    column = SCAN_COLUMNS[step] if scan else SOURCE[row["metric"]]
    block = part.split("\n" + title)[1].split("\n\n")[0].splitlines()[1:]
    engine = ROWS.get(row["dbms"]) or row["dbms"].replace("MyRocks", "myrocks." +
                                                          row["build"])  # fmt: skip
    (line,) = (b.split() for b in block if b.split()[-1] == engine)
    value = Decimal(line[block[0].split().index(column)])
    halved = row["metric"] == "wkb_i" and row["engine"] == "myrocks"
    return Decimal(half_up(value / 2, 2)) if halved else value


@pytest.mark.slow
def test_parameters_of_a_measured_post_are_not_those_of_the_page(monkeypatch):
    """Its study.yml has `step`, which a page of published figures does not know."""
    shell = SimpleNamespace(user_ns={"In": ["study = None"]})
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)

    said, _ = measured_beside("where-mariadb-time-goes")

    assert "where-mariadb-time-goes" in str(said.data)
    assert "step" not in shell.user_ns


def test_measured_matrix_stands_beside_the_published_one():
    """The post of checksums shows this project's own runs, with their intervals."""
    said, table = measured_beside("crc32c-compilers")

    assert "(../crc32c-compilers/index.html)" in said.data
    assert "95% interval" in table.as_raw_html()
