"""Charts and tables of changes: what they carry, their size, and that they are drawn."""

import html
import math
import re

import numpy as np
import pandas as pd
import pytest
import vl_convert
from version_frames import WOBBLE, frame, versions

from benchbook.charts.changes import boundary_chart, small_multiples
from benchbook.tables.changes import boundaries_table, changes_table
from benchmath.changes.boundaries import boundaries, version_changes
from benchmath.changes.points import version_points

pytestmark = pytest.mark.unit

TWO = frame(
    versions([100] * 4 + [50] * 4),
    versions([100] * 8, step="points-notcovered-si.pre_range=100"),
)
HALVED = version_changes(TWO)


def no_change(changes):
    return changes.iloc[:0]


def rows_of(chart):
    """All data rows that a chart carries."""
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


def svg_of(chart):
    return vl_convert.vegalite_to_svg(chart.to_dict(), vl_version="5.20")


def shown(table):
    """The text of a table's rows, markup removed."""
    page = table.as_raw_html()
    rows = re.findall(r"<tr.*?</tr>", page, re.DOTALL)
    texts = [
        re.sub(r"</t[dh]>\s*<t[dh]", "</td> | <td", re.sub("<br>", " ", r)) for r in rows
    ]
    plain = [" ".join(re.sub(r"<[^>]+>", "", text).split()) for text in texts]
    return [html.unescape(line) for line in plain]


def test_points_are_relative_to_the_first_version():
    """Runs 2, 8 then 1, 4: geometric means 4 and 2, so the second version is at 0.5."""
    rows = frame(versions([1, 1], runs=2)).assign(value=[2.0, 8.0, 1.0, 4.0])

    points = version_points(rows, no_change(HALVED))

    assert [1.0, 0.5] == pytest.approx(list(points["ratio"]))
    assert [2, 2] == list(points["n"])


def test_interval_of_a_point_pools_the_spread_of_the_test():
    """Logs ±ln 2 in both versions: variance 2 ln² 2 with 2 df, t 4.3027, two runs."""
    rows = frame(versions([1, 1], runs=2)).assign(value=[2.0, 8.0, 1.0, 4.0])

    points = version_points(rows, no_change(HALVED))

    half = 4.302652729911275 * math.sqrt(2 * math.log(2) ** 2 / 2)
    assert [math.exp(-half), 0.5 * math.exp(-half)] == pytest.approx(list(points["low"]))
    assert [math.exp(half), 0.5 * math.exp(half)] == pytest.approx(list(points["high"]))


def test_single_runs_have_points_without_interval():
    """One run per version: dots only."""
    points = version_points(frame(versions([1, 2, 3], runs=1)), no_change(HALVED))

    assert points["low"].isna().all()
    assert 3 == len(points)


def test_levels_are_those_of_the_changes():
    """The first level lies where its versions are, the second its ratio below."""
    points = version_points(TWO, HALVED)

    scan = points[points["test"] == "scan"]
    ratio = HALVED["ratio"].iloc[0]
    assert 1 == pytest.approx(scan["level"].iloc[0], rel=0.01)
    assert [scan["level"].iloc[0] * ratio] * 4 == pytest.approx(list(scan["level"])[4:])
    assert ["", "", "", "", "worse", "", "", ""] == list(scan["change"])


def test_undetected_change_has_no_mark():
    """A change that is none among all tests keeps its level but is not pointed at."""
    points = version_points(TWO, HALVED.assign(detected=False))

    assert {""} == set(points["change"])


def test_version_with_a_zero_has_no_point():
    """A run of 0 has no place on a scale of ratios."""
    rows = frame(versions([1, 1, 1], runs=1)).assign(value=[1.0, 0.0, 1.0])

    assert ["1", "3"] == list(version_points(rows, no_change(HALVED))["version"])


def test_small_multiples_are_drawn_with_full_names():
    """A panel per test in at most 660 px, its name complete, type from 12 px."""
    svg = svg_of(small_multiples(TWO, HALVED))

    words = "".join(re.findall(r">([^<>]+)</", svg))
    assert "points-notcovered-si.pre_range=100" in words
    assert float(re.search(r'width="([\d.]+)"', svg)[1]) <= 660
    assert 12 <= min(float(size) for size in re.findall(r'font-size="(\d+)', svg))
    assert not re.search(r"NaN|undefined", svg)


