"""Explore's figures are those of `benchbook compare`, or the reason for none."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from explored import FORMULA, IMAGE, SLUG, freeze_hostile, hostile_project, metric_rows
from places import ROOT
from sample_site import make_project

from benchbook.cli.compare import comparison
from benchbook.cli.report import as_csv
from benchbook.explore.judged import study_data
from benchbook.project import Project
from benchbook.sets.sets import metric_set


@pytest.fixture
def data(tmp_path):
    return study_data(metric_set(SLUG, hostile_project(tmp_path)))


def test_a_ratio_is_that_of_geometric_means(data):
    """50, 51, 49 over 100, 102, 98 is one half, whose interval does not hold 1."""
    throughput = data["metrics"]["throughput"]
    row = throughput["bases"]["wal"]["rows"][0]
    place, ratio, low, high, verdict = row[:5]

    assert IMAGE == throughput["cells"][place][0]
    assert [50, 51, 49] == throughput["cells"][place][-1]
    assert 0.5 == ratio
    assert low < 0.5 < high < 1
    assert "regressed" == data["texts"][verdict]


def test_every_name_is_a_base_of_throughput(data):
    """Over the slow one the base of the study is twice as fast."""
    bases = data["metrics"]["throughput"]["bases"]

    assert ["wal", IMAGE, FORMULA] == list(bases)
    assert 2 == bases[IMAGE]["rows"][0][1]


def test_what_cannot_be_compared_has_its_reason(tmp_path):
    """Of a study with runs of the base only the values are there, and why no ratio is."""
    project = make_project(tmp_path)
    rows = metric_rows()
    freeze_hostile(project, rows[rows["config"] == "wal"])
    throughput = study_data(metric_set(SLUG, project))["metrics"]["throughput"]

    assert 2 == len(throughput["cells"])
    assert {
        "wal": {"rows": [], "why": "there is nothing but the base wal to compare"}
    } == throughput["bases"]


def test_machines_of_one_name_are_refused_in_the_words_of_the_library(tmp_path):
    """Runs of two machines in one cell are no trials of it."""
    project = make_project(tmp_path)
    rows = metric_rows()
    rows.loc[rows["trial"] == 2, "machine_id"] = "m2"
    freeze_hostile(project, rows)
    throughput = study_data(metric_set(SLUG, project))["metrics"]["throughput"]

    assert [] == throughput["cells"]
    assert "mixes machine_id m1, m2 in one cell" in throughput["why"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slug", "metric"),
    [("crc32c-compilers", "throughput"), ("where-time-goes", "cpu_o")],
)
def test_published_ratios_equal_those_of_compare(slug, metric):
    """Ratio, interval and verdict, to the six digits of its CSV."""
    chosen = metric_set(slug, Project(ROOT))
    data = study_data(chosen, [metric])
    shown = data["metrics"][metric]
    table = as_csv(comparison(chosen, dict(chosen.study.base), None, metric))
    lines = list(csv.DictReader(io.StringIO(table)))
    theirs = sorted(
        (me, *(float(line[f"{me}{part}"] or "nan") for part in ("", " low", " high")),
         line[f"{me} verdict"])
        for me in data["names"] if me != data["base"]
        for line in lines if line[me]
    )  # fmt: skip
    ours = sorted(
        (
            shown["cells"][place][0],
            ratio,
            low,
            high,
            data["texts"][verdict].split(" (")[0],
        )
        for place, ratio, low, high, verdict, *_ in shown["bases"][data["base"]]["rows"]
        if ratio is not None
    )

    assert len(ours) > 2
    assert theirs == ours


def test_only_what_tells_cells_of_a_name_apart_is_a_key(tmp_path):
    """A build that follows from the config is none; the number of clients is one."""
    project = make_project(tmp_path)
    rows = metric_rows()
    four = rows.assign(dop=4, run_id="d" + rows["run_id"])
    both = pd.concat([rows, four]).reset_index(drop=True)
    freeze_hostile(project, both.assign(build="b" + both["config"]))
    throughput = study_data(metric_set(SLUG, project))["metrics"]["throughput"]

    assert ["step", "dop"] == throughput["keys"]
    assert ["l.i0", "4"] in [cell[1] for cell in throughput["cells"]]
