"""The template `vectors`: plans without the index, later steps, and its sentences."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import vector_frames
from places import ROOT

from benchbook.results.collect import collect
from benchbook.templates.vectors.analysis import (
    aged,
    at_everywhere,
    filtered,
    hazards_of_search,
    judged_and_built,
    search_frontiers,
)
from benchmath.errors import UserError

pytestmark = pytest.mark.unit
GROUPS = {"search": ("ef10", "ef40"), "ageing": ("aged40", "rebuilt40")}
INDEX = "Limit\n  ->  Index Scan using items_v on items\n"
ALL = "Limit\n  ->  Sort\n        ->  Seq Scan on items\n"


def results(steps, plans=()):
    """Two runs of an engine; steps: of each run the recall and rate by step."""
    rows = [
        {"engine": "postgres", "run_id": f"r{run}", "trial": run, "step": step,
         "op": "query", "clock": "", "metric": metric, "value": value,
         "unit": "", "direction": "higher", "main": metric == "qps", "seq": 1}
        for run, of_run in enumerate(steps, 1)
        for step, pair in of_run.items()
        for metric, value in zip(("recall", "qps"), pair, strict=True)
    ]  # fmt: skip
    runs = pd.DataFrame({"run_id": [f"r{n}" for n in range(1, len(steps) + 1)]})
    plan = [{"run_id": "r1", "step": step, "plan": text} for step, text in plans]
    return SimpleNamespace(
        metric=pd.DataFrame(rows), runs=runs.assign(engine="postgres"), elsewhere=None,
        base={"engine": "postgres"}, study=SimpleNamespace(
            workload=SimpleNamespace(groups=GROUPS), margin=0.02),
        statements=pd.DataFrame(plan, columns=["run_id", "step", "plan"]),
    )  # fmt: skip


def test_a_later_step_is_compared_with_its_setting_within_a_run():
    """Rates .5 and .5 of before, recalls .10 and .12 lower: t(1) 12.706, sem .01."""
    found = results(
        [
            {"ef10": (0.7, 900), "ef40": (0.90, 1000), "aged40": (0.80, 500)},
            {"ef10": (0.7, 900), "ef40": (0.92, 400), "aged40": (0.80, 200)},
        ]
    )
    [row] = aged(found).to_dict("records")

    assert ("postgres", "aged40", "ef40", 2) == (
        row["me"], row["step"], row["before"], row["n"]
    )  # fmt: skip
    assert 0.5 == pytest.approx(row["relative"])
    assert -0.11 == pytest.approx(row["change"])
    assert -0.11 - 12.706 * 0.01 == pytest.approx(row["change_low"], abs=1e-4)


def test_age_is_what_differs_from_an_index_made_anew():
    """Of the same rows; the setting before had others."""
    steps = {"ef40": (0.90, 1000), "aged40": (0.80, 500), "rebuilt40": (0.85, 400)}
    [row] = aged(results([steps, steps])).to_dict("records")

    assert ("aged40", "rebuilt40") == (row["step"], row["before"])
    assert (1.25, -0.05) == pytest.approx((row["relative"], row["change"]))


def test_a_search_without_the_index_is_named():
    """A plan that looks at all rows finds all: that is no recall of an index."""
    steps = {"ef10": (0.7, 900), "ef40": (1.0, 100), "aged40": (0.8, 500)}
    plans = [("ef10", INDEX), ("ef40", ALL), ("aged40", INDEX)]
    found = results([steps, steps], plans)
    [hazard] = hazards_of_search(found, search_frontiers(found))

    assert {"engine": "postgres", "step": "ef40"} == hazard.where
    assert "postgres looks at all rows, without its index, in ef40" == hazard.text


def test_rates_at_other_recalls_are_named():
    """A filtered search that finds a twentieth is fast for that."""
    steps = {"ef10": (0.7, 900), "ef40": (0.9, 800), "filter1": (0.05, 1000)}
    found = results([steps, steps])
    other = found.metric.assign(engine="mariadb", run_id="m" + found.metric["run_id"])
    other.loc[(other["step"] == "filter1") & (other["metric"] == "recall"), "value"] = 0.9
    found.metric = pd.concat([found.metric, other])
    [hazard] = hazards_of_search(found, search_frontiers(found))

    assert {"step": "filter1"} == hazard.where
    assert hazard.text.endswith("no comparison: filter1 0.050 to 0.900")


def test_an_engine_that_ignores_its_setting_is_named():
    """The same recall at 10 and at 40."""
    steps = {"ef10": (0.7, 900), "ef40": (0.7, 900)}
    found = results([steps, steps])
    [hazard] = hazards_of_search(found, search_frontiers(found))

    assert "postgres finds the same at all 2 settings" == hazard.text


def test_the_rate_at_equal_recall_leads():
    """At .95 between (.94, 3800) and (.98, 1900), and (.92, 2000) and (.97, 1000)."""
    said = vector_frames.finding(vector_frames.CASES["two"])
    mine = 3800 * 0.5 ** (0.01 / 0.04)
    base = 2000 * 0.5 ** (0.03 / 0.05)
    [claim] = [c for c in said.claims if c.subject == "mariadb recall 0.95"]

    assert said.data.startswith("At recall 0.95 **mariadb** answers ")
    assert np.isclose(mine / base, claim.value, rtol=0.03)


def test_what_never_reaches_a_recall_says_so():
    """Its most, and in which step."""
    said = vector_frames.finding(vector_frames.CASES["one never reaches"])

    assert (
        "**mariadb** does not reach 0.99 by these settings: its most is 0.93" in said.data
    )


def test_indexes_of_one_workload_are_compared():
    """Of 16-bit numbers as fast at .9 as of 32 at .9: 900 against 600 is 1.5 times."""
    steps = {"ef10": (0.7, 900), "ef40": (0.9, 600), "half10": (0.7, 1000),
             "half40": (0.9, 900)}  # fmt: skip
    found = results([steps, steps])
    groups = {"search hnsw": ("ef10", "ef40"), "search halfvec": ("half10", "half40")}
    found.study.workload.groups = groups
    at = at_everywhere(found)
    [row] = at[at["me"] == "index=halfvec"].to_dict("records")

    assert ("recall 0.9", "index=hnsw") == (row["step"], row["base"])
    assert 1.5 == pytest.approx(row["relative"])
    assert {"postgres index=hnsw", "postgres index=halfvec"} == set(
        search_frontiers(found)["cell"]
    )


def test_a_recall_that_the_base_lacks_is_compared_with_nothing():
    """LOW ends at 0.93, so there is no ratio at 0.95 and 0.99."""
    said = vector_frames.finding(vector_frames.CASES["the base never reaches"]).data

    assert "nan" not in said
    assert "at recall 0.9 " in said.lower() and "0.95" not in said


def test_rates_that_are_not_told_apart_are_called_so():
    """Two engines of the same rates: the intervals hold 1."""
    said = vector_frames.finding(vector_frames.CASES["the same"]).data

    assert "At recall 0.95 **mariadb** is not told apart: " in said


def test_recall_that_did_not_move_is_not_said_to_differ():
    """By its interval; the rate that is told apart is said, wherever it is."""
    text = vector_frames.older({"aged10": (0.005, 1.0), "aged40": (0.0, 0.8)}).data

    assert "In aged10 the recall of **a** is not told apart from that in rebuilt:" in text
    assert "In aged40 it answers 0.800 [0.790, 0.810] times as many." in text


def test_recall_that_moved_differs():
    text = vector_frames.older({"aged10": (-0.09, 1.0)}).data

    assert "In aged10 the recall of **a** differs from that in rebuilt by -0.090" in text
    assert "times as many." not in text


def test_a_filter_is_said_where_recalls_differ_most():
    """.89 apart in filter1, .46 in filter10; of one setting nothing is out of reach."""
    said = vector_frames.filtering(
        {"filter10": (0.92, 0.46, 0.2), "filter1": (0.94, 0.05, 0.06)}
    )

    assert said.data == (
        "In filter1 **a** finds 0.940 [0.930, 0.950] of the nearest, b 0.050. It answers "
        "0.060 [0.050, 0.070] times as many queries per second there."
    )


def test_a_filtered_search_has_the_recalls_of_both_sides():
    """Beside the verdict on its rate: 0.9 here and 0.05 there."""
    steps = {"ef10": (0.7, 900), "ef40": (0.9, 800), "filter1": (0.05, 1000)}
    found = results([steps, steps])
    found.study.workload.groups = GROUPS | {"filtered": ("filter1",)}
    other = found.metric.assign(engine="mariadb", run_id="m" + found.metric["run_id"])
    other.loc[(other["step"] == "filter1") & (other["metric"] == "recall"), "value"] = 0.9
    found.metric = pd.concat([found.metric, other])
    names = {"me": "mariadb", "base": "postgres"}
    judged = pd.DataFrame([names | {"step": step} for step in ("ef10", "filter1")])
    [row] = filtered(found, judged).to_dict("records")

    assert ("filter1", 0.9, 0.05) == (row["step"], row["recall"], row["recall_base"])


def test_a_further_dimension_is_refused():
    """Recalls of one client and of four would be one mean."""
    everything = collect(ROOT / "tests/fixtures/posts/vectors/study.yml", False)
    metric = everything.metric.copy()
    metric.loc[metric["run_id"] == metric["run_id"].iloc[0], "dop"] = 4

    with pytest.raises(UserError, match="it varies dop too"):
        judged_and_built(replace(everything, metric=metric))
