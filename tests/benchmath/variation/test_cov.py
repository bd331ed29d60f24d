"""Coefficient of variation: formulas, interval, verdict, pooling, published cells."""

import csv

import numpy as np
import pandas as pd
import pytest
from corpus import corpus
from places import ROOT

from benchmath.intervals import cov_interval
from benchmath.variation.cov import (
    coefficient_of_variation,
    cov_summary,
    pooled_cov,
    worst_cov,
)

pytestmark = pytest.mark.unit

PUBLISHED = ROOT / "data/published/rocksdb_variance_2022.csv"
COUNTED = (
    "fillseq",
    "readrandom",
    "fwdrangewhilewriting",
    "readwhilewriting",
    "overwriteandwait",
)


def trials(values, step="fillseq", **dims):
    """A metric frame: one cell, or several with a dimension that has a value per run."""
    rows = {
        "engine": "rocksdb", "step": step, "metric": "qps", "op": "query", "main": True,
        "unit": "queries/s", "direction": "higher",
    } | dims  # fmt: skip
    return pd.DataFrame(rows | {"value": np.asarray(values, dtype=float)})


def test_both_standard_deviations():
    """9, 10, 11: stddev 1 with n-1, so CoV 0.1; the published form is sqrt(2/3) of it."""
    row = coefficient_of_variation(trials([9, 10, 11])).iloc[0]

    assert (3, 10.0, 1.0, 0.1) == tuple(row[["n", "mean", "stddev", "cov"]])
    assert np.isclose(0.1 * np.sqrt(2 / 3), row["cov_published"])


def test_small_samples_are_corrected():
    """c4 of 3 is sqrt(pi)/2: the unbiased CoV of 9, 10, 11 is 0.1 * 2 / sqrt(pi)."""
    row = coefficient_of_variation(trials([9, 10, 11])).iloc[0]

    assert np.isclose(0.2 / np.sqrt(np.pi), row["cov_unbiased"])


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 3, 5, 9, 10, 20])
def test_corrected_forms_are_right_on_average(n):
    """Of 2,000 normal cells with CoV 2% the mean of both forms is 2%, within 4%."""
    runs = np.random.default_rng(7).normal(100, 2, (2000, n))
    frame = trials(runs.ravel(), cell=np.repeat(np.arange(2000), n))

    cov = coefficient_of_variation(frame)

    assert np.allclose(0.02, cov[["cov_unbiased", "robust"]].mean(), rtol=0.04)


def test_robust_form_ignores_one_wild_run():
    """98, 100, 102, 104, 200: the median distance to 102 is 2, factor 1.206 for five."""
    row = coefficient_of_variation(trials([98, 100, 102, 104, 200])).iloc[0]

    assert np.isclose(1.206 * 1.4826 * 2 / 102, row["robust"])


def test_median_of_zero_has_no_robust_form():
    """0, 0, 5: a distance over a median of 0 is no number."""
    row = coefficient_of_variation(trials([0, 0, 5])).iloc[0]

    assert np.isnan(row["robust"])


def test_cells_of_a_machine_and_step_are_pooled():
    """CoV 1% of 3 runs and 4% of 2: the squares weighted 2 to 1 are (2 + 16) / 3."""
    frame = pd.concat(
        [
            trials([99, 100, 101], machine="m", version="1"),
            trials([100 - 8**0.5, 100 + 8**0.5], machine="m", version="2"),
            trials([7], machine="m", version="3"),
        ]
    )

    row = pooled_cov(frame).iloc[0]

    assert ["m", "fillseq", 2, 5] == list(row[["machine", "step", "cells", "n"]])
    assert np.isclose(np.sqrt(6e-4), row["pooled"])
    assert np.isclose(0.04, row["largest"])


def test_equal_cells_have_all_their_degrees_of_freedom():
    """Four cells of 3 runs and one CoV: 8, and chi-square's 2.180 and 17.535."""
    cells = [trials([99, 100, 101], machine="m", version=str(v)) for v in range(4)]

    row = pooled_cov(pd.concat(cells)).iloc[0]

    assert np.isclose(8, row["pooled_df"])
    assert np.allclose(
        [0.01 * np.sqrt(8 / 17.5345), 0.01 * np.sqrt(8 / 2.1797)],
        row[["pooled_low", "pooled_high"]].astype(float),
        rtol=1e-4,
    )


def test_a_noisy_cell_outweighs_the_others():
    """CoVs 1% and 5% of 3 runs: 52^2 / ((2^2 + 50^2) / 4) - 2 = 2.319 of 4."""
    frame = pd.concat(
        [
            trials([99, 100, 101], machine="m", version="1"),
            trials([95, 100, 105], machine="m", version="2"),
        ]
    )

    assert np.isclose(2704 / 626 - 2, pooled_cov(frame)["pooled_df"].iloc[0])