def test_small_multiples_carry_every_version_once():
    """Eight versions of two tests are 16 rows, a change marked on one."""
    rows = rows_of(small_multiples(TWO, HALVED))

    assert 16 == len(rows)
    assert [("scan", "5", "worse")] == [
        (row["test"], row["version"], row["change"]) for row in rows if row["change"]
    ]


def test_panels_share_the_scale_of_ratios():
    """Only the axis of versions is drawn anew for each panel."""
    spec = small_multiples(TWO, HALVED).to_dict()

    assert {"axis": {"x": "independent"}} == spec["resolve"]


def test_panels_with_scales_of_their_own_put_what_is_far_at_the_edge():
    """One of 40 versions at a quarter is drawn at 1/1.15 of the 5th percentile."""
    levels = [100.0] * 40
    levels[20] = 25.0
    rows = frame(versions(levels, runs=1))

    chart = small_multiples(rows, no_change(HALVED), own_scales=True)
    far = [row for row in rows_of(chart) if row["outside"]]

    assert "independent" == chart.to_dict()["resolve"]["scale"]["y"]
    assert ["21"] == [row["version"] for row in far]
    assert far[0]["ratio"] < 0.3 < 0.8 < far[0]["drawn"] < 0.9


@pytest.mark.parametrize(("levels", "kind"), [([100, 80], None), ([100, 20], "log")])
def test_scale_of_ratios_is_logarithmic_where_they_lie_apart(levels, kind):
    """A factor 5 needs a logarithmic axis, a fifth less does not."""
    spec = small_multiples(frame(versions(levels)), no_change(HALVED)).to_dict()

    scales = re.findall(r"'scale': {([^}]*)}", str(spec["spec"]))
    assert (kind is not None) == any("log" in scale for scale in scales)


@pytest.mark.slow
def test_forty_two_panels_of_fourteen_versions_are_drawn():
    """A full sysbench suite fits: 588 rows, 14 rows of panels."""
    levels = np.array(WOBBLE * 2)[:14] * 100
    rows = frame(*(versions(levels, runs=1, step=f"step {i}") for i in range(42)))

    chart = small_multiples(rows, no_change(HALVED))

    assert 588 == len(rows_of(chart))
    assert 42 == len(set(re.findall(r">(step \d+)<", svg_of(chart))))


@pytest.mark.slow
def test_too_many_points_for_a_chart_are_refused():
    """Altair's limit of 5,000 rows is an error here, not a chart without data."""
    rows = frame(*(versions([1] * 60, runs=1, step=f"s{i}") for i in range(84)))

    with pytest.raises(ValueError, match="5040 rows are more than a chart carries"):
        small_multiples(rows, no_change(HALVED))


def test_boundary_chart_shows_median_range_and_count():
    """One row per boundary with its numbers; drawn in the width of a page."""
    found = boundaries(HALVED, 2)

    chart = boundary_chart(found)

    svg = svg_of(chart)
    assert [found["median"].iloc[0]] == [row["median"] for row in rows_of(chart)][:1]
    assert "4→5" in svg and "1 of 2" in svg
    assert float(re.search(r'width="([\d.]+)"', svg)[1]) <= 660


def test_boundaries_table_names_the_tests_changed_most():
    """Counts, sizes in percent, and three names of five."""
    table = pd.DataFrame(
        {
            "test": list("abcde"), "boundary": "1→2", "after": "1", "at": "2", "place": 1,
            "ratio": [0.99, 0.95, 0.90, 0.80, 0.97], "detected": True, "evidence": "own",
        }
    )  # fmt: skip

    lines = shown(boundaries_table(boundaries(table, 42)))

    assert "1→2 | 5 of 42 | -5.0 | -20.0 | -1.0 | d, c, b and 2 more" == lines[-1]


