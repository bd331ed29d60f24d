"""A workload's post: the dropped index is named as the cause, and files are read back.

The evidence in tests/fixtures/posts/workload is of the driver sql on SQLite: two cells,
of which the second never made its secondary index. Its study has a published table
beside it.
"""

from dataclasses import replace

import pytest
from places import FIXTURES

from benchbook.findings.verdicts import verdict_finding
from benchbook.results.collect import collect
from benchbook.study.published import Beside
from benchbook.views.beside import beside_published
from benchbook.views.causes import what_changed
from benchbook.views.engines import hazards_of
from benchbook.views.workloads import (
    before_and_after,
    download_texts,
    with_groups,
    workload_results,
    workload_suite,
    workload_summary,
)
from benchformats.parsed import TextFile
from benchformats.sysbench import met_tables, qps_tables
from benchmath.errors import UserError

pytestmark = pytest.mark.unit
BY_ID, BY_K, PAIR = "by-id", "by-k", "pair"


@pytest.fixture(scope="module")
def results():
    everything = collect(FIXTURES / "posts" / "workload" / "study.yml", False)
    return workload_results(everything)


@pytest.fixture(scope="module")
def judged(results):
    return with_groups(results.judged(), results)


def test_dropped_index_is_named_as_the_cause(results, judged):
    """By the finding, beside the steps that it made slower."""
    finding = verdict_finding(judged, what_changed(results))

    assert "with other plans: by-k index k_1 → whole table" in finding.data
    assert "slower in 2, most in by-k" in finding.data


def test_numbers_that_the_plan_touches_have_a_footnote(results):
    """Those of the index, not those of the primary key."""
    plans = [h for h in hazards_of(results) if h.code == "changed plan"]

    assert [f"{BY_K}.pre", BY_K, "scan"] == [h.where["step"] for h in plans]
    assert all("index k_1 no longer used" in h.text for h in plans)


def test_steps_that_load_and_clean_are_not_compared(judged):
    """Groups come in the order of the workload file."""
    assert ["reads"] * 5 + ["writes"] == list(judged["group"])
    assert {"load", "index", "tidy"}.isdisjoint(judged["step"])


@pytest.mark.slow
def test_summary_is_by_group_and_of_all(results, judged):
    """As the field's tables have it, then geometric means with intervals."""
    table = workload_summary(judged, results)

    assert [("reads", 5), ("writes", 1), ("all steps", 6)] == list(
        zip(table["group"], table["n"], strict=True)
    )
    assert ["reads", "writes", "suite"] == list(workload_suite(results)["step"])


def test_before_and_after_are_of_one_cell(results):
    """by-k.pre and by-k, of the base and of the other; pair has no namesake."""
    table = before_and_after(results)

    assert [
        (BY_ID, "before"),
        (BY_K, "before"),
        (BY_ID, "after"),
        (BY_K, "after"),
    ] == list(zip(table["step"], table["cell"], strict=True))
    assert (table["ratio"] == table["after"] / table["before"]).all()


def test_files_are_read_back_as_they_were_written(results):
    """Each printed figure by our importers, digit for digit."""
    files = download_texts(results)
    tables = {
        name: reader.read(TextFile(name, files[name]))
        for name, reader in (
            ("qps.abs", qps_tables),
            ("qps.rel", qps_tables),
            ("o.met", met_tables),
        )
    }

    assert [[], [], []] == [table.problems for table in tables.values()]
    assert {"x.before.pk1", "x.after.pk1"} == {r.tag for r in tables["qps.abs"].rows}
    for name, table in tables.items():
        cells = files[name].replace("\n", "\t").split("\t")
        written = sorted(float(c) for c in cells if c.replace(".", "", 1).isdigit())
        known = [r.value for r in table.rows]
        assert written == sorted(v for v in known if v != float("inf"))


def test_transactions_are_counted_beside_statements(results):
    """begin, two statements and commit: four queries each."""
    rates = results.metric[results.metric["step"] == PAIR].groupby("metric")["value"]

    assert 4.0 == pytest.approx(rates.mean()["qps"] / rates.mean()["tps"])


def beside(results, cells, table="tiny_2024"):
    study = replace(results.study, beside=(Beside(table, cells),))
    return beside_published(replace(results, study=study))


def test_ratios_stand_beside_those_of_the_table(results):
    """The four tests that it has; the dropped index is not theirs."""
    (one,) = beside_published(results)
    ways = dict(zip(one.rows["step"], one.rows["agrees"], strict=True))

    assert {"by-id.pre", "by-id", "by-k", "pair"} == set(ways)
    assert "opposite" == ways["by-k"]


def test_ratios_are_to_the_first_of_the_cells(results):
    """Whatever the study's base is: with the sides exchanged each is turned over."""
    (one,) = beside_published(results)
    (other,) = beside(results, {"after": "sqlite 2", "before": "sqlite 1"})
    here = one.rows.set_index("step")["relative"]
    there = other.rows.set_index("step")["relative"]

    assert {"after"} == set(other.rows["base"])
    assert 1 / here["by-k"] == pytest.approx(there["by-k"])


@pytest.mark.parametrize(
    ("cells", "table", "said"),
    [
        ({"before": "sqlite 1", "later": "sqlite 2"}, "tiny_2024",
         "beside: no run is later; available: before, after"),
        ({"before": "sqlite 1", "after": "sqlite 3"}, "tiny_2024",
         "tiny_2024 has no ratio to sqlite 1 of sqlite 3; available: sqlite 2"),
        ({"before": "a", "after": "b"}, "nowhere", "no published table 'nowhere'"),
        ({"before": "xxhash 0.8.1", "after": "rocksdb 7.8.3"}, "steps", "has no"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_refused(results, cells, table, said):
    """One sentence with what there is."""
    with pytest.raises(UserError, match=said):
        beside(results, cells, table)


def test_a_study_that_names_no_table_has_nothing_beside_it(results):
    """The section stays empty."""
    study = replace(results.study, beside=())

    assert [] == beside_published(replace(results, study=study))
