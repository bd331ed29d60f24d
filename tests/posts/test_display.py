"""Outputs of an executed notebook as a page that asks no other host for anything."""

from __future__ import annotations

import json
import re

import altair as alt
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from ruamel.yaml import YAML
from sample_site import chart

from benchbook.posts.clean import (
    Head,
    cleaned,
    finding,
    framed,
    front_matter,
    keep_hand_written,
)
from benchbook.raw_html import (
    chart_block,
    lean_picture,
    own_classes,
    own_ids,
    portable,
    shared_looks,
)
from benchbook.study.published import Source
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


def code(*data: dict[str, object], source: str = "show()", tags=()) -> NotebookNode:
    outputs = [new_output("display_data", data=one) for one in data]
    return new_code_cell(source, outputs=outputs, metadata={"tags": list(tags)})


def notebook(*cells: NotebookNode) -> NotebookNode:
    return new_notebook(cells=list(cells))


def hand_written(text: str) -> NotebookNode:
    cell = new_markdown_cell(text, id="open")
    cell.metadata["tags"] = ["hand-written"]
    return cell


def test_html_becomes_a_raw_block_of_markdown():
    """No text/html is left, because Quarto adds scripts of a CDN where there is one."""
    made = cleaned(notebook(code({"text/html": "<b>1</b>", "text/plain": "1"})))

    expected = '```{=html}\n<div class="bb-html">\n<b>1</b>\n</div>\n```'
    assert {"text/markdown": expected} == made.cells[0].outputs[0].data


def test_a_raw_block_may_hold_backticks():
    """The fence is longer than any run of backticks inside."""
    made = cleaned(notebook(code({"text/html": "<p>````</p>"})))

    assert made.cells[0].outputs[0].data["text/markdown"].startswith("`````{=html}\n")


def test_a_table_gets_a_container_that_scrolls():
    """HTML with a table is wrapped in the class that the style sheet knows."""
    made = cleaned(notebook(code({"text/html": "<table><tr><td>1</td></tr></table>"})))

    assert '<div class="bb-table">' in made.cells[0].outputs[0].data["text/markdown"]


def test_html_that_loads_from_another_host_is_refused():
    """A script of a CDN is an error before it is published."""
    foreign = '<script src="https://cdn.example.org/x.js"></script>'

    with pytest.raises(UserError, match="another host"):
        cleaned(notebook(code({"text/html": foreign})))


def test_a_cell_has_no_id_that_quarto_numbers():
    """An id such as tbl-rates is a label to it; other ids stay."""
    cells = [new_code_cell("1", id=name) for name in ("tbl-rates", "rates-table")]
    made = cleaned(notebook(*cells))

    assert ["cell-tbl-rates", "rates-table"] == [cell.id for cell in made.cells]


def test_no_class_of_a_chart_is_one_of_quartos_layout():
    """Vega has some from the names of marks; classes that only hold such a word stay."""
    text = '<g class="mark-group role-column-title column-title"><a class="aside-x"/></g>'
    expected = text.replace(" column-title", " bb-column-title")
    across = (
        alt.Chart(chart().data)
        .mark_point()
        .encode(x="value:Q", y="trial:O", column="engine:N")
    )
    drawn = chart_block(across.to_dict(), "c1o1")

    assert expected == own_classes(text)
    assert "bb-column-title" in drawn and " column-title" not in drawn.split("<script")[0]


def test_ids_of_two_outputs_never_meet():
    """Ids, and what points at them, are renamed; colours are not."""
    text = (
        '<div id="a"><style>#a td {color: #aaa}</style>'
        '<th id="b">x</th><td headers="b">1</td><g clip-path="url(#a)"/></div>'
    )

    expected = (
        '<div id="c1-1"><style>#c1-1 td {color: #aaa}</style>'
        '<th id="c1-2">x</th><td headers="c1-2">1</td><g clip-path="url(#c1-1)"/></div>'
    )
    assert expected == own_ids(text, "c1")


