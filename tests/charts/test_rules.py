"""Rules that every chart keeps: what it says is drawn, and a reader can read it."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
import vl_convert
from api_page import modules, public_names
from chart_frames import (
    ALL,
    COV,
    EFFICIENCY,
    JUDGED,
    LAW,
    NOT_ALTAIR,
    RATIOS,
    TURNS,
    TURNS_JUDGED,
)

from benchbook import charts
from benchbook.charts.look import broken
from benchbook.charts.scaling import scaling_curves

pytestmark = pytest.mark.unit

UNIT = re.compile(r"%|µs|second|MB|/s\b")
WITHOUT_UNIT = re.compile(
    r"ratio|clients|bytes of a block|runs per side|round of the step|position of the run"
    r"|number of them|recall"
)
QUANTITATIVE = re.compile(r'aria-label="([XY]-axis[^"]*? for a (?:linear|log) scale)')
NONE = {"low": np.nan, "high": np.nan}
WITHOUT_INTERVALS = {
    "cov_intervals": lambda: charts.cov_intervals(COV.assign(**NONE)),
    "relative_dots": lambda: charts.relative_dots(RATIOS.assign(**NONE)),
    "scaling_curves": lambda: scaling_curves(LAW, EFFICIENCY),
    "turn_dots": lambda: charts.turn_dots(TURNS, TURNS_JUDGED.assign(**NONE)),
    "version_dots": lambda: charts.version_dots(JUDGED.assign(**NONE)),
}


@pytest.fixture(scope="module")
def drawn():
    """The spec and the SVG of each chart, drawn once."""
    specs = {name: chart().to_dict() for name, chart in ALL.items()}
    return {
        name: (spec, vl_convert.vegalite_to_svg(spec, vl_version="5.20"))
        for name, spec in specs.items()
    }


def nodes(node):
    """Every mapping of a spec, data apart."""
    if isinstance(node, dict):
        yield node
        for key, child in node.items():
            if key != "datasets":
                yield from nodes(child)
    elif isinstance(node, list):
        for child in node:
            yield from nodes(child)


def values_of(spec, field):
    rows = (row for rows in spec["datasets"].values() for row in rows)
    return {row[field] for row in rows if row.get(field) is not None}


def draws_intervals(spec):
    """Whether a rule goes from a bound that some row has to the other one."""
    marks = [n for n in nodes(spec) if n.get("mark", {}) and "encoding" in n]
    bounds = [
        n["encoding"][channel]["field"]
        for n in marks if n["mark"]["type"] == "rule"
        for channel in ("x", "y") if f"{channel}2" in n["encoding"]
    ]  # fmt: skip
    return any("low" in name and values_of(spec, name) for name in bounds)


def subtitle(spec):
    return " ".join(spec["title"]["subtitle"])


def test_every_chart_function_is_held_against_the_rules():
    """A new function comes with a small frame."""
    given = {n: f for m in modules().values() for n, f in public_names(m).items()}
    drawing = {
        n
        for n, f in given.items()
        if re.search(r"\.charts\.|\.chart$", getattr(f, "__module__", ""))
    }

    assert drawing == {name.split(",")[0] for name in ALL} | NOT_ALTAIR


@pytest.mark.parametrize("name", ALL)
def test_intervals_are_named_exactly_where_they_are_drawn(name, drawn):
    """`95% interval` in the lines under the title, and a line from low to high."""
    spec, _ = drawn[name]

    assert draws_intervals(spec) == ("95% interval" in subtitle(spec))


@pytest.mark.slow
@pytest.mark.parametrize("name", WITHOUT_INTERVALS)
def test_charts_without_intervals_do_not_name_them(name):
    """Single runs: no line, and no word of it."""
    spec = WITHOUT_INTERVALS[name]().to_dict()

    assert not draws_intervals(spec)
    assert "95% interval" not in subtitle(spec)


@pytest.mark.parametrize("name", ALL)
def test_axes_of_numbers_have_a_title_with_a_unit(name, drawn):
    """Or the name of a number that has none."""
    axes = QUANTITATIVE.findall(drawn[name][1])

    titles = [re.search(r"titled '(.*)' for a", axis) for axis in axes]
    assert axes or name.startswith(("throughput_matrix", "ratio_map", "sparklines"))
    assert [] == [
        axis
        for axis, title in zip(axes, titles, strict=True)
        if not (title and (UNIT.search(title[1]) or WITHOUT_UNIT.search(title[1])))
    ]


@pytest.mark.parametrize("name", ALL)
def test_words_of_a_chart_are_no_raw_numbers(name, drawn):
    """No exponent, infinity or missing value is written."""
    words = re.findall(r">([^<>]+)</t", drawn[name][1])

    raw = re.compile(r"\d[eE][+-]?\d|\b(inf|Infinity|NaN|null|undefined)\b")
    assert [] == [word for word in words if raw.search(word)]


@pytest.mark.parametrize("name", ALL)
def test_data_of_a_chart_are_json(name, drawn):
    """NaN and infinity are none: a browser would refuse the chart."""
    assert json.dumps(drawn[name][0], allow_nan=False)


@pytest.mark.parametrize("name", ALL)
def test_labels_have_a_limit(name, drawn):
    """No label takes more than half of the width."""
    config = drawn[name][0]["config"]

    assert 300 >= config["axis"]["labelLimit"]
    assert 640 >= config["header"]["labelLimit"]


@pytest.mark.parametrize("name", ALL)
def test_legends_show_what_is_there(name, drawn):
    """An entry for every value drawn and no other, its sign opaque."""
    spec, _ = drawn[name]
    legends = [
        n for n in nodes(spec) if n.get("legend") and "domain" in n.get("scale", {})
    ]

    for of_colour in legends:
        there = {str(v) for v in values_of(spec, of_colour["field"])} - {""}
        assert there == set(of_colour["scale"]["domain"])
    assert 1 == spec["config"]["legend"]["symbolOpacity"]


@pytest.mark.parametrize("name", ALL)
def test_text_has_the_colour_of_the_page(name, drawn):
    """Dark on light and light on dark; only numbers on a shade have colours of theirs."""
    fills = set(re.findall(r'<text[^>]* fill="([^"]+)"', drawn[name][1]))

    assert {"currentColor"} == fills - ({"white", "#222"} if "matrix" in name else set())


def test_lines_are_broken_after_words_and_keep_all_of_the_text():
    """The separator stays at the end of its line; what has none stays whole."""
    assert ["points-", "covered_", "pk"] == broken("points-covered_pk", 8, "-_")
    assert ["one two", "three"] == broken("one two three", 8)
    assert ["incomprehensible"] == broken("incomprehensible", 8)


def test_long_titles_take_several_lines():
    """A title never makes the chart wider than the page."""
    spec = charts.relative_dots(RATIOS, "word " * 40).to_dict()

    assert 1 < len(spec["title"]["text"])
    assert max(len(line) for line in spec["title"]["text"]) <= 62