@pytest.mark.parametrize(
    ("half", "n", "expected"),
    [
        (0.2, 30, "quiet"),
        (2, 30, "normal"),
        (9, 30, "noisy"),
        (0.9, 10, "quiet, could be normal"),
        (1.3, 10, "normal, could be quiet"),
        (1.5, 3, "normal, could be quiet or noisy"),
        (0.9, 2, "quiet, could be normal or noisy"),
    ],
)
def test_class_and_the_classes_that_it_could_be(half, n, expected):
    """The class is that of the estimate; the others are those the interval reaches."""
    offsets = np.linspace(-1, 1, n)
    values = 100 + half * offsets / offsets.std(ddof=1)

    row = pooled_cov(trials(values, machine="m")).iloc[0]

    assert expected == row["verdict"]
    assert expected.split(",")[0] == row["noise_class"]


def test_limits_of_the_classes_can_be_given():
    """CoV 2% is quiet where 2.5% still counts as quiet."""
    frame = trials([98, 100, 102], machine="m")

    assert "quiet" == pooled_cov(frame, quiet=0.025)["noise_class"].iloc[0]


def test_single_runs_have_no_pooled_noise():
    """No cell has two runs: no row, and all columns."""
    pooled = pooled_cov(trials([10], machine="m"))

    assert 0 == len(pooled)
    assert "verdict" in pooled.columns


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "least"), [(1.0, 0.93), (3.0, 0.90)])
def test_pooled_interval_covers_cells_that_are_not_alike(factor, least):
    """500 steps of 6 cells with 3 runs, half of them noisier: the truth is inside."""
    sigmas = np.repeat([0.01, 0.01 * factor], 3)
    truth = np.sqrt((sigmas**2).mean())
    runs = np.random.default_rng(7).normal(0, 1, (500, 3, 6)) * sigmas + 1
    steps, cells = np.repeat(np.arange(500), 18), np.tile(np.arange(6), 1500)

    pooled = pooled_cov(trials(runs.ravel(), steps, machine="m", cell=cells))

    inside = (pooled["pooled_low"] <= truth) & (truth <= pooled["pooled_high"])
    assert least <= inside.mean() <= 0.98


@pytest.mark.parametrize(
    ("step", "values", "expected"),
    [
        ("fillseq", [981140, 966091, 973806], 0.006),
        ("fillseq", [1260734, 1260420, 1259690], 0.000),
        ("revrange", [67690, 74903, 68407], 0.046),
    ],
)
def test_published_cells_from_literal_runs(step, values, expected):
    """Three published cells of db_bench follow from their runs, to three decimals."""
    row = coefficient_of_variation(trials(values, step)).iloc[0]

    assert expected == round(row["cov_published"], 3)


def test_single_run_has_no_cov():
    """One trial: NaN, and a verdict that says why."""
    row = coefficient_of_variation(trials([10])).iloc[0]

    assert np.isnan(row["cov"])
    assert np.isnan(row["high"])
    assert "cannot tell with 1 trial" == row["verdict"]


def test_verdict_needs_the_whole_interval():
    """CoV 2% of three runs is not under 3%: the upper bound is 13%."""
    row = coefficient_of_variation(trials([98, 100, 102])).iloc[0]

    assert np.isclose(0.02, row["cov"])
    assert 0.12 < row["high"] < 0.14
    assert "cannot tell with 3 trials" == row["verdict"]


def test_verdict_under_and_over():
    """Under only with the upper bound below the limit, over with the lower one above."""
    quiet = coefficient_of_variation(trials([999, 1000, 1001, 1000])).iloc[0]
    noisy = coefficient_of_variation(trials([50, 100, 150])).iloc[0]

    assert "under 3%" == quiet["verdict"]
    assert "over 3%" == noisy["verdict"]


def test_wide_three_runs_have_no_upper_bound():
    """Beyond the method's range the upper bound is infinite, not a wrong number."""
    assert np.inf == cov_interval(0.5, 3).high


def test_interval_against_chi_square_for_small_cov():
    """A tiny CoV has the interval of a standard deviation: 0.60 to 2.87 at 5 runs."""
    interval = cov_interval(1e-6, 5)

    assert np.isclose(0.5991, interval.low / 1e-6, atol=5e-4)
    assert np.isclose(2.8736, interval.high / 1e-6, atol=5e-4)


