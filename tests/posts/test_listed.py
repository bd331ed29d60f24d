"""What lists show of a post: its kind, its picture, its newest version."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from engine_frames import cell, frames
from nbformat.v4 import new_code_cell, new_notebook, new_output
from sample_site import chart

from benchbook.posts import thumbnail
from benchbook.posts.listed import kind, listed_fields, of_newest
from benchbook.raw_html import chart_block
from benchbook.results.results import Results
from benchbook.study.drivers import driver_named
from benchbook.study.study import Study
from benchbook.views.newest import newest


@pytest.fixture
def study(tmp_path):
    return Study(
        slug="s", path=tmp_path / "study.yml", title="?", template="engine-versions",
        driver=driver_named("ingest", tmp_path), base={"version": "11.22"}, cells=(),
        categories=("versions", "Postgres"),
    )  # fmt: skip


def notebook(text: str = ""):
    outputs = [new_output("display_data", data={"text/markdown": text})]
    return new_notebook(cells=[new_code_cell("x", outputs=outputs)])


@pytest.mark.unit
def test_kinds_of_posts(study, tmp_path):
    """On the method, of others' figures, frozen, or measured by whoever reads it."""
    published = replace(study, driver=driver_named("published", tmp_path))

    assert "method" == kind(replace(study, categories=("method",)))
    assert "published" == kind(published)
    assert "live" == kind(study)
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence" / "manifest.json").write_text("{}")
    assert "finding" == kind(study)


@pytest.mark.unit
def test_the_newest_version_stands_against_the_base(study):
    """Its worst and its best step, and in how many the verdict is a change."""
    cells = [cell("11.22"), cell("9.6.24", 3.0), cell("18.6", 0.8)]
    made = frames(cells)
    best = (made["metric"]["version"] == "18.6") & (made["metric"]["step"] == "l.x")
    made["metric"].loc[best, "value"] *= 2
    rows = newest(Results(study=study, **made))

    assert {"18.6"} == set(rows["version"])
    line = of_newest(rows, study)
    assert ("Postgres", "11.22 to 18.6") == (line["dbms"], line["versions"])
    assert line["best-step"].startswith("l.x 1.600\N{NO-BREAK SPACE}[1.600")
    assert " 0.800\N{NO-BREAK SPACE}[0.800" in line["worst-step"]
    assert "4 slower, 1 faster of 5" == line["steps"]


@pytest.mark.unit
def test_nothing_compared_says_nothing(study):
    """A study without runs has no line."""
    assert {} == of_newest(pd.DataFrame(), study)


@pytest.mark.unit
def test_scale_is_the_first_sentence_of_the_label(study):
    """The preset `full` and the like are for the page."""
    label = "`5` rows, in turns. The preset `full` has more."
    sized = replace(study, base={}, label=label)

    assert "5 rows, in turns" == listed_fields(sized, notebook("A table."))["scale"]


@pytest.mark.unit
def test_the_first_chart_is_the_picture(study):
    """Called as the chart is; a post without a chart has none."""
    text = chart_block({**chart().to_dict(), "title": 'Rate "a"'}, "c1")
    plain = replace(study, base={"engine": "postgres"}, label="")

    assert {"kind": "live"} == listed_fields(plain, notebook("A table."))
    assert {
        "kind": "live", "image": "thumbnail.png", "image-alt": 'Rate "a"',
    } == listed_fields(plain, notebook(text))  # fmt: skip


@pytest.mark.unit
def test_a_picture_has_marks_and_no_words():
    """Axes, legends, titles and marks of text are gone, in layers too."""
    field = {"field": "a"}
    marks = {"mark": "bar", "encoding": {"x": field, "color": field, "tooltip": [field]}}
    words = {"mark": {"type": "text"}, "encoding": {}}

    bare = {"x": {**field, "axis": None}, "color": {**field, "legend": None},
            "tooltip": [field]}  # fmt: skip
    assert {"layer": [{"mark": "bar", "encoding": bare}]} == thumbnail.silent(
        {"title": "T", "layer": [marks, words]}
    )


@pytest.mark.unit
@pytest.mark.parametrize(
    ("spec", "encoding"),
    [({"facet": {"field": "f"}, "spec": {"mark": "bar", "encoding": {}}}, {}),
     ({"facet": {"row": {"field": "f"}}, "spec": {"mark": "bar", "encoding": {}}}, {}),
     ({"mark": "bar", "encoding": {"x": {}, "column": {"field": "f"}}}, {"x": {}}),
     ({"vconcat": [{"mark": "bar", "encoding": {"row": {"field": "f"}}}, {}]}, {})],
)  # fmt: skip
def test_a_picture_has_one_panel(spec, encoding):
    """That of the first row's value, however the chart is split."""
    data = {"datasets": {"d": [{"f": "q1"}, {"f": "q2"}]}, "data": {"name": "d"}}

    first = [{"filter": {"field": "f", "equal": "q1"}}]
    view = {"mark": "bar", "encoding": encoding, "transform": first}
    assert {**data, **view} == thumbnail.one_panel({**data, **spec})


@pytest.mark.unit
def test_a_picture_is_small():
    """A PNG of 320 by 200 pixels and few bytes, whatever the chart's size."""
    png = thumbnail.picture(chart().properties(width=300, height=2000).to_dict())
    sizes = [int.from_bytes(png[at : at + 4]) for at in (16, 20)]

    assert png.startswith(b"\x89PNG")
    assert [320, 200] == sizes
    assert len(png) < 20_000
