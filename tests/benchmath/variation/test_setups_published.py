"""The published variance of cloud servers, from the runs in data/published/."""

import pytest
from corpus import corpus
from places import ROOT

from benchbook.imports.importer import import_dir
from benchbook.project import Project
from benchbook.published.claims import checked_claims
from benchbook.published.figures import figures, published_frame
from benchbook.store.query import query
from benchbook.study.study import load_study
from benchmath.variation.cov import coefficient_of_variation
from benchmath.variation.setups import (
    agreement_with_published,
    choose_setups,
    setup_cov,
    without_steps,
)

pytestmark = pytest.mark.unit

RUNS, MAXIMA, CHOSEN = (
    f"rocksdb_variance_{name}2022" for name in ("runs_", "", "chosen_")
)
LEFT_OUT = ["revrange", "overwritesome"]
GOLDEN = """\
m5.2xl.ht0       byrx 1:0.149 4:0.010           iobuf 1:0.005 4:0.006
m5.2xl.ht1       byrx 1:0.050 4:0.028           iobuf 1:0.007 4:0.014
m5d.2xl.ht0.nvme byrx 1:0.013 2:0.021 4:0.031   iobuf 1:0.025 2:0.027 4:0.016
m5d.2xl.ht1.nvme byrx 1:0.014 2:0.066 4:0.043   iobuf 1:0.005 2:0.011 4:0.030
m5d.2xl.ht0.io2  byrx 1:0.087 2:0.048 4:0.039   iobuf 1:0.008 2:0.008 4:0.010
m5d.2xl.ht1.io2  byrx 1:0.075 2:0.016 4:0.014   iobuf 1:0.005 2:0.008 4:0.004
m5d.4xl.ht0.nvme byrx 1:0.027 4:0.028 8:0.026   iobuf 1:0.011 4:0.010 8:0.007
m5d.4xl.ht1.nvme byrx 1:0.038 4:0.017 8:0.019   iobuf 1:0.010 4:0.008 8:0.004
m5d.4xl.ht0.io2  byrx 1:0.013 4:0.028 8:0.018   iobuf 1:0.011 4:0.028 8:0.013
m5d.4xl.ht1.io2  byrx 1:0.039 4:0.009 8:0.015   iobuf 1:0.011 4:0.011 8:0.004
c6i.2xl.ht1      byrx 4:0.115                   iobuf 4:0.042
c6i.4xl.ht0      byrx 4:0.021                   iobuf 4:0.007
c6i.4xl.ht1      byrx 8:0.008                   iobuf 8:0.012
c6i.8xl.ht0      byrx 8:0.013                   iobuf 8:0.010
c6i.8xl.ht1      byrx 16:0.007                  iobuf 16:0.017
c6i.12xl.ht0     byrx 16:0.007                  iobuf 16:0.007
"""


def golden() -> dict[tuple[str, str, str], str]:
    """(workload, machine, dop): the published figure."""
    found, workload = {}, ""
    for line in GOLDEN.splitlines():
        machine, *words = line.split()
        for word in words:
            dop, colon, value = word.partition(":")
            if colon:
                found[workload, machine, dop] = value
            else:
                workload = word
    return found


@pytest.fixture(scope="module")
def published():
    return published_frame([RUNS, MAXIMA, CHOSEN], Project(ROOT))


@pytest.fixture(scope="module")
def setups(published):
    return setup_cov(coefficient_of_variation(without_steps(published, LEFT_OUT)))


def test_every_published_cell_follows_from_the_runs(published, setups):
    """68 of 68 cells, three decimals, and the step that each lies in."""
    cells = agreement_with_published(setups, published)
    keys = ["workload", "machine", "dop"]
    names = list(cells[keys].itertuples(index=False, name=None))
    table = figures(MAXIMA, Project(ROOT)).merge(setups, on=keys)

    assert 68 == len(golden()) == len(cells)
    assert golden() == dict(zip(names, cells["published"], strict=True))
    assert golden() == dict(zip(names, cells["recomputed"], strict=True))
    assert list(table["step"]) == list(table["worst_step"])


def test_runs_are_complete(published):
    """7 steps x 3 runs x 35 setups x 2 workloads."""
    rates = published[published["metric"] == "ops_sec"]
    cells = rates.groupby(["workload", "machine", "dop", "step"])["trial"].agg(list)

    assert (1470, 490) == (len(rates), len(cells))
    assert all(trials == [1, 2, 3] for trials in cells)


def test_largest_cov_of_a_setup_that_was_not_published(setups):
    """c6i.12xl.ht1 with 24 clients: 0.0039 in cache, 0.0049 IO-bound."""
    rows = setups[setups["machine"] == "c6i.12xl.ht1"].set_index("workload")["largest"]

    assert {"byrx": "0.0039", "iobuf": "0.0049"} == {
        w: f"{v:.4f}" for w, v in rows.items()
    }


@pytest.mark.parametrize(
    ("workload", "machine", "dop", "average"),
    [
        ("byrx", "m5.2xl.ht0", "1", "0.043"),
        ("byrx", "c6i.12xl.ht0", "16", "0.005"),
        ("iobuf", "c6i.12xl.ht0", "16", "0.003"),
        ("iobuf", "m5d.2xl.ht1.nvme", "4", "0.016"),
        ("byrx", "c6i.8xl.ht1", "16", "0.003"),
    ],
)
def test_averages_over_the_steps(setups, workload, machine, dop, average):
    """What the text announces beside the largest."""
    row = setups.set_index(["workload", "machine", "dop"]).loc[workload, machine, dop]

    assert average == f"{row['average']:.3f}"


def test_setups_to_choose(published, setups):
    """23 keep 3% in both workloads: the 20 listed, and three that the list lacks."""
    choice = choose_setups(setups, published, 0.03)
    good = choice[choice["within"]]
    lacking = good.loc[~good["listed"], ["machine", "dop"]]

    assert (35, 23, 20) == (len(choice), len(good), int(choice["listed"].sum()))
    assert [("m5.2xl.ht0", "4"), ("m5.2xl.ht1", "4"), ("c6i.12xl.ht1", "24")] == list(
        lacking.itertuples(index=False, name=None)
    )


def test_claims_have_their_verdicts():
    """Six hold, three differ, one cannot be checked: or reading them fails by name."""
    claims = checked_claims(load_study(ROOT / "posts/rocksdb-cloud-variance/study.yml"))

    assert {"holds": 6, "differs": 3, "cannot be checked": 1} == dict(
        claims["verdict"].value_counts()
    )


@pytest.mark.corpus
def test_runs_are_those_of_the_archive(tmp_path):
    """1470 of 1470 rates are those of an import; its dop of revrange is that step's 1."""
    project = Project(tmp_path)
    import_dir(corpus("rocksdb_variance_2022"), project)
    found = query(
        "SELECT machine, version, dims['workload'] AS workload, "
        "split_part(step, '.', 1) AS step, value FROM metric WHERE main",
        project,
    )
    table = figures(RUNS, Project(ROOT))[list(found.columns)]

    assert sorted(table.itertuples(index=False, name=None)) == sorted(
        found.itertuples(index=False, name=None)
    )