def test_tables_of_one_look_say_it_once():
    """The first brings the rules, of a class that outweighs what an id outweighs."""
    table = (
        '<div id="{0}" style="x">\n<style>\n#{0} td {{ margin: {1} }}</style>\n<table>'
    )
    known: dict[str, str] = {}

    first, other, third = (
        shared_looks(table.format(*of), known) for of in (("a", 1), ("a-1", 2), ("b", 1))
    )

    said = "<style>\n:is(#bb-none, .bb-look-1) td { margin: 1 }</style>"
    assert f'<div id="a" class="bb-look-1" style="x">\n{said}\n<table>' == first
    assert ".bb-look-2) td { margin: 2 }" in other
    assert '<div id="b" class="bb-look-1" style="x">\n<table>' == third


def test_a_chart_is_a_picture_and_a_spec():
    """The SVG is named for screen readers; the spec is the chart's own."""
    block = chart_block(chart().to_dict(), "c1")

    assert '<svg role="img" aria-label="Rate per trial"' in block
    spec = re.search(r'<script type="application/json">(.*)</script>', block)
    assert portable(chart().to_dict()) == json.loads(spec[1])


def test_a_chart_is_the_same_whichever_processor_computed_it():
    """Figures have ten digits, and the name of a data set does not depend on them."""
    first, second = (
        {
            "data": {"name": name},
            "datasets": {name: [{"y": figure, "n": 3, "text": "1.23456789012"}]},
            "width": 200,
        }
        for name, figure in (
            ("data-3dd2", 0.8495247191626263),
            ("data-57b4", 0.8495247191626261),
        )
    )

    assert portable(first) == portable(second)
    assert {
        "data": {"name": "data-1"},
        "datasets": {"data-1": [{"y": 0.8495247192, "n": 3, "text": "1.23456789012"}]},
        "width": 200,
    } == portable(first)


def test_a_spec_cannot_end_its_script():
    """A `</script>` in the data stays data."""
    spec = chart().properties(title="</script><b>").to_dict()

    assert 1 == chart_block(spec, "c1").count("</script>")


def test_what_is_left_of_an_image_is_the_same_every_time():
    """matplotlib's time of day goes; so does the PNG beside an SVG."""
    svg = "<svg><metadata>\n<date>now</date></metadata><g/></svg>"
    made = cleaned(notebook(code({"image/svg+xml": svg, "image/png": "aGk="})))

    assert {"image/svg+xml": "<svg><g/></svg>"} == made.cells[0].outputs[0].data


def test_warnings_and_times_are_not_published():
    """stderr names files of this machine, papermill the time of day."""
    cell = code({"text/plain": "1"})
    cell.outputs.append(new_output("stream", name="stderr", text="/home/x: warning"))
    cell.metadata["papermill"] = {"start_time": "now"}
    made = cleaned(notebook(cell))

    assert 1 == len(made.cells[0].outputs)
    assert ["tags"] == list(made.cells[0].metadata)


def test_an_output_that_cannot_be_shown_is_refused():
    """A widget is named in one sentence."""
    widget = "application/vnd.jupyter.widget-view+json"

    with pytest.raises(UserError, match=r"widget-view.* cannot be published"):
        cleaned(notebook(code({widget: {}})))


def test_a_page_begins_with_the_finding():
    """The heading becomes the title; set-up without output is hidden, later code not."""
    question = new_markdown_cell("# Why?")
    setup, found, later = code(), code({"text/markdown": "So."}), code()
    made = cleaned(notebook(question, setup, found, later))

    hidden = ["remove-cell" in c.metadata.get("tags", []) for c in made.cells]
    assert "" == made.cells[0].source
    assert [True, True, False, False] == hidden


def test_injected_parameters_are_hidden_wherever_they_stand():
    """papermill's cell has an id of its own each time; here it has none to differ by."""
    text = new_markdown_cell("First.")
    made = cleaned(notebook(text, code(tags=["injected-parameters"])))

    assert "remove-cell" in made.cells[1].metadata["tags"]
    assert "injected-parameters" == made.cells[1].id


def test_front_matter_is_yaml_whatever_the_title_holds():
    """Colons, quotes and umlauts come back as they went in."""
    head = Head('Is "ä: b" # c?', "It's: so", "2026-11-21", ("x, y",))
    read = YAML(typ="safe").load(front_matter(head).strip("-\n"))

    assert ['Is "ä: b" # c?', "It's: so", "2026-11-21", ["x, y"]] == list(read.values())


