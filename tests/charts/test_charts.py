"""Charts: the data they carry, axes, sizes, and that vl-convert draws them."""

import re

import altair as alt
import pandas as pd
import pytest
import vl_convert
from chart_frames import (
    ALL,
    BY_CLIENTS,
    CLIENTS,
    COV,
    DEVIATIONS,
    EFFICIENCY,
    HEAT,
    JUDGED,
    LAW,
    MATRIX,
    PANELS,
    RATES,
    RATIOS,
    SERVERS,
    TAILS,
    TIMES,
    TURNS,
    TURNS_JUDGED,
)
from matplotlib.figure import Figure

from benchbook import charts
from benchbook.charts.scaling import scaling_curves
from benchbook.templates.background_jobs.chart import rates_by_panel, tail_curves
from benchbook.templates.inserts.chart import latency_heat_map
from benchbook.templates.published.chart import server_dots
from benchmath.scaling import scaling

pytestmark = pytest.mark.unit


def specs(node, key):
    """Every value of a key anywhere in a chart's spec."""
    if isinstance(node, dict):
        found = [node[key]] if key in node else []
        return found + [v for child in node.values() for v in specs(child, key)]
    if isinstance(node, list):
        return [v for child in node for v in specs(child, key)]
    return []


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_chart_is_drawn_for_vega_lite_5_20(name):
    """Each chart becomes an SVG with a title, at most 660 px wide, type from 11 px."""
    spec = ALL[name]().to_dict()

    svg = vl_convert.vegalite_to_svg(spec, vl_version="5.20")

    assert "v5.20" in spec["$schema"]
    assert spec["title"]["text"] in svg
    assert float(re.search(r'width="([\d.]+)"', svg)[1]) <= 660
    assert 11 <= min(float(size) for size in re.findall(r'font-size="(\d+)', svg))
    assert not re.search(r"NaN|undefined", svg)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_chart_has_tooltips(name):
    """Each chart tells its numbers when pointed at."""
    assert specs(ALL[name]().to_dict(), "tooltip")


def test_rows_of_one_step_are_named_with_what_tells_them_apart():
    rows = JUDGED.iloc[[0, 0]].assign(placement=["split", "same"])
    (drawn,) = charts.relative_dots(rows).to_dict()["datasets"].values()
    named, step = {row["step"] for row in drawn}, JUDGED["step"].iloc[0]
    assert {f"{step} placement=split", f"{step} placement=same"} == named


def test_relative_dots_have_a_line_at_one():
    """The base is a line at 1, and cells without a ratio are not drawn."""
    spec = charts.relative_dots(RATIOS).to_dict()

    assert {"datum": 1} in specs(spec, "x")
    rows = next(iter(spec["datasets"].values()))
    assert 3 == len(rows)


def test_panels_share_the_scale_of_the_ratio():
    """Panels resolve y apart, never x: all ratios have one scale."""
    resolve = charts.relative_dots(RATIOS, panel="engine").to_dict()["resolve"]

    assert {"scale": {"y": "independent", "yOffset": "independent"}} == resolve


def test_many_ratios_of_three_are_a_map():
    """51 steps of three builds: numbers in cells instead of 153 dots in lines."""
    many = pd.concat([
        JUDGED.head(1).assign(step=f"s{n}", me=me) for n in range(51) for me in "234"
    ])  # fmt: skip
    marks = [
        layer["mark"]["type"] for layer in charts.relative_dots(many).to_dict()["layer"]
    ]

    assert ["rect", "text"] == marks


def test_a_map_colours_what_stands():
    """Not what is undecided, nor what Benjamini-Hochberg takes back."""
    spec = charts.ratio_map(JUDGED.assign(q=[0.5, 0.01, 0.2])).to_dict()
    rows = next(iter(spec["datasets"].values()))

    assert ["not sure", "worse", "not sure"] == [row["says"] for row in rows]
    assert [0.12, 0.322, 0.12] == [round(row["depth"], 3) for row in rows]


def test_full_names_are_kept():
    """A long step name is not cut."""
    name = "points-notcovered-secondary.range1000"
    long = RATIOS.assign(step=name)

    svg = vl_convert.vegalite_to_svg(
        charts.relative_dots(long).to_dict(), vl_version="5.20"
    )

    assert name in svg


def test_absolute_rates_start_at_zero():
    """The axis of a rate includes 0."""
    spec = charts.throughput_over_time(RATES).to_dict()

    assert {"zero": True} == spec["spec"]["encoding"]["y"]["scale"]


