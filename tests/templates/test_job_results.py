"""What the template on background jobs makes of a study, on the runs of its fixture."""

from dataclasses import replace

import pytest
from places import ROOT

from benchbook.results.collect import collect
from benchbook.templates.background_jobs.analysis import (
    job_pairs,
    job_rates,
    job_results,
    job_stalls,
    job_tails,
    job_threads,
    named_by_jobs,
    shared_cpus,
)
from benchbook.templates.background_jobs.averaged import averaged_table
from benchbook.templates.background_jobs.ranges import (
    busy_table,
    ranges_table,
    tails_table,
)
from benchmath.errors import UserError

pytestmark = pytest.mark.engine
KEYS = ("dop", "max_background_jobs")


@pytest.fixture(scope="module")
def everything():
    """Two numbers of jobs, two of clients, two trials of db_bench."""
    return collect(ROOT / "tests/fixtures/posts/background-jobs/study.yml", False)


@pytest.fixture(scope="module")
def results(everything):
    return job_results(everything)


def test_load_is_left_out_and_cells_are_in_order(results):
    """Steps as they were run, then clients, then jobs."""
    cells = results.metric[["step", *KEYS]].drop_duplicates()

    assert ["readwhilewriting"] * 4 + ["overwrite"] * 4 == list(cells["step"])
    assert [1, 1, 2, 2] * 2 == list(cells["dop"].astype(int))
    assert ["2", "8"] * 4 == list(cells["max_background_jobs"])


def test_rates_are_in_the_order_of_the_cells(results):
    """And within a run in that of its seconds."""
    seconds = job_rates(results)
    cells = seconds[["step", *KEYS]].drop_duplicates()

    assert [1, 1, 2, 2] * 2 == list(cells["dop"].astype(int))
    for _, run in seconds.groupby(["run_id", "step"]):
        assert run["second"].is_monotonic_increasing


def test_another_base_is_refused(everything):
    """The sentences would be about something else."""
    other = replace(everything.study, base={"dop": "1"})

    with pytest.raises(UserError, match="compares numbers of background jobs"):
        job_results(replace(everything, study=other))


def test_a_further_dimension_is_refused(everything):
    """Cells of two versions would be merged."""
    metric = everything.metric.copy()
    metric.loc[metric["run_id"] == metric["run_id"].iloc[0], "version"] = "9.11.0"

    with pytest.raises(UserError, match="it varies version too"):
        job_results(replace(everything, metric=metric))


def test_of_two_placements_the_first_answers(everything):
    """The cells of the second are compared elsewhere, without their load."""
    second = everything.metric["dop"].astype(int) == 2
    metric = everything.metric.assign(placement=second.map({True: "same", False: "none"}))
    jobs = everything.runs[["run_id"]].assign(step="overwrite")
    results = job_results(replace(everything, metric=metric, lsm_jobs=jobs))

    assert {"1"} == set(results.metric["dop"].astype(str))
    for frame in (results.steps, results.lsm_jobs):
        assert set(frame["run_id"]) == set(results.metric["run_id"])
    whole = results.elsewhere.judged()
    assert {"none", "same"} == set(whole["placement"])
    assert {"readwhilewriting", "overwrite"} == set(whole["step"])


def test_mean_response_time_is_the_clients_over_the_rate(results):
    """A closed loop; the histogram's buckets leave a few percent."""
    rates = results.metric[results.metric["main"].astype(bool)]
    tails = job_tails(results)
    for _, row in tails[tails["step"] == "overwrite"].iterrows():
        mine = rates[(rates["step"] == row["step"])]
        for key in KEYS:
            mine = mine[mine[key].astype(str) == str(row[key])]
        expected = 1e6 * int(row["dop"]) / mine["value"].mean()
        assert row["mean"] == pytest.approx(expected, rel=0.1)


def test_tables_have_a_row_per_cell(results):
    """Of every part of the page."""
    threads, stalls = job_threads(results), job_stalls(results)
    pages = [
        averaged_table(job_pairs(results), "background jobs", "clients"),
        busy_table(threads, *KEYS),
        tails_table(job_tails(results), *KEYS),
        ranges_table(stalls, KEYS),
    ]

    rows = [page.as_raw_html().count("<tr>") for page in pages]
    assert [2, 8, 8, 8] == rows


def test_threads_beyond_the_cpus_are_a_hazard(results):
    """All of them on two CPUs; none where there is nothing."""
    threads = job_threads(results)
    (hazard,) = shared_cpus(threads)

    assert "share 2 CPUs: in 8 of 8 combinations" in hazard.text
    assert [] == shared_cpus(threads.head(0))


def test_ratios_have_short_names(results):
    """`8 jobs` to `2 jobs`."""
    short = named_by_jobs(results.judged())

    assert ({"8 jobs"}, {"2 jobs"}) == (set(short["me"]), set(short["base"]))