def test_the_answer_comes_first_and_what_qualifies_it_next():
    """Description, then that it is a demo and whose figures they are, then cells."""
    source = Source("A. Author", "Title", "https://a.org/1", "2022-04-25")
    head = Head("Why?", "By 2%.", label="Demo.", answer=True, sources=(source,))
    made = framed(notebook(new_markdown_cell("So.")), head, "## Data")

    texts = [cell.source for cell in made.cells[1:]]
    assert ["::: {.bb-answer}\nBy 2%.\n:::", "::: {.callout-note}\nDemo.\n:::"] == texts[
        :2
    ]
    assert "A. Author, [Title](https://a.org/1) (2022-04-25)" in texts[2]
    assert ["So.", "## Data"] == texts[3:]


def test_the_finding_comes_first_where_it_is_the_answer():
    """No word stands before it."""
    found = code({"text/markdown": "By 2%."}, tags=["finding"])
    head = Head("Why?", "By 2%.", label="Demo.")
    made = framed(notebook(found, new_markdown_cell("So.")), head, "## Data")

    assert found == made.cells[1]
    assert "::: {.callout-note}\nDemo.\n:::" == made.cells[2].source


def test_the_finding_is_the_first_paragraph_as_plain_text():
    """Markdown's marks go, the words and names with underscores stay."""
    text = "## Finding\n\n**wal_4k** is `1.2` times *faster*, see [here](x).\n\nMore."
    made = notebook(code({"text/markdown": text}, tags=["finding"]))

    assert "wal_4k is 1.2 times faster, see here." == finding(made)


def test_a_long_finding_is_cut_between_sentences():
    """A list of posts shows the first sentences; a point in a number ends none."""
    text = "It is 1.5 times faster. " * 20
    made = notebook(code({"text/markdown": text}, tags=["finding"]))

    assert " ".join(["It is 1.5 times faster."] * 10) == finding(made)


def test_edited_text_survives():
    """What a person wrote into a post is there after the next execution."""
    before = notebook(hand_written("None yet."))
    keep_hand_written(before, None)
    before.cells[0].source = "Why is l.i1 slow?"
    now = notebook(hand_written("None yet."))
    keep_hand_written(now, before)

    assert "Why is l.i1 slow?" == now.cells[0].source


def test_unedited_text_follows_the_template():
    """A default that nobody touched is replaced by the template's new default."""
    before = notebook(hand_written("None yet."))
    keep_hand_written(before, None)
    now = notebook(hand_written("No open question."))
    keep_hand_written(now, before)

    assert "No open question." == now.cells[0].source


def test_text_edited_once_survives_twice():
    """The second execution keeps it as the first did."""
    first = notebook(hand_written("None yet."))
    keep_hand_written(first, None)
    first.cells[0].source = "Mine."
    second, third = notebook(hand_written("None yet.")), notebook(hand_written("New."))
    keep_hand_written(second, first)
    keep_hand_written(third, second)

    assert "Mine." == third.cells[0].source


def test_picture_has_no_part_that_nobody_sees():
    """A frame that is drawn stays, and an opacity of its own."""
    svg = (
        '<path class="foreground" d="" pointer-events="none" display="none"/>'
        '<path class="foreground" d="M0,0h9"/><text opacity="1">a</text>'
        '<text opacity="0.25">b</text><text x="1" opacity="0">no room</text>'
    )

    assert lean_picture(svg) == (
        '<path class="foreground" d="M0,0h9"/><text>a</text><text opacity="0.25">b</text>'
    )


def test_picture_says_its_one_font_once():
    """Of two each text keeps its own."""
    one, other = (f'<text font-family="{name}">a</text>' for name in ("x, y", "z"))

    assert '<svg font-family="x, y"><text>a</text></svg>' == lean_picture(
        f"<svg>{one}</svg>"
    )
    assert f"<svg>{one}{other}</svg>" == lean_picture(f"<svg>{one}{other}</svg>")


def test_picture_is_placed_to_a_hundredth_of_a_pixel():
    """What it says is left as it is."""
    svg = (
        '<path d="M0.12345,-7.9999L1e-7,1.2345e-9" x="3.0000001"/>'
        '<text transform="translate(1.005,2.3333)">0.98765</text>'
    )

    assert lean_picture(svg) == (
        '<path d="M0.12,-8L1e-7,0" x="3"/>'
        '<text transform="translate(1,2.33)">0.98765</text>'
    )