@pytest.mark.parametrize(("panel", "own"), [("step", True), ("run_id", False)])
def test_rates_that_are_compared_have_one_scale(panel: str, own: bool):
    """Panels of steps have scales of their own, those of runs none."""
    spec = charts.throughput_over_time(RATES, panel=panel).to_dict()

    assert own == (spec["resolve"]["scale"].get("y") == "independent")


def test_panels_of_a_step_share_their_scale_from_zero():
    """Neither axis is resolved apart; the wheel moves the seconds of all panels."""
    spec = rates_by_panel(PANELS, "config", "dop").to_dict()

    assert [
        ["overwrite, dop 1", "overwrite, dop 8"],
        ["reads, dop 1", "reads, dop 8"],
    ] == [part["facet"]["sort"] for part in spec["vconcat"]]
    assert not specs(spec, "resolve")
    assert {"zero": True} in specs(spec, "scale")
    assert [["x"], ["x"]] == specs(spec["params"], "encodings")


def test_many_seconds_of_panels_are_their_lowest():
    """Of 12,000 seconds 3,000 points are left, which the chart says."""
    many = pd.concat([PANELS] * 500, ignore_index=True)
    spec = rates_by_panel(many, "config", "dop").to_dict()

    assert "Each point: the lowest of 4 seconds." in spec["title"]["subtitle"][0]


def test_panels_without_rates_are_a_chart_too():
    """Nothing measured yet."""
    assert "title" in rates_by_panel(PANELS.head(0), "config", "dop").to_dict()


def test_intervals_of_turns_stand_beside_each_other_behind_the_last_round():
    """Of arms 2 and 3, at 2.5% and 5% of 13 rounds, once each and not on every dot."""
    spec = charts.turn_dots(TURNS, TURNS_JUDGED).to_dict()

    rows = next(iter(spec["datasets"].values()))
    ends = [
        (row["me"], round(row["at"], 3), row["relative"]) for row in rows if row["at"]
    ]
    assert [("2", 13.325, 1.1), ("3", 13.65, 1.2)] == ends


def test_turns_of_two_cells_have_no_one_interval():
    """Which of two intervals of one step and arm would be drawn is not guessed."""
    twice = pd.concat([TURNS_JUDGED, TURNS_JUDGED])

    with pytest.raises(ValueError, match="several rows for one step and me"):
        charts.turn_dots(TURNS, twice)


def test_infinite_bound_is_cut_not_dropped():
    """An interval without upper bound reaches the edge of the picture."""
    spec = charts.cov_intervals(COV).to_dict()

    rows = next(iter(spec["datasets"].values()))
    assert [0.05, 0.12] == [round(row["drawn_high"], 6) for row in rows]


def test_different_units_in_one_panel_are_refused():
    """rows/s and queries/s do not share an axis; a panel's name says its unit."""
    mixed = RATES.assign(unit=["rows/s"] * 3 + ["queries/s"] * 3)

    with pytest.raises(ValueError, match="one axis cannot show rows/s and queries/s"):
        charts.throughput_over_time(mixed)

    apart = mixed.assign(step=["l.i0"] * 3 + ["qr100.L1"] * 3)
    spec = charts.throughput_over_time(apart).to_dict()
    panels = ["l.i0 (rows/s)", "qr100.L1 (queries/s)"]
    assert panels == spec["facet"]["sort"]


@pytest.mark.slow
def test_too_many_rows_are_drawn_by_matplotlib():
    """More than 5,000 rows become a figure; charts that cannot do so refuse them."""
    many = pd.concat([RATES] * 1000, ignore_index=True)

    assert isinstance(charts.throughput_over_time(many), Figure)
    with pytest.raises(ValueError, match="6000 rows are more than a chart carries"):
        charts.drift_by_position(pd.concat([DEVIATIONS] * 2000))


def test_wide_ratios_get_a_logarithmic_axis():
    """Ratios more than a factor 3 apart are drawn on a log scale, which the axis says."""
    wide = charts.relative_dots(RATIOS.assign(relative=[0.5, 20, 1, 1])).to_dict()

    assert "ratio to 1 (log scale)" in specs(wide, "title")
    assert {"type": "log", "nice": False, "padding": 12} in specs(wide, "scale")


def test_dense_series_draws_every_panel_from_zero():
    """matplotlib: one axis per step, a line per run, starting at 0."""
    figure = charts.dense_series(RATES)

    (axis,) = figure.axes
    assert 2 == len(axis.lines)
    assert 0 == axis.get_ylim()[0]
    assert ["wal", "rollback"] == [t.get_text() for t in figure.legends[0].texts]


