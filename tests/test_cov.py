"""Coefficient of variation: formulas, interval, verdict, published cells."""

import csv
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchbook.analysis.cov import coefficient_of_variation, cov_summary, worst_cov
from benchbook.analysis.intervals import cov_interval

pytestmark = pytest.mark.unit

PUBLISHED = Path(__file__).parents[1] / "data/published/rocksdb_variance_2022.csv"
CORPUS = Path(
    os.environ.get("BENCHBOOK_CORPUS", Path(__file__).parents[2] / "shared/corpus")
)
COUNTED = (
    "fillseq",
    "readrandom",
    "fwdrangewhilewriting",
    "readwhilewriting",
    "overwriteandwait",
)


def trials(values, step="fillseq", **dims):
    """A metric frame with one cell."""
    rows = {
        "engine": "rocksdb", "step": step, "metric": "qps", "op": "query", "main": True,
        "unit": "queries/s", "direction": "higher",
    } | dims  # fmt: skip
    return pd.DataFrame([rows | {"value": float(v)} for v in values])


def test_both_standard_deviations():
    """9, 10, 11: stddev 1 with n-1, so CoV 0.1; the published form is sqrt(2/3) of it."""
    row = coefficient_of_variation(trials([9, 10, 11])).iloc[0]

    assert (3, 10.0, 1.0, 0.1) == tuple(row[["n", "mean", "stddev", "cov"]])
    assert np.isclose(0.1 * np.sqrt(2 / 3), row["cov_published"])


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
    folder = CORPUS / "rocksdb_variance_2022" / setup
    for file in sorted(folder.glob(f"sum.{workload}*.txt")):
        part = file.name.removesuffix(".txt").rpartition(".")[2]
        dop = part if part.startswith("dop") else setup.rpartition(".nt")[2]
        rows = [line.split("\t") for line in file.read_text().splitlines()]
        rows = [r for r in rows if r[0].isdigit()]
        for row in rows:
            test = next(c for c in row if c.split(".")[0] in STEPS)
            yield dop.removeprefix("dop"), test.split(".")[0], float(row[0])


STEPS = {*COUNTED, "revrange", "overwritesome"}


@pytest.mark.skipif(
    not (CORPUS / "rocksdb_variance_2022").is_dir(),
    reason="no corpus: set BENCHBOOK_CORPUS to the folder with rocksdb_variance_2022",
)
@pytest.mark.parametrize("workload", ["byrx", "iobuf"])
def test_published_tables_follow_from_the_raw_data(workload):
    """All 34 published maxima of a workload follow from the runs of the archive."""
    with PUBLISHED.open() as file:
        golden = [row for row in csv.DictReader(file) if row["workload"] == workload]
    rows = []
    for folder in sorted((CORPUS / "rocksdb_variance_2022").iterdir()):
        server = folder.name.partition(".nt")[0].replace("m5.2x.", "m5.2xl.")
        server = server.replace("xlarge", "xl")
        for dop, step, value in corpus_cells(folder.name, workload):
            rows.append(trials([value], step, server=server, dop=dop))
    cov = coefficient_of_variation(pd.concat(rows))

    worst = worst_cov(cov, ["server", "dop"], COUNTED).set_index(["server", "dop"])

    expected = {(r["server"], r["dop"]): r["published_max_cov"] for r in golden}
    found = {k: f"{worst.loc[k, 'cov_published']:.3f}" for k in expected}
    assert expected == found
    assert [r["worst_step"] for r in golden] == [
        worst.loc[(r["server"], r["dop"]), "worst_step"] for r in golden
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
