"""mrg.some of a study's runs: the rates of its tables, read back by the importer."""

from dataclasses import replace

import pytest
from places import ROOT

from benchbook.results.collect import collect
from benchbook.views.engines import comparable
from benchbook.views.insert_files import FILE, insert_files
from benchformats.iibench.tables import read
from benchformats.parsed import TextFile

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def results():
    return comparable(collect(ROOT / "tests/fixtures/posts/engines/study.yml", False))


def test_rates_are_those_of_the_study(results):
    """Of each step and engine, the mean over the runs, as a whole number."""
    parsed = read(TextFile(FILE, insert_files(results)[FILE]))
    main = results.metric[results.metric["main"].astype(bool)]
    main = main[main["metric"].isin(["ips", "qps"])]
    expected = main.groupby(["step", "engine"])["value"].mean().round().tolist()
    found = [r.value for r in parsed.rows if r.main]

    assert not parsed.problems
    assert sorted(expected) == sorted(found)


def test_cells_of_several_clients_have_no_file(results):
    two = results.metric.assign(dop=range(len(results.metric)))

    assert {} == insert_files(replace(results, metric=two))
