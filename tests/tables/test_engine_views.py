"""Posts on engines: what their tables and charts show, and where hazards stand."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest
from engine_frames import STEPS, cell, frames
from table_text import shown

from benchbook import charts, tables
from benchbook.findings.verdicts import old_to_new_finding
from benchbook.results.results import Results
from benchbook.study.drivers import driver_named
from benchbook.study.study import Study
from benchbook.views.engines import (
    calibration,
    comparable,
    cost_summary,
    engine_builds,
    hardware,
    hazards_of,
    in_one_placement,
    judged_cost,
    main_rates,
    reached_rates,
    response_times,
    size_summary,
    stalls,
)
from benchmath.hazard import Hazard
from benchmath.hazards.writers import service_level
from benchmath.ratios.relative import relative, summary
from benchmath.ratios.verdicts import verdicts

pytestmark = pytest.mark.unit

BASE = {"version": "11.22"}
HERE = {"build": "gcc-12 -O2", "build_series": "built", "build_source": "built"}
CLEANUP = (*STEPS[:3], ("cleanup", "bytes", 1.0, 2), *STEPS[3:])


@pytest.fixture
def results(tmp_path):
    """A function: the results of a study of some cells."""

    def make(*cells, base=BASE, **more):
        study = Study(
            slug="s", path=tmp_path / "study.yml", title="?", template="engines",
            driver=driver_named("ingest", tmp_path), base=base, cells=(),
        )  # fmt: skip
        return Results(study=study, **frames(cells, **more))

    return make


def judged(*cells, **more):
    metric = frames(cells, **more)["metric"]
    return verdicts(relative(metric, BASE)), summary(metric)


def test_base_is_the_first_row_in_its_own_unit():
    """Below it every version as a ratio, a column per step."""
    ratios, values = judged(cell("11.22"), cell("12.22", 0.5), steps=STEPS[:1])

    lines = shown(tables.ratios_by_step(ratios, values, BASE))

    assert "version | l.i0 rows/s" == lines[0]
    assert lines[1].startswith("11.22 (base) | 39,999")
    assert lines[2].startswith("12.22 | 0.50")


def test_hazards_mark_step_row_and_number():
    """Of a step its header, of a version its name, of both the number."""
    ratios, values = judged(cell("11.22"), cell("12.22", 0.5), steps=STEPS[:2])
    hazards = [
        Hazard("x", "of the step", {"step": "l.x"}),
        Hazard("x", "of the version", {"me": "12.22"}),
        Hazard("x", "of the base", {"version": "11.22", "step": "l.i0"}),
    ]

    lines = shown(tables.ratios_by_step(ratios, values, BASE, hazards))

    marks = {line[2:]: line[0] for line in lines if line[1:].startswith(" of the ")}
    assert f"rows/s{marks['of the step']}" in lines[0]
    assert lines[1].startswith(f"11.22 (base) | {marks['of the base']} 39,999")
    assert lines[2].startswith(f"12.22{marks['of the version']} |")


def test_what_limits_all_numbers_is_said_once():
    """A note of every ratio stands below the table, without marks."""
    ratios, values = judged(cell("11.22"), cell("12.22", 0.5), cell("13.23"))

    lines = shown(tables.ratios_by_step(ratios, values, BASE))

    assert 1 == sum("build effect not measured" in line for line in lines)
    assert any(line.startswith("All ratios: build effect") for line in lines)


def test_a_metric_that_no_run_has_is_an_empty_table(results):
    """Missing metrics are left out, not errors."""
    made = results(cell("11.22"), cell("12.22"), uses={})
    cost, values = judged_cost(made, "r_o"), cost_summary(made, "r_o")

    lines = shown(tables.ratios_by_step(cost, values, BASE))

    assert "No run has recorded this." in lines
    assert charts.version_dots(cost).to_dict()


@pytest.mark.slow
def test_rates_of_writers_stand_by_version_and_step():
    """The worse of inserts and deletes; below 0.95 it is called missed."""
    sla = service_level(frames([cell("11.22")], writers=80)["metric"])

    lines = shown(tables.rates_by_step(sla, ["version"]))

    assert lines[0].startswith("version | qr100.L1 achieved / target | qp100.L2")
    assert lines[1].startswith("11.22 | missed 0.800 | missed 0.800")


def test_a_study_without_writers_says_so():
    """Load steps have no rate to miss."""
    sla = service_level(frames([cell("11.22")], steps=STEPS[:1])["metric"])

    lines = shown(tables.rates_by_step(sla, ["version"]))

    assert "No step of this study has rate-limited writers." in lines


def test_calibration_table_names_both_builds(results):
    """The pair is the row; without a pair a sentence says so."""
    made = results(cell("11.22"), cell("17.11"), cell("17.11", 1.1, **HERE))

    lines = shown(tables.calibration_table(calibration(made)))

    assert any("17.11: gcc-12 -O2 (built) / gcc 7.5 -Os (jar)" in line for line in lines)
    none = shown(tables.calibration_table(calibration(results(cell("11.22")))))
    assert any("No version was built in two series" in line for line in none)


def test_cleanup_and_twins_are_not_compared(results):
    """The cleanup step has no result, and each version one build; builds lists all."""
    everything = results(
        cell("11.22"), cell("17.11"), cell("17.11", 1.1, **HERE), steps=CLEANUP
    )

    made = comparable(everything)

    assert "cleanup" not in set(made.metric["step"])
    assert 2 == len(engine_builds(made))
    assert 3 == len(engine_builds(everything))


def test_builds_table_leaves_out_what_nobody_has(results):
    """Without a memory limit there is no such column; source and series are there."""
    builds = engine_builds(results(cell("11.22")))

    expected = ["engine", "version", "source", "series", "compiler and flags", "config"]
    assert [*expected, "runs"] == list(builds.columns)


def test_hazards_of_a_study_name_their_fix(results):
    """Short steps, the build, the client's host, the debt: each with what to do."""
    made = results(cell("11.22"), cell("17.11", **HERE), writers=80)

    hazards = hazards_of(comparable(made))

    found = {h.code for h in hazards}
    assert found >= {
        "short step", "build changed", "client on the same host", "debt", "SLA missed",
    }  # fmt: skip
    assert all("(fix: " in h.text for h in hazards)