def shared_too(changes):
    """The change of a second test at the same boundary, by the others' evidence."""
    other = changes.assign(test="noisy", evidence="shared", p=0.2, q=1.0, chance=0.913)
    return pd.concat([changes.assign(ratio=0.5, p=0.0004, q=0.012, chance=0.9999), other])


def test_boundaries_table_counts_the_shared_changes_in_a_footnote():
    """2 of 9 tests, one of them by the others."""
    lines = shown(boundaries_table(boundaries(shared_too(HALVED), 9)))

    assert any("| a 2 of 9 |" in line for line in lines)
    assert (
        "a 1 of them found only with the help of the other tests: not significant alone"
        == lines[-1]
    )


def test_changes_table_marks_a_shared_change():
    """A footnote, its chance, and no q: it is none of the family."""
    lines = shown(changes_table(shared_too(HALVED)))

    assert any(line.endswith("| < 0.001 | 0.012 | > 0.999") for line in lines)
    assert any(line.endswith("| 0.200 | | 0.913") for line in lines)
    assert any("found only with the help of the other tests" in line for line in lines)
    assert any(
        "chance: probability that the level changes there" in line for line in lines
    )


def test_only_a_change_of_the_test_itself_is_coloured():
    """Colour is for what is decided: not for what the other tests' evidence finds."""
    page = changes_table(shared_too(HALVED)).as_raw_html()

    assert 1 == page.count('<span class="bb-worse">')


@pytest.mark.slow
def test_charts_mark_a_shared_change():
    """Hollow in its panel, a star beside the boundary, and a line that says so."""
    rows = frame(versions([100] * 4 + [50] * 4), versions([100] * 8, step="noisy"))
    changes = shared_too(HALVED)

    panels, found = small_multiples(rows, changes), boundary_chart(boundaries(changes, 9))

    told = [row["test"] for row in rows_of(panels) if row["shared"]]
    assert ["noisy"] == told
    assert "Hollow: found only with the other tests" in svg_of(panels)
    assert "2 of 9*" in svg_of(found)
    assert "*: some of them found only with the other tests" in svg_of(found)


def test_charts_without_a_shared_change_say_nothing_of_it():
    """No line that explains a sign which is not there."""
    charts = small_multiples(TWO, HALVED), boundary_chart(boundaries(HALVED, 2))

    assert not any("evidence" in svg_of(chart) for chart in charts)


def test_changes_table_shows_ratio_interval_and_evidence():
    """The ratio, its interval, the runs on both sides, p and q."""
    table = HALVED.assign(
        ratio=0.5, low=0.49, high=0.512, p=0.0004, q=0.012, detected=True
    )

    lines = shown(changes_table(table))

    assert "scan | 4→5 | 0.500 | 0.490 to 0.512 | 12 + 12 | < 0.001 | 0.012" in lines


def test_undetected_change_has_a_tilde():
    """A change that is none among all tests is marked and explained."""
    lines = shown(changes_table(HALVED.assign(ratio=0.5, detected=False)))

    assert any("| ~ 0.500 |" in line for line in lines)
    assert any("~ means q > 0.05" in line for line in lines)


def test_changes_of_ruptures_have_no_columns_of_probability():
    """Without any p there is no empty column for it."""
    lines = shown(changes_table(version_changes(TWO, method="pelt")))

    assert "test | between | new level / old ratio | 95% interval ratio" in lines[0]
    assert not lines[0].endswith("q")


def test_empty_tables_say_why():
    """No boundary and no change: the header, and a sentence."""
    nothing = no_change(HALVED)

    assert "No test changed its level." == shown(changes_table(nothing))[-1]
    empty = boundaries(nothing, 2)
    assert "No test changed its level." == shown(boundaries_table(empty))[-1]


def test_nothing_measured_is_an_empty_chart():
    """A study without runs of a second version still renders."""
    rows = frame(versions([100]))
    chart = small_multiples(rows, version_changes(rows))

    assert "ratio to the first one" in svg_of(chart)
    assert "Change of level" in svg_of(boundary_chart(boundaries(no_change(HALVED), 0)))