def test_missing_column_is_named():
    """A frame of the wrong kind is refused by the column it lacks."""
    with pytest.raises(ValueError, match="no column cov"):
        charts.cov_intervals(RATIOS)


def test_names_with_dots_and_brackets_can_be_fields():
    """Column names that Vega-Lite would read as paths are escaped."""
    rates = RATES.rename(columns={"config": "a.b[c]"})

    chart = charts.throughput_over_time(rates, by="a.b[c]")

    assert isinstance(chart, alt.TopLevelMixin)
    svg = vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="5.20")
    assert "rollback" in svg


def test_charts_of_nothing_are_charts():
    """An empty frame gives an empty chart, not an error: the post still renders."""
    for chart in (
        charts.relative_dots(RATIOS.iloc[:0]),
        charts.cov_intervals(COV.iloc[:0]),
        charts.throughput_over_time(RATES.iloc[:0]),
        charts.latency_percentiles(TIMES.iloc[:0]),
        latency_heat_map(HEAT.iloc[:0]),
        charts.drift_by_position(DEVIATIONS.iloc[:0]),
        charts.throughput_matrix(MATRIX.iloc[:0]),
        charts.turn_dots(TURNS.iloc[:0]),
    ):
        assert "<svg" in vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="5.20")


def test_heat_maps_are_logarithmic_in_time_and_colour():
    """A cell at 0 has a place on the axis; all panels share both scales."""
    spec = latency_heat_map(HEAT).to_dict()

    assert "log" == specs(spec, "y")[0]["scale"]["type"]
    [colour] = [one for one in specs(spec, "color") if "scale" in one]
    assert ("share_pct", "log") == (colour["field"], colour["scale"]["type"])
    rows = next(iter(spec["datasets"].values()))
    assert [0.001, 1.024, 1.024] == [row["lower_us"] for row in rows]
    assert {"x": "independent"} == spec["resolve"]["scale"]


def test_two_runs_in_one_heat_map_are_refused():
    """Cells over each other would show the last one."""
    with pytest.raises(ValueError, match="several rows for one cell of a test"):
        latency_heat_map(pd.concat([HEAT, HEAT]))


def test_clients_stand_on_a_scale_of_doublings():
    """Ticks are the numbers measured; dots and curve are rows of one table."""
    spec = scaling_curves(LAW, EFFICIENCY).to_dict()

    x = specs(spec, "x")[0]
    assert ("log", 2) == (x["scale"]["type"], x["scale"]["base"])
    assert [1, 2, 4, 8, 16] == x["axis"]["values"]
    rows = next(iter(spec["datasets"].values()))
    assert [1000, 1800, 2800, 3300, 2900] == [round(r["rate"]) for r in rows if r["rate"]]
    assert 49 == sum(row["law"] is not None for row in rows)


def test_rates_without_a_law_are_dots_alone():
    """Three numbers of clients are drawn, without a curve."""
    few = CLIENTS.head(3)

    spec = scaling_curves(scaling(few), EFFICIENCY.head(3)).to_dict()

    assert 3 == len(next(iter(spec["datasets"].values())))


def test_curves_have_a_line_for_each_value_and_a_panel_for_each_step():
    """Over the numbers that were measured, which the axis names."""
    spec = charts.curves(BY_CLIENTS, "dop", "engine").to_dict()

    assert [1.0, 2.0, 4.0, 8.0, 16.0] == specs(spec, "values")[0]
    assert {("mine", "theirs")} == {tuple(names) for names in specs(spec, "domain")}
    assert ["q", "r"] == spec["facet"]["sort"]
    assert "Throughput over dop (queries/s)" == spec["title"]["text"]


def test_percentiles_have_a_panel_each():
    """In their order, named as the field names them."""
    spec = tail_curves(TAILS, "dop", "max_background_jobs").to_dict()

    names = ["p50", "p99", "p99.9", "p99.99", "max"]
    assert [f"overwrite, {name}" for name in names] == spec["facet"]["sort"]


def test_servers_stand_in_the_order_of_their_clients():
    """A row for each server and its clients, few clients first."""
    (chart,) = server_dots(SERVERS.iloc[::-1], ["ips"])

    names = ["2xl, 1 client", "8xl, 8 clients", "16xl, 16 clients"]
    assert names in specs(chart.to_dict(), "sort")


def test_two_servers_are_no_chart():
    """Nor are figures that say nothing of clients, or of no chosen metric."""
    assert [] == server_dots(SERVERS[SERVERS["machine"] != "2xl"], ["ips"])
    assert [] == server_dots(SERVERS.assign(dop=""), ["ips"])
    assert [] == server_dots(SERVERS, None)