def test_finding_speaks_of_the_newest_version(results):
    """The last version against the base, then the boundaries."""
    made = results(cell("11.22"), cell("12.22", 0.5), cell("13.23", 0.8))
    none = made.metric.iloc[:0]

    text = old_to_new_finding(made.judged(), none).data

    assert text.startswith("**13.23** is slower than 11.22 in all 5 tests")
    assert "12.22" not in text


def test_hardware_has_a_row_per_step_and_version(results):
    """Five steps of two versions, a column per recorded metric."""
    table = hardware(results(cell("11.22"), cell("12.22")))

    assert ["l.i0", "l.i0", "l.x", "l.x"] == list(table["step"][:4])
    assert 20 == pytest.approx(table["cpu_o"].iloc[0], rel=0.01)


def test_size_is_in_megabytes(results):
    """64 MB of 2^20 bytes."""
    sizes = size_summary(results(cell("11.22")))

    assert {64.0} == set(sizes["value"])
    assert {"MB"} == set(sizes["unit"])


def test_response_times_are_of_main_ops_and_due_inserts(results):
    """Queries from their start, inserts from when they were due; no deletes."""
    times = response_times(results(cell("11.22"), steps=STEPS[3:4]))

    kinds = times[["op", "clock"]].itertuples(index=False, name=None)
    assert [("query", "actual"), ("insert", "intended")] == list(kinds)