@pytest.mark.parametrize("n", [3, 5, 7])
def test_interval_covers_at_its_level(n):
    """Of 4,000 normal cells with CoV 3%, 95% +- 1% of the intervals hold the truth."""
    runs = np.random.default_rng(7).normal(1, 0.03, (4000, n))
    cov = runs.std(axis=1, ddof=1) / runs.mean(axis=1)

    interval = cov_interval(cov, np.full(4000, n))

    covered = ((interval.low <= 0.03) & (interval.high >= 0.03)).mean()
    assert 0.94 <= covered <= 0.96


def test_worst_step_of_a_setup():
    """The published figure is the largest CoV over the steps that count."""
    frame = pd.concat(
        [
            trials([9, 10, 11], "fillseq", setup="a"),
            trials([5, 10, 15], "revrange", setup="a"),
            trials([10, 10, 10], "readrandom", setup="a"),
        ]
    )

    worst = worst_cov(coefficient_of_variation(frame), ["setup"], COUNTED)

    assert ["fillseq", 2] == list(worst.iloc[0][["worst_step", "n_steps"]])


def test_mean_of_zero_has_no_cov():
    """A mean of 0 (no index to create) has no CoV, and its verdict says so."""
    row = coefficient_of_variation(trials([0, 0])).iloc[0]

    assert np.isnan(row["cov"])
    assert "no CoV: the mean is 0" == row["verdict"]


def corpus_cells(setup, workload):
    """(step, ops_sec) of every row of a setup's files, by dop as the name says it."""
    folder = corpus("rocksdb_variance_2022") / setup
    for file in sorted(folder.glob(f"sum.{workload}*.txt")):
        part = file.name.removesuffix(".txt").rpartition(".")[2]
        dop = part if part.startswith("dop") else setup.rpartition(".nt")[2]
        rows = [line.split("\t") for line in file.read_text().splitlines()]
        rows = [r for r in rows if r[0].isdigit()]
        for row in rows:
            test = next(c for c in row if c.split(".")[0] in STEPS)
            yield dop.removeprefix("dop"), test.split(".")[0], float(row[0])


STEPS = {*COUNTED, "revrange", "overwritesome"}


def corpus_frame(workload):
    """Every run of a workload in the archive, with server and dop as published."""
    rows = []
    for folder in sorted(corpus("rocksdb_variance_2022").iterdir()):
        server = folder.name.partition(".nt")[0].replace("m5.2x.", "m5.2xl.")
        server = server.replace("xlarge", "xl")
        for dop, step, value in corpus_cells(folder.name, workload):
            rows.append(trials([value], step, server=server, dop=dop))
    return pd.concat(rows)


@pytest.mark.corpus
def test_published_servers_by_their_pooled_noise():
    """In cache, c6i.12xl is surely quiet; m5.2xl without hyperthreads surely noisy."""
    frame = corpus_frame("byrx")
    counted = frame[frame["step"].isin(COUNTED)]

    pooled = pooled_cov(counted, by=["server"]).set_index("server")

    assert ["quiet", "noisy"] == list(
        pooled.loc[["c6i.12xl.ht1", "m5.2xl.ht0"], "verdict"]
    )
    assert "0.003 0.061" == " ".join(
        f"{pooled.loc[s, 'pooled']:.3f}" for s in ("c6i.12xl.ht1", "m5.2xl.ht0")
    )


@pytest.mark.corpus
@pytest.mark.parametrize("workload", ["byrx", "iobuf"])
def test_published_tables_follow_from_the_raw_data(workload):
    """All 34 published maxima of a workload follow from the runs of the archive."""
    with PUBLISHED.open() as file:
        golden = [row for row in csv.DictReader(file) if row["workload"] == workload]
    cov = coefficient_of_variation(corpus_frame(workload))

    worst = worst_cov(cov, ["server", "dop"], COUNTED).set_index(["server", "dop"])

    expected = {(r["machine"], r["dop"]): r["value"] for r in golden}
    found = {k: f"{worst.loc[k, 'cov_published']:.3f}" for k in expected}
    assert expected == found
    assert [r["step"] for r in golden] == [
        worst.loc[(r["machine"], r["dop"]), "worst_step"] for r in golden
    ]


def test_cells_of_a_step_are_summed_up():
    """Median and largest CoV, and cells by verdict."""
    frame = pd.DataFrame(
        {
            "step": ["a", "a", "a"],
            "n": [3, 3, 3],
            "cov": [0.01, 0.02, 0.09],
            "verdict": ["under 3%", "cannot tell with 3 trials", "over 3%"],
        }
    )
    row = cov_summary(frame).iloc[0]

    assert ["a", 3, 9, 0.02, 0.09, 1, 1, 1] == row.tolist()
