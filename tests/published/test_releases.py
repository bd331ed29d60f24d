"""The published tables of sysbench and RocksDB versions against the archives' files."""

from __future__ import annotations

import csv
from collections import Counter

import pandas as pd
import pytest
from corpus import corpus

from benchbook.project import Project
from benchbook.published.figures import figures, published_frame
from benchmath.changes.moved_with import moved_with

pytestmark = pytest.mark.unit

PRINTED = {"p99_99": "p99.99", "stall_pct": "stall%"}
PER_OPERATION = {"cpu_o": 0, "r_o": 1, "rkb_o": 2, "wkb_o": 3}


def texts(name):
    """A published table with the digits of its values."""
    path = Project.find().data / "published" / f"{name}.csv"
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def releases(path):
    """One sum file: (step, version, trial) -> the row's texts by column."""
    rows, seen = {}, Counter()
    lines = path.read_text().splitlines()
    for line in lines:
        cells = line.split("\t")
        if cells[0] == "ops_sec":
            header = cells
        elif line:
            row = dict(zip(header, cells, strict=True))
            seen[row["test"], row["version"]] += 1
            trial = seen[row["test"], row["version"]]
            rows[row["test"], row["version"], str(trial)] = row
    return rows


@pytest.mark.corpus
def test_every_figure_of_42_tests_is_the_archives():
    """588 rates: 42 tests of 14 versions, each as qps.abs prints it."""
    path = corpus("sysbench_mysql_2024") / "qps.abs.my678.csv"
    archive = {row[0]: row[1:] for row in csv.reader(path.open())}
    table = texts("sysbench_mysql_2024")
    ours = table.groupby("step", sort=False)["value"].agg(list).to_dict()

    assert (588, 14) == (len(table), table["version"].nunique())
    assert archive == ours


@pytest.mark.corpus
def test_every_figure_per_operation_is_the_archives():
    """2,352 figures: CPU, reads and KB per operation of 42 tests of 14 versions."""
    path = corpus("sysbench_mysql_2024") / "met.my678.txt"
    found, step, absolute = {}, "", False
    for line in path.read_text().splitlines():
        if line.startswith("sb."):
            name = line.removeprefix("sb.met.").removesuffix(".pk1.dop1")
            step = name.replace(".range", "_range=") if name != line else ""
        elif line.startswith("---"):
            absolute = line == "--- absolute"
        elif step and absolute and "\tx." in line:
            cells = line.split("\t")
            found[step, cells[-1]] = cells
    table = texts("sysbench_mysql_2024_met")
    tags = "x.my" + table["version"].str.replace(".", "") + "_rel.z10a_bee.pk1"
    steps = table["step"].str.replace("-range", ".range")
    archive = [
        found[step, tag][PER_OPERATION[metric]]
        for step, tag, metric in zip(steps, tags, table["metric"], strict=True)
    ]

    assert (2352, 588) == (len(table), len(found))
    assert archive == list(table["value"])


@pytest.mark.corpus
def test_every_figure_of_79_releases_is_the_archives():
    """6,826 figures of 79 releases, two of which were run twice with iobuf."""
    folder = corpus("rocksdb_releases_2023")
    table = texts("rocksdb_releases_2023")
    files = {
        name: releases(folder / name.split("/")[-1]) for name in set(table["source"])
    }
    archive = [
        files[row.source][row.step, row.version, row.trial][
            PRINTED.get(row.metric, row.metric)
        ]
        for row in table.itertuples()
    ]

    assert (6826, 79) == (len(table), table["version"].nunique())
    assert archive == list(table["value"])


@pytest.mark.corpus
def test_no_release_and_step_of_the_archives_is_missing():
    """All rates are there but those of revrange and overwritesome, as published."""
    folder = corpus("rocksdb_releases_2023")
    wanted = {
        (path.name, *key)
        for path in folder.glob("sum.*.txt")
        for key in releases(path)
        if not key[0].startswith(("revrange.", "overwritesome."))
    }
    table = texts("rocksdb_releases_2023")
    rates = table[table["metric"] == "ops_sec"]
    names = rates["source"].str.split("/").str[-1]

    assert wanted == set(
        zip(names, rates["step"], rates["version"], rates["trial"], strict=True)
    )


def test_releases_measured_apart_say_so():
    """The dates of the runs: six breaks with byrx, five with iobuf."""
    table = figures("rocksdb_releases_2023", Project.find())
    breaks = table[table["remark"] != ""].drop_duplicates(["workload", "version"])

    assert {
        "byrx": ["5.0.2", "5.1.5", "6.0.2", "6.20.4", "8.4.4", "8.7.3"],
        "iobuf": ["5.0.2", "5.1.5", "6.0.2", "8.4.4", "8.7.3"],
    } == breaks.groupby("workload")["version"].agg(list).to_dict()
    assert "measured 17 hours after 6.19.4" in set(breaks["remark"])


@pytest.mark.slow
def test_insert_of_8_0_13_costs_more_cpu_than_it_loses():
    """From 5.7.44 to 8.0.13 insert keeps 0.77 and its CPU per operation grows 2.55 fold.

    Medians of cpu/o over 5.7.10 to 5.7.44 and 8.0.13 to 8.0.20: 0.001382 and 0.003531.
    """
    names = ["sysbench_mysql_2024", "sysbench_mysql_2024_met"]
    frame = published_frame(names, Project.find())
    change = pd.DataFrame(
        {
            "test": "insert_range=100", "step": "insert_range=100", "machine": "ser4",
            "op": "query", "place": [4, 8, 11], "boundary": ["", "5.7.44→8.0.13", ""],
            "ratio": [0.76, 0.774, 0.795], "detected": True,
        }
    )  # fmt: skip

    found = moved_with(frame, change).set_index("boundary")

    assert 2.55 == round(found.loc["5.7.44→8.0.13", "cpu_o"], 2)