def test_stalled_seconds_are_counted(results):
    """One second of 12 without a row in one of three runs: 1 of 36."""
    made = results(cell("11.22"), steps=STEPS[:1])
    made.samples.loc[5, ["ops", "rows"]] = 0

    (row,) = stalls(main_rates(made), "version").to_dict("records")

    assert (36, 1, 0.0) == (row["seconds"], row["stalled"], row["lowest"])


def test_the_rate_that_99_percent_of_seconds_reach(results):
    """Of 100 seconds one without a query lowers the mean, two lower what is reached."""
    made = results(cell("11.22"), steps=[("qp100.L2", "query", 6_000.0, 40)])
    queries = made.samples["op"] == "query"
    usual = made.samples.loc[queries, "ops"].median()
    made.samples.loc[queries, ["ops", "rows"]] = usual
    slow = made.samples.index[queries][[5, 6, 7]]
    made.samples.loc[slow, ["ops", "rows"]] = usual / 2

    row = reached_rates(made).query("op == 'query'").iloc[0]

    assert ("queries/s", int(queries.sum())) == (row["unit"], row["seconds"])
    assert row["reached"] == pytest.approx(row["mean"] * 0.5, rel=0.02)


def test_version_dots_keep_the_order_of_versions():
    """Versions from top to bottom as listed, also where the text would sort otherwise."""
    ratios, _ = judged(cell("9.6.24", 0.9), cell("11.22"), cell("10.23", 1.1))

    spec = json.dumps(charts.version_dots(ratios).to_dict())

    assert '"sort": ["9.6.24", "10.23"]' in spec


def test_engines_over_time_share_a_scale_from_0(results):
    """Every panel of a step has the same y axis, which starts at 0."""
    made = results(
        cell("15"), cell("10.11", 0.5, engine="mariadb"), base={"engine": "postgres"}
    )

    spec = charts.engines_over_time(main_rates(made), "engine").to_dict()

    scales = [p["spec"]["encoding"]["y"]["scale"]["domain"] for p in spec["vconcat"]]
    assert [0, 0, 0, 0] == [low for low, _ in scales]
    assert 40_400 == pytest.approx(scales[0][1])


def test_many_seconds_are_merged_to_their_lowest(results):
    """Hours of samples still fit a chart, and a stalled second stays visible."""
    made = results(cell("15"), steps=(("l.i0", "insert", 10.0, 4000),))
    made.samples.loc[100, ["ops", "rows"]] = 0

    chart = charts.engines_over_time(main_rates(made), "engine").to_dict()

    (rows,) = chart["datasets"].values()
    assert len(rows) <= 5000
    assert 0 in {row["rate"] for row in rows}


def test_placements_that_are_compared_are_all_kept():
    """One alone would have nothing to be compared with."""
    metric = pd.DataFrame({"placement": ["split", "same"]})
    base = {"placement": "split"}
    results = SimpleNamespace(metric=metric, turns=metric, base=base)

    assert in_one_placement(results) is results


def test_every_frame_is_of_the_placement_that_answers(results):
    """What a device did beside the other placement would be on the page, too."""
    made = results()
    study = replace(made.study, cells=(SimpleNamespace(placement="split"),))
    rows = pd.DataFrame({"run_id": ["a", "b"], "placement": ["split", "same"]})
    both = replace(made, study=study, metric=rows, devices=rows[["run_id"]])

    assert ["a"] == list(in_one_placement(both).devices["run_id"])


def test_seconds_of_two_settings_of_an_engine_are_two(results):
    """Stalls of one would be counted to the other."""
    base = {"engine": "postgres", "config": "a"}
    steps = (("l.i0", "insert", 10.0, 4000),)
    made = results(cell("15"), base=base, steps=steps)
    half = made.samples["second"] < 5
    config = half.map({True: "a", False: "b"})
    made = replace(made, samples=made.samples.assign(config=config))

    names = main_rates(made)["engine"]

    assert {"postgres a", "postgres b"} == set(names)
